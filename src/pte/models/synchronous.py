"""Edge sampling with the same result, to the bit, for any number of threads."""

import threading
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import FIRST_EXCEPTION, ThreadPoolExecutor, wait

import numpy as np
from numpy.typing import NDArray

from pte.core import tables
from pte.core.barrier import FLAG_STRIDE
from pte.core.synchronous import BATCH, LEAF_LINES, Share, draw_rows, train_leaves
from pte.models.draws import BLOCK, Block, Draws

_POLL_SECONDS = 0.2


class Synchronous:
    """Training in which each thread owns columns of all rows (see `pte.core.synchronous`).

    The same edges as `pte.models.hogwild` trains on, but the gradients of `BATCH` edges are taken
    before the first of them moves anything. As many threads can share the work as a row has pairs
    of cache lines (4 for 100 numbers); more are left idle.
    """

    def __init__(
        self, draws: Draws, dim: int, negatives: int, rate: float, threads: int, seed: int
    ) -> None:
        """Start the tables by `seed`, as `pte.models.hogwild` does."""
        self._draws, self._dim, self._rate = draws, dim, rate
        rng = np.random.default_rng(seed)
        self._target = tables.by_leaves(tables.uniform(draws.n_words, dim, rng), LEAF_LINES)
        self._source = tables.by_leaves(tables.uniform(sum(draws.sizes), dim, rng), LEAF_LINES)
        self._slots = tuple(range(negatives + 1))
        leaves = len(self._target)
        self._shares = shares(leaves, min(threads, leaves))
        n = len(self._shares)
        self._parts = tables.zeros(2 * n * BATCH, negatives + 1)
        self._scratch = [tables.zeros(max(leaves, n), negatives + 1) for _ in self._shares]
        self._flags = np.zeros(n * FLAG_STRIDE, np.int64)
        self._batches = 0
        self._first_sources = np.cumsum([0, *draws.sizes], dtype=np.int64)[:-1]
        self._sources = [np.empty(BLOCK, np.int64) for _ in self._shares]
        self._rows = [np.empty((BLOCK, negatives + 1), np.int32) for _ in self._shares]

    def vectors(self) -> NDArray[np.float32]:
        """The vectors of the words as they are, float32, shape (words, dim)."""
        return np.concatenate(list(self._target), axis=1)[:, : self._dim].copy()

    def train(self, blocks: Iterable[Block], report: Callable[[int], None] | None = None) -> None:
        """Train on `blocks`; `report` is told now and then how many of them are done.

        An interrupt in the caller stops all threads after the blocks they are at, and is raised.
        """
        n = len(self._shares)
        listed = list(blocks)
        rounds = [listed[i : i + n] for i in range(0, len(listed), n)]
        stopping, stop = False, False

        def agree() -> None:
            nonlocal stop
            stop = stopping

        barrier = threading.Barrier(n, action=agree)
        done = 0

        def worker(share: Share) -> None:
            nonlocal done
            try:
                for blocks in rounds:
                    if share.thread < len(blocks):
                        self._draw(blocks[share.thread], share.thread)
                    barrier.wait()
                    if stop:
                        return
                    batches = self._batches
                    for place, block in enumerate(blocks):
                        self._train(block, place, share, batches)
                        batches += -(-block.count // BATCH)
                    barrier.wait()
                    if share.thread == 0:
                        self._batches = batches
                        done += len(blocks)
            except BaseException:
                barrier.abort()
                raise

        with ThreadPoolExecutor(n) as pool:
            try:
                pending = {pool.submit(worker, share) for share in self._shares}
                while pending:
                    finished, pending = wait(pending, _POLL_SECONDS, FIRST_EXCEPTION)
                    for future in finished:
                        future.result()
                    if report:
                        report(done)
            finally:
                stopping = True

    def _draw(self, block: Block, place: int) -> None:
        pairs = np.empty((block.count, 2), np.int32)
        starts = self._draws.pairs(block, pairs)
        draw_rows(
            pairs,
            starts,
            block.turns.cycle,
            self._draws.noise,
            self._first_sources,
            block.first,
            self._draws.negatives(block),
            self._sources[place][: block.count],
            self._rows[place][: block.count],
            self._slots,
        )

    def _train(self, block: Block, place: int, share: Share, batches: int) -> None:
        train_leaves(
            self._source,
            self._target,
            self._sources[place][: block.count],
            self._rows[place][: block.count],
            share,
            self._parts,
            self._scratch[share.thread],
            self._flags,
            batches,
            block.first,
            block.total,
            self._rate,
            self._slots,
            tuple(range(LEAF_LINES)),
        )


def shares(leaves: int, threads: int) -> list[Share]:
    """Give each of at most as many threads as there are leaves a subtree of them."""
    owned = _subtrees(0, leaves, threads)
    owner = [thread for thread, (low, high) in enumerate(owned) for _ in range(low, high)]
    joins = [(owner[a], owner[b]) for a, b in _sums(0, leaves) if owner[a] != owner[b]]
    return [
        Share(
            thread,
            threads,
            low,
            high,
            _pairs([(a - low, b - low) for a, b in _sums(low, high)]),
            _pairs(joins),
        )
        for thread, (low, high) in enumerate(owned)
    ]


def _middle(low: int, high: int) -> int:
    return (low + high + 1) // 2


def _sums(low: int, high: int) -> list[tuple[int, int]]:
    """The additions that sum up the leaves `low` … `high − 1` of the tree, in order."""
    if high - low == 1:
        return []
    middle = _middle(low, high)
    return [*_sums(low, middle), *_sums(middle, high), (low, middle)]


def _subtrees(low: int, high: int, threads: int) -> list[tuple[int, int]]:
    """Cut a tree of at least `threads` leaves into this many subtrees."""
    if threads == 1:
        return [(low, high)]
    middle = _middle(low, high)
    left = max(min(_middle(0, threads), middle - low), threads - (high - middle))
    return [*_subtrees(low, middle, left), *_subtrees(middle, high, threads - left)]


def _pairs(pairs: Sequence[tuple[int, int]]) -> NDArray[np.int64]:
    return np.array(pairs, np.int64).reshape(-1, 2)
