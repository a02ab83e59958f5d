"""The arrays that kernels pass around: their names, embedding tables, and ranges of items."""

from itertools import pairwise
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

Table: TypeAlias = NDArray[np.float32]  # shape (rows, stride); rows start on cache lines
AliasTable: TypeAlias = NDArray[np.int64]  # alias table, shape (n,); see `pte.core.rng.build_alias`
Pairs: TypeAlias = NDArray[np.int32]  # shape (n, 1 + m): a source, m targets, numbered by network
Slots: TypeAlias = tuple[int, ...]  # (0, 1, … K): its length is in its type, so loops unroll

FloatArray: TypeAlias = NDArray[np.float64]
Float32Array: TypeAlias = NDArray[np.float32]
IntArray: TypeAlias = NDArray[np.int64]
Int32Array: TypeAlias = NDArray[np.int32]
UintArray: TypeAlias = NDArray[np.uint64]
ByteArray: TypeAlias = NDArray[np.uint8]
BoolArray: TypeAlias = NDArray[np.bool_]

Int: TypeAlias = int | np.int64  # Python's type outside compiled code, numpy's inside

CACHE_LINE = 64
LANES = CACHE_LINE // 4


def zeros(rows: int, dim: int) -> Table:
    """Return float32 zeros, (rows, dim up to whole cache lines); further columns stay zero."""
    stride = -(-dim // LANES) * LANES
    buffer = np.zeros(rows * stride + LANES, np.float32)
    start = (-buffer.ctypes.data % CACHE_LINE) // 4
    return buffer[start : start + rows * stride].reshape(rows, stride)


def uniform(rows: int, dim: int, rng: np.random.Generator, spare: int = 0) -> Table:
    """Return a table, uniform in ±0.5/dim, as in word2vec and LINE, and `spare` rows of zeros."""
    table = zeros(rows + spare, dim)
    table[:rows, :dim] = (rng.random((rows, dim), dtype=np.float32) - 0.5) / dim
    return table


def shares(costs: IntArray, parts: int) -> list[tuple[int, int]]:
    """Cut items, in order, into `parts` ranges of about the same cost; some may be empty."""
    ends = np.cumsum(costs)
    whole = ends[-1] if ends.size else 0
    cuts = np.searchsorted(ends, np.arange(1, parts) / parts * whole)
    return list(pairwise([0, *cuts.tolist(), ends.size]))
