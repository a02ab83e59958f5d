"""Edges drawn from the token stream of a corpus, whose networks need not be stored for that.

A random token is a word–document edge drawn ∝ n_dw and, if its document is labelled, a word–label
edge. A random token and another one of its document, within the window, are a word–word edge drawn
∝ w_ij. A random token is a document drawn by its number of tokens, and then a place in it.
"""

import numpy as np

from pte.core.alias import cell, owner
from pte.core.jit import kernel
from pte.core.rng import next_random
from pte.core.stored import TOGETHER
from pte.core.types import AliasTable, Int32Array, IntArray, Pairs
from pte.core.vector import prefetch_item


@kernel
def draw_places(
    starts: IntArray,
    lengths: Int32Array,
    table: AliasTable,
    state: np.uint64,
    documents: IntArray,
    places: IntArray,
) -> np.uint64:
    """Fill `documents` and `places` with uniform tokens of the listed documents.

    Returns the next state. Document d has the tokens `starts[d]` to `starts[d] + lengths[d]`;
    `table` draws d ∝ its length. A place is counted from the start of its document. A token costs
    two random numbers.
    """
    n = documents.size
    for i in range(n):
        state, bits = next_random(state)
        documents[i], places[i] = cell(bits, table.shape[0])
        prefetch_item(table, documents[i])
    for i in range(n):
        documents[i] = owner(table, documents[i], places[i])
        prefetch_item(starts, documents[i])
        prefetch_item(lengths, documents[i])
    for i in range(n):
        state, bits = next_random(state)
        places[i], _ = cell(bits, lengths[documents[i]])
    return state


@kernel
def draw_memberships(
    tokens: Int32Array,
    starts: IntArray,
    lengths: Int32Array,
    sources: Int32Array,
    table: AliasTable,
    state: np.uint64,
    pairs: Pairs,
) -> None:
    """Fill `pairs` with (`sources[d]`, word): the source of document d, and a word of it."""
    documents = np.empty(TOGETHER, np.int64)
    places = np.empty(TOGETHER, np.int64)
    for begin in range(0, pairs.shape[0], TOGETHER):
        n = min(TOGETHER, pairs.shape[0] - begin)
        state = draw_places(starts, lengths, table, state, documents[:n], places[:n])
        for i in range(n):
            places[i] += starts[documents[i]]
            prefetch_item(tokens, places[i])
            prefetch_item(sources, documents[i])
        for i in range(n):
            pairs[begin + i, 0] = sources[documents[i]]
            pairs[begin + i, 1] = tokens[places[i]]


@kernel
def draw_neighbours(
    tokens: Int32Array,
    starts: IntArray,
    lengths: Int32Array,
    table: AliasTable,
    window: int,
    state: np.uint64,
    pairs: Pairs,
) -> None:
    """Fill `pairs` with two words at most `window` apart in one document, in either order.

    A token and one of the 2 · `window` distances are drawn; where the distance leads out of the
    document both are drawn again, so that all pairs of places are equally likely. At least one
    document must have two tokens.
    """
    documents = np.empty(TOGETHER, np.int64)
    places = np.empty(TOGETHER, np.int64)
    partners = np.empty(TOGETHER, np.int64)
    filled = 0
    while filled < pairs.shape[0]:
        state = draw_places(starts, lengths, table, state, documents, places)
        kept = 0
        for i in range(TOGETHER):
            state, bits = next_random(state)
            step, _ = cell(bits, 2 * window)
            partner = places[i] + step - window + (step >= window)  # never 0 away
            begin = starts[documents[i]]
            inside = (partner >= 0) & (partner < lengths[documents[i]])
            partners[kept] = begin + partner
            places[kept] = begin + places[i]
            prefetch_item(tokens, places[kept])
            kept += int(inside)
        for i in range(min(kept, pairs.shape[0] - filled)):
            pairs[filled, 0] = tokens[places[i]]
            pairs[filled, 1] = tokens[partners[i]]
            filled += 1


@kernel
def window_degrees(
    tokens: Int32Array, starts: IntArray, lengths: Int32Array, window: int, degrees: IntArray
) -> None:
    """Add to each word's `degrees` the neighbours of all its places: its row sum of w_ij."""
    for d in range(starts.size):
        for place in range(lengths[d]):
            before = min(window, place)
            after = min(window, lengths[d] - 1 - place)
            degrees[tokens[starts[d] + place]] += before + after


@kernel
def token_degrees(
    tokens: Int32Array, starts: IntArray, lengths: Int32Array, degrees: IntArray
) -> None:
    """Add to each word's `degrees` how often it occurs in the listed documents."""
    for d in range(starts.size):
        for place in range(starts[d], starts[d] + lengths[d]):
            degrees[tokens[place]] += 1
