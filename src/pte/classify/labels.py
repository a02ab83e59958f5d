"""Labels in the forms of scikit-learn: a label or a list for each document, or a matrix."""

import math
import numbers
import warnings
from collections.abc import Hashable, Iterable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.utils import column_or_1d

from pte.classify.errors import BadInput
from pte.classify.given import items_of, table_of
from pte.corpora.texts import GivenLabels

UNLABELLED = -1
"""The number that means no label, as in scikit-learn's semi-supervised estimators."""


_LISTS = (list, tuple, set, frozenset, np.ndarray)
"""The types that hold the labels of one document."""


def read_labels(y: Any, n_documents: int, none_counts: bool = False) -> GivenLabels | None:
    """Read the labels of `n_documents` documents; return None if `y` is None or has no label.

    If `none_counts`, it is enough that a document has none of the classes.

    `y` has an item for each document: a label; a list, tuple, set or array of labels; or a row of
    an indicator matrix, dense or sparse, whose columns are the classes. It may be an array of
    numpy, masked or not, or a column or a table of pandas, polars or pyarrow. The classes of a data
    frame are the names of its columns; the classes of other matrices are 0, 1, 2 … A single column
    is an indicator matrix only in a data frame. Elsewhere it holds a label for each document, as in
    scikit-learn.

    An item means no label if it is None, masked, NaN, pandas' NA, empty or blank text, the number
    −1, or a list of these values; the text "-1" is a class. An empty list or a row of zeros means
    that the document has none of the classes. Spaces around a text are no part of a label. Both are
    said by a warning where they may not be meant: −1 beside no other classes than 0 and 1, and
    spaces around texts.

    Raises `BadInput` when there are more or fewer items than documents, when labels are of
    different types or are numbers that are not whole, when a matrix is not such an indicator
    matrix, and for lists of 0 and 1 of one length, which may be the rows of one.
    """
    if y is None:
        return None
    if (table := table_of(y)) is not None:
        names, matrix = table
        _check_array(matrix)
        _check_length(len(matrix), n_documents)
        values = _as_numbers(matrix)
        known = _find_known(values)
        if matrix.shape[1] == 1 and (known is None or names is None):
            found = _numbered(column_or_1d(matrix, warn=True), False)  # as scikit-learn takes it
        else:
            found = _of_matrix(values, known, range(matrix.shape[1]) if names is None else names)
    else:
        items = _items(y)
        _refuse_rows(items)
        _check_length(len(items), n_documents)
        found = _numbered(items, any(isinstance(item, _LISTS) for item in items))
    return found if found.known.size and (none_counts or any(found.of_documents)) else None


def read_groups(groups: Any, n_documents: int) -> list[str | None]:
    """Return the group of each of `n_documents` documents as text; None for one without a group.

    Without `groups`, no document has one. Raises `BadInput` when there are more or fewer groups.
    """
    names = [None] * n_documents if groups is None else items_of("groups", groups)
    if len(names) != n_documents:
        raise BadInput(f"groups has {len(names)} groups for {n_documents} documents")
    return [None if is_missing(name) else str(name) for name in names]


def _items(y: Any) -> Sequence[Any]:
    if isinstance(y, str | bytes) or not isinstance(y, Iterable) or getattr(y, "ndim", 1) == 0:
        raise BadInput(f"y is {y!r}; give a label for each document")
    items = items_of("y", y)
    for array in (y, *items):
        _check_array(array)
    return items


def _check_array(labels: Any) -> None:
    """Refuse an array of texts in which numpy has made text of a missing label."""
    if not isinstance(labels, np.ndarray) or labels.dtype.kind not in "UT":
        return
    of_texts_only = ("None",) if labels.dtype.kind == "T" else ()  # others keep it as an object
    for value in (str(UNLABELLED), "nan", *of_texts_only):
        if (labels == value).any():
            raise BadInput(
                f'y: numpy made text of {value}; use None, or an array with dtype "object"'
            )


def _refuse_rows(items: Sequence[Any]) -> None:
    """Refuse lists of 0 and 1 of one length, which are rows of a matrix, and no lists of labels."""
    lists = [item for item in items if isinstance(item, list | tuple | np.ndarray)]
    if len({len(each) for each in lists}) != 1 or len(lists[0]) < 2:
        return
    values = [plain(value) for each in lists for value in each]
    if all(isinstance(value, numbers.Real) and value in (0, 1) for value in values):
        raise BadInput(
            "y: lists of 0 and 1 may be rows of a matrix or lists of labels; give numpy.array(y), "
            "or labels as text"
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
    except ValueError:  # nor does an array, of which each item may be
        return False


def _is_label(label: Any) -> bool:
    if not isinstance(label, Hashable) or isinstance(label, np.void):
        kind = type(label).__name__
        raise BadInput(f"y: Unknown label type: {kind}, such as {label!r}; give texts or numbers")
    return not is_missing(label) and bool(label != UNLABELLED)


def _numbered(items: Sequence[Any], several: bool) -> GivenLabels:
    """Number labels, or the `several` of lists; a list without a label, not empty, is unknown."""
    lists = [tuple(item) if several and isinstance(item, _LISTS) else (item,) for item in items]
    rows = [
        tuple(_without_spaces(label) for label in labels if _is_label(label))
        or (None if labels else ())
        for labels in lists
    ]
    distinct = {label for row in rows for label in row or ()}
    _warn_of(lists, distinct)
    if not distinct:
        return GivenLabels(np.empty(0, np.int64), tuple(None for _ in lists), several)
    classes = _classes(distinct)
    place = {label: i for i, label in enumerate(classes.tolist())}
    numbered = (row if row is None else sorted({place[plain(x)] for x in row}) for row in rows)
    return GivenLabels(classes, tuple(x if x is None else tuple(x) for x in numbered), several)


def _without_spaces(label: Any) -> Any:
    return label.strip() if isinstance(label, str) else label


def _warn_of(lists: Sequence[tuple[Any, ...]], distinct: set[Any]) -> None:
    """Warn of spaces around labels, and of -1 that may be a class."""
    if spaced := sum(any(_has_spaces(label) for label in labels) for labels in lists):
        warnings.warn(
            f"y: labels of {spaced:,} documents have spaces around them, which are dropped",
            stacklevel=2,
        )
    without = sum(any(_is_minus_one(label) for label in labels) for labels in lists)
    if without and distinct <= {0, 1}:
        warnings.warn(
            f"y: -1 means no label, as in scikit-learn, so {without:,} documents have none; if -1 "
            "is a class, give the labels as text, and if it is not, None says the same",
            stacklevel=2,
        )


def _has_spaces(label: Any) -> bool:
    return isinstance(label, str) and label.strip() not in ("", label)


def _is_minus_one(label: Any) -> bool:
    return isinstance(label, numbers.Real) and label == UNLABELLED


def _classes(distinct: set[Any]) -> NDArray[Any]:
    """Return the classes in ascending order, texts or whole numbers, or raise `BadInput`.

    Whole numbers are no floats, as they are in a column that lacks some.
    """
    texts = all(isinstance(label, str) for label in distinct)
    whole = all(
        isinstance(label, numbers.Real | np.bool_) and plain(label) == plain(label) // 1
        for label in distinct
    )
    if not texts and not whole:
        one_of_each = {type(label).__name__: plain(label) for label in distinct}
        shown = ", ".join(f"{kind} such as {label!r}" for kind, label in one_of_each.items())
        raise BadInput(
            f"y: Unknown label type: {shown}; make all labels text, or all whole numbers"
        )
    if cut := next((label for label in distinct if texts and label.endswith("\0")), None):
        raise BadInput(f"y: numpy drops the zero at the end of the label {cut!r}; take it out")
    some_floats = any(isinstance(label, float | np.floating) for label in distinct)
    classes = sorted(map(int, distinct) if some_floats else distinct)
    found = np.array(classes)
    return np.array(classes, object) if found.dtype.kind == "f" else found  # 2**63 beside -1


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
    names = np.array(list(classes))
    if names.ndim != 1 or names.dtype.kind not in "UibuT" or len({*map(str, names)}) < names.size:
        raise BadInput(
            f"y: columns are named {list(classes)[:20]}; give each a name of its own, texts or "
            "whole numbers"
        )
    return GivenLabels(names, tuple(rows), several=True)
