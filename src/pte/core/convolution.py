"""The maximum over time of a convolution over words, whose products with words are given.

The gradient of a maximum flows to the one window where it is reached. So the gradients of filters
and of words are sums over the highest windows that have one, a few thousand rows, and no product of
whole matrices.
"""

from typing import NamedTuple

import numpy as np

from pte.core.jit import kernel
from pte.core.types import Float32Array, Int32Array, IntArray

WINDOW = 3
"""Words in a window (paper, section 5.1)."""


@kernel
def highest_windows(
    products: Float32Array,
    places: IntArray,
    bounds: IntArray,
    highest: Int32Array,
    values: Float32Array,
) -> None:
    """Find the window of each document at which each feature map is highest; of equals the first.

    `products[w, j, f]` is what word w in place j of a window adds to map f. The windows of document
    d begin at the positions `bounds[d]` to `bounds[d + 1]` of `places`, at least one. Fills
    `highest` with positions and `values` with what the maps are there, each of shape (documents,
    maps).
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
    """The features with a gradient: their map, the position of the window, the gradient."""

    maps: IntArray
    positions: IntArray
    gradients: Float32Array


@kernel
def list_peaks(gradient: Float32Array, highest: Int32Array, peaks: Peaks) -> int:
    """Fill the front of `peaks`, document by document; returns how many there are.

    `gradient` and `highest`, shape (documents, maps), are those of the values of the highest
    windows and their positions. `peaks` has room for all of them.
    """
    n = 0
    for d in range(gradient.shape[0]):
        for f in range(gradient.shape[1]):
            peaks.maps[n] = f
            peaks.positions[n] = highest[d, f]
            peaks.gradients[n] = gradient[d, f]
            n += gradient[d, f] != 0  # no branch: dropout makes it as random as can be
    return n


@kernel
def filter_gradients(
    peaks: Peaks, places: IntArray, vectors: Float32Array, found: Float32Array
) -> None:
    """The gradient of the filters: for each map the sum of the windows where it peaks.

    `vectors` has a row for each word of the batch. Fills `found`, shape (`WINDOW` · maps, dim),
    with the place in the window as the slower index.
    """
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
    """The gradients of the words in windows where maps peak; returns how many words.

    `filters` has the shape (`WINDOW` · maps, dim). Fills the front of `moving`, as long as the
    batch has words, with their numbers, the padding word's 0 first, and as many rows of `found`
    with their gradients. The padding word is always there and its gradient is 0.
    """
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
