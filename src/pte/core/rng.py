"""SplitMix64: a counter is hashed to 64 random bits, so that the state is one integer.

Source: Steele, Lea and Flood, "Fast splittable pseudorandom number generators", OOPSLA 2014.
"""

import numpy as np

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
    """Return the next state and 64 random bits."""
    state = state + _GAMMA
    return state, mix(state)


@kernel
def stream(seed: int, index: int) -> np.uint64:
    """Return the state at which stream `index` of `seed` starts."""
    return mix(mix(np.uint64(seed) + _GAMMA) ^ (np.uint64(index) * _GAMMA + _MIX_1))
