"""Copies of hot rows: each thread has a copy, and exchanges it with the shared row now and then.

Nearly every edge writes a label or a frequent word. Threads that write one row take its cache lines
from each other, which costs more than the arithmetic. Therefore each thread trains copies of its
own. Every so often a thread adds what it has learnt to the shared row, and starts again from there.
Vuurens, Eickhoff and de Vries (arXiv 1606.07822) cache frequent rows. Here all rows that edges
touch often have copies, and a copy is exchanged after a number of its own updates.
"""

from typing import NamedTuple

import numpy as np

from pte.core.arrays import Int, Int32Array, IntArray, Slots, Table
from pte.core.jit import kernel
from pte.core.rng import mix
from pte.core.step import learning_rate
from pte.core.vector import prefetch, trade


class Copies(NamedTuple):
    """Where a thread finds the rows that it trains. All fields are counts or row numbers.

    Source s of network i is row `own_sources[i] + s` if s < `hot_sources[i]`, and row
    `shared_sources[i] + s` if not; word w is row `own_words + w` if w < `hot_words`, else row w.
    The arrays are int64. A thread's copies lie behind all shared rows. The row as it was at its
    last exchange lies `behind` rows behind the copy of a source, and `hot_words` rows behind the
    copy of a word. At first one draw in `period` exchanges its rows, later fewer draws
    do (see `exchanges`). Thus each hot row is exchanged after `period` of its own updates, on
    average. What the thread has learnt since then counts for `weight`.
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
    """Return how many draws after draw t the next exchange is, and the period of exchanges.

    The period is the number of draws between two exchanges. It grows as the rate falls from its
    start at draw 0, because threads then move a row apart more slowly. Chance decides the first
    number. If that number were fixed, turns and chunks could stay in step, so that only the rows of
    one network would ever be exchanged.
    """
    period = np.int64(copies.period / learning_rate(t, total, 1.0))
    return np.int64(mix(np.uint64(t)) % np.uint64(period)), period


@kernel
def take_copies(
    copies: Copies, networks: IntArray, sources: IntArray, rows: Int32Array, n: int, slots: Slots
) -> None:
    """Turn the nodes of n edges, numbered within their networks, into rows of this thread."""
    shared_sources, hot_sources, own_sources, hot_words, own_words, _, _, _ = copies
    for i in range(n):
        network = networks[i]
        hot = sources[i] < hot_sources[network]
        sources[i] += own_sources[network] if hot else shared_sources[network]
        for k in range(len(slots)):
            rows[i, k] += np.int32(own_words) if rows[i, k] < hot_words else np.int32(0)


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
        exchange(source, shared, s, copies.behind, copies.weight)
    for k in range(rows.shape[1]):
        w = np.int64(rows[i, k])
        if w >= copies.own_words:
            exchange(target, w - copies.own_words, w, copies.hot_words, copies.weight)


@kernel
def exchange(table: Table, shared: Int, own: Int, behind: Int, weight: np.float32) -> None:
    """Add `weight` times the move of row `own` since its last exchange to row `shared`.

    Both rows become the sum.
    """
    trade(table, shared, own, own + behind, weight)
