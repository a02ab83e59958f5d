"""Counting how often each word occurs in each row of a matrix, a range of rows at a time.

A short row appends its words to a segment of `slots`; a long row has a row of `counts`, so none
needs more memory than the vocabulary. `place[row]` is the next slot, or `~k` for `counts[k]`.
"""

import numpy as np

from pte.core.arrays import Float32Array, Int, Int32Array, IntArray
from pte.core.jit import kernel


@kernel
def note(row: Int, word: Int, place: IntArray, slots: Int32Array, counts: IntArray) -> None:
    """Note one occurrence of `word` in `row`."""
    at = place[row]
    if at < 0:
        counts[~at, word] += 1
    else:
        slots[at] = word
        place[row] = at + 1


@kernel
def note_tokens(
    tokens: Int32Array,
    documents: IntArray,
    rows: IntArray,
    first: int,
    last: int,
    place: IntArray,
    slots: Int32Array,
    counts: IntArray,
) -> None:
    """Note the words of documents d with `rows[d]` in the range; `place[0]` is of `first`."""
    for d in range(rows.size):
        if first <= rows[d] < last:
            for i in range(documents[d, 0], documents[d, 1]):
                note(rows[d] - first, tokens[i], place, slots, counts)


@kernel
def count_pairs(tokens: Int32Array, documents: IntArray, window: int, n_words: int) -> IntArray:
    """Count for each word the pairs, at most `window` apart, of which it is the smaller word."""
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
    """Note the larger word of each pair of `count_pairs` whose smaller word is in the range."""
    for d in range(documents.shape[0]):
        for i in range(documents[d, 0], documents[d, 1]):
            if tokens[i] < first:
                continue
            for j in range(i + 1, min(i + window + 1, documents[d, 1])):
                row = min(tokens[i], tokens[j])
                if first <= row < last:
                    note(row - first, max(tokens[i], tokens[j]), place, slots, counts)


@kernel
def sort(numbers: Int32Array) -> None:
    """Sort as Shell did, by gaps of Gonnet and Baeza-Yates; numpy's takes a second to compile."""
    gap = numbers.size
    while gap > 1:
        gap = 1 if gap < 5 else gap * 5 // 11
        for i in range(gap, numbers.size):
            number = numbers[i]
            at = i
            while at >= gap and numbers[at - gap] > number:
                numbers[at] = numbers[at - gap]
                at -= gap
            numbers[at] = number


@kernel
def collect(
    place: IntArray,
    slots: Int32Array,
    counts: IntArray,
    edges: IntArray,
    target: Int32Array,
    weight: Float32Array,
) -> int:
    """Collect rows' distinct words and counts; return how many; `counts[-1]` is zeroed scratch."""
    tally = counts[-1]
    n = begin = 0
    for row in range(place.size):
        before = n
        if place[row] < 0:
            long = counts[~place[row]]
            for word in range(long.size):
                if long[word] > 0:
                    target[n], weight[n] = word, long[word]
                    n += 1
        else:
            # Distinct words move to the front of the segment, so that only they are sorted.
            distinct = begin
            for k in range(begin, place[row]):
                word = slots[k]
                if tally[word] == 0:
                    slots[distinct] = word
                    distinct += 1
                tally[word] += 1
            sort(slots[begin:distinct])
            for k in range(begin, distinct):
                word = slots[k]
                target[n], weight[n] = word, tally[word]
                tally[word] = 0
                n += 1
            begin = place[row]  # a full segment ends where the next one begins
        edges[row] = n - before
    return n
