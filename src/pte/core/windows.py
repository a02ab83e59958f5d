"""Pairs of words that stand within a window of each other."""

import numpy as np

from pte.core.jit import kernel
from pte.core.types import Int32Array, IntArray


@kernel
def count_window_pairs(offsets: IntArray, window: int) -> int:
    """Number of unordered pairs of positions at most `window` apart inside one document."""
    total = 0
    for d in range(offsets.size - 1):
        length = offsets[d + 1] - offsets[d]
        for distance in range(1, min(window, length - 1) + 1):
            total += length - distance
    return total


@kernel
def window_pairs(tokens: Int32Array, offsets: IntArray, window: int, n_words: int) -> IntArray:
    """Every such pair of words (a ≤ b) as the key a · n_words + b, int64.

    `tokens` (int32) holds the documents behind one another; document d is `offsets[d]` to
    `offsets[d + 1]`.
    """
    keys = np.empty(count_window_pairs(offsets, window), np.int64)
    n = 0
    for d in range(offsets.size - 1):
        for i in range(offsets[d], offsets[d + 1]):
            for j in range(i + 1, min(i + window + 1, offsets[d + 1])):
                a, b = np.int64(tokens[i]), np.int64(tokens[j])
                keys[n] = min(a, b) * n_words + max(a, b)
                n += 1
    return keys
