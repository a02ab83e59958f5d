"""What people give to estimators: texts, labels and groups, as lists or arrays of any package."""

import math
import numbers
import warnings
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pte.classify.errors import BadInput
from pte.corpora.cells import Cells
from pte.corpora.encoded import EncodedCorpus
from pte.corpora.texts import GivenLabels
from pte.corpora.tokenise import TOKENISERS, Tokeniser, from_function

Texts = Iterable[str | bytes] | EncodedCorpus  # an `EncodedCorpus` is what `encode` returned

Tokenizer = str | Tokeniser | Callable[[str], Sequence[str]]
"""The name of a tokeniser in `pte.corpora.tokenise.TOKENISERS`, a tokeniser, or a function."""

UNLABELLED = -1  # the number that means no label, as in scikit-learn's semi-supervised estimators
_LISTS = (list, tuple, set, frozenset, np.ndarray)  # the types that hold the labels of one document


def as_bytes(raw_documents: Any) -> Sequence[bytes]:
    """Return documents as bytes, in UTF-8; a missing document is an empty one, with a warning."""
    if isinstance(raw_documents, Cells) and raw_documents.are_bytes:
        return raw_documents
    shape = getattr(raw_documents, "shape", (0,))
    if len(shape) > 1:
        raise BadInput("raw_documents: this is a table; give one column of it, that of the texts")
    is_one = isinstance(raw_documents, str | bytes) or not shape
    if is_one or not isinstance(raw_documents, Iterable):
        raise BadInput("raw_documents: give a list of texts, one for each document")
    texts = items_of("raw_documents", raw_documents)
    missing = 0
    for i, text in enumerate(texts):
        if isinstance(text, bytes):
            continue
        if isinstance(text, str):
            texts[i] = text.encode("utf-8", "surrogatepass")
        elif is_missing(text):
            texts[i], missing = b"", missing + 1
        else:
            kind = type(text).__name__
            raise BadInput(f"raw_documents: document {i} is of type {kind}; it must be text")
    if missing:
        warnings.warn(f"raw_documents: {missing:,} missing; they count as empty", stacklevel=2)
    return texts


def tokeniser_of(tokenizer: Tokenizer) -> Tokeniser:
    """Return the tokeniser of a name or a function."""
    if isinstance(tokenizer, Tokeniser):
        return tokenizer
    if isinstance(tokenizer, str) and tokenizer in TOKENISERS:
        return TOKENISERS[tokenizer]
    if isinstance(tokenizer, str) or not callable(tokenizer):
        names = ", ".join(TOKENISERS)
        raise BadInput(f"tokenizer is {tokenizer!r}; it must be a function or one of {names}")

    def tokens_of(text: bytes) -> list[bytes]:
        tokens = tokenizer(text.decode("utf-8", "surrogateescape"))
        if isinstance(tokens, str | bytes):
            raise BadInput("tokenizer returns a text; it must return a list of tokens")
        try:
            return [token.encode("utf-8", "surrogateescape") for token in tokens]
        except (TypeError, AttributeError) as error:
            raise BadInput(f"tokenizer: {error}; it must return a list of texts") from error

    return from_function(tokens_of)


def read_groups(groups: Any, n_documents: int) -> list[str | None]:
    """Return the group of each document as text; None for one without a group."""
    names = [None] * n_documents if groups is None else items_of("groups", groups)
    if len(names) != n_documents:
        raise BadInput(f"groups has {len(names)} groups for {n_documents} documents")
    return [None if is_missing(name) else str(name) for name in names]


def read_labels(y: Any, n_documents: int, none_counts: bool = False) -> GivenLabels | None:
    """Read the labels of documents; return None if `y` is None or has no label.

    An item of `y` is a label, a list, tuple, set or array of them, or a row of an indicator matrix;
    a single column is a matrix only in a data frame. Missing, −1, or a list of these is no label;
    the text "-1" is a class. An empty list or a row of zeros says: none of the classes, which is
    enough if `none_counts`.
    """
    if y is None:
        return None
    if isinstance(y, GivenLabels):  # a contest reads labels once for all folds
        found = y
    elif (table := _table_of(y)) is not None:
        names, matrix = table
        _check(matrix, [matrix], n_documents)
        known = _known_rows(matrix)
        if matrix.shape[1] == 1 and (known is None or names is None):
            from sklearn.utils import column_or_1d  # slow to import, and predicting needs none

            found = _numbered(column_or_1d(matrix, warn=True), False)
        else:
            found = _of_matrix(matrix, known, range(matrix.shape[1]) if names is None else names)
    else:
        if isinstance(y, str | bytes) or not isinstance(y, Iterable) or getattr(y, "ndim", 1) == 0:
            raise BadInput(f"y is {y!r}; give a label for each document")
        items = items_of("y", y)
        _check(items, (y, *items), n_documents)
        found = _numbered(items, any(isinstance(item, _LISTS) for item in items))
    return found if found.known.size and (none_counts or any(found.of_documents)) else None


def _check(items: Any, arrays: Iterable[Any], n_documents: int) -> None:
    """Refuse labels of other documents, text of missing labels, and rows in place of lists."""
    if len(items) != n_documents:
        raise BadInput(
            f"y has {len(items)} labels for {n_documents} documents; they must be as many"
        )
    for labels in arrays:
        if not isinstance(labels, np.ndarray) or labels.dtype.kind not in "UT":
            continue
        of_texts_only = ("None",) if labels.dtype.kind == "T" else ()  # others keep it as an object
        for value in (str(UNLABELLED), "nan", *of_texts_only):
            if (labels == value).any():
                raise BadInput(
                    f'y: numpy made text of {value}; use None, or an array with dtype "object"'
                )
    lists = [item for item in items if isinstance(item, list | tuple | np.ndarray)]
    if isinstance(items, np.ndarray) or len({len(each) for each in lists}) != 1:
        return
    values = [plain(value) for each in lists for value in each]
    if len(lists[0]) > 1 and all(isinstance(v, numbers.Real) and v in (0, 1) for v in values):
        raise BadInput(
            "y: lists of 0 and 1 may be rows of a matrix or lists of labels; give numpy.array(y), "
            "or labels as text"
        )


def _numbered(items: Sequence[Any], several: bool) -> GivenLabels:
    """Number labels, or the `several` of lists; a list without a label, not empty, is unknown."""
    lists = [tuple(item) if several and isinstance(item, _LISTS) else (item,) for item in items]
    rows = [
        tuple(each.strip() if isinstance(each, str) else each for each in labels if _is_label(each))
        or (None if labels else ())
        for labels in lists
    ]
    distinct = {label for row in rows for label in row or ()}
    _warn_of(lists, distinct)
    if not distinct:
        return GivenLabels(np.empty(0, np.int64), tuple(None for _ in lists), several)
    classes = class_array(distinct)
    place = {label: i for i, label in enumerate(classes.tolist())}
    numbers = {row: tuple(sorted({place[plain(x)] for x in row or ()})) for row in {*rows}}
    of_rows = (row if row is None else numbers[row] for row in rows)
    return GivenLabels(classes, tuple(of_rows), several)


def _is_label(label: Any) -> bool:
    if not isinstance(label, Hashable) or isinstance(label, np.void):
        kind = type(label).__name__
        raise BadInput(f"y: Unknown label type: {kind}, such as {label!r}; give texts or numbers")
    return not is_missing(label) and bool(label != UNLABELLED)


def _warn_of(lists: Sequence[tuple[Any, ...]], distinct: set[Any]) -> None:
    """Warn of spaces around labels, and of -1 that may be a class."""

    def count(is_such: Callable[[Any], bool]) -> int:
        return sum(any(map(is_such, labels)) for labels in lists)

    if spaced := count(lambda each: isinstance(each, str) and each.strip() not in ("", each)):
        what = f"y: labels of {spaced:,} documents have spaces around them, which are dropped"
        warnings.warn(what, stacklevel=2)
    without = count(lambda each: isinstance(each, numbers.Real) and each == UNLABELLED)
    if without and distinct <= {0, 1}:
        warnings.warn(
            f"y: -1 means no label, as in scikit-learn, so {without:,} documents have none; if -1 "
            "is a class, give the labels as text, and if it is not, None says the same",
            stacklevel=2,
        )


def class_array(distinct: set[Any]) -> NDArray[Any]:
    """Return the classes in ascending order, texts or whole numbers, or raise `BadInput`."""
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


def _known_rows(matrix: NDArray[Any]) -> NDArray[np.bool_] | None:
    """Return which rows of an indicator matrix have labels; None if it is no such matrix."""
    if matrix.dtype.hasobject:
        matrix = np.array([[math.nan if is_missing(x) else x for x in row] for row in matrix])
    if matrix.dtype.kind not in "biuf":
        return None
    missing = (matrix == UNLABELLED) | (matrix != matrix)
    known = np.asarray(~missing.all(axis=1))
    return known if np.isin(matrix[known], (0, 1)).all() else None


def _of_matrix(
    matrix: NDArray[Any], known: NDArray[np.bool_] | None, classes: Sequence[Any]
) -> GivenLabels:
    if known is None:
        raise BadInput("y: an indicator matrix must hold 0 and 1, and -1 or NaN in all of a row")
    rows = [
        tuple(np.flatnonzero(row == 1).tolist()) if is_known else None
        for row, is_known in zip(matrix, known, strict=True)
    ]
    names = np.array(list(classes))
    if names.ndim != 1 or names.dtype.kind not in "UibuT" or len({*map(str, names)}) < names.size:
        raise BadInput(
            f"y: columns are named {list(classes)[:20]}; give each a name of its own, texts or "
            "whole numbers"
        )
    return GivenLabels(names, tuple(rows), several=True)


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


def plain(label: Any) -> Any:
    """Return a number of numpy as a Python object, and other labels as they are."""
    return label.item() if isinstance(label, np.generic) else label


def items_of(name: str, given: Any) -> list[Any]:
    """Return the items of a column as Python objects; those that a masked array hides are None."""
    if hasattr(given, "columns") or hasattr(given, "column_names"):
        raise BadInput(f"{name}: this is a table; give one column of it")
    if isinstance(given, set | frozenset | Mapping):
        kind = type(given).__name__
        raise BadInput(f"{name}: this is a {kind}; give a list, which has an order")
    for to_list in ("to_pylist", "to_list"):  # of pyarrow; of polars and pandas
        if hasattr(given, to_list):
            return list(getattr(given, to_list)())
    if isinstance(given, np.ma.MaskedArray):
        given = given.tolist()
    if not hasattr(given, "__iter__") and not hasattr(given, "__getitem__"):
        raise BadInput(f"{name} is of type {type(given).__name__}; give a list")
    return [
        item.item()
        if getattr(item, "ndim", None) == 0 and not isinstance(item, np.generic)
        else item
        for item in given
    ]


def _table_of(given: Any) -> tuple[Sequence[Any] | None, NDArray[Any]] | None:
    """Return the names of columns, if it has some, and the matrix of a table, dense or sparse."""
    names = getattr(given, "column_names", getattr(given, "columns", None))
    if hasattr(given, "column_names") or hasattr(given, "get_columns"):  # of pyarrow or polars
        columns = given.get_columns() if hasattr(given, "get_columns") else given.columns
        values = np.empty((given.shape[0], len(columns)), object)
        for number, column in enumerate(columns):
            values[:, number] = items_of("y", column)
        return names, values
    if len(getattr(given, "shape", ())) != 2:
        return None
    if isinstance(given, np.ma.MaskedArray):
        given = np.array(given.tolist(), object)
    return names, np.asarray(given.toarray() if hasattr(given, "toarray") else given)
