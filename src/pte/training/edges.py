"""LINE and PTE: word vectors from one or more text networks (paper, sections 4.1 to 4.3).

One phase with (ww, wd, wl) is PTE(joint); phases (ww, wd) and (wl) are PTE(pretrain).
"""

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pte.errors import PteError
from pte.limits import MOST_SAMPLES, refuse_outside
from pte.networks.bipartite import Network
from pte.networks.sampling import EdgeSampler, StoredEdges
from pte.training.draws import Draws, EdgeBlock, Turns, block_size
from pte.training.hogwild import Hogwild
from pte.training.hot_rows import HotRows
from pte.training.result import WordVectors, refuse_divergence
from pte.training.setup import Progress, Setup

AUTO_PASSES = 10
"""`samples: auto` draws this many times the number of edges (paper, section 5.5: "several")."""

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
    """Train word vectors, float32, on `networks` whose targets are all the same words.

    Each phase draws from its networks in turn, by `weights` (1 if not named), while its rate falls
    from ρ_0 to the floor. Few edges have few threads.
    """
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
    draws = Draws(samplers, setup.seed, members)
    shape = setup.hyperparameters
    sources, words = draws.touches(plan, shape.step.drawn_negatives(shape.negatives))
    trainer = Hogwild(draws, setup, HotRows.of(sources, words, setup.threads))
    trainer.train([EdgeBlock(plan[0], 1, 0, 0, 0)])  # compiles; trains on nothing
    drawn, seconds = 0, 0.0
    whole = members * sum(totals)
    for blocks in _stretches(plan, totals, members, watch.every if watch else None, setup.threads):
        began = time.perf_counter()
        trainer.train(blocks, setup.progress and _report(setup.progress, blocks, drawn, whole))
        seconds += time.perf_counter() - began
        drawn += sum(block.edges for block in blocks)
        vectors = trainer.vectors()
        refuse_divergence(setup.hyperparameters.learning_rate, vectors, steps=drawn)
        if watch and watch.look(drawn, vectors):
            break
    return WordVectors(vectors, drawn, seconds)


def _stretches(
    plan: Sequence[Turns], totals: Sequence[int], members: int, every: int | None, threads: int
) -> Iterator[list[EdgeBlock]]:
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


def _report(
    progress: Progress, blocks: Sequence[EdgeBlock], before: int, whole: int
) -> Callable[[int], None]:
    ends = np.cumsum([before, *(block.edges for block in blocks)]).tolist()
    return lambda done: progress(ends[done], whole)


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
