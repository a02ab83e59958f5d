"""Edge sampling (paper, algorithm 1): a negative-sampling step on each edge in turn.

An edge touches 2 + K rows, and waits for them most of its time. So a draw may be a *group*: a
source with m targets, whose edges share N negatives, and consecutive groups may share them as well,
as in HogBatch (Ji et al., arXiv 1604.04661).

Threads that write one row take its cache lines from each other. So each trains copies of hot rows,
and every so often adds what it has learnt to the shared row (compare Vuurens, Eickhoff and de
Vries, arXiv 1606.07822).
"""

from typing import NamedTuple

import numpy as np

from pte.core.arrays import LANES, Float32Array, Int, Int32Array, IntArray, Pairs, Slots, Table
from pte.core.draws import Noise, choose_leaders, draw_negatives
from pte.core.jit import kernel
from pte.core.rng import mix
from pte.core.vector import Rates, ascents, move, prefetch, products, trade

RATE_FLOOR = 1e-4


class Embedding(NamedTuple):
    """The two tables of an embedding: the sources, and the words that sources predict."""

    source: Table
    target: Table


class Schedule(NamedTuple):
    """The steps of a kernel, from `first` on of `total`; `rate` is ρ_0, that of step 0."""

    first: int
    total: int
    rate: float


@kernel
def learning_rate(t: int, total: int, start: float) -> np.float32:
    """Return ρ_t = ρ_0 (1 − t/T), at least ρ_0 · 1e-4, for t = 0 … T − 1 (paper, section 5.1)."""
    return np.float32(start * max(1.0 - t / total, RATE_FLOOR))


@kernel
def negative_sampling_step(
    tables: Embedding,
    s: int,
    rows: Int32Array,
    i: int,
    rates: Rates,
    steps: Float32Array,
    slots: Slots,
    members: Slots,
) -> None:
    """Ascend Σ_{k<m} log σ(u·w_k) + weight · Σ_{k≥m} log σ(−u·w_k) by one gradient step.

    u is row `s` of the sources, w_k row `rows[i, k]` of the targets: m positives, then negatives
    (paper, section 4.1). The `rates` are ρ and ρ · weight. A negative that equals some positives
    counts for the others, as in word2vec. Gradients are those before the step, but a row listed
    twice moves u twice.
    """
    source, target = tables
    n_lines = source.shape[1] // LANES
    products(source, target, rows, steps, (s, i, 0), slots, n_lines)
    ascents(rows, i, steps, 0, rates, slots, members)
    move(source, target, rows, steps, (s, i, 0), slots, n_lines)


# Draws whose negatives are drawn together, so that the loads of the draws overlap.
CHUNK = 64
# The rows of a draw are asked for this many draws before its training: early enough for the rows to
# arrive from memory, and late enough for the rows to stay in the first-level cache.
AHEAD = 2


class Drawn(NamedTuple):
    """Rows of a source and m targets; network i's are `starts[i]` … `starts[i + 1]` − 1.

    Draw t of a training is a draw of network turns[t mod n].
    """

    pairs: Pairs
    starts: IntArray
    turns: IntArray


class GroupShape(NamedTuple):
    """The edges (0, … m − 1) of a draw, these and negatives (0, … m + N − 1), and lines of a row.

    A negative has a `weight` of K·m/N; `share` consecutive draws have the same negatives.
    """

    members: Slots
    slots: Slots
    lines: Slots
    weight: np.float32
    share: int


def edge_shape(k: int, lines: Slots) -> GroupShape:
    """Return the shape of the paper's draw: one edge with K negatives of its own."""
    return GroupShape((0,), tuple(range(1 + k)), lines, np.float32(1), 1)


@kernel
def train_groups(
    tables: Embedding,
    drawn: Drawn,
    noise: Noise,
    state: np.uint64,
    copies: "Copies",
    shape: GroupShape,
    steps: Table,
    schedule: Schedule,
) -> None:
    """Train on the draws, each a step; `steps` is scratch. One thread gives the same bits."""
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
    """Take draws in the order of turns, from `cursor[i]` of network i; return the next turn."""
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


# Copies of hot rows


class Copies(NamedTuple):
    """Where a thread finds the rows that it trains.

    Source s of network i is row `own_sources[i] + s` if s < `hot_sources[i]`, else
    `shared_sources[i] + s`; word w is row `own_words + w` if w < `hot_words`, else w. Rows as last
    exchanged lie `behind` a source's copy, and `hot_words` behind a word's. What was learnt counts
    for `weight`.
    """

    shared_sources: IntArray
    hot_sources: IntArray
    own_sources: IntArray
    hot_words: int
    own_words: int
    behind: int
    period: int
    weight: np.float32


@kernel
def exchanges(copies: Copies, t: int, total: int) -> tuple[Int, Int]:
    """Return draws until the next exchange, by chance at first, and the growing period."""
    period = np.int64(copies.period / learning_rate(t, total, 1.0))
    return np.int64(mix(np.uint64(t)) % np.uint64(period)), period


@kernel
def take_copies(
    copies: Copies, networks: IntArray, sources: IntArray, rows: Int32Array, n: int, slots: Slots
) -> None:
    """Turn the nodes of n draws, numbered within their networks, into rows of this thread."""
    for i in range(n):
        network = networks[i]
        hot = sources[i] < copies.hot_sources[network]
        sources[i] += (copies.own_sources if hot else copies.shared_sources)[network]
    take_word_copies(copies, rows, n, slots)


@kernel
def take_word_copies(copies: Copies, rows: Int32Array, n: Int, slots: Slots) -> None:
    """Turn the words of n rows into rows of this thread."""
    for i in range(n):
        for k in range(len(slots)):
            rows[i, k] += np.int32(copies.own_words if rows[i, k] < copies.hot_words else 0)


@kernel
def prefetch_exchange(
    source: Table,
    target: Table,
    copies: Copies,
    network: int,
    s: int,
    rows: Int32Array,
    i: Int,
    lines: Slots,
) -> None:
    """Ask for the rows that `exchange_edge` needs: shared, and as of their last exchange."""
    own = copies.own_sources[network]
    if s >= own:
        prefetch(source, s - own + copies.shared_sources[network], 0, lines)
        prefetch(source, s + copies.behind, 0, lines)
    for k in range(rows.shape[1]):
        w = np.int64(rows[i, k])
        if w >= copies.own_words:
            prefetch(target, w - copies.own_words, 0, lines)
            prefetch(target, w + copies.hot_words, 0, lines)


@kernel
def exchange_edge(
    source: Table, target: Table, copies: Copies, network: int, s: int, rows: Int32Array, i: int
) -> None:
    """Exchange the copies among the rows of an edge: `s` of `source`, `rows[i]` of `target`."""
    own = copies.own_sources[network]
    if s >= own:
        shared = s - own + copies.shared_sources[network]
        trade(source, shared, s, s + copies.behind, copies.weight)
    exchange_words(target, copies, rows, i)


@kernel
def exchange_words(target: Table, copies: Copies, rows: Int32Array, i: Int) -> None:
    """Add what the copies among `rows[i]` learnt to the shared rows; both become the sum."""
    for k in range(rows.shape[1]):
        w = np.int64(rows[i, k])
        if w >= copies.own_words:
            trade(target, w - copies.own_words, w, w + copies.hot_words, copies.weight)
