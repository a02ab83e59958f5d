"""Embedding tables as the vector kernels need them: rows start on a cache line."""

import numpy as np

from pte.core.types import Leaves, Table

CACHE_LINE = 64
LANES = CACHE_LINE // 4


def zeros(rows: int, dim: int) -> Table:
    """Return a float32 table of zeros, shape (rows, dim rounded up to whole cache lines).

    The columns after the first `dim` stay zero, because every update is a multiple of a row.
    """
    stride = -(-dim // LANES) * LANES
    buffer = np.zeros(rows * stride + LANES, np.float32)
    start = (-buffer.ctypes.data % CACHE_LINE) // 4
    return buffer[start : start + rows * stride].reshape(rows, stride)


def uniform(rows: int, dim: int, rng: np.random.Generator, spare: int = 0) -> Table:
    """Return a table, uniform in ±0.5/dim in its first `dim` columns, as word2vec and LINE start.

    `spare` more rows of zeros follow the first `rows`.
    """
    table = zeros(rows + spare, dim)
    table[:rows, :dim] = (rng.random((rows, dim), dtype=np.float32) - 0.5) / dim
    return table


def by_leaves(table: Table, lines: int) -> Leaves:
    """Cut a table into leaves: tables whose rows have `lines` cache lines each.

    Returns as many leaves as the columns need, one behind the other: shape
    (leaves, rows, 16 · lines).
    """
    rows, stride = table.shape
    columns = lines * LANES
    leaves = zeros(-(-stride // columns) * rows, columns).reshape(-1, rows, columns)
    for i, leaf in enumerate(leaves):
        part = table[:, i * columns : (i + 1) * columns]
        leaf[:, : part.shape[1]] = part
    return leaves
