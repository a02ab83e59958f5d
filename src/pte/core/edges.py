"""Edge sampling (paper, algorithm 1): a negative-sampling step on each drawn edge in turn."""

from typing import NamedTuple

import numpy as np

from pte.core.copies import Copies, exchange_edge, exchanges, prefetch_exchange, take_copies
from pte.core.jit import kernel
from pte.core.noise import Noise, draw_negatives
from pte.core.step import Schedule, learning_rate, negative_sampling_step
from pte.core.types import Int, Int32Array, IntArray, Pairs, Slots, Table
from pte.core.vector import prefetch

# Edges whose negatives are drawn together, so that the loads of the draws overlap.
CHUNK = 64

# Edges between asking for the rows of one and training it: long enough for rows to arrive from
# memory, short enough for them to stay in the first-level cache.
AHEAD = 2


class Embedding(NamedTuple):
    """The two tables of an embedding: vectors of the sources, and of the words they predict.

    Each is a `Table`, or the `Leaves` of one.
    """

    source: Table
    target: Table


class Drawn(NamedTuple):
    """The edges of a block.

    The pairs of network i lie at `starts[i]` to `starts[i + 1]` of `pairs`, in the order of their
    use. Draw t of a training is of network turns[t mod n].
    """

    pairs: Pairs
    starts: IntArray
    turns: IntArray


class Unrolled(NamedTuple):
    """Loops that the compiler unrolls: over (0, … K), and over the cache lines of a row."""

    slots: Slots
    lines: Slots


@kernel
def train_pairs(
    tables: Embedding,
    drawn: Drawn,
    noise: Noise,
    state: np.uint64,
    copies: Copies,
    unrolled: Unrolled,
    steps: Table,
    schedule: Schedule,
) -> None:
    """Train on drawn edges, which are the steps of `schedule`.

    The random numbers of the negatives start at `state`. `steps` is scratch space, a table of one
    row of K + 1.

    Hogwild (Recht et al. 2011): threads that train on the same tables race. A row may lose another
    thread's update and may be read half-updated; nothing is locked. Hot rows do not race, because
    each thread has its `copies` of them. Only the exchange of copies races, once in many steps.
    One thread has no copies, and its result is bit-reproducible.
    """
    source, target = tables
    pairs, starts, turns = drawn
    slots, lines = unrolled
    first, total, start_rate = schedule
    cursor = starts.copy()
    networks = np.empty(CHUNK, np.int64)
    sources = np.empty(CHUNK, np.int64)
    rows = np.empty((CHUNK, len(slots)), np.int32)
    turn: Int = first % turns.size
    for begin in range(0, pairs.shape[0], CHUNK):
        n = min(CHUNK, pairs.shape[0] - begin)
        turn = take_turns(pairs, cursor, turns, turn, networks, sources, rows, n)
        state = draw_negatives(noise, networks, n, state, rows, slots)
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
            negative_sampling_step(source, sources[i], target, rows, i, rate, steps, slots)
        for i in range(exchanged, n, period):
            exchange_edge(source, target, copies, networks[i], sources[i], rows, i)


@kernel
def take_turns(
    pairs: Pairs,
    cursor: IntArray,
    turns: IntArray,
    turn: Int,
    networks: IntArray,
    sources: IntArray,
    rows: Int32Array,
    n: int,
) -> Int:
    """Take the next n edges in the order of the networks' turns; returns the turn that follows.

    Fills `networks`, `sources` and the positives `rows[:, 0]`. `cursor[i]` is the next pair of
    network i and moves on.
    """
    for i in range(n):
        network = turns[turn]
        turn += 1
        if turn == turns.size:
            turn = 0
        pair = cursor[network]
        cursor[network] += 1
        networks[i] = network
        sources[i] = pairs[pair, 0]
        rows[i, 0] = pairs[pair, 1]
    return turn


@kernel
def prefetch_edge(
    source: Table, target: Table, s: int, rows: Int32Array, i: int, slots: Slots, lines: Slots
) -> None:
    """Ask for all rows of an edge."""
    prefetch(source, s, 0, lines)
    for k in range(len(slots)):
        prefetch(target, np.int64(rows[i, k]), 0, lines)
