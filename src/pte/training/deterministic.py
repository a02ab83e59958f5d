"""Edge sampling with bit-identical results for any number of threads."""

import threading
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import FIRST_EXCEPTION, ThreadPoolExecutor, wait

import numpy as np
from numpy.typing import NDArray

from pte.core import arrays
from pte.core.barrier import FLAG_STRIDE
from pte.core.edges import Drawn
from pte.core.step import Embedding, Schedule
from pte.core.synchronous import (
    BATCH,
    LEAF_LINES,
    Board,
    Listed,
    OwnedLeaves,
    draw_rows,
    groups_of_a_batch,
    train_leaves,
)
from pte.training.draws import BLOCK, Draws, EdgeBlock
from pte.training.groups import group_shape
from pte.training.result import LOOKED_AT, refuse_divergence
from pte.training.setup import Setup

_POLL_SECONDS = 0.2


class Synchronous:
    """Training in which each thread owns columns of all rows (see `pte.core.synchronous`).

    The edges are the same as in `pte.training.hogwild`, but the gradients of `BATCH` edges are
    taken before the first of these edges moves anything. As many threads can share the work as a
    row has pairs of cache lines (4 for 100 numbers); further threads stay idle. If groups share
    negatives, the gradients are taken group by group, by one thread: several threads would have to
    wait for each other after each group, which costs more than they gain.
    """

    def __init__(self, draws: Draws, setup: Setup) -> None:
        """Fill the tables with random numbers of the seed, as `pte.training.hogwild` does."""
        chosen = setup.hyperparameters
        self._draws, self._dim, self._rate = draws, chosen.dim, chosen.rate
        rng = np.random.default_rng(setup.seed)
        words = arrays.uniform(draws.n_words, chosen.dim, rng)
        if setup.known:
            setup.known.fill(words)
        target = arrays.by_leaves(words, LEAF_LINES)
        source = arrays.by_leaves(arrays.uniform(sum(draws.sizes), chosen.dim, rng), LEAF_LINES)
        self._tables = Embedding(source, target)
        self._shape, leaves = group_shape(chosen, tuple(range(LEAF_LINES))), len(target)
        n_rows = len(self._shape.slots)
        self._batch = groups_of_a_batch(draws.members, self._shape.share)
        alone = self._shape.share > 1
        self._owned = owned_leaves(leaves, 1 if alone else min(setup.threads, leaves))
        n = len(self._owned)
        self._board = Board(
            arrays.zeros(2 * n * BATCH, n_rows), np.zeros(n * FLAG_STRIDE, np.int64)
        )
        self._scratch = [arrays.zeros(max(leaves, n), n_rows) for _ in self._owned]
        self._batches = 0
        self._first_sources = np.cumsum([0, *draws.sizes], dtype=np.int64)[:-1]
        self._listed = [
            Listed(np.empty(block, np.int64), np.empty((block, n_rows), np.int32))
            for block in [BLOCK // draws.members] * n
        ]

    def vectors(self) -> NDArray[np.float32]:
        """Return the vectors of the words as they are, float32, shape (words, dim)."""
        return np.concatenate(list(self._tables.target), axis=1)[:, : self._dim].copy()

    def train(
        self, blocks: Iterable[EdgeBlock], report: Callable[[int], None] | None = None
    ) -> None:
        """Train on `blocks`, and tell `report` now and then how many blocks are done.

        An interrupt in the caller stops all threads after the blocks that they train, and is
        raised.
        """
        n = len(self._owned)
        listed = list(blocks)
        rounds = [listed[i : i + n] for i in range(0, len(listed), n)]
        stopping, stop = False, False

        def agree() -> None:
            nonlocal stop
            stop = stopping

        barrier = threading.Barrier(n, action=agree)
        done = 0

        def worker(owned: OwnedLeaves) -> None:
            nonlocal done
            try:
                for blocks in rounds:
                    if owned.thread < len(blocks):
                        self._draw(blocks[owned.thread], owned.thread)
                    barrier.wait()
                    if stop:
                        return
                    batches = self._batches
                    for place, block in enumerate(blocks):
                        self._train(block, place, owned, batches)
                        batches += -(-block.count // self._batch)
                    last = self._last_rows(blocks, owned)
                    barrier.wait()  # no thread may leave while another waits for it in a kernel
                    refuse_divergence(self._rate, last, steps=blocks[-1].edges_so_far)
                    if owned.thread == 0:
                        self._batches = batches
                        done += len(blocks)
            except threading.BrokenBarrierError:
                return  # another thread broke the barrier, and says why
            except BaseException:
                barrier.abort()
                raise

        with ThreadPoolExecutor(n) as pool:
            try:
                pending = {pool.submit(worker, owned) for owned in self._owned}
                while pending:
                    finished, pending = wait(pending, _POLL_SECONDS, FIRST_EXCEPTION)
                    for future in finished:
                        future.result()
                    if report:
                        report(done)
            finally:
                stopping = True

    def _draw(self, block: EdgeBlock, place: int) -> None:
        pairs = np.empty((block.count, 1 + self._draws.members), np.int32)
        starts = self._draws.pairs(block, pairs)
        draw_rows(
            Drawn(pairs, starts, block.turns.cycle),
            block.first,
            self._draws.noise,
            self._draws.negatives(block),
            self._first_sources,
            self._edges(block, place),
            self._shape,
        )

    def _train(self, block: EdgeBlock, place: int, owned: OwnedLeaves, batches: int) -> None:
        train_leaves(
            self._tables,
            self._edges(block, place),
            owned,
            self._board,
            self._scratch[owned.thread],
            batches,
            self._shape,
            Schedule(block.first, block.total, self._rate),
        )

    def _last_rows(self, blocks: Sequence[EdgeBlock], owned: OwnedLeaves) -> NDArray[np.float32]:
        """Copy the columns that a thread owns of the last target rows that a round trained."""
        last = self._edges(blocks[-1], len(blocks) - 1).rows[-LOOKED_AT:, 0]
        return self._tables.target[owned.first : owned.last, last]

    def _edges(self, block: EdgeBlock, place: int) -> Listed:
        """Return the rows of the edges of a block, which is drawn at `place` of its round."""
        sources, rows = self._listed[place]
        return Listed(sources[: block.count], rows[: block.count])


def owned_leaves(leaves: int, threads: int) -> list[OwnedLeaves]:
    """Give each thread a subtree of the leaves; there are at most as many threads as leaves."""
    subtrees = _subtrees(0, leaves, threads)
    owner = [thread for thread, (low, high) in enumerate(subtrees) for _ in range(low, high)]
    joins = [(owner[a], owner[b]) for a, b in _sums(0, leaves) if owner[a] != owner[b]]
    return [
        OwnedLeaves(
            thread,
            threads,
            low,
            high,
            _pairs([(a - low, b - low) for a, b in _sums(low, high)]),
            _pairs(joins),
        )
        for thread, (low, high) in enumerate(subtrees)
    ]


def _middle(low: int, high: int) -> int:
    return (low + high + 1) // 2


def _sums(low: int, high: int) -> list[tuple[int, int]]:
    """Return the additions, in order, that sum up the leaves `low` … `high − 1` of the tree."""
    if high - low == 1:
        return []
    middle = _middle(low, high)
    return [*_sums(low, middle), *_sums(middle, high), (low, middle)]


def _subtrees(low: int, high: int, threads: int) -> list[tuple[int, int]]:
    """Cut a tree of at least `threads` leaves into `threads` subtrees."""
    if threads == 1:
        return [(low, high)]
    middle = _middle(low, high)
    left = max(min(_middle(0, threads), middle - low), threads - (high - middle))
    return [*_subtrees(low, middle, left), *_subtrees(middle, high, threads - left)]


def _pairs(pairs: Sequence[tuple[int, int]]) -> NDArray[np.int64]:
    return np.array(pairs, np.int64).reshape(-1, 2)
