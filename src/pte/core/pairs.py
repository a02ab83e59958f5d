"""Pairs of words within a window of each other, counted in the row of their smaller word."""

import numpy as np

from pte.core.arrays import Int32Array, IntArray
from pte.core.counting import note
from pte.core.jit import kernel


@kernel
def count_pairs(tokens: Int32Array, documents: IntArray, window: int, n_words: int) -> IntArray:
    """Count for each word the pairs of positions of which it is the smaller word, int64.

    A pair is two positions of one document that are at most `window` apart; document d is
    `tokens[documents[d, 0] : documents[d, 1]]`.
    """
    pairs = np.zeros(n_words, np.int64)
    for d in range(documents.shape[0]):
        for i in range(documents[d, 0], documents[d, 1]):
            for j in range(i + 1, min(i + window + 1, documents[d, 1])):
                pairs[min(tokens[i], tokens[j])] += 1
    return pairs


@kernel
def note_pairs(
    tokens: Int32Array,
    documents: IntArray,
    window: int,
    first: int,
    last: int,
    place: IntArray,
    slots: Int32Array,
    counts: IntArray,
) -> None:
    """Note the larger word of each pair whose smaller word is one of `first` … `last` − 1.

    The pairs are the same as in `count_pairs`. The row of a pair is its smaller word.
    """
    for d in range(documents.shape[0]):
        for i in range(documents[d, 0], documents[d, 1]):
            if tokens[i] < first:
                continue
            for j in range(i + 1, min(i + window + 1, documents[d, 1])):
                row = min(tokens[i], tokens[j])
                if first <= row < last:
                    note(row - first, max(tokens[i], tokens[j]), place, slots, counts)
