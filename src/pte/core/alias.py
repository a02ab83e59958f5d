"""Alias tables: one draw from any discrete distribution costs one random number.

Source: Walker 1977; Vose 1991. LINE (WWW'15, section 4.3) samples its edges this way.
"""

import numpy as np

from pte.core.jit import kernel
from pte.core.rng import unit
from pte.core.types import AliasTable, FloatArray, Int

_ONE = 2.0**31


@kernel
def build_alias(weights: FloatArray) -> AliasTable:
    """Table for draws ∝ `weights` (float64, shape (n,), not negative, sum > 0).

    Returns int32, shape (n, 2): the share of the cell kept by its own index, in units of 2**-31,
    and the index that owns the rest. Both lie in one cache line, 8 bytes an entry.
    """
    n = weights.size
    mass = weights * (n / weights.sum())
    table = np.empty((n, 2), np.int32)
    small = np.empty(n, np.int64)
    large = np.empty(n, np.int64)
    n_small = 0
    n_large = 0
    for i in range(n):
        table[i, 0] = 2147483647
        table[i, 1] = i
        if mass[i] < 1.0:
            small[n_small] = i
            n_small += 1
        else:
            large[n_large] = i
            n_large += 1
    while n_small > 0 and n_large > 0:
        n_small -= 1
        poor = small[n_small]
        rich = large[n_large - 1]
        table[poor, 0] = np.int32(min(mass[poor] * _ONE, 2147483647.0))
        table[poor, 1] = rich
        mass[rich] -= 1.0 - mass[poor]
        if mass[rich] < 1.0:
            n_large -= 1
            small[n_small] = rich
            n_small += 1
    return table


@kernel
def draw(bits: np.uint64, table: AliasTable) -> Int:
    """The index that 64 random bits select.

    The integer part of u·n is the cell, its fraction decides between the cell's two owners; both
    are loaded before the choice, because a mispredicted branch costs more than a load.
    """
    position = unit(bits) * table.shape[0]
    cell = np.int64(position)
    share = np.int64((position - cell) * _ONE)
    other = np.int64(table[cell, 1])
    return cell if share < table[cell, 0] else other
