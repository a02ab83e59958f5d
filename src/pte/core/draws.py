"""Draws: edges of stored networks and of the token stream, pairs of word2vec, and negatives.

A random token gives edges drawn ∝ n_dw or, with a token in its window, ∝ w_ij. Further targets of a
source stand beside the first: each is as likely, and all share one or two cache lines.
"""

from typing import NamedTuple

import numpy as np

from pte.core.arrays import AliasTable, FloatArray, Int, Int32Array, IntArray, Pairs, Slots
from pte.core.jit import kernel
from pte.core.rng import SHARE, build_alias, cell, choose, next_random, owner
from pte.core.vector import prefetch_item

_HALF = np.uint64(32)
_LOW = np.uint64(2**32 - 1)

# Draws under way at once: each draw waits for two loads from memory, and all draws wait together.
TOGETHER = 64


# Edges of a stored network, by alias tables (LINE, WWW'15, section 4.3)


@kernel
def draw_stored(
    ends: Int32Array, table: AliasTable, undirected: bool, state: np.uint64, pairs: Pairs
) -> None:
    """Fill two columns of `pairs` with `ends`, (edges, 2), by `table`; a coin may turn them."""
    where = np.empty(TOGETHER, np.int64)
    fractions = np.empty(TOGETHER, np.int64)
    coins = np.empty(TOGETHER, np.int64)
    for begin in range(0, pairs.shape[0], TOGETHER):
        n = min(TOGETHER, pairs.shape[0] - begin)
        for i in range(n):
            state, bits = next_random(state)
            where[i], fractions[i] = cell(bits, table.shape[0])
            coins[i] = np.int64(bits & np.uint64(1)) if undirected else 0
            prefetch_item(table, where[i])
        for i in range(n):
            where[i] = owner(table, where[i], fractions[i])
            prefetch_item(ends, where[i])
        for i in range(n):
            pairs[begin + i, 0] = ends[where[i], coins[i]]
            pairs[begin + i, 1] = ends[where[i], 1 - coins[i]]


@kernel
def alias_by_source(
    bounds: IntArray, targets: Int32Array, weights: FloatArray, table: AliasTable
) -> None:
    """Fill `table` with each source's cells, from `bounds[s]`: a share, and the rest's target."""
    for s in range(bounds.size - 1):
        first, last = bounds[s], bounds[s + 1]
        if last > first:
            cells = build_alias(weights[first:last])
            for i in range(last - first):
                other = np.int64(targets[first + (cells[i] >> 32)])
                table[first + i] = (cells[i] & SHARE) | (other << 32)


@kernel
def draw_further(
    bounds: IntArray, targets: Int32Array, table: AliasTable, state: np.uint64, pairs: Pairs
) -> None:
    """Fill `pairs` from column 2 with further targets, in a circle from a random cell."""
    m = pairs.shape[1]
    cells = np.empty(TOGETHER, np.int64)
    for begin in range(0, pairs.shape[0], TOGETHER):
        n = min(TOGETHER, pairs.shape[0] - begin)
        for i in range(n):
            prefetch_item(bounds, int(pairs[begin + i, 0]))
        for i in range(n):
            first, last = bounds[pairs[begin + i, 0]], bounds[pairs[begin + i, 0] + 1]
            state, bits = next_random(state)
            cells[i] = first + cell(bits, last - first)[0]
            prefetch_item(table, cells[i])
            prefetch_item(targets, cells[i])
        for i in range(n):
            first, last = bounds[pairs[begin + i, 0]], bounds[pairs[begin + i, 0] + 1]
            at = cells[i]
            for k in range(2, m):
                if k % 2 == 0:
                    state, bits = next_random(state)
                fraction = np.int64((bits & _LOW) >> np.uint64(1))
                bits >>= _HALF
                pairs[begin + i, k] = choose(table[at], targets[at], fraction)
                at = first if at + 1 == last else at + 1


# Edges of the token stream


@kernel
def draw_places(
    starts: IntArray,
    lengths: Int32Array,
    table: AliasTable,
    state: np.uint64,
    documents: IntArray,
    places: IntArray,
) -> np.uint64:
    """Fill `documents`, by `table`, and `places` with random tokens; return the next state."""
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
    """Fill `pairs` with `sources[d]` and words of d, which follow one another in a circle."""
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
    """Fill `pairs` with a word and neighbours, in a circle; a place outside is drawn again."""
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


# Pairs in corpus order, for Skip-gram


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
    """Fill `pairs` with (neighbour, centre) as word2vec, from `cursor`; return how many, and state.

    There must be room for 2 · `window` pairs.
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


# Negatives: words by their degree^0.75 in the network of the positive


class Noise(NamedTuple):
    """Alias tables of several networks: that of network i begins at `bounds[i]`."""

    table: AliasTable
    bounds: IntArray


@kernel
def draw_negatives(
    noise: Noise,
    networks: IntArray,
    leaders: IntArray,
    state: np.uint64,
    rows: Int32Array,
    members: Slots,
    slots: Slots,
) -> np.uint64:
    """Fill slots after the members by half a random number each; leaders share theirs."""
    m, n = len(members), networks.size
    table, bounds = noise
    positions = np.empty((n, len(slots) + 1), np.uint64)
    for i in range(n):
        if leaders[i] == i:
            begin = np.uint64(bounds[networks[i]])
            size = np.uint64(bounds[networks[i] + 1]) - begin
            for k in range(m, len(slots), 2):
                state, bits = next_random(state)
                positions[i, k] = (bits >> _HALF) * size
                positions[i, k + 1] = (bits & _LOW) * size
                prefetch_item(table, begin + (positions[i, k] >> _HALF))
                prefetch_item(table, begin + (positions[i, k + 1] >> _HALF))
    for i in range(n):
        begin = np.uint64(bounds[networks[i]])
        for k in range(m, len(slots)):
            if leaders[i] == i:
                where = np.int64(positions[i, k] >> _HALF)
                fraction = np.int64((positions[i, k] & _LOW) >> np.uint64(1))
                rows[i, k] = owner(table[begin:], where, fraction)
            else:
                rows[i, k] = rows[leaders[i], k]
    return state


@kernel
def choose_leaders(networks: IntArray, n_networks: int, share: int, leaders: IntArray) -> None:
    """Give each `share` consecutive rows of a network the first of these rows as their leader."""
    if share == 1:
        for i in range(networks.size):
            leaders[i] = i
        return
    leader_of = np.zeros(n_networks, np.int64)
    followers = np.zeros(n_networks, np.int64)
    for i in range(networks.size):
        network = networks[i]
        if followers[network] == 0:
            leader_of[network] = i
        leaders[i] = leader_of[network]
        followers[network] = (followers[network] + 1) % share
