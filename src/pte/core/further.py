"""Further targets of a source that has been drawn with its first one (`pte.core.groups`).

Each is drawn from the source's own distribution, so an edge of a group is as likely as an edge that
is drawn alone. A row of `groups` (int32, shape (groups, 1 + m)) holds a source and its targets. The
first target is there already.
"""

import numpy as np

from pte.core.alias import build_alias, cell, owner
from pte.core.jit import kernel
from pte.core.rng import next_random
from pte.core.types import AliasTable, ByteArray, FloatArray, Int32Array, IntArray, Pairs
from pte.core.vector import prefetch_item

# Groups whose targets are drawn at once: enough for their loads to overlap, few enough for the
# loaded lines to stay in the first-level cache.
TOGETHER = 16


@kernel
def alias_by_source(bounds: IntArray, weights: FloatArray, table: AliasTable) -> None:
    """Fill `table` with an alias table for each source s, of `weights[bounds[s] : bounds[s + 1]]`.

    The entries of each count from its own beginning.
    """
    for s in range(bounds.size - 1):
        if bounds[s + 1] > bounds[s]:
            table[bounds[s] : bounds[s + 1]] = build_alias(weights[bounds[s] : bounds[s + 1]])


@kernel
def draw_further_stored(
    bounds: IntArray, targets: Int32Array, table: AliasTable, state: np.uint64, groups: Pairs
) -> None:
    """Draw the targets after the first from stored edges, which are sorted by their sources.

    Source s has `targets[bounds[s] : bounds[s + 1]]`, with the odds of its part of `table`. A
    target costs one random number.
    """
    m = groups.shape[1]
    where = np.empty((TOGETHER, m), np.int64)
    fractions = np.empty((TOGETHER, m), np.int64)
    for begin in range(0, groups.shape[0], TOGETHER):
        n = min(TOGETHER, groups.shape[0] - begin)
        for i in range(n):
            first = bounds[groups[begin + i, 0]]
            size = bounds[groups[begin + i, 0] + 1] - first
            for k in range(2, m):
                state, bits = next_random(state)
                where[i, k], fractions[i, k] = cell(bits, size)
                prefetch_item(table, first + where[i, k])
        for i in range(n):
            first = bounds[groups[begin + i, 0]]
            for k in range(2, m):
                where[i, k] = first + owner(table[first:], where[i, k], fractions[i, k])
                prefetch_item(targets, where[i, k])
        for i in range(n):
            for k in range(2, m):
                groups[begin + i, k] = targets[where[i, k]]


@kernel
def draw_further_members(
    tokens: Int32Array,
    starts: IntArray,
    lengths: Int32Array,
    bounds: IntArray,
    table: AliasTable,
    state: np.uint64,
    groups: Pairs,
) -> None:
    """Draw the targets after the first from the text of the documents of a source.

    Document d has `lengths[d]` tokens from `starts[d]`; the documents of source s are those from
    `bounds[s]` to `bounds[s + 1]`, drawn by length with its part of `table`. A target costs two
    random numbers, or one where a source has a single document.
    """
    m = groups.shape[1]
    where = np.empty((TOGETHER, m), np.int64)
    for begin in range(0, groups.shape[0], TOGETHER):
        n = min(TOGETHER, groups.shape[0] - begin)
        for i in range(n):
            first = bounds[groups[begin + i, 0]]
            size = bounds[groups[begin + i, 0] + 1] - first
            for k in range(2, m):
                d = first
                if size > 1:
                    state, bits = next_random(state)
                    place, fraction = cell(bits, size)
                    d = first + owner(table[first:], place, fraction)
                state, bits = next_random(state)
                place, _ = cell(bits, lengths[d])
                where[i, k] = starts[d] + place
                prefetch_item(tokens, where[i, k])
        for i in range(n):
            for k in range(2, m):
                groups[begin + i, k] = tokens[where[i, k]]


@kernel
def list_places(
    tokens: Int32Array,
    starts: IntArray,
    lengths: Int32Array,
    window: int,
    cursor: IntArray,
    places: IntArray,
    reaches: ByteArray,
) -> None:
    """List where each word occurs, and how far its window reaches to both sides there.

    The places of word w begin at `cursor[w]`, which moves on. `reaches` (uint8, shape (places, 2))
    has the tokens before and after it, at most `window`.
    """
    for d in range(starts.size):
        for i in range(lengths[d]):
            word = tokens[starts[d] + i]
            at = cursor[word]
            cursor[word] += 1
            places[at] = starts[d] + i
            reaches[at, 0] = min(window, i)
            reaches[at, 1] = min(window, lengths[d] - 1 - i)


@kernel
def draw_further_neighbours(
    tokens: Int32Array,
    bounds: IntArray,
    places: IntArray,
    reaches: ByteArray,
    window: int,
    state: np.uint64,
    groups: Pairs,
) -> None:
    """Draw the targets after the first from the windows around the places of a word.

    The places of word w are those from `bounds[w]` to `bounds[w + 1]` (see `list_places`). A place
    and one of the 2 · `window` distances are drawn; where the distance leads out of the document
    both are drawn again, so that all pairs of places are equally likely.
    """
    m = groups.shape[1]
    at = np.empty((TOGETHER, m), np.int64)
    chosen = np.empty((TOGETHER, m), np.int64)
    for begin in range(0, groups.shape[0], TOGETHER):
        n = min(TOGETHER, groups.shape[0] - begin)
        for i in range(n):
            word = groups[begin + i, 0]
            for k in range(2, m):
                state, bits = next_random(state)
                place, _ = cell(bits, bounds[word + 1] - bounds[word])
                at[i, k] = bounds[word] + place
                prefetch_item(reaches, at[i, k])
                prefetch_item(places, at[i, k])
        for i in range(n):
            word = groups[begin + i, 0]
            for k in range(2, m):
                state, bits = next_random(state)
                step, _ = cell(bits, 2 * window)
                distance = step - window + (step >= window)
                while distance < -np.int64(reaches[at[i, k], 0]) or distance > reaches[at[i, k], 1]:
                    state, bits = next_random(state)
                    place, _ = cell(bits, bounds[word + 1] - bounds[word])
                    at[i, k] = bounds[word] + place
                    state, bits = next_random(state)
                    step, _ = cell(bits, 2 * window)
                    distance = step - window + (step >= window)
                chosen[i, k] = places[at[i, k]] + distance
                prefetch_item(tokens, chosen[i, k])
        for i in range(n):
            for k in range(2, m):
                groups[begin + i, k] = tokens[chosen[i, k]]
