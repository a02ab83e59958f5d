"""Alias tables: one draw from any discrete distribution costs one random number.

Source: Walker 1977; Vose 1991. LINE (WWW'15, section 4.3) samples its edges this way.
"""

import numpy as np

from pte.core.jit import kernel
from pte.core.types import AliasTable, FloatArray, Int

_ONE = 2.0**31
SHARE = 2**31 - 1
_HALF = np.uint64(32)
_LOW = np.uint64(2**32 - 1)


@kernel
def build_alias(weights: FloatArray) -> AliasTable:
    """Table for draws ∝ `weights` (float64, shape (n,), not negative, sum > 0).

    Returns int64, shape (n,): the share of the cell kept by its own index, in units of 2**-31, in
    the low half of an entry, and the index that owns the rest in the high half.
    """
    n = weights.size
    mass = weights * (n / weights.sum())
    table = np.empty(n, np.int64)
    small = np.empty(n, np.int64)
    large = np.empty(n, np.int64)
    n_small = 0
    n_large = 0
    for i in range(n):
        table[i] = SHARE | (i << 32)
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
        table[poor] = min(np.int64(mass[poor] * _ONE), SHARE) | (rich << 32)
        mass[rich] -= 1.0 - mass[poor]
        if mass[rich] < 1.0:
            n_large -= 1
            small[n_small] = rich
            n_small += 1
    return table


@kernel
def cell(bits: np.uint64, n: int) -> tuple[Int, Int]:
    """The cell of a table of `n` < 2**32 entries that 64 random bits fall into, and the fraction.

    bits · n / 2**64 as a number with 32 binary digits after the point: its whole part is the cell;
    31 digits of the rest are compared with the cell's share.
    """
    position = (bits >> _HALF) * np.uint64(n) + (((bits & _LOW) * np.uint64(n)) >> _HALF)
    return np.int64(position >> _HALF), np.int64((position & _LOW) >> np.uint64(1))


@kernel
def owner(table: AliasTable, cell: Int, fraction: Int) -> Int:
    """Which of the two owners of a cell its `fraction` (31 bits) belongs to."""
    return choose(table[cell], cell, fraction)


@kernel
def choose(entry: np.int64, own: Int, fraction: Int) -> Int:
    """`own` if `fraction` is in the share of an entry, and else what its high half has.

    The sign of a difference chooses: a branch would be mispredicted every other time.
    """
    other = entry >> 32
    keep = (np.int64(fraction) - (entry & SHARE)) >> 63  # all ones if it is in the share
    return other ^ ((other ^ np.int64(own)) & keep)


@kernel
def draw(bits: np.uint64, table: AliasTable) -> Int:
    """The index that 64 random bits select."""
    where, fraction = cell(bits, table.shape[0])
    return owner(table, where, fraction)
