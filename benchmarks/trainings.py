"""Trainings by `train_edges`, one or several side by side, and how fast they were."""

import time
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from threading import Barrier

import numpy as np
from numpy.typing import NDArray

from benchmarks.common import METHODS, cores
from pte.core.arrays import Pairs
from pte.networks.sampling import EdgeSampler
from pte.training.edges import train_edges
from pte.training.setup import Hyperparameters, Setup, Step

PATIENCE = 600


@dataclass(frozen=True)
class Case:
    """So many trainings side by side, each on so many edges."""

    edges: int
    trainings: int = 1
    threads: int = 1
    step: str = "edge"

    @property
    def wanted(self) -> int:
        """The cores that it could use."""
        return min(self.trainings * self.threads, len(cores()))


@dataclass(frozen=True)
class Rate:
    """Million pairs a second, and how many cores' worth of time they took."""

    rate: float
    cores: float

    @property
    def per_core(self) -> float:
        """Million pairs a second that a core would do if no other program took its time."""
        return self.rate / self.cores

    @property
    def nanoseconds(self) -> float:
        """Of a core, a pair."""
        return 1e3 / self.per_core


def measure(samplers: Mapping[str, EdgeSampler], method: str, case: Case, number: int) -> Rate:
    """All edges of the trainings over the time from their common start to their last end."""
    first, barrier = METHODS[method][0], Barrier(case.trainings)
    gates = [Gate(samplers[first], barrier) for _ in range(case.trainings)]
    ends = [(0.0, 0.0)] * case.trainings

    def train(i: int) -> None:
        def progress(done: int, whole: int) -> None:
            ends[i] = now()

        networks = {**samplers, first: gates[i]}
        setup = Setup(
            case.trainings * number + i,
            Hyperparameters(step=Step.of(case.step)),
            threads=case.threads,
            progress=progress,
        )
        train_edges(networks, [METHODS[method]], case.edges, setup)

    with ThreadPoolExecutor(case.trainings) as pool:
        list(pool.map(train, range(case.trainings)))
    began, worked_before = min(gate.opened for gate in gates)
    ended, worked = max(ends)
    seconds = ended - began
    return Rate(case.trainings * case.edges / seconds / 1e6, (worked - worked_before) / seconds)


def now() -> tuple[float, float]:
    """The clock, and the time that all threads of this process have been given."""
    return time.perf_counter(), time.process_time()


class Gate:
    """A sampler whose first draw waits until all trainings have come to theirs."""

    def __init__(self, sampler: EdgeSampler, barrier: Barrier) -> None:
        self._sampler, self._barrier, self._shut = sampler, barrier, True
        self.n_sources, self.n_targets = sampler.n_sources, sampler.n_targets
        self.n_edges = sampler.n_edges

    def source_degrees(self) -> NDArray[np.float64]:
        return self._sampler.source_degrees()

    def target_degrees(self) -> NDArray[np.float64]:
        return self._sampler.target_degrees()

    def prepare(self, targets: int) -> None:
        self._sampler.prepare(targets)

    def draw(self, state: np.uint64, pairs: Pairs) -> None:
        if len(pairs) and self._shut:
            self._shut = False
            self._barrier.wait(PATIENCE)
            self.opened = now()
        self._sampler.draw(state, pairs)
