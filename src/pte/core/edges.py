"""Edge sampling (paper, algorithm 1): a negative-sampling step on each draw in turn.

A draw is a source with m targets. With one target the draw is an edge, as in the paper. The step of
an edge touches 2 + K rows, and waits for these rows most of its time. With more targets the draw is
a *group*, whose edges share the row of the source. N negatives are drawn once and count for all
edges of the group. Consecutive groups of a network may share negatives as well, as in HogBatch (Ji
et al., arXiv 1604.04661).
"""

from typing import NamedTuple

import numpy as np

from pte.core.arrays import Int, Int32Array, IntArray, Pairs, Slots, Table
from pte.core.copies import Copies, exchange_edge, exchanges, prefetch_exchange, take_copies
from pte.core.jit import kernel
from pte.core.noise import Noise, choose_leaders, draw_negatives
from pte.core.step import Embedding, Schedule, learning_rate, negative_sampling_step
from pte.core.vector import prefetch

# Draws whose negatives are drawn together, so that the loads of the draws overlap.
CHUNK = 64

# The rows of a draw are asked for this many draws before its training: early enough for the rows to
# arrive from memory, and late enough for the rows to stay in the first-level cache.
AHEAD = 2


class Drawn(NamedTuple):
    """The draws of a block.

    A row of `pairs` holds a source and its m targets. The draws of network i are the rows
    `starts[i]` … `starts[i + 1]` − 1, in the order of their use. Draw t of a training is a draw of
    network turns[t mod n], where n is the length of `turns`.
    """

    pairs: Pairs
    starts: IntArray
    turns: IntArray


class GroupShape(NamedTuple):
    """The parts of a draw, as tuples over which the compiler unrolls loops.

    `members` is (0, … m − 1), the edges of a draw. `slots` is (0, … m + N − 1), the edges and then
    the negatives. `lines` numbers the cache lines of a row. A negative has a `weight` of K·m/N.
    `share` consecutive draws of a network have the same negatives.
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
    """Train on the draws; each draw is a step of `schedule`.

    The random numbers of the negatives start at `state`. `steps` is scratch space, a table of one
    row of m + N.

    Hogwild (Recht et al. 2011): threads that train on the same tables race. A row may lose another
    thread's update and may be read half-updated; nothing is locked. Hot rows do not race, because
    each thread has `copies` of them. Only the exchange of copies races, once in many steps.
    One thread has no copies, and its result is bit-reproducible.
    """
    source, target = tables
    members, slots, lines, weight, share = shape
    first, total, start_rate = schedule
    cursor = drawn.starts[:-1].copy()
    networks = np.empty(CHUNK, np.int64)
    leaders = np.empty(CHUNK, np.int64)
    sources = np.empty(CHUNK, np.int64)
    rows = np.empty((CHUNK, len(slots)), np.int32)
    turn: Int = first % drawn.turns.size
    for begin in range(0, drawn.pairs.shape[0], CHUNK):
        n = min(CHUNK, drawn.pairs.shape[0] - begin)
        turn = take_draws(drawn, cursor, turn, networks[:n], sources, rows, members)
        choose_leaders(networks[:n], noise.bounds.size - 1, share, leaders)
        state = draw_negatives(noise, networks[:n], leaders, state, rows, members, slots)
        take_copies(copies, networks, sources, rows, n, slots)
        due, period = exchanges(copies, first + begin, total)
        for i in range(min(AHEAD, n)):
            prefetch_edge(source, target, sources[i], rows, i, len(slots), lines)
        for i in range(n):
            later = i + AHEAD
            if later < n and leaders[later] == later:
                prefetch_edge(source, target, sources[later], rows, later, len(slots), lines)
            elif later < n:  # its leader has asked for its negatives
                prefetch_edge(source, target, sources[later], rows, later, len(members), lines)
            rate = learning_rate(first + begin + i, total, start_rate)
            rates = (rate, rate * weight)
            if later < n and later == due:
                prefetch_exchange(
                    source, target, copies, networks[due], sources[due], rows, due, lines
                )
            negative_sampling_step(tables, sources[i], rows, i, rates, steps, slots, members)
            if i == due:
                exchange_edge(source, target, copies, networks[i], sources[i], rows, i)
                due += period


@kernel
def take_draws(
    drawn: Drawn,
    cursor: IntArray,
    turn: Int,
    networks: IntArray,
    sources: IntArray,
    rows: Int32Array,
    members: Slots,
) -> Int:
    """Take as many draws as `networks` is long, in the order of turns; return the next turn.

    Fills `networks`, `sources` and the positives in the first columns of `rows`. `cursor[i]` is the
    next draw of network i and moves on.
    """
    pairs, _, turns = drawn
    for i in range(networks.size):
        network = turns[turn]
        turn += 1
        if turn == turns.size:
            turn = 0
        draw = cursor[network]
        cursor[network] += 1
        networks[i] = network
        sources[i] = pairs[draw, 0]
        for k in range(len(members)):
            rows[i, k] = pairs[draw, 1 + k]
    return turn


@kernel
def prefetch_edge(
    source: Table, target: Table, s: int, rows: Int32Array, i: int, n: int, lines: Slots
) -> None:
    """Ask for the row of a source and the rows of the first n targets of a draw."""
    prefetch(source, s, 0, lines)
    for k in range(n):
        prefetch(target, np.int64(rows[i, k]), 0, lines)
