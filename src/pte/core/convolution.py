"""The CNN's kernels: the maximum over time of a convolution over words, and Adadelta.

The products of words and filters are given. A maximum's gradient flows to its window alone, so the
gradients of filters and words are sums of a few thousand rows, and no product of matrices.
"""

from typing import NamedTuple

import numpy as np

from pte.core.arrays import Float32Array, Int32Array, IntArray
from pte.core.jit import kernel

WINDOW = 3  # words in a window (paper, section 5.1)


@kernel
def highest_windows(
    products: Float32Array,
    places: IntArray,
    bounds: IntArray,
    highest: Int32Array,
    values: Float32Array,
) -> None:
    """Find for each document, whose windows begin at `bounds[d]` …, maps' highest windows.

    Word w in place j adds `products[w, j, f]` to map f.
    """
    maps = products.shape[2]
    values[:] = -np.inf
    for d in range(bounds.size - 1):
        highest[d] = bounds[d]
        for t in range(bounds[d], bounds[d + 1]):
            position = np.int32(t)  # as wide as the values, so that both vectorise alike
            first, second, third = places[t], places[t + 1], places[t + 2]
            for f in range(maps):
                value = products[first, 0, f] + products[second, 1, f] + products[third, 2, f]
                higher = value > values[d, f]  # selects, not branches: the loop vectorises
                values[d, f] = value if higher else values[d, f]
                highest[d, f] = position if higher else highest[d, f]


class Peaks(NamedTuple):
    """The features with a gradient: their maps, the positions of their windows, their gradients."""

    maps: IntArray
    positions: IntArray
    gradients: Float32Array


@kernel
def list_peaks(gradient: Float32Array, highest: Int32Array, peaks: Peaks) -> int:
    """Fill the front of `peaks` from the features' gradients and positions; return their number."""
    n = 0
    for d in range(gradient.shape[0]):
        for f in range(gradient.shape[1]):
            peaks.maps[n] = f
            peaks.positions[n] = highest[d, f]
            peaks.gradients[n] = gradient[d, f]
            n += gradient[d, f] != 0  # no branch: dropout would make it random
    return n


@kernel
def filter_gradients(
    peaks: Peaks, places: IntArray, vectors: Float32Array, found: Float32Array
) -> None:
    """Fill the filters' gradient, shape (`WINDOW` · maps, dim); the place is the slower index."""
    maps = found.shape[0] // WINDOW
    found[:] = 0
    for i in range(peaks.maps.size):
        g = peaks.gradients[i]
        for j in range(WINDOW):
            row, word = j * maps + peaks.maps[i], places[peaks.positions[i] + j]
            for k in range(found.shape[1]):
                found[row, k] += g * vectors[word, k]


@kernel
def word_gradients(
    peaks: Peaks, places: IntArray, filters: Float32Array, moving: IntArray, found: Float32Array
) -> int:
    """Compute gradients of words, in `moving`, where maps peak; the padding is first, with 0."""
    maps = filters.shape[0] // WINDOW
    rows = np.full(moving.size, -1, np.int64)
    rows[0] = moving[0] = 0
    n = 1
    for i in range(peaks.maps.size):
        for j in range(WINDOW):
            word = places[peaks.positions[i] + j]
            if rows[word] < 0:
                rows[word] = n
                moving[n] = word
                n += 1
    found[:n] = 0
    for i in range(peaks.maps.size):
        g = peaks.gradients[i]
        for j in range(WINDOW):
            row, f = rows[places[peaks.positions[i] + j]], j * maps + peaks.maps[i]
            for k in range(found.shape[1]):
                found[row, k] += g * filters[f, k]
    found[0] = 0
    return n


@kernel
def lay_out(
    tokens: Int32Array,
    begins: IntArray,
    ends: IntArray,
    numbers: Int32Array,
    words: IntArray,
    places: IntArray,
) -> int:
    """Number the distinct words of documents `tokens[begins[d] : ends[d]]`; return how many.

    The padding, the vocabulary's last word, stands `WINDOW` − 1 times first and after each document
    and has number 0; `numbers` is scratch space: −1 before and after.
    """
    words[0] = numbers.size - 1
    n = 1
    places[: WINDOW - 1] = 0
    at = WINDOW - 1
    for d in range(begins.size):
        for i in range(begins[d], ends[d]):
            word = tokens[i]
            number = numbers[word]
            if number < 0:
                number = n
                numbers[word] = n
                words[n] = word
                n += 1
            places[at] = number
            at += 1
        places[at : at + WINDOW - 1] = 0
        at += WINDOW - 1
    for i in range(n):
        numbers[words[i]] = -1
    return n


DECAY, EPSILON = 0.95, 1e-6  # of Adadelta (arXiv 1212.5701), as in Kim's code; the rate is 1

# The constants are float32, so that the loop below works on vectors of float32 alone.
_KEPT, _NEW, _EPSILON = np.float32(DECAY), np.float32(1 - DECAY), np.float32(EPSILON)


@kernel
def descend_rows(
    value: Float32Array,
    gradients: Float32Array,
    steps: Float32Array,
    gradient: Float32Array,
    rows: IntArray,
) -> None:
    """Take a step down `gradient[i]` in row `rows[i]`, listed once; other averages stay."""
    for i in range(rows.size):
        row = rows[i]
        for k in range(value.shape[1]):
            g = gradient[i, k]
            squares = _KEPT * gradients[row, k] + _NEW * g * g
            step = g * np.sqrt((steps[row, k] + _EPSILON) / (squares + _EPSILON))
            gradients[row, k] = squares
            steps[row, k] = _KEPT * steps[row, k] + _NEW * step * step
            value[row, k] -= step
