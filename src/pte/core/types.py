"""Names for the arrays that the kernels pass around."""

from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

Table: TypeAlias = NDArray[np.float32]
"""Embedding table, shape (rows, stride); see `pte.core.tables`."""

Leaves: TypeAlias = NDArray[np.float32]
"""An embedding table that is cut by columns, shape (leaves, rows, columns)."""

AliasTable: TypeAlias = NDArray[np.int64]
"""Alias table, shape (n,); see `pte.core.alias.build_alias`."""

Pairs: TypeAlias = NDArray[np.int32]
"""Draws, shape (n, 1 + m): a source and m targets, each numbered within its network."""

Slots: TypeAlias = tuple[int, ...]
"""A tuple (0, 1, … K). Its length is part of its type, so the compiler unrolls loops over it."""

FloatArray: TypeAlias = NDArray[np.float64]
Float32Array: TypeAlias = NDArray[np.float32]
IntArray: TypeAlias = NDArray[np.int64]
Int32Array: TypeAlias = NDArray[np.int32]
UintArray: TypeAlias = NDArray[np.uint64]
ByteArray: TypeAlias = NDArray[np.uint8]
BoolArray: TypeAlias = NDArray[np.bool_]

Int: TypeAlias = int | np.int64
"""A whole number: Python's type outside compiled code, numpy's type inside."""
