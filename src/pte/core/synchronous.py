"""Edge sampling whose result does not depend on how many threads there are.

Threads own columns, not rows: the columns are cut into leaves of two cache lines, each a table of
its own, and a thread trains the same leaves of all rows. No two threads ever write the same line,
so that nothing races. All that they tell each other is their part of the inner products. A batch
of edges takes its gradients at the vectors as they are before it. Groups that share negatives are
taken one by one: together they would all push the same rows as far as each should alone, and the
vectors of few sources, such as labels, would diverge.

The parts must be added in one order, whichever thread computed them. Therefore the leaves are those
of a fixed binary tree, and a thread owns a subtree.
"""

from typing import NamedTuple

import numpy as np

from pte.core.barrier import meet
from pte.core.edges import AHEAD, CHUNK, Drawn, GroupShape, prefetch_edge, take_draws
from pte.core.jit import kernel
from pte.core.noise import Noise, choose_leaders, draw_negatives
from pte.core.step import Embedding, Schedule, learning_rate
from pte.core.types import Int, Int32Array, IntArray, Slots, Table
from pte.core.vector import add_row, ascents, copy_row, move, products

# Edges whose gradients are taken before the first of them moves anything.
BATCH = 128
LEAF_LINES = 2


class Listed(NamedTuple):
    """The rows of each group of a block: of `sources`, and of the positives and the negatives."""

    sources: IntArray
    rows: Int32Array


class Share(NamedTuple):
    """What a thread owns, and how the parts of an inner product are added up.

    The thread's leaves are `first` … `last` − 1. `sums` (int64, shape (last − first − 1, 2)) is the
    order in which to add them, counted from `first`: leaf a += leaf b. `joins` (shape
    (threads − 1, 2)) is the same for the sums of the threads.
    """

    thread: int
    threads: int
    first: int
    last: int
    sums: IntArray
    joins: IntArray


class Board(NamedTuple):
    """What the threads share: their parts of the inner products, and the flags of `meet`.

    `parts` is a table of 2 · threads · BATCH rows of m + N.
    """

    parts: Table
    flags: IntArray


@kernel
def draw_rows(
    drawn: Drawn,
    first: int,
    noise: Noise,
    state: np.uint64,
    first_sources: IntArray,
    listed: Listed,
    shape: GroupShape,
) -> None:
    """Fill `listed` with the rows of the groups of a block, whose first draw is `first`.

    Draws the negatives as `pte.core.edges.train_groups` does. The sources of network i begin at
    row `first_sources[i]`.
    """
    sources, rows = listed
    members, slots, _, _, share = shape
    cursor = drawn.starts[:-1].copy()
    networks = np.empty(CHUNK, np.int64)
    leaders = np.empty(CHUNK, np.int64)
    turn: Int = first % drawn.turns.size
    for begin in range(0, sources.size, CHUNK):
        n = min(CHUNK, sources.size - begin)
        chunk, chosen = sources[begin : begin + n], rows[begin : begin + n]
        turn = take_draws(drawn, cursor, turn, networks[:n], chunk, chosen, members)
        choose_leaders(networks[:n], noise.bounds.size, share, leaders)
        state = draw_negatives(noise, networks[:n], leaders, state, chosen, members, slots)
        for i in range(n):
            chunk[i] += first_sources[networks[i]]


@kernel
def train_leaves(
    tables: Embedding,
    listed: Listed,
    share: Share,
    board: Board,
    scratch: Table,
    batches: int,
    shape: GroupShape,
    schedule: Schedule,
) -> None:
    """Train the leaves of one thread on a block, while the other threads train theirs.

    `tables` are of leaves. `scratch`, a table of as many rows of m + N as there are leaves or
    threads, is the thread's own. `batches` counts the batches before this block, for all threads
    alike. `shape` has the lines of a leaf. The groups are the steps of `schedule`.
    """
    source, target = tables
    sources, rows = listed
    thread, threads, low, high, sums, joins = share
    parts, flags = board
    members, slots, lines, weight, shared_by = shape
    first, total, start_rate = schedule
    batch = groups_of_a_batch(len(members), shared_by)
    for begin in range(0, sources.size, batch):
        end = min(begin + batch, sources.size)
        # There are two pages of parts: other threads may still read that of the batch before.
        page = (batches % 2) * threads * BATCH
        for i in range(begin, end):
            for leaf in range(low, high):
                u, w = source[leaf], target[leaf]
                if i + AHEAD < end:
                    prefetch_edge(u, w, sources[i + AHEAD], rows, i + AHEAD, slots, lines)
                products(u, w, rows, scratch, (sources[i], i, leaf - low), slots, LEAF_LINES)
            add_up(scratch, sums, slots)
            copy_row(parts, page + thread * BATCH + i - begin, scratch, 0, slots)
        batches += 1
        meet(flags, thread, threads, batches)
        for i in range(begin, end):
            for other in range(threads):
                copy_row(scratch, other, parts, page + other * BATCH + i - begin, slots)
            add_up(scratch, joins, slots)
            rate = learning_rate(first + i, total, start_rate)
            ascents(rows, i, scratch, 0, (rate, rate * weight), slots, members)
            for leaf in range(low, high):
                u, w = source[leaf], target[leaf]
                if i + AHEAD < end:
                    prefetch_edge(u, w, sources[i + AHEAD], rows, i + AHEAD, slots, lines)
                move(u, w, rows, scratch, (sources[i], i, 0), slots, LEAF_LINES)


@kernel
def groups_of_a_batch(members: int, share: int) -> int:
    """How many groups of so many targets are a batch, where `share` of them share negatives."""
    return max(1, BATCH // members) if share == 1 else 1


@kernel
def add_up(table: Table, sums: IntArray, slots: Slots) -> None:
    """Row a += row b for each (a, b), in this order."""
    for j in range(sums.shape[0]):
        add_row(table, sums[j, 0], table, sums[j, 1], slots)
