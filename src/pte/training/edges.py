"""LINE and PTE: word vectors from one or more text networks (paper, sections 4.1 to 4.3).

One phase with (ww, wd, wl) is PTE(joint); phases (ww, wd) and (wl) are PTE(pretrain). Threads share
the tables and do not wait for each other; the draws are the same whichever thread makes them.
"""

import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pte.core import arrays
from pte.core.arrays import Pairs, Slots
from pte.core.draws import Noise
from pte.core.edges import Drawn, Embedding, GroupShape, Schedule, edge_shape, train_groups
from pte.core.rng import build_alias, stream
from pte.errors import PteError
from pte.limits import MOST_SAMPLES, refuse_outside
from pte.networks.bipartite import Network
from pte.networks.sampling import EdgeSampler, StoredEdges
from pte.training.hot_rows import HotRows, run_blocks
from pte.training.setup import LOOKED_AT, Hyperparameters, Setup, WordVectors, refuse_divergence

AUTO_PASSES = 10  # times the number of edges for `auto` (paper, 5.5: "several")

Networks = Mapping[str, Network | EdgeSampler]
Phases = Sequence[Sequence[str]]

Samples = int | Sequence[int]


@dataclass(frozen=True)
class Watch:
    """Calls `look(edges drawn, vectors)` after phases and `every` edges; if true, training ends."""

    look: Callable[[int, NDArray[np.float32]], bool]
    every: int | None = None


def auto_samples(networks: Networks, phases: Phases) -> int:
    """Return `AUTO_PASSES` times the edges, or tokens of a stream, of the phase with the most."""
    return AUTO_PASSES * max(sum(networks[name].n_edges for name in phase) for phase in phases)


def of_phases(samples: Samples, phases: Phases) -> tuple[int, ...]:
    """Return how many edges each phase draws."""
    each = (samples,) * len(phases) if isinstance(samples, int) else tuple(samples)
    if len(each) != len(phases):
        raise PteError(f"samples is {list(each)}, but there are {len(phases)} phases")
    for edges in each:
        refuse_outside("samples", edges, 1, MOST_SAMPLES)
    return each


def train_edges(
    networks: Networks,
    phases: Phases,
    samples: Samples,
    setup: Setup,
    weights: Mapping[str, float] | None = None,
    watch: Watch | None = None,
) -> WordVectors:
    """Train vectors; phases draw from their networks in turn, by `weights`, each from ρ_0 down."""
    weights = weights or {}
    each = of_phases(samples, phases)
    _check(networks, phases, weights)
    setup = setup.for_edges(min(each))
    names = list(dict.fromkeys(name for phase in phases for name in phase))
    plan = [
        Turns([weights.get(name, 1.0) if name in phase else 0.0 for name in names])
        for phase in phases
    ]
    members = setup.hyperparameters.step.size
    totals = [-(-edges // members) for edges in each]
    used = (networks[name] for name in names)
    samplers = [StoredEdges(each) if isinstance(each, Network) else each for each in used]
    draws = Draws(samplers, setup, members)
    shape = setup.hyperparameters
    sources, words = draws.touches(plan, shape.step.drawn_negatives(shape.negatives))
    trainer = Hogwild(draws, setup, HotRows.of(sources, words, setup.threads))
    trainer.train([EdgeBlock(plan[0], 1, 0, 0, 0)])  # compiles; trains on nothing
    drawn, seconds = 0, 0.0
    whole = members * sum(totals)
    for blocks in _stretches(plan, totals, members, watch.every if watch else None, setup.threads):
        began, ends = time.perf_counter(), np.cumsum([drawn, *(b.edges for b in blocks)]).tolist()

        def report(done: int, ends: Sequence[int] = ends) -> None:
            if setup.progress:
                setup.progress(ends[done], whole)

        trainer.train(blocks, report)
        seconds += time.perf_counter() - began
        drawn = ends[-1]
        vectors = trainer.vectors()
        refuse_divergence(setup.hyperparameters.learning_rate, vectors, steps=drawn)
        if watch and watch.look(drawn, vectors):
            break
    return WordVectors(vectors, drawn, seconds)


def _stretches(
    plan: Sequence["Turns"], totals: Sequence[int], members: int, every: int | None, threads: int
) -> Iterator[list["EdgeBlock"]]:
    before = 0
    for turns, total in zip(plan, totals, strict=True):
        size = max(1, block_size(total * members, threads) // members)
        blocks = [
            EdgeBlock(turns, total, first, min(size, total - first), number, members)
            for number, first in enumerate(range(0, total, size), before)
        ]
        before += len(blocks)
        length = -(-every // (size * members)) if every else len(blocks)
        for begin in range(0, len(blocks), length):
            yield blocks[begin : begin + length]


def _check(networks: Networks, phases: Phases, weights: Mapping[str, float]) -> None:
    if not phases or not all(phases):
        raise PteError("phases: every phase needs at least one network")
    for name in (name for phase in phases for name in phase):
        if name not in networks:
            raise PteError(f"phases: no network {name!r}; there are {sorted(networks)}")
    words = {networks[name].n_targets for phase in phases for name in phase}
    if len(words) != 1:
        raise PteError(f"networks: they have different numbers of words, {sorted(words)}")
    for name in weights:
        if name not in networks:
            raise PteError(f"weights: no network {name!r}; there are {sorted(networks)}")


class Hogwild:
    """Lock-free training (Recht et al. 2011): a row that is not hot may lose another's update."""

    def __init__(self, draws: "Draws", setup: Setup, hot: HotRows) -> None:
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
        self, blocks: Iterable["EdgeBlock"], report: Callable[[int], None] | None = None
    ) -> None:
        """Train on `blocks`; `report` is told how many are done."""
        with self._hot.shared(*self.tables):
            run_blocks(self._train_block, blocks, len(self._copies), report)

    def _train_block(self, block: "EdgeBlock", thread: int) -> None:
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


_CYCLE = 10_000  # draws after which a cycle repeats: shares are exact to a ten-thousandth


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


BLOCK = 100_000  # edges that are drawn together, from the same streams of random numbers
LEAST = 1_000  # the fewest edges of a block, so that blocks cost little beside their edges
PARTS = 20  # racing threads train 1/PARTS of a phase at once: rates hardly differ


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

    def __init__(self, samplers: Sequence[EdgeSampler], setup: Setup, members: int = 1) -> None:
        """Prepare the samplers; a draw is a source with `members` targets."""
        self._samplers, self._seed, self.members = samplers, setup.seed, members
        for sampler in samplers:
            sampler.prepare(members)
        self.n_words = samplers[0].n_targets
        self.sizes = [sampler.n_sources for sampler in samplers]
        self._source_degrees = [sampler.source_degrees() for sampler in samplers]
        self._word_degrees = [sampler.target_degrees() for sampler in samplers]
        self._weights = list(map(setup.hyperparameters.noise, self._word_degrees))
        noise = list(map(build_alias, self._weights))
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
        for share, degrees, noise in zip(shares, self._word_degrees, self._weights, strict=True):
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
