"""Pairs trained per second by several threads, and what they could be at best.

    python -m benchmarks.threads CORPUS_FOLDER

For each method and round, one after another: one thread; two threads that share their tables; two
trainings at the same time, each with one thread and tables of its own, which is the ceiling that
sharing costs something of; four and eight threads. In the same minute, how long a cache line takes
between the cores (see transfer.py).

A line a round, then a line a case with the medians; ratios are taken within the rounds. `cores`
says how many cores' worth of time the threads were given: where other programs took some of it, a
round says little, and the medians are over the others, `calm` of them, if there are any.
"""

import statistics
import sys
import time
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from threading import Barrier
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benchmarks import transfer
from benchmarks.common import BUILD, METHODS, NETWORKS, cores, interleaved, journal, ratio
from pte.core.types import Pairs
from pte.corpora.encoded import EncodedCorpus
from pte.models.network_embedding import fit
from pte.networks.build import BUILDERS
from pte.networks.sampling import EdgeSampler, StoredEdges

ROUNDS = 5
EDGES = 6_000_000
CALM = 0.95
PATIENCE = 600


@dataclass(frozen=True)
class Case:
    """So many trainings side by side, each with these options of `fit`."""

    trainings: int
    options: Mapping[str, Any]

    @property
    def wanted(self) -> int:
        """The cores that it could use."""
        return min(self.trainings * int(self.options["threads"]), len(cores()))


CASES = {
    "one thread": Case(1, {"threads": 1}),
    "two threads": Case(1, {"threads": 2}),
    "own tables": Case(2, {"threads": 1}),
    "four threads": Case(1, {"threads": 4}),
    "eight threads": Case(1, {"threads": 8}),
}


@dataclass(frozen=True)
class Rate:
    """Million pairs a second, and how many cores' worth of time they took."""

    rate: float
    cores: float


def main(folder: Path) -> None:
    note = journal("threads")
    corpus = EncodedCorpus.load(folder)
    samplers = {name: StoredEdges(BUILDERS[name](corpus, **BUILD[name])) for name in NETWORKS}
    for method in METHODS:
        cases: dict[str, Callable[[int], Rate | float | None]] = {
            name: partial(measure, samplers, method, case) for name, case in CASES.items()
        }
        found: dict[str, list[Any]] = interleaved(
            cases | {"transfer": lambda _: transfer.nanoseconds()}, ROUNDS
        )
        transfers = found.pop("transfer")
        where = {"corpus": folder.name, "method": method}
        for number in range(ROUNDS):
            rates = {name: round(each[number].rate, 3) for name, each in found.items()}
            given = {name: round(each[number].cores, 2) for name, each in found.items()}
            note(
                kind="round",
                **where,
                million_pairs_per_second=rates,
                cores=given,
                transfer_nanoseconds=transfers[number],
            )
        for name in CASES:
            note(kind="median", **where, case=name, **medians(found, name))


def medians(found: Mapping[str, list[Rate]], name: str) -> dict[str, Any]:
    """Over those rounds in which this case and those it is compared with had their cores."""
    compared = {name, "one thread", "own tables"}
    calm = [
        number
        for number in range(ROUNDS)
        if all(found[each][number].cores >= CALM * CASES[each].wanted for each in compared)
    ]
    rates = {each: [found[each][i].rate for i in calm or range(ROUNDS)] for each in compared}
    return {
        "calm": len(calm),
        "million_pairs_per_second": statistics.median(rates[name]),
        "against_one_thread": ratio(rates[name], rates["one thread"]),
        "against_own_tables": ratio(rates[name], rates["own tables"]),
    }


def measure(samplers: Mapping[str, EdgeSampler], method: str, case: Case, number: int) -> Rate:
    """All edges of the trainings over the time from their common start to their last end."""
    first, barrier = METHODS[method][0], Barrier(case.trainings)
    gates = [Gate(samplers[first], barrier) for _ in range(case.trainings)]
    ends = [(0.0, 0.0)] * case.trainings

    def train(i: int) -> None:
        def progress(done: int, whole: int) -> None:
            ends[i] = now()

        networks = {**samplers, first: gates[i]}
        seed = case.trainings * number + i
        fit(networks, [METHODS[method]], EDGES, seed, progress=progress, **case.options)

    with ThreadPoolExecutor(case.trainings) as pool:
        list(pool.map(train, range(case.trainings)))
    began, worked_before = min(gate.opened for gate in gates)
    ended, worked = max(ends)
    seconds = ended - began
    return Rate(case.trainings * EDGES / seconds / 1e6, (worked - worked_before) / seconds)


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

    def draw(self, state: np.uint64, pairs: Pairs) -> None:
        if len(pairs) and self._shut:
            self._shut = False
            self._barrier.wait(PATIENCE)
            self.opened = now()
        self._sampler.draw(state, pairs)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
