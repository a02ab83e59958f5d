"""LINE and PTE: word vectors from one or more text networks (paper, sections 4.1 to 4.3).

Which of the paper's methods it is depends only on the networks of each phase: one phase with
(ww, wd, wl) is PTE(joint), (ww, wd) and then (wl) is PTE(pretrain), one with (wd) is LINE(G_wd).
"""

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pte.errors import PteError
from pte.models.draws import BLOCK, Block, Draws
from pte.models.hogwild import Hogwild
from pte.models.hot_rows import HotRows
from pte.models.synchronous import Synchronous
from pte.models.turns import Turns
from pte.networks.bipartite import Network
from pte.networks.sampling import EdgeSampler, StoredEdges

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


Watch = Callable[[int, NDArray[np.float32]], bool]
"""Called with the edges drawn so far and the vectors as they are; true ends the training."""

Progress = Callable[[int, int], None]
"""Called now and then with (edges drawn, edges in all), from the calling thread."""


def auto_samples(
    networks: Mapping[str, Network | EdgeSampler], phases: Sequence[Sequence[str]]
) -> int:
    """`AUTO_PASSES` times the edges, of a stream its tokens, of the phase that has most."""
    return AUTO_PASSES * max(sum(networks[name].n_edges for name in phase) for phase in phases)


def fit(
    networks: Mapping[str, Network | EdgeSampler],
    phases: Sequence[Sequence[str]],
    samples: int | None,
    seed: int,
    hyperparameters: Hyperparameters | None = None,
    threads: int = 1,
    progress: Progress | None = None,
    weights: Mapping[str, float] | None = None,
    watch: Watch | None = None,
    watch_every: int | None = None,
    deterministic: bool = False,
) -> WordVectors:
    """Train word vectors on `networks`, whose targets are all the same words.

    Each phase draws `samples` edges, over its networks in turn, with a rate that falls from ρ_0
    to its floor; a later phase starts from the vectors of the one before. All networks share one
    table of word vectors as targets, which is what is returned; the sources of each network have
    vectors of their own. `samples=None` draws `AUTO_PASSES` times the number of edges of a phase,
    of a token stream times its number of tokens.
    `weights` says how often a network is drawn from, relative to 1 for those it does not name.
    `watch` sees the vectors after every `watch_every` edges, rounded up to whole blocks, or after
    each phase.

    One seed and one thread give bit-identical vectors. Several threads draw the same edges and
    race on the updates (see `pte.models.hogwild`); with `deterministic` they do not, and one seed
    gives bit-identical vectors for any number of threads (see `pte.models.synchronous`).

    Raises `PteError` when the networks disagree about the words, a phase is empty, `samples`,
    `threads`, `watch_every` or a weight is not positive, `seed` is negative, a network is named
    that is not there, or the vectors diverge.
    """
    settings = hyperparameters or Hyperparameters()
    _check(networks, phases, samples, seed, threads)
    weights = weights or {}
    for name in weights:
        if name not in networks:
            raise PteError(f"weights: no network {name!r}; there are {sorted(networks)}")
    if watch_every is not None and watch_every < 1:
        raise PteError(f"watch_every is {watch_every}; it must be positive")
    names = list(dict.fromkeys(name for phase in phases for name in phase))
    samplers = [_sampler(networks[name]) for name in names]
    plan = [
        (
            Turns([weights.get(name, 1.0) if name in phase else 0.0 for name in names]),
            samples or auto_samples(networks, [phase]),
        )
        for phase in phases
    ]
    draws = Draws(samplers, seed)
    trainer = _trainer(draws, settings, [turns for turns, _ in plan], threads, seed, deterministic)
    trainer.train([Block(plan[0][0], 1, 0, 0, 0)])  # compiles; trains on nothing

    whole = sum(total for _, total in plan)
    drawn, seconds = 0, 0.0
    for blocks in _stretches(plan, watch_every if watch else None):

        def report(done: int, blocks: Sequence[Block] = blocks, before: int = drawn) -> None:
            if progress:
                progress(before + sum(block.count for block in blocks[:done]), whole)

        began = time.perf_counter()
        trainer.train(blocks, report)
        seconds += time.perf_counter() - began
        drawn += sum(block.count for block in blocks)
        if watch and watch(drawn, trainer.vectors()):
            break
    vectors = trainer.vectors()
    if not np.isfinite(vectors).all():
        raise PteError(f"training diverged at rate {settings.rate}; choose a smaller one")
    return WordVectors(vectors, drawn, seconds)


def _sampler(network: Network | EdgeSampler) -> EdgeSampler:
    return StoredEdges(network) if isinstance(network, Network) else network


def _trainer(
    draws: Draws,
    settings: Hyperparameters,
    turns: Sequence[Turns],
    threads: int,
    seed: int,
    deterministic: bool,
) -> Hogwild | Synchronous:
    common = (draws, settings.dim, settings.negatives, settings.rate, threads, seed)
    if deterministic:
        return Synchronous(*common)
    sources, words = draws.touches(turns, settings.negatives)
    return Hogwild(*common, HotRows.of(sources, words, settings.dim, threads))


def _stretches(plan: Sequence[tuple[Turns, int]], every: int | None) -> Iterator[list[Block]]:
    """The blocks of all phases, `every` so many draws a list of its own, or all of a phase."""
    number = 0
    for turns, total in plan:
        firsts = range(0, total, BLOCK)
        blocks = [
            Block(turns, total, first, min(BLOCK, total - first), number + i)
            for i, first in enumerate(firsts)
        ]
        number += len(blocks)
        length = -(-every // BLOCK) if every else len(blocks)
        for begin in range(0, len(blocks), length):
            yield blocks[begin : begin + length]


def _check(
    networks: Mapping[str, Network | EdgeSampler],
    phases: Sequence[Sequence[str]],
    samples: int | None,
    seed: int,
    threads: int,
) -> None:
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
