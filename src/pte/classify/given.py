"""Columns and tables in the forms of numpy, pandas, polars and pyarrow, as plain Python objects."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pte.classify.errors import BadInput


class Matrix(NamedTuple):
    """A matrix, and the names of its columns if it has some."""

    names: Sequence[Any] | None
    values: NDArray[Any]


def items_of(name: str, given: Any) -> list[Any]:
    """Return the items of a column; those that a masked array hides are None.

    Items are Python objects where polars or pyarrow has its own, and arrays without a dimension
    become what they hold, also those of other packages. Raises `BadInput`, which begins with
    `name`, when there is nothing to go through, and for sets, mappings and tables with names.
    """
    if hasattr(given, "columns") or hasattr(given, "column_names"):
        raise BadInput(f"{name}: this is a table; give one column of it")
    if isinstance(given, set | frozenset | Mapping):
        kind = type(given).__name__
        raise BadInput(f"{name}: this is a {kind}; give a list, which has an order")
    if hasattr(given, "to_pylist"):  # an array of pyarrow
        return list(given.to_pylist())
    if _is_of_polars(given):
        return list(given.to_list())
    if isinstance(given, np.ma.MaskedArray):
        given = _filled(given)
    if not hasattr(given, "__iter__") and not hasattr(given, "__getitem__"):
        raise BadInput(f"{name} is of type {type(given).__name__}; give a list")
    return [
        item.item()
        if getattr(item, "ndim", None) == 0 and not isinstance(item, np.generic)
        else item
        for item in given
    ]


def table_of(given: Any) -> Matrix | None:
    """Return a table, dense or sparse, as a matrix; None for what has not two dimensions."""
    if hasattr(given, "column_names"):  # a table of pyarrow
        return _of_columns(given.column_names, given.columns)
    if hasattr(given, "get_columns"):  # a data frame of polars
        return _of_columns(given.columns, given.get_columns())
    if len(getattr(given, "shape", ())) != 2:
        return None
    if isinstance(given, np.ma.MaskedArray):
        given = _filled(given)
    dense = given.toarray() if hasattr(given, "toarray") else given
    return Matrix(getattr(given, "columns", None), np.asarray(dense))


def _filled(given: Any) -> NDArray[Any]:
    """Return a masked array with None in place of what it hides."""
    hidden = np.ma.getmaskarray(given)
    if not hidden.any():
        return np.asarray(given.data)
    values = given.data.astype(object)
    values[hidden] = None
    return np.asarray(values)


def _of_columns(names: Sequence[Any], columns: Sequence[Any]) -> Matrix:
    values = np.empty((len(columns[0]) if len(columns) else 0, len(columns)), object)
    for number, column in enumerate(columns):
        values[:, number] = items_of("y", column)
    return Matrix(names, values)


def _is_of_polars(given: Any) -> bool:
    return hasattr(given, "to_list") and type(given).__module__.partition(".")[0] == "polars"
