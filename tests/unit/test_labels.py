"""Labels and texts as Python has them: arrays, columns and tables of several packages."""

import warnings

import numpy as np
import pytest

import pte
from pte.classify.errors import BadInput
from pte.classify.given import as_bytes, read_labels


class Arrow:
    """As much of a column of pyarrow as is asked for; its items are no Python objects."""

    def __init__(self, values):
        self._values = values

    def __len__(self):
        return len(self._values)

    def __iter__(self):
        return iter(map(object, self._values))  # as wrong as pyarrow's own scalars

    def to_pylist(self):
        return list(self._values)


class ArrowTable:
    """As much of a table of pyarrow as is asked for."""

    def __init__(self, **columns):
        self.column_names = list(columns)
        self.columns = [Arrow(values) for values in columns.values()]
        self.shape = (len(self.columns[0]), len(columns))


class Polars:
    """As much of a series of polars as is asked for."""

    def __init__(self, values):
        self._values = values
        self.shape = (len(values),)

    def __len__(self):
        return len(self._values)

    def __iter__(self):
        return iter(map(Polars if isinstance(self._values[0], list) else str, self._values))

    def to_list(self):
        return list(self._values)


class PolarsFrame:
    """As much of a data frame of polars as is asked for."""

    def __init__(self, **columns):
        self.columns = list(columns)
        self._columns = [Polars(values) for values in columns.values()]
        self.shape = (len(self._columns[0]), len(columns))

    def __iter__(self):
        return iter(self._columns)

    def get_columns(self):
        return self._columns


Polars.__module__ = PolarsFrame.__module__ = "polars.made_up"


@pytest.mark.parametrize(
    ("y", "classes"),
    [
        (np.ma.array([1, 2, 3], mask=[0, 1, 0]), [1, 3]),
        (np.ma.array(["a", "b", "c"], mask=[0, 1, 0]), ["a", "c"]),
        (np.ma.array([[1.0], [2.0], [3.0]], mask=[[0], [1], [0]]).ravel(), [1.0, 3.0]),
        ([np.array("a"), None, np.array("c")], ["a", "c"]),
        ([" a", None, "c\n"], ["a", "c"]),
        ([1, np.int64(-1), True + 1], [1, 2]),
        (Arrow(["a", None, "c"]), ["a", "c"]),
        (Polars(["a", None, "c"]), ["a", "c"]),
        (np.array(["a", "", "c"], np.dtypes.StringDType()), ["a", "c"]),
        (np.array(["a", np.nan, "c"], np.dtypes.StringDType(na_object=np.nan)), ["a", "c"]),
    ],
)
@pytest.mark.filterwarnings("ignore:y. labels of 2 documents have spaces")
def test_labels_of_any_column_are_read(y, classes):
    found = read_labels(y, 3)
    assert found.classes.tolist() == classes
    assert found.of_documents == ((0,), None, (1,))


def arrays(lists):
    return [None if each is None else np.array(each) for each in lists]


@pytest.mark.parametrize("column", [Arrow, Polars, arrays])
def test_lists_of_any_column_are_read(column):
    found = read_labels(column([["b"], None, ["a", "b"], []]), 4)
    assert found.classes.tolist() == ["a", "b"]
    assert found.of_documents == ((1,), None, (0, 1), ())


@pytest.mark.parametrize("table", [ArrowTable, PolarsFrame])
def test_the_columns_of_any_table_are_the_classes(table):
    found = read_labels(table(b=[1, 0, None, 0], a=[0, 1, None, 0]), 4)
    assert found.classes.tolist() == ["b", "a"]
    assert found.of_documents == ((0,), (1,), None, ())
    with pytest.warns(match="column-vector"):
        assert read_labels(table(topic=["x", "y"]), 2).classes.tolist() == ["x", "y"]


def test_a_masked_matrix_has_rows_without_labels():
    matrix = np.ma.array([[1, 0], [0, 1], [1, 1]], mask=[[0, 0], [1, 1], [0, 0]])
    assert read_labels(matrix, 3).of_documents == ((0,), None, (0, 1))


@pytest.mark.parametrize("missing", ["-1", "nan", "None"])
def test_missing_labels_that_numpy_made_text_of_are_an_error(missing):
    given = np.array(["a", missing, "b"])
    older = (given, given[:, None], list(given[:, None])) if missing != "None" else ()
    for y in (given.astype(np.dtypes.StringDType()), *older):
        with pytest.raises(BadInput, match=f"numpy made text of {missing}"):
            read_labels(y, 3)


@pytest.mark.parametrize(("y", "n"), [([-1, 0, 1, 1], 1), ([-1, 1, -1.0, 1], 2)])
def test_it_is_said_that_minus_one_is_no_class(y, n):
    with pytest.warns(match=f"-1 means no label.* so {n} documents have none.*labels as text"):
        assert read_labels(y, 4).of_documents.count(None) == n
    texts = read_labels([str(label) for label in y], 4)
    assert "-1" in texts.classes.tolist() and None not in texts.of_documents


@pytest.mark.parametrize("y", [[-1, 0, 1, 2], [None, 0, 1, 1], [i % 30 for i in range(40)]])
def test_labels_that_can_only_be_meant_so_bring_no_warning(y):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        read_labels(y, len(y))


@pytest.mark.parametrize("y", [np.array([True, False, True]), [np.True_, False, True]])
def test_booleans_of_numpy_are_classes_like_those_of_python(y):
    found = read_labels(y, 3)
    assert found.classes.tolist() == [False, True] and found.of_documents == ((1,), (0,), (1,))


class Scalar:
    """An item of xarray or PyTorch: an array without a dimension."""

    ndim = 0

    def __init__(self, value):
        self.item = lambda: value


def test_items_of_other_packages_are_what_they_hold():
    assert read_labels([Scalar("a"), Scalar("b")], 2).classes.tolist() == ["a", "b"]
    assert as_bytes([Scalar("a"), Scalar("b")]) == [b"a", b"b"]


@pytest.mark.parametrize(
    ("y", "said"),
    [
        ({"a", "b"}, "y: this is a set; give a list"),
        ({"a": 1, "b": 2}, "y: this is a dict; give a list"),
        ([{"a": 1}, {"b": 2}], "Unknown label type: dict, such as"),
        ([[["a"]], [["b"]]], "Unknown label type: list, such as"),
        (np.zeros((2, 2, 2)), "Unknown label type: ndarray, such as"),
        ([b"a", b"b"], "Unknown label type: bytes.*; make all labels text"),
        ([[1, 0, 0], [0, 1, 0]], "y: lists of 0 and 1 may be rows of a matrix"),
        ([(True, False), None], "y: lists of 0 and 1 may be rows of a matrix"),
        (["a\0", "b"], r"numpy drops the zero at the end of the label 'a\\x00'; take it out"),
    ],
)
def test_what_is_no_column_of_labels_is_named(y, said):
    with pytest.raises(pte.PteError, match=said):
        read_labels(y, 2)


def test_whole_numbers_that_no_type_of_numpy_holds_stay_exact():
    found = read_labels([-5, 2**63, 2**63 + 1], 3)
    assert found.classes.tolist() == [-5, 2**63, 2**63 + 1]
    assert found.of_documents == ((0,), (1,), (2,))


def test_spaces_around_labels_are_dropped_and_this_is_said():
    """The readers of files drop them, too."""
    given = ["sport", "sport ", " money", None, " "]
    with pytest.warns(match="labels of 2 documents have spaces around them"):
        found = read_labels(given, 5)
    assert found.classes.tolist() == ["money", "sport"]
    assert found.of_documents == ((1,), (1,), (0,), None, None)


@pytest.mark.parametrize("y", [np.array("a"), 3, "a"])
def test_one_value_is_no_column_of_labels(y):
    with pytest.raises(pte.PteError, match="give a label for each document"):
        read_labels(y, 1)


@pytest.mark.parametrize(
    "texts",
    [
        Arrow(["a", "b"]),
        Polars(["a", "b"]),
        np.ma.array(["a", "b"]),
        np.array(["a", "b"], np.dtypes.StringDType()),
        [np.array("a"), np.array(b"b")],
    ],
)
def test_texts_of_any_column_are_read(texts):
    assert as_bytes(texts) == [b"a", b"b"]


@pytest.mark.parametrize(
    ("texts", "said"),
    [
        (ArrowTable(text=["a"], n=[1]), "this is a table"),
        (PolarsFrame(text=["a"], n=[1]), "this is a table"),
        (np.array("a"), "give a list of texts"),
        ({"a", "b"}, "this is a set; give a list"),
        ([np.array(["a", "b"]), "c"], "document 0 is of type ndarray; it must be text"),
    ],
)
def test_what_is_no_column_of_texts_is_refused(texts, said):
    with pytest.raises(pte.PteError, match=f"raw_documents: {said}"):
        as_bytes(texts)


def test_whole_numbers_beside_missing_ones_are_no_floats():
    found = read_labels([1.0, float("nan"), 2.0, np.float64(1)], 4)
    assert found.classes.tolist() == [1, 2] and found.classes.dtype.kind == "i"
    assert found.of_documents == ((0,), None, (1,), (0,))
    assert read_labels([True, False], 2).classes.tolist() == [False, True]


@pytest.mark.parametrize(
    "texts",
    [["a", None], [b"a", float("nan")], np.ma.array(["a", "b"], mask=[0, 1]), Arrow(["a", None])],
)
def test_a_missing_text_is_an_empty_one(texts):
    with pytest.warns(UserWarning, match="raw_documents: 1 missing; they count as empty"):
        assert as_bytes(texts) == [b"a", b""]
