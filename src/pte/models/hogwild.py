"""Edge sampling by threads that share the tables and do not wait for each other."""

from collections.abc import Callable, Iterable

import numpy as np
from numpy.typing import NDArray

from pte.core import tables
from pte.core.edges import train_pairs
from pte.models.draws import BLOCK, Block, Draws
from pte.models.hot_rows import HotRows
from pte.models.threads import run_blocks


class Hogwild:
    """Lock-free training (Recht et al. 2011), with copies of the hot rows for each thread.

    The draws of a block are the same whichever thread trains it, but the threads race: a row that
    is not hot may lose another thread's update, and with more than one thread no two runs give the
    same bits. See `pte.core.edges` and `pte.core.copies`.
    """

    def __init__(
        self,
        draws: Draws,
        dim: int,
        negatives: int,
        rate: float,
        threads: int,
        seed: int,
        hot: HotRows,
    ) -> None:
        """Start the tables by `seed`, with room for the copies of `hot`."""
        self._draws, self._dim, self._rate, self._hot = draws, dim, rate, hot
        rng = np.random.default_rng(seed)
        self._target = tables.uniform(draws.n_words, dim, rng, hot.word_copies)
        self._source = tables.uniform(sum(draws.sizes), dim, rng, hot.source_copies)
        self._slots = tuple(range(negatives + 1))
        self._lines = tuple(range(self._target.shape[1] // tables.LANES))
        self._copies = [hot.copies(thread) for thread in range(threads)]
        self._pairs = [np.empty((BLOCK, 2), np.int32) for _ in range(threads)]
        self._steps = [tables.zeros(1, negatives + 1) for _ in range(threads)]

    def vectors(self) -> NDArray[np.float32]:
        """The vectors of the words as they are, float32, shape (words, dim)."""
        return self._target[: self._draws.n_words, : self._dim].copy()

    def train(self, blocks: Iterable[Block], report: Callable[[int], None] | None = None) -> None:
        """Train on `blocks`; `report` is told now and then how many of them are done."""
        self._hot.start(self._source, self._target)
        run_blocks(self._train_block, blocks, len(self._copies), report)
        self._hot.gather(self._source, self._target)

    def _train_block(self, block: Block, thread: int) -> None:
        pairs = self._pairs[thread][: block.count]
        starts = self._draws.pairs(block, pairs)
        train_pairs(
            self._source,
            self._target,
            pairs,
            starts,
            block.turns.cycle,
            self._draws.noise,
            self._copies[thread],
            self._slots,
            self._lines,
            self._steps[thread],
            block.first,
            block.total,
            self._rate,
            self._draws.negatives(block),
        )
