"""Alias tables: one draw from any discrete distribution costs one random number.

Source: Walker 1977; Vose 1991. LINE (WWW'15, section 4.3) samples its edges this way.
"""

import numpy as np

from pte.core.arrays import AliasTable, FloatArray, Int
from pte.core.jit import kernel

_ONE = 2.0**31
SHARE = 2**31 - 1
_HALF = np.uint64(32)
_LOW = np.uint64(2**32 - 1)


@kernel
def build_alias(weights: FloatArray) -> AliasTable:
    """Build a table for draws ∝ `weights` (float64, shape (n,), not negative, sum > 0).

    Returns int64, shape (n,). The low half of entry i is the share of cell i that index i keeps, in
    units of 2**-31. The high half is the index that owns the rest of the cell.
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
def cell(bits: np.uint64, n: Int) -> tuple[Int, Int]:
    """Return the cell of a table that 64 random bits fall into, and the fraction in the cell.

    The table has `n` < 2**32 entries. bits · n / 2**64 is a number with 32 binary digits after the
    point. Its whole part is the cell. 31 digits of the rest are the fraction, which `choose`
    compares with the cell's share.
    """
    position = (bits >> _HALF) * np.uint64(n) + (((bits & _LOW) * np.uint64(n)) >> _HALF)
    return np.int64(position >> _HALF), np.int64((position & _LOW) >> np.uint64(1))


@kernel
def owner(table: AliasTable, cell: Int, fraction: Int) -> Int:
    """Return the owner of a `fraction` (31 bits) of a cell: one of the cell's two owners."""
    return choose(table[cell], cell, fraction)


@kernel
def choose(entry: np.int64, own: Int, fraction: Int) -> Int:
    """Return `own` if `fraction` is in the share of `entry`, or else the high half of `entry`.

    The sign of a difference chooses, because a branch would be mispredicted every other time.
    """
    other = entry >> 32
    keep = (np.int64(fraction) - (entry & SHARE)) >> 63  # all ones if fraction is in the share
    return other ^ ((other ^ np.int64(own)) & keep)
