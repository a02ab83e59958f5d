"""Edge sampling (paper, algorithm 1): a negative-sampling step on each drawn edge in turn."""

import numpy as np

from pte.core.copies import Copies, exchange_edge, exchanges, prefetch_exchange, take_copies
from pte.core.jit import kernel
from pte.core.noise import Noise, draw_negatives
from pte.core.step import learning_rate, negative_sampling_step
from pte.core.types import Int, Int32Array, IntArray, Pairs, Slots, Table
from pte.core.vector import prefetch

# Edges whose negatives are drawn together, so that the loads of the draws overlap.
CHUNK = 64

# Edges between asking for the rows of one and training it: long enough for rows to arrive from
# memory, short enough for them to stay in the first-level cache.
AHEAD = 2


@kernel
def train_pairs(
    source: Table,
    target: Table,
    pairs: Pairs,
    starts: IntArray,
    turns: IntArray,
    noise: Noise,
    copies: Copies,
    slots: Slots,
    lines: Slots,
    steps: Table,
    first: int,
    total: int,
    start_rate: float,
    state: np.uint64,
) -> None:
    """Train on the edges `pairs`, the draws `first`, `first + 1` … out of `total`.

    Draw t is of network turns[t mod n]; the pairs of network i lie at `starts[i]` to
    `starts[i + 1]`, in the order of their use. `state` is where the random numbers of the
    negatives start; `slots` is (0, … K), `lines` the numbers of the cache lines of a row, and
    `steps` scratch space, a table of one row of K + 1.

    Hogwild (Recht et al. 2011): threads that train on the same tables race. A row may lose another
    thread's update and may be read half-updated; nothing is locked. Hot rows do not race, since
    each thread has its `copies` of them; adding these up does, once in many steps. With one thread
    there are no copies and the result is bit-reproducible.
    """
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
    """The next n edges in the order of the networks' turns; the turn that follows.

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
