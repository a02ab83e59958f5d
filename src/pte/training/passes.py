"""Passes over the training documents in a random order, in blocks that threads take.

A corpus may be sorted by class. Words that are trained in its order end up beside the words of
their class, as if the vectors had seen labels: on mr, which is sorted, Skip-gram gains four points.
So the seed shuffles the documents, once for all passes.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pte.core import tables
from pte.core.types import Table
from pte.corpora.encoded import EncodedCorpus
from pte.errors import PteError
from pte.training.result import LOOKED_AT, refuse_divergence
from pte.training.setup import Progress
from pte.training.threads import run_blocks

BLOCK = 10_000
"""The least tokens of a block. A block is whole documents and has its own random numbers."""

MOVED = 10_000
"""How many documents change their places at a time; this bounds the memory."""


@dataclass(frozen=True)
class TokenBlock:
    """The documents `first` to `last` − 1, with `size` tokens.

    `before` tokens of all passes precede them. `number` counts the blocks of all passes and decides
    which random numbers are used.
    """

    first: int
    last: int
    before: int
    size: int
    number: int


ENDLESS = 10**15
"""So many tokens that the rate stays where it would fall over all of them."""


class Leg(NamedTuple):
    """A part of a training, from token `begin` of all passes to `end`.

    The rate falls over it from its start to its floor, or stays at its start.
    """

    begin: int
    end: int
    falls: bool = True

    @property
    def total(self) -> int:
        """The tokens over which the rate falls."""
        return self.end - self.begin if self.falls else ENDLESS


@dataclass(frozen=True)
class Passes:
    """`epochs` passes over documents: d is `tokens[offsets[d] : offsets[d + 1]]`.

    It is training document `order[d]` of the corpus.
    """

    tokens: NDArray[np.int32]
    offsets: NDArray[np.int64]
    order: NDArray[np.int64]
    n_words: int
    epochs: int

    @classmethod
    def of(cls, corpus: EncodedCorpus, epochs: int, seed: int) -> "Passes":
        """Go over the training documents in an order that the seed decides.

        Raises `PteError` when `epochs` is not positive or there are no training tokens.
        """
        if epochs < 1:
            raise PteError(f"epochs is {epochs}; it must be positive")
        tokens, offsets, _ = corpus.training_tokens()
        if not tokens.size:
            raise PteError(
                "corpus: its training documents have no words; there is nothing to learn"
            )
        order = np.random.default_rng(seed).permutation(offsets.size - 1)
        return cls(*_in_order(tokens, offsets, order), order, corpus.n_words, epochs)

    @property
    def total(self) -> int:
        """Tokens of all passes."""
        return self.epochs * self.tokens.size

    @property
    def counts(self) -> NDArray[np.float64]:
        """How often each word occurs in one pass."""
        return np.bincount(self.tokens, minlength=self.n_words).astype(np.float64)

    @property
    def whole(self) -> Leg:
        """All passes in one leg."""
        return Leg(0, self.total)

    def blocks(self, leg: Leg) -> Iterator[TokenBlock]:
        """The blocks that begin in a leg, in their order."""
        cuts = np.searchsorted(self.offsets, np.arange(0, self.tokens.size, BLOCK))
        ends = np.append(np.unique(cuts), self.offsets.size - 1).tolist()
        for epoch in range(leg.begin // self.tokens.size, -(-leg.end // self.tokens.size)):
            for i, (first, last) in enumerate(pairwise(ends)):
                before = epoch * self.tokens.size + int(self.offsets[first])
                if leg.begin <= before < leg.end:
                    size = int(self.offsets[last] - self.offsets[first])
                    yield TokenBlock(first, last, before, size, epoch * (len(ends) - 1) + i)

    def run(
        self,
        work: Callable[[TokenBlock, int], None],
        leg: Leg,
        threads: int,
        progress: Progress | None,
    ) -> None:
        """Call `work(block, thread)` for the blocks of a leg; `progress` counts tokens."""
        blocks = list(self.blocks(leg))
        report = None
        if progress:
            ends = np.cumsum([0] + [block.size for block in blocks]).tolist()

            def report(done: int) -> None:
                progress(ends[done], ends[-1])

        run_blocks(work, blocks, threads, report)

    def look(self, block: TokenBlock, target: Table, rate: float) -> None:
        """Raise `PteError` if rows of the last words that a block trained are not finite.

        `rate` is that of the start.
        """
        end = int(self.offsets[block.last])
        last = self.tokens[max(int(self.offsets[block.first]), end - LOOKED_AT) : end]
        refuse_divergence(rate, target[last], steps=block.before + block.size)


def _in_order(
    tokens: NDArray[np.int32], offsets: NDArray[np.int64], order: NDArray[np.int64]
) -> tuple[NDArray[np.int32], NDArray[np.int64]]:
    """The tokens and offsets of the documents in another order, some documents at a time."""
    lengths = np.diff(offsets)[order]
    ends = np.concatenate([[0], np.cumsum(lengths)])
    moved = np.empty_like(tokens)
    for first in range(0, order.size, MOVED):
        some = slice(first, first + MOVED)
        begin, end = ends[first], ends[min(first + MOVED, order.size)]
        ahead = np.repeat(offsets[order[some]] - ends[:-1][some], lengths[some])
        moved[begin:end] = tokens[np.arange(begin, end) + ahead]
    return moved, ends


def start(rows: int, dim: int, rng: np.random.Generator, spare: int = 0) -> Table:
    """`tables.uniform` in ±1/dim, as gensim starts; word2vec starts in ±0.5/dim.

    Targets start at zero. Therefore the length of the sources decides how soon anything is learnt.
    """
    table = tables.uniform(rows, dim, rng, spare)
    table *= 2
    return table
