"""Edges that share rows: groups of one source, and negatives that several edges have in common.

A step of `pte.core.edges` touches 2 + K rows for one edge, and waits for them most of its time.
Here a *group* is a source with m targets. They are drawn from the source's own distribution, so
that each edge has the odds that it has when it is drawn alone. N negatives are drawn once and count
for all edges of the group, as in HogBatch (Ji et al., arXiv 1604.04661). A group of 8 targets with
8 negatives touches 17 rows for 8 edges.

Groups of one target may share negatives: `share` groups of a network in a row have the same.
"""

from typing import NamedTuple

import numpy as np

from pte.core.alias import owner
from pte.core.copies import Copies, exchange_edge, exchanges, prefetch_exchange, take_copies
from pte.core.edges import AHEAD, CHUNK, Drawn, Embedding, prefetch_edge
from pte.core.jit import kernel
from pte.core.noise import Noise
from pte.core.rng import next_random
from pte.core.step import Schedule, learning_rate
from pte.core.tables import LANES
from pte.core.types import Float32Array, Int, Int32Array, IntArray, Slots, Table
from pte.core.vector import group_ascents, move, prefetch_item, products

_HALF = np.uint64(32)
_LOW = np.uint64(2**32 - 1)


class GroupShape(NamedTuple):
    """What a group is made of. The compiler unrolls loops over the tuples.

    `members` is (0, … m − 1), the edges of a group, and `slots` is (0, … m + N − 1), with the
    negatives behind them. `lines` are the cache lines of a row. A negative has a `weight` of K·m/N.
    `share` groups of a network in a row have the same negatives.
    """

    members: Slots
    slots: Slots
    lines: Slots
    weight: np.float32
    share: int


@kernel
def train_groups(
    tables: Embedding,
    drawn: Drawn,
    noise: Noise,
    state: np.uint64,
    copies: Copies,
    shape: GroupShape,
    steps: Table,
    schedule: Schedule,
) -> None:
    """Train on groups, which are the steps of `schedule`.

    A row of `drawn.pairs` holds a source and its m targets. The rest is as in
    `pte.core.edges.train_pairs`: the random numbers of the negatives start at `state`, `steps` is a
    table of one row of m + N, and threads race but for the rows of which they have `copies`.
    """
    source, target = tables
    members, slots, lines, weight, _ = shape
    first, total, start_rate = schedule
    cursor = drawn.starts.copy()
    networks = np.empty(CHUNK, np.int64)
    sources = np.empty(CHUNK, np.int64)
    rows = np.empty((CHUNK, len(slots)), np.int32)
    turn: Int = first % drawn.turns.size
    for begin in range(0, drawn.pairs.shape[0], CHUNK):
        n = min(CHUNK, drawn.pairs.shape[0] - begin)
        turn = take_groups(drawn, cursor, turn, networks, sources, rows[:n], members)
        state = draw_shared(noise, networks[:n], state, rows, shape)
        take_copies(copies, networks, sources, rows, n, slots)
        exchanged, period = exchanges(copies, first + begin, total)
        for i in range(exchanged, n, period):
            prefetch_exchange(source, target, copies, networks[i], sources[i], rows, i, lines)
        for i in range(min(AHEAD, n)):
            prefetch_edge(source, target, sources[i], rows, i, slots, lines)
        for i in range(n):
            if i + AHEAD < n:
                prefetch_edge(source, target, sources[i + AHEAD], rows, i + AHEAD, slots, lines)
            rate = learning_rate(first + begin + i, total, start_rate)
            group_step(tables, sources[i], rows, i, rate, weight, steps, slots, members)
        for i in range(exchanged, n, period):
            exchange_edge(source, target, copies, networks[i], sources[i], rows, i)


@kernel
def group_step(
    tables: Embedding,
    s: int,
    rows: Int32Array,
    i: int,
    rate: np.float32,
    weight: np.float32,
    steps: Float32Array,
    slots: Slots,
    members: Slots,
) -> None:
    """Ascend Σ_{k<m} log σ(u·w_k) + weight · Σ_{k≥m} log σ(−u·w_k) by one gradient step.

    u is row `s` of the sources; w_k is row `rows[i, k]` of the targets, the m positives first. A
    negative that equals some of the positives counts for the others alone. All else is as in
    `pte.core.step.negative_sampling_step`.
    """
    source, target = tables
    n_lines = source.shape[1] // LANES
    products(source, target, rows, steps, (s, i, 0), slots, n_lines)
    group_ascents(steps, 0, rate, weight, slots, members)
    pass_over_members(rows, i, steps, 0, slots, members)
    move(source, target, rows, steps, (s, i, 0), slots, n_lines)


@kernel
def pass_over_members(
    rows: Int32Array, i: int, steps: Float32Array, j: int, slots: Slots, members: Slots
) -> None:
    """Scale the step of each negative by the part of the positives that it does not equal."""
    m = len(members)
    for k in range(m, len(slots)):
        equal = 0
        for positive in range(m):
            equal += int(rows[i, k] == rows[i, positive])
        if equal == m:
            steps[j, k] = np.float32(0)
        elif equal:
            steps[j, k] *= np.float32(m - equal) / np.float32(m)


@kernel
def take_groups(
    drawn: Drawn,
    cursor: IntArray,
    turn: Int,
    networks: IntArray,
    sources: IntArray,
    rows: Int32Array,
    members: Slots,
) -> Int:
    """Take a group for each of `rows` in the order of the networks' turns; returns the next turn.

    Fills `networks`, `sources` and the positives in the first columns of `rows`. `cursor[i]` is the
    next group of network i and moves on.
    """
    pairs, _, turns = drawn
    for i in range(rows.shape[0]):
        network = turns[turn]
        turn += 1
        if turn == turns.size:
            turn = 0
        group = cursor[network]
        cursor[network] += 1
        networks[i] = network
        sources[i] = pairs[group, 0]
        for k in range(len(members)):
            rows[i, k] = pairs[group, 1 + k]
    return turn


@kernel
def draw_shared(
    noise: Noise, networks: IntArray, state: np.uint64, rows: Int32Array, shape: GroupShape
) -> np.uint64:
    """Fill the negatives of groups with draws from the noise of `networks`; returns the next state.

    The first of each `share` groups of a network draws, and the others have the same. A draw costs
    half a random number, as in `pte.core.noise.draw_negatives`.
    """
    m, n = len(shape.members), networks.size
    table, bounds = noise
    positions = np.empty((CHUNK, len(shape.slots) + 1), np.uint64)
    leaders = np.empty(CHUNK, np.int64)
    leader_of = np.zeros(bounds.size, np.int64)
    followers = np.zeros(bounds.size, np.int64)
    for i in range(n):
        network = networks[i]
        if followers[network] == 0:
            leader_of[network] = i
            begin = np.uint64(bounds[network])
            size = np.uint64(bounds[network + 1]) - begin
            for k in range(m, len(shape.slots), 2):
                state, bits = next_random(state)
                positions[i, k] = (bits >> _HALF) * size
                positions[i, k + 1] = (bits & _LOW) * size
                prefetch_item(table, begin + (positions[i, k] >> _HALF))
                prefetch_item(table, begin + (positions[i, k + 1] >> _HALF))
        leaders[i] = leader_of[network]
        followers[network] = (followers[network] + 1) % shape.share
    for i in range(n):
        begin = np.uint64(bounds[networks[i]])
        for k in range(m, len(shape.slots)):
            if leaders[i] == i:
                where = positions[i, k] >> _HALF
                fraction = (positions[i, k] & _LOW) >> np.uint64(1)
                rows[i, k] = owner(table[begin:], where, fraction)
            else:
                rows[i, k] = rows[leaders[i], k]
    return state
