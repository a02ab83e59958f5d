"""Labels in the forms of scikit-learn: a label or a list for each document, or a matrix."""

import math
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.utils import column_or_1d
from sklearn.utils.multiclass import check_classification_targets

from pte.corpora.texts import GivenLabels
from pte.estimators.errors import BadInput

UNLABELLED = -1
"""The number that means no label, as in scikit-learn's semi-supervised estimators."""


_LISTS = (list, tuple, set, frozenset, np.ndarray)
"""The types that hold the labels of one document."""


def read_labels(y: Any, n_documents: int) -> GivenLabels | None:
    """Read the labels of `n_documents` documents; return None if `y` is None or has no label.

    `y` has an item for each document: a label; a list, tuple, set or array of labels; or a row of
    an indicator matrix, dense or sparse, whose columns are the classes. The classes of a data frame
    are the names of its columns; the classes of other matrices are 0, 1, 2 … A single column is an
    indicator matrix only in a data frame. Elsewhere it holds a label for each document, as in
    scikit-learn.

    An item means no label if it is None, −1, NaN, pandas' NA, empty or blank text, a list of these
    values, or a row of −1 or of NaN. An empty list or a row of zeros means that the document has
    none of the classes.

    Raises `BadInput` when there are more or fewer items than documents, when labels are of
    different types or are numbers that are not whole, and when a matrix is not such an indicator
    matrix.
    """
    if y is None:
        return None
    given: Any = y.toarray() if hasattr(y, "toarray") else y
    if getattr(given, "ndim", 1) == 2:
        _check_array(given)
        matrix = np.asarray(given)
        _check_length(len(matrix), n_documents)
        numbers = _as_numbers(matrix)
        known = _find_known(numbers)
        is_indicator = known is not None and hasattr(given, "columns")
        if matrix.shape[1] == 1 and not is_indicator:
            found = _of_column(column_or_1d(matrix, warn=True))  # as scikit-learn takes it
        else:
            found = _of_matrix(numbers, known, getattr(given, "columns", range(matrix.shape[1])))
    else:
        items = _items(given)
        _check_length(len(items), n_documents)
        lists = any(isinstance(item, _LISTS) for item in items)
        found = _of_lists(items) if lists else _of_column(items)
    return found if found.any_known else None


def _items(y: Any) -> Sequence[Any]:
    if isinstance(y, str | bytes) or not isinstance(y, Iterable):
        raise BadInput(f"y is {y!r}; give a label for each document")
    items = list(y)
    for array in (y, *items):
        _check_array(array)
    return items


def _check_array(labels: Any) -> None:
    """Refuse an array of texts in which numpy has made text of a missing label."""
    if not isinstance(labels, np.ndarray) or labels.dtype.kind != "U":
        return
    for value in (str(UNLABELLED), "nan"):
        if (labels == value).any():
            raise BadInput(
                f'y: numpy made text of {value}; use None, or an array with dtype "object"'
            )


def _check_length(n: int, n_documents: int) -> None:
    if n != n_documents:
        raise BadInput(f"y has {n} labels for {n_documents} documents; they must be as many")


def is_missing(value: Any) -> bool:
    """Return whether a value is missing: None, NaN, pandas' NA, or empty or blank text."""
    if value is None or (isinstance(value, str | bytes) and not value.strip()):
        return True
    try:
        return bool(value != value)  # NaN is not equal to itself
    except TypeError:  # pandas' NA does not say whether it is equal
        return True


def _is_label(label: Any) -> bool:
    return not is_missing(label) and bool(label != UNLABELLED)


def _of_column(items: Iterable[Any]) -> GivenLabels:
    return _numbered([(item,) if _is_label(item) else None for item in items], several=False)


def _of_lists(items: Iterable[Any]) -> GivenLabels:
    lists = [item if isinstance(item, _LISTS) else (item,) for item in items]
    return _numbered(
        [tuple(filter(_is_label, labels)) or (None if len(labels) else ()) for labels in lists],
        several=True,
    )


def _numbered(lists: Sequence[tuple[Any, ...] | None], several: bool) -> GivenLabels:
    distinct = {label for labels in lists for label in labels or ()}
    if not distinct:
        return GivenLabels(np.empty(0, np.int64), tuple(None for _ in lists), several)
    try:
        classes = np.array(sorted(distinct))
        check_classification_targets(classes)
    except (TypeError, ValueError) as error:
        raise BadInput(
            f"y: its labels cannot be classes ({error}); make all of them text, or whole numbers"
        ) from error
    numbers = {label: i for i, label in enumerate(classes.tolist())}
    rows = (row if row is None else sorted({numbers[plain(x)] for x in row}) for row in lists)
    return GivenLabels(classes, tuple(row if row is None else tuple(row) for row in rows), several)


def plain(label: Any) -> Any:
    """Return a number of numpy as a Python object, and other labels as they are."""
    return label.item() if isinstance(label, np.generic) else label


def _as_numbers(matrix: NDArray[Any]) -> NDArray[Any]:
    """Return a matrix with NaN in place of missing Python objects, so that it has numbers only."""
    if not matrix.dtype.hasobject:
        return matrix
    return np.array([[math.nan if is_missing(x) else x for x in row] for row in matrix])


def _find_known(matrix: NDArray[Any]) -> NDArray[np.bool_] | None:
    """Return which rows of an indicator matrix have labels; None if it is no such matrix."""
    if matrix.dtype.kind not in "biuf":
        return None
    missing = matrix == UNLABELLED
    if matrix.dtype.kind == "f":
        missing |= np.isnan(matrix)
    known = np.asarray(~missing.all(axis=1))
    return known if np.isin(matrix[known], (0, 1)).all() else None


def _of_matrix(
    matrix: NDArray[Any], known: NDArray[np.bool_] | None, classes: Sequence[Any]
) -> GivenLabels:
    if known is None:
        raise BadInput("y: an indicator matrix must hold 0 and 1, and -1 or NaN in all of a row")
    rows = [
        tuple(np.flatnonzero(row).tolist()) if is_known else None
        for row, is_known in zip(matrix, known, strict=True)
    ]
    return GivenLabels(np.array(list(classes)), tuple(rows), several=True)
