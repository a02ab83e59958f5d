"""The maximum over time of a convolution over words, whose products with words are given."""

import numpy as np

from pte.core.jit import kernel
from pte.core.types import Float32Array, IntArray

WINDOW = 3
"""Words in a window (paper, section 5.1)."""


@kernel
def highest_windows(
    products: Float32Array, words: IntArray, bounds: IntArray, highest: IntArray
) -> None:
    """Find the window of each document at which each feature map is highest; of equals the first.

    `products[w, j, f]` is what word w in place j of a window adds to map f. The windows of document
    d begin at the positions `bounds[d]` to `bounds[d + 1]` of `words`, at least one. Fills
    `highest`, shape (documents, maps), with positions.
    """
    maps = products.shape[2]
    best = np.empty(maps, np.float32)
    for d in range(bounds.size - 1):
        best[:] = -np.inf
        highest[d] = bounds[d]
        for t in range(bounds[d], bounds[d + 1]):
            first, second, third = words[t], words[t + 1], words[t + 2]
            for f in range(maps):
                value = products[first, 0, f] + products[second, 1, f] + products[third, 2, f]
                higher = value > best[f]  # selects, not branches: the loop over maps vectorises
                best[f] = value if higher else best[f]
                highest[d, f] = t if higher else highest[d, f]
