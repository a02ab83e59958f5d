"""LINE and PTE: word vectors from one or more text networks (paper, sections 4.1 to 4.3).

Which of the paper's methods it is depends only on the networks of each phase: one phase with
(ww, wd, wl) is PTE(joint), (ww, wd) and then (wl) is PTE(pretrain), one with (wd) is LINE(G_wd).
"""

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pte.core import tables
from pte.core.alias import build_alias
from pte.core.edges import train_block
from pte.core.types import AliasTable, Int32Array, IntArray, Table
from pte.errors import PteError
from pte.models.hogwild import Progress, run_blocks
from pte.networks.bipartite import Network

NOISE_POWER = 0.75
BLOCK = 100_000
"""Edges a thread trains on before it takes the next block: about 50 ms."""

AUTO_PASSES = 10
"""`samples=None` draws this many times the number of edges (paper, section 5.5: "several")."""


@dataclass(frozen=True)
class Hyperparameters:
    """What the paper fixes for all corpora (section 5.1)."""

    dim: int = 100
    negatives: int = 5
    rate: float = 0.025

    def __post_init__(self) -> None:
        """Refuse values that no training could use."""
        if self.dim < 1:
            raise PteError(f"dim is {self.dim}; it must be at least 1")
        if self.negatives < 0:
            raise PteError(f"negatives is {self.negatives}; it must not be negative")
        if not self.rate > 0:
            raise PteError(f"rate is {self.rate}; it must be positive")


@dataclass(frozen=True)
class WordVectors:
    """`vectors` is float32, shape (words, dim); `samples` counts the edges drawn to train them."""

    vectors: NDArray[np.float32]
    samples: int
    seconds: float


def fit(
    networks: Mapping[str, Network],
    phases: Sequence[Sequence[str]],
    samples: int | None,
    seed: int,
    hyperparameters: Hyperparameters | None = None,
    threads: int = 1,
    progress: Progress | None = None,
) -> WordVectors:
    """Train word vectors on `networks`, whose targets are all the same words.

    Each phase draws `samples` edges, over its networks in turn, with a rate that falls from ρ_0
    to its floor; a later phase starts from the vectors of the one before. All networks share one
    table of word vectors as targets, which is what is returned; the sources of each network have
    vectors of their own. `samples=None` draws `AUTO_PASSES` times the number of edges of a phase.

    One seed and one thread give bit-identical vectors. Several threads draw the same edges and
    race on the updates (see `pte.core.edges.train_block`). Raises `PteError` when the networks
    disagree about the words, a phase is empty, `samples` or `threads` is not positive, or
    `seed` is negative.
    """
    settings = hyperparameters or Hyperparameters()
    n_words = _check(networks, phases, samples, seed, threads)
    names = list(dict.fromkeys(name for phase in phases for name in phase))
    sizes = [networks[name].n_sources for name in names]
    first_row = dict(zip(names, np.concatenate([[0], np.cumsum(sizes)[:-1]]), strict=True))
    rng = np.random.default_rng(seed)
    target = tables.uniform(n_words, settings.dim, rng)
    source = tables.uniform(sum(sizes), settings.dim, rng)

    plans = [_Plan.of([(networks[n], int(first_row[n])) for n in phase]) for phase in phases]
    totals = [samples or AUTO_PASSES * plan.n_edges for plan in plans]
    blocks = [-(-total // BLOCK) for total in totals]

    plans[0].train(source, target, settings, 0, 0, totals[0], seed, 0)  # compiles; trains nothing
    began = time.perf_counter()
    for i, (plan, total) in enumerate(zip(plans, totals, strict=True)):
        past = sum(blocks[:i])

        def work(block: int, plan: _Plan = plan, total: int = total, past: int = past) -> None:
            first = block * BLOCK
            count = min(BLOCK, total - first)
            plan.train(source, target, settings, first, count, total, seed, past + block)

        def report(done: int, _: int, past: int = past) -> None:
            if progress:
                progress(past + done, sum(blocks))

        run_blocks(work, blocks[i], threads, report)
    seconds = time.perf_counter() - began
    vectors = np.ascontiguousarray(target[:, : settings.dim])
    if not np.isfinite(vectors).all():
        raise PteError(f"training diverged at rate {settings.rate}; choose a smaller one")
    return WordVectors(vectors, sum(totals), seconds)


def _check(
    networks: Mapping[str, Network],
    phases: Sequence[Sequence[str]],
    samples: int | None,
    seed: int,
    threads: int,
) -> int:
    if not phases or not all(phases):
        raise PteError("phases: every phase needs at least one network")
    for name in (name for phase in phases for name in phase):
        if name not in networks:
            raise PteError(f"phases: no network {name!r}; there are {sorted(networks)}")
    if samples is not None and samples < 1:
        raise PteError(f"samples is {samples}; it must be positive")
    if seed < 0:
        raise PteError(f"seed is {seed}; it must not be negative")
    if threads < 1:
        raise PteError(f"threads is {threads}; it must be positive")
    words = {networks[name].n_targets for phase in phases for name in phase}
    if len(words) != 1:
        raise PteError(f"networks: they have different numbers of words, {sorted(words)}")
    return words.pop()


@dataclass(frozen=True)
class _Plan:
    """The networks of one phase, behind one another as `train_block` wants them."""

    ends: Int32Array
    edge_table: AliasTable
    edge_bounds: IntArray
    noise_table: AliasTable
    noise_bounds: IntArray

    @classmethod
    def of(cls, networks: Sequence[tuple[Network, int]]) -> "_Plan":
        """Stack networks, each with the row at which its sources start."""
        networks = [(network.directed(), row) for network, row in networks]
        ends = [
            np.stack([network.source + np.int32(row), network.target], axis=1)
            for network, row in networks
        ]
        edges = [build_alias(network.weight.astype(np.float64)) for network, _ in networks]
        noise = [build_alias(network.target_degrees() ** NOISE_POWER) for network, _ in networks]
        return cls(
            np.concatenate(ends).astype(np.int32, copy=False),
            np.concatenate(edges),
            np.cumsum([0] + [len(part) for part in edges]),
            np.concatenate(noise),
            np.cumsum([0] + [len(part) for part in noise]),
        )

    @property
    def n_edges(self) -> int:
        return len(self.ends)

    def train(
        self,
        source: Table,
        target: Table,
        settings: Hyperparameters,
        first: int,
        count: int,
        total: int,
        seed: int,
        block: int,
    ) -> None:
        """One block; releases the GIL."""
        train_block(
            source,
            target,
            self.ends,
            self.edge_table,
            self.edge_bounds,
            self.noise_table,
            self.noise_bounds,
            settings.negatives,
            first,
            count,
            total,
            settings.rate,
            seed,
            block,
        )
