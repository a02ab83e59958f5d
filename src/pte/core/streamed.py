"""Edges drawn from the token stream of a corpus, without storing its networks.

A random token gives a word–document edge drawn ∝ n_dw and, if its document is labelled, a
word–label edge. A random token and another token of its document, within the window, give a
word–word edge drawn ∝ w_ij. To draw a random token, draw a document by its number of tokens, and
then a place in the document.

A source may get several targets. The targets after the first stand beside the first in the text.
Each target is as likely as the first, because all beginnings are equally likely. All targets are
read from one or two cache lines, where independent draws would wait for several cache lines each.
"""

import numpy as np

from pte.core.alias import cell, owner
from pte.core.arrays import AliasTable, Int, Int32Array, IntArray, Pairs
from pte.core.jit import kernel
from pte.core.rng import next_random
from pte.core.stored import TOGETHER
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
    """Fill `documents` and `places` with tokens, drawn uniformly from the listed documents.

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
        places[i], _ = cell(bits, np.int64(lengths[documents[i]]))
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
    """Fill `pairs` with (`sources[d]`, words …): the source and words of a document d.

    Several words follow one another in the text; after the document's last word comes its first.
    """
    documents = np.empty(TOGETHER, np.int64)
    places = np.empty(TOGETHER, np.int64)
    for begin in range(0, pairs.shape[0], TOGETHER):
        n = min(TOGETHER, pairs.shape[0] - begin)
        state = draw_places(starts, lengths, table, state, documents[:n], places[:n])
        for i in range(n):
            prefetch_item(tokens, starts[documents[i]] + places[i])
            prefetch_item(sources, documents[i])
        for i in range(n):
            start, place = starts[documents[i]], places[i]
            pairs[begin + i, 0] = sources[documents[i]]
            for k in range(1, pairs.shape[1]):
                pairs[begin + i, k] = tokens[start + place]
                place += 1
                place = 0 if place == lengths[documents[i]] else place


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
    """Fill `pairs` with a word and neighbours, which are at most `window` away in its document.

    A token and one of the 2 · `window` distances are drawn. If the distance leads out of the
    document, both are drawn again, so that all pairs of places are equally likely. Several
    neighbours follow one another in the window; after the last place of the window comes the first.
    At least one document must have two tokens.
    """
    documents = np.empty(TOGETHER, np.int64)
    places = np.empty(TOGETHER, np.int64)
    partners = np.empty(TOGETHER, np.int64)
    firsts = np.empty(TOGETHER, np.int64)
    lasts = np.empty(TOGETHER, np.int64)
    filled = 0
    while filled < pairs.shape[0]:
        state = draw_places(starts, lengths, table, state, documents, places)
        kept = 0
        for i in range(TOGETHER):
            state, bits = next_random(state)
            step, _ = cell(bits, 2 * window)
            partner = places[i] + step - window + (step >= window)  # never the place itself
            begin, length = starts[documents[i]], np.int64(lengths[documents[i]])
            inside = (partner >= 0) & (partner < length)
            partners[kept] = begin + partner
            firsts[kept] = begin + max(places[i] - window, 0)
            lasts[kept] = begin + min(places[i] + window, length - 1)
            places[kept] = begin + places[i]
            prefetch_item(tokens, places[kept])
            kept += int(inside)
        for i in range(min(kept, pairs.shape[0] - filled)):
            pairs[filled, 0] = tokens[places[i]]
            partner = partners[i]
            for k in range(1, pairs.shape[1]):
                pairs[filled, k] = tokens[partner]
                partner = next_partner(partner, places[i], firsts[i], lasts[i])
            filled += 1


@kernel
def next_partner(partner: Int, place: Int, first: Int, last: Int) -> Int:
    """Return the place after `partner` in the window `first` … `last`, leaving out `place`."""
    partner += 1 + (partner + 1 == place)
    if partner > last:
        partner = first + (first == place)
    return partner


@kernel
def window_degrees(
    tokens: Int32Array, starts: IntArray, lengths: Int32Array, window: int, degrees: IntArray
) -> None:
    """Add to each word's `degrees` how many neighbours all its places have: its row sum of w_ij."""
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
