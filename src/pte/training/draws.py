"""The draws of a training, block by block: the same draws whichever thread makes them, and when."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pte.core.alias import build_alias
from pte.core.arrays import Pairs
from pte.core.noise import NOISE_POWER, Noise
from pte.core.rng import stream
from pte.networks.sampling import EdgeSampler
from pte.training.turns import Turns

BLOCK = 100_000
"""Edges that are drawn together, from the same streams of random numbers."""

LEAST = 1_000
"""The fewest edges of a block, so that blocks cost little beside their edges."""

PARTS = 20
"""Threads that race train at most this part of a phase's edges at one time: one in `PARTS`.

Each block has the rate of its place in the training. If threads trained a large part of all edges
at one time, some would use a rate from the beginning while others use a rate from the end.
"""


def block_size(edges: int, threads: int) -> int:
    """Return how many edges of a phase of so many `edges` a block has, for `threads` that race."""
    return BLOCK if threads == 1 else min(BLOCK, max(LEAST, edges // (PARTS * threads)))


@dataclass(frozen=True)
class EdgeBlock:
    """The draws `first` … `first + count − 1` of the `total` draws of a phase.

    `number` counts the blocks of all phases and decides which random numbers are used. Each draw
    has `members` edges.
    """

    turns: Turns
    total: int
    first: int
    count: int
    number: int
    members: int = 1

    @property
    def edges(self) -> int:
        """The number of edges of the block's draws."""
        return self.count * self.members

    @property
    def edges_so_far(self) -> int:
        """The number of edges of the phase that are drawn when the block's draws are done."""
        return (self.first + self.count) * self.members


class Draws:
    """The edges of several networks, and the distribution of each network's negatives."""

    def __init__(self, samplers: Sequence[EdgeSampler], seed: int, members: int = 1) -> None:
        """Prepare the samplers, and find the distribution of each network's negatives.

        Each block has a stream of random numbers for each network, and a stream for negatives. A
        draw is a source with `members` targets.
        """
        self._samplers, self._seed, self.members = samplers, seed, members
        for sampler in samplers:
            sampler.prepare(members)
        self.n_words = samplers[0].n_targets
        self.sizes = [sampler.n_sources for sampler in samplers]
        self._source_degrees = [sampler.source_degrees() for sampler in samplers]
        self._word_degrees = [sampler.target_degrees() for sampler in samplers]
        noise = [build_alias(degrees**NOISE_POWER) for degrees in self._word_degrees]
        self.noise = Noise(np.concatenate(noise), np.cumsum([0] + [len(each) for each in noise]))

    def pairs(self, block: EdgeBlock, pairs: Pairs) -> NDArray[np.int64]:
        """Fill `pairs` with the draws of a block, network after network: source and targets.

        Returns, as int64, where the draws of each network start, and where the draws of the last
        network end. Holds the GIL only for moments.
        """
        starts = block.turns.starts(block.first, block.count)
        for i, sampler in enumerate(self._samplers):
            sampler.draw(self._stream(block, i), pairs[starts[i] : starts[i + 1]])
        return starts

    def negatives(self, block: EdgeBlock) -> np.uint64:
        """Return the state where the random numbers of the negatives of a block start."""
        return self._stream(block, len(self._samplers))

    def touches(
        self, phases: Sequence[Turns], negatives: int
    ) -> tuple[list[NDArray[np.float64]], NDArray[np.float64]]:
        """Return how often a draw touches each source of each network, and each word.

        The numbers are means over the phases. `negatives` is the number of negatives of a draw.
        """
        shares = np.mean([turns.shares for turns in phases], axis=0)
        sources = [
            share * degrees / degrees.sum()
            for share, degrees in zip(shares, self._source_degrees, strict=True)
        ]
        words = np.zeros_like(self._word_degrees[0])
        for share, degrees in zip(shares, self._word_degrees, strict=True):
            noise = degrees**NOISE_POWER
            words += share * (
                self.members * degrees / degrees.sum() + negatives * noise / noise.sum()
            )
        return sources, words

    def _stream(self, block: EdgeBlock, i: int) -> np.uint64:
        return np.uint64(stream(self._seed, block.number * (len(self._samplers) + 1) + i))
