"""Edge sampling by threads that share the tables and do not wait for each other."""

from collections.abc import Callable, Iterable

import numpy as np
from numpy.typing import NDArray

from pte.core import arrays
from pte.core.arrays import Slots
from pte.core.edges import Drawn, GroupShape, edge_shape, train_groups
from pte.core.step import Embedding, Schedule
from pte.training.draws import BLOCK, Draws, EdgeBlock
from pte.training.hot_rows import HotRows, run_blocks
from pte.training.result import LOOKED_AT, refuse_divergence
from pte.training.setup import Hyperparameters, Setup


class Hogwild:
    """Lock-free training (Recht et al. 2011): a row that is not hot may lose another's update."""

    def __init__(self, draws: Draws, setup: Setup, hot: HotRows) -> None:
        """Fill the tables by the seed: sources of each network, then room for copies of `hot`."""
        shape, threads = setup.hyperparameters, range(setup.threads)
        self._draws, self._dim, self._rate, self._hot = draws, shape.dim, shape.learning_rate, hot
        rng = np.random.default_rng(setup.seed)
        target = arrays.uniform(draws.n_words, shape.dim, rng, hot.word_copies)
        if setup.known:
            setup.known.fill(target)
        source = arrays.uniform(sum(draws.sizes), shape.dim, rng, hot.source_copies)
        self.tables = Embedding(source, target)
        lines = tuple(range(target.shape[1] // arrays.LANES))
        self._shape = group_shape(shape, lines)
        self._copies = [hot.copies(thread) for thread in threads]
        block = BLOCK // draws.members
        self._pairs = [np.empty((block, 1 + draws.members), np.int32) for _ in threads]
        self._steps = [arrays.zeros(1, len(self._shape.slots)) for _ in threads]

    def vectors(self) -> NDArray[np.float32]:
        """Return the vectors of the words as they are, shape (words, dim)."""
        return self.tables.target[: self._draws.n_words, : self._dim].copy()

    def train(
        self, blocks: Iterable[EdgeBlock], report: Callable[[int], None] | None = None
    ) -> None:
        """Train on `blocks`; `report` is told how many are done."""
        with self._hot.shared(*self.tables):
            run_blocks(self._train_block, blocks, len(self._copies), report)

    def _train_block(self, block: EdgeBlock, thread: int) -> None:
        pairs = self._pairs[thread][: block.count]
        starts = self._draws.pairs(block, pairs)
        train_groups(
            self.tables,
            Drawn(pairs, starts, block.turns.cycle),
            self._draws.noise,
            self._draws.negatives(block),
            self._copies[thread],
            self._shape,
            self._steps[thread],
            Schedule(block.first, block.total, self._rate),
        )
        rows = self.tables.target[pairs[-LOOKED_AT:, 1]]
        refuse_divergence(self._rate, rows, steps=block.edges_so_far)


def group_shape(shape: Hyperparameters, lines: Slots) -> GroupShape:
    """Return the shape of a step's draws."""
    step, k = shape.step, shape.negatives
    if step.kind == "edge":
        return edge_shape(k, lines)
    members, negatives = step.size, step.negatives
    slots = tuple(range(members + negatives))
    weight = np.float32(k * members / negatives)
    return GroupShape(tuple(range(members)), slots, lines, weight, step.share)
