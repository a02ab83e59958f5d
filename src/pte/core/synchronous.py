"""Edge sampling whose result does not depend on the number of threads.

Threads own columns, not rows. The columns are cut into leaves of two cache lines. Each leaf is a
table of its own, and a thread trains the same leaves of all rows. No two threads ever write the
same line, so nothing races. Threads exchange only their parts of the inner products. The gradients
of a batch of edges are taken at the vectors before the batch. Groups that share negatives are
trained one by one. In one batch, every group would push the shared rows as far as it should alone,
and the vectors of few sources, such as labels, would diverge.

The parts must be added in one order, whichever thread computed them. Therefore the leaves are the
leaves of a fixed binary tree, and each thread owns a subtree.
"""

from typing import NamedTuple

import numpy as np

from pte.core.arrays import Int, Int32Array, IntArray, Slots, Table
from pte.core.barrier import meet
from pte.core.edges import AHEAD, CHUNK, Drawn, GroupShape, prefetch_edge, take_draws
from pte.core.jit import kernel
from pte.core.noise import Noise, choose_leaders, draw_negatives
from pte.core.step import Embedding, Schedule, learning_rate
from pte.core.vector import add_row, ascents, copy_row, move, products

# The edges of a batch. Their gradients are taken before the first of these edges moves anything.
BATCH = 128
LEAF_LINES = 2


class Listed(NamedTuple):
    """The rows of each group of a block.

    `sources` has the row of the group's source, and `rows` has the rows of the group's positives
    and negatives.
    """

    sources: IntArray
    rows: Int32Array


class OwnedLeaves(NamedTuple):
    """The leaves that a thread owns, and the order in which parts of inner products are added.

    The thread owns the leaves `first` … `last` − 1. `sums` (int64, shape (last − first − 1, 2)) is
    the order in which to add the parts of these leaves, counted from `first`: leaf a += leaf b.
    `joins` (shape (threads − 1, 2)) is the same order for the sums of the threads.
    """

    thread: int
    threads: int
    first: int
    last: int
    sums: IntArray
    joins: IntArray


class Board(NamedTuple):
    """The arrays that threads share: their parts of the inner products, and the flags of `meet`.

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
        choose_leaders(networks[:n], noise.bounds.size - 1, share, leaders)
        state = draw_negatives(noise, networks[:n], leaders, state, chosen, members, slots)
        for i in range(n):
            chunk[i] += first_sources[networks[i]]


@kernel
def train_leaves(
    tables: Embedding,
    listed: Listed,
    owned: OwnedLeaves,
    board: Board,
    scratch: Table,
    batches: int,
    shape: GroupShape,
    schedule: Schedule,
) -> None:
    """Train the leaves of one thread on a block, while the other threads train theirs.

    The fields of `tables` are `Leaves`. `scratch` is the thread's own table of rows of m + N. It
    has as many rows as there are leaves or threads, whichever are more. `batches` counts the
    batches before this block and is the same for all threads. `shape` has the lines of a leaf. Each
    group is a step of `schedule`.
    """
    source, target = tables
    sources, rows = listed
    thread, threads, low, high, sums, joins = owned
    parts, flags = board
    members, slots, lines, weight, share = shape
    first, total, start_rate = schedule
    batch = groups_of_a_batch(len(members), share)
    for begin in range(0, sources.size, batch):
        end = min(begin + batch, sources.size)
        # There are two pages of parts: other threads may still read the page of the batch before.
        page = (batches % 2) * threads * BATCH
        for i in range(begin, end):
            for leaf in range(low, high):
                u, w = source[leaf], target[leaf]
                if i + AHEAD < end:
                    prefetch_edge(u, w, sources[i + AHEAD], rows, i + AHEAD, len(slots), lines)
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
                    prefetch_edge(u, w, sources[i + AHEAD], rows, i + AHEAD, len(slots), lines)
                move(u, w, rows, scratch, (sources[i], i, 0), slots, LEAF_LINES)


@kernel
def groups_of_a_batch(members: int, share: int) -> int:
    """Return the groups of `members` targets in a batch, if `share` groups share negatives."""
    return max(1, BATCH // members) if share == 1 else 1


@kernel
def add_up(table: Table, sums: IntArray, slots: Slots) -> None:
    """Add row b to row a for each (a, b) of `sums`, in this order."""
    for j in range(sums.shape[0]):
        add_row(table, sums[j, 0], table, sums[j, 1], slots)
