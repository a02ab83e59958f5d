"""Pairs of words in corpus order, as word2vec draws them for Skip-gram.

Source: Mikolov et al., NIPS 2013, and its released code.
"""

import numpy as np

from pte.core.alias import cell
from pte.core.arrays import Int32Array, IntArray, Pairs
from pte.core.jit import kernel
from pte.core.rng import next_random


@kernel
def draw_reach(bits: np.uint64, window: int) -> np.int64:
    """Return how far a window reaches: 1 … `window`, all equally likely; 0 if `window` is 0."""
    reach, _ = cell(bits, window)
    return np.int64(reach) + (window > 0)


@kernel
def draw_windows(
    tokens: Int32Array,
    offsets: IntArray,
    window: int,
    cursor: IntArray,
    state: np.uint64,
    pairs: Pairs,
) -> tuple[int, np.uint64]:
    """Fill `pairs` with (neighbour, centre); return the number of pairs and the next state.

    Centres are the tokens in order. The first centre is at `cursor` (int64: a document, a token),
    and `cursor` moves on to the first centre whose neighbours might not fit. Each centre draws how
    far its window reaches, with one random number. It is paired with all tokens of its document
    within that reach. `pairs` must have room for at least 2 · `window` pairs.
    """
    n = 0
    d, t = cursor[0], cursor[1]
    while d < offsets.size - 1 and n + 2 * window <= pairs.shape[0]:
        begin, end = offsets[d], offsets[d + 1]
        while t < end and n + 2 * window <= pairs.shape[0]:
            state, bits = next_random(state)
            reach = draw_reach(bits, window)
            for neighbour in range(max(begin, t - reach), min(end, t + reach + 1)):
                if neighbour != t:
                    pairs[n, 0] = tokens[neighbour]
                    pairs[n, 1] = tokens[t]
                    n += 1
            t += 1
        if t >= end:
            d += 1
    cursor[0], cursor[1] = d, t
    return n, state
