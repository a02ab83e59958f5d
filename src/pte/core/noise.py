"""Negatives: words drawn by their degree^0.75 in the network of the positive."""

from typing import NamedTuple

import numpy as np

from pte.core.alias import owner
from pte.core.arrays import AliasTable, Int32Array, IntArray, Slots
from pte.core.jit import kernel
from pte.core.rng import next_random
from pte.core.vector import prefetch_item

NOISE_POWER = 0.75
"""Negatives are drawn by degree to this power (paper, section 4.1)."""

_HALF = np.uint64(32)
_LOW = np.uint64(2**32 - 1)


class Noise(NamedTuple):
    """The alias tables of several networks, one behind the other.

    The table of network i is `table[bounds[i] : bounds[i + 1]]`.
    """

    table: AliasTable
    bounds: IntArray


@kernel
def draw_negatives(
    noise: Noise,
    networks: IntArray,
    leaders: IntArray,
    state: np.uint64,
    rows: Int32Array,
    members: Slots,
    slots: Slots,
) -> np.uint64:
    """Fill the slots after the members with draws from the noise, and return the next state.

    If row i is its own leader, it draws from the noise of network `networks[i]`. If not, it has the
    negatives of row `leaders[i]`, an earlier row. A draw costs half a random number: 32 bits times
    the size of the table give a cell and 32 binary digits after the point. These digits are finer
    than any frequency that could be counted.
    """
    m, n = len(members), networks.size
    table, bounds = noise
    positions = np.empty((n, len(slots) + 1), np.uint64)
    for i in range(n):
        if leaders[i] == i:
            begin = np.uint64(bounds[networks[i]])
            size = np.uint64(bounds[networks[i] + 1]) - begin
            for k in range(m, len(slots), 2):
                state, bits = next_random(state)
                positions[i, k] = (bits >> _HALF) * size
                positions[i, k + 1] = (bits & _LOW) * size
                prefetch_item(table, begin + (positions[i, k] >> _HALF))
                prefetch_item(table, begin + (positions[i, k + 1] >> _HALF))
    for i in range(n):
        begin = np.uint64(bounds[networks[i]])
        for k in range(m, len(slots)):
            if leaders[i] == i:
                where = np.int64(positions[i, k] >> _HALF)
                fraction = np.int64((positions[i, k] & _LOW) >> np.uint64(1))
                rows[i, k] = owner(table[begin:], where, fraction)
            else:
                rows[i, k] = rows[leaders[i], k]
    return state


@kernel
def choose_leaders(networks: IntArray, n_networks: int, share: int, leaders: IntArray) -> None:
    """Give each `share` consecutive rows of a network the first of these rows as their leader."""
    if share == 1:
        for i in range(networks.size):
            leaders[i] = i
        return
    leader_of = np.zeros(n_networks, np.int64)
    followers = np.zeros(n_networks, np.int64)
    for i in range(networks.size):
        network = networks[i]
        if followers[network] == 0:
            leader_of[network] = i
        leaders[i] = leader_of[network]
        followers[network] = (followers[network] + 1) % share
