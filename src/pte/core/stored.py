"""Edges drawn from a stored network, by alias tables (LINE, WWW'15, section 4.3)."""

import numpy as np

from pte.core.alias import SHARE, build_alias, cell, choose, owner
from pte.core.arrays import AliasTable, FloatArray, Int32Array, IntArray, Pairs
from pte.core.jit import kernel
from pte.core.rng import next_random
from pte.core.vector import prefetch_item

_HALF = np.uint64(32)
_LOW = np.uint64(2**32 - 1)

# Draws under way at once: each draw waits for two loads from memory, and all draws wait together.
TOGETHER = 64


@kernel
def draw_stored(
    ends: Int32Array, table: AliasTable, undirected: bool, state: np.uint64, pairs: Pairs
) -> None:
    """Fill `pairs` with edges of `ends` (int32, shape (edges, 2)), with the odds of `table`.

    Only the first two columns are filled. An edge of an undirected network gets its direction by a
    coin. `state` is where the stream of random numbers starts; a pair costs one random number.
    """
    where = np.empty(TOGETHER, np.int64)
    fractions = np.empty(TOGETHER, np.int64)
    coins = np.empty(TOGETHER, np.int64)
    for begin in range(0, pairs.shape[0], TOGETHER):
        n = min(TOGETHER, pairs.shape[0] - begin)
        for i in range(n):
            state, bits = next_random(state)
            where[i], fractions[i] = cell(bits, table.shape[0])
            coins[i] = np.int64(bits & np.uint64(1)) if undirected else 0
            prefetch_item(table, where[i])
        for i in range(n):
            where[i] = owner(table, where[i], fractions[i])
            prefetch_item(ends, where[i])
        for i in range(n):
            pairs[begin + i, 0] = ends[where[i], coins[i]]
            pairs[begin + i, 1] = ends[where[i], 1 - coins[i]]


@kernel
def alias_by_source(
    bounds: IntArray, targets: Int32Array, weights: FloatArray, table: AliasTable
) -> None:
    """Fill `table` with the cells of each source s, whose edges begin at `bounds[s]`.

    The low half of a cell is the share that the cell keeps for its own target. The high half is the
    target that owns the rest. The cell has the place of its edge, so that cells side by side are
    read from one or two cache lines.
    """
    for s in range(bounds.size - 1):
        first, last = bounds[s], bounds[s + 1]
        if last > first:
            cells = build_alias(weights[first:last])
            for i in range(last - first):
                other = np.int64(targets[first + (cells[i] >> 32)])
                table[first + i] = (cells[i] & SHARE) | (other << 32)


@kernel
def draw_further(
    bounds: IntArray, targets: Int32Array, table: AliasTable, state: np.uint64, pairs: Pairs
) -> None:
    """Fill the columns of `pairs` after the second with targets of the sources in the first.

    A cell of the source (see `alias_by_source`) is drawn for the first of these targets. The other
    targets take the cells that follow; after the last cell comes the first. So each target has the
    odds that its edges have. The cell costs a random number, and the share of each target costs
    half a random number.
    """
    m = pairs.shape[1]
    cells = np.empty(TOGETHER, np.int64)
    for begin in range(0, pairs.shape[0], TOGETHER):
        n = min(TOGETHER, pairs.shape[0] - begin)
        for i in range(n):
            prefetch_item(bounds, int(pairs[begin + i, 0]))
        for i in range(n):
            first, last = bounds[pairs[begin + i, 0]], bounds[pairs[begin + i, 0] + 1]
            state, bits = next_random(state)
            cells[i] = first + cell(bits, last - first)[0]
            prefetch_item(table, cells[i])
            prefetch_item(targets, cells[i])
        for i in range(n):
            first, last = bounds[pairs[begin + i, 0]], bounds[pairs[begin + i, 0] + 1]
            at = cells[i]
            for k in range(2, m):
                if k % 2 == 0:
                    state, bits = next_random(state)
                fraction = np.int64((bits & _LOW) >> np.uint64(1))
                bits >>= _HALF
                pairs[begin + i, k] = choose(table[at], targets[at], fraction)
                at = first if at + 1 == last else at + 1
