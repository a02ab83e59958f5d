"""The draws of a training, block by block: the same draws whichever thread makes them, and when."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pte.core.arrays import Pairs
from pte.core.draws import NOISE_POWER, Noise
from pte.core.rng import build_alias, stream
from pte.errors import PteError
from pte.networks.sampling import EdgeSampler

_CYCLE = 10_000
"""Draws after which a cycle repeats: shares are exact to a ten-thousandth."""


class Turns:
    """Networks take turns in a fixed, evenly spread cycle; with equal weights 0, 1, … n − 1."""

    def __init__(self, weights: Sequence[float]) -> None:
        """Make the cycle from weights relative to each other; a network of weight 0 has no turn."""
        shares = np.asarray(weights, np.float64)
        with np.errstate(over="ignore"):
            total = shares.sum()
        if not np.isfinite(total) or (shares < 0).any() or not shares.any():
            raise PteError(
                f"network weights are {list(weights)}; none may be negative, nor all be 0, nor "
                "their sum infinite"
            )
        shares /= total
        playing = np.flatnonzero(shares)
        if shares[playing].min() < 1 / _CYCLE:
            raise PteError(
                f"network weights are {list(weights)}; one is too small beside the others"
            )
        equal = (shares[playing] == shares[playing[0]]).all()
        self.cycle = playing if equal else _spread(shares)
        self._before = np.zeros((self.cycle.size + 1, shares.size), np.int64)
        turns = self.cycle[:, None] == np.arange(shares.size)
        np.cumsum(turns, axis=0, out=self._before[1:])

    @property
    def shares(self) -> NDArray[np.float64]:
        """The part of all draws that each network has."""
        shares: NDArray[np.float64] = self._before[-1] / self.cycle.size
        return shares

    def starts(self, first: int, count: int) -> NDArray[np.int64]:
        """Return where some draws, sorted by network, start in each network, and the last's end."""
        counts = self._draws(first + count) - self._draws(first)
        return np.concatenate([[0], np.cumsum(counts)])

    def _draws(self, t: int) -> NDArray[np.int64]:
        cycles, rest = divmod(t, self.cycle.size)
        draws: NDArray[np.int64] = cycles * self._before[-1] + self._before[rest]
        return draws


BLOCK = 100_000
"""Edges that are drawn together, from the same streams of random numbers."""

LEAST = 1_000
"""The fewest edges of a block, so that blocks cost little beside their edges."""

PARTS = 20
"""Racing threads train at most one in `PARTS` of a phase's edges at once: rates hardly differ."""


def block_size(edges: int, threads: int) -> int:
    """Return how many edges of a phase of so many `edges` a block has, for `threads` that race."""
    return BLOCK if threads == 1 else min(BLOCK, max(LEAST, edges // (PARTS * threads)))


@dataclass(frozen=True)
class EdgeBlock:
    """The draws `first` … `first + count − 1` of a phase; `number`, over all phases, seeds them."""

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
    """The edges of several networks and their negatives; each block has its own random streams."""

    def __init__(self, samplers: Sequence[EdgeSampler], seed: int, members: int = 1) -> None:
        """Prepare the samplers; a draw is a source with `members` targets."""
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
        """Fill `pairs`, network by network, mostly without the GIL; return starts and the end."""
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
        """Return how often a draw touches each source of each network and each word."""
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


def _spread(shares: NDArray[np.float64]) -> NDArray[np.int64]:
    """Return a cycle in which each turn goes to the network that is furthest behind its share."""
    due = np.zeros(shares.size)
    cycle = np.empty(_CYCLE, np.int64)
    for t in range(_CYCLE):
        due += shares
        cycle[t] = due.argmax()
        due[cycle[t]] -= 1
    return cycle
