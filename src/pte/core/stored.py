"""Edges drawn from a stored network, by an alias table (LINE, WWW'15, section 4.3)."""

import numpy as np

from pte.core.alias import cell, owner
from pte.core.jit import kernel
from pte.core.rng import next_random
from pte.core.types import AliasTable, Int32Array, Pairs
from pte.core.vector import prefetch_item

# Draws under way at once: each waits for two loads from memory, and they wait together.
TOGETHER = 64


@kernel
def draw_stored(
    ends: Int32Array, table: AliasTable, undirected: bool, state: np.uint64, pairs: Pairs
) -> None:
    """Fill `pairs` with edges of `ends` (int32, shape (edges, 2)), with the odds of `table`.

    An edge of an undirected network gets its direction by a coin. `state` is where the stream of
    random numbers starts; a pair costs one of them.
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
