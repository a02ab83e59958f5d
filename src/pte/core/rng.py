"""Random numbers, and draws from any discrete distribution for one random number each.

SplitMix64 hashes a counter (Steele, Lea and Flood, OOPSLA 2014). Alias tables are Walker's (1977),
built as Vose did (1991), as LINE (WWW'15, section 4.3) draws its edges.
"""

import numpy as np

from pte.core.arrays import AliasTable, FloatArray, Int
from pte.core.jit import kernel

_GAMMA = np.uint64(0x9E3779B97F4A7C15)
_MIX_1 = np.uint64(0xBF58476D1CE4E5B9)
_MIX_2 = np.uint64(0x94D049BB133111EB)


@kernel
def mix(z: np.uint64) -> np.uint64:
    """Hash 64 bits to 64 bits."""
    z = (z ^ (z >> np.uint64(30))) * _MIX_1
    z = (z ^ (z >> np.uint64(27))) * _MIX_2
    return z ^ (z >> np.uint64(31))


@kernel
def next_random(state: np.uint64) -> tuple[np.uint64, np.uint64]:
    state = state + _GAMMA
    return state, mix(state)


@kernel
def stream(seed: int, index: int) -> np.uint64:
    """Return the state at which stream `index` of `seed` starts."""
    return mix(mix(np.uint64(seed) + _GAMMA) ^ (np.uint64(index) * _GAMMA + _MIX_1))


_ONE = 2.0**31
SHARE = 2**31 - 1
_HALF = np.uint64(32)
_LOW = np.uint64(2**32 - 1)


@kernel
def build_alias(weights: FloatArray) -> AliasTable:
    """Build a table for draws ∝ `weights` (float64, not negative, sum > 0).

    The low half of entry i is the share that i keeps, in units of 2**-31, the high half the owner
    of the rest.
    """
    n = weights.size
    scale = n / weights.sum()
    mass = np.empty(n, np.float64)
    table = np.empty(n, np.int64)
    small = np.empty(n, np.int64)
    large = np.empty(n, np.int64)
    n_small = 0
    n_large = 0
    for i in range(n):
        mass[i] = weights[i] * scale
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
    """Return the cell of `n` < 2**32 and the fraction (31 bits), digits of bits · n / 2**64."""
    position = (bits >> _HALF) * np.uint64(n) + (((bits & _LOW) * np.uint64(n)) >> _HALF)
    return np.int64(position >> _HALF), np.int64((position & _LOW) >> np.uint64(1))


@kernel
def owner(table: AliasTable, cell: Int, fraction: Int) -> Int:
    """Return the owner of a `fraction` (31 bits) of a cell."""
    return choose(table[cell], cell, fraction)


@kernel
def choose(entry: np.int64, own: Int, fraction: Int) -> Int:
    """Return `own` if `fraction` is in the share of `entry`, else its high half; no branch."""
    other = entry >> 32
    keep = (np.int64(fraction) - (entry & SHARE)) >> 63  # all ones if fraction is in the share
    return other ^ ((other ^ np.int64(own)) & keep)
