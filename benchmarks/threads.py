"""Pairs trained per second by several threads, and what they could be at best.

    python -m benchmarks.threads CORPUS_FOLDER [STEP]

`STEP` is edge, shared or grouped, on edges from the token stream; without it edges are stored.
For each method and round, one after another: one thread; two threads that share their tables; two
trainings at the same time, each with one thread and tables of its own, which is the ceiling that
sharing costs something of; four, eight and more threads, up to the cores of the machine.
A thread races only if it has two million
edges, so that more threads get more edges. In the same minute, how long a cache line takes between
the cores (see transfer.py).

A line a round, then a line a case with the medians; ratios are taken within the rounds. `cores`
says how many cores' worth of time the threads were given: where other programs took some of it, a
round says little, and the medians are over the others, `calm` of them, if there are any.
"""

import statistics
import sys
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from benchmarks import transfer
from benchmarks.common import (
    METHODS,
    NETWORKS,
    WINDOW,
    cores,
    interleaved,
    journal,
    ratio,
    thread_counts,
)
from benchmarks.trainings import Case, Rate, measure
from pte.corpora.encoded import EncodedCorpus
from pte.networks import named
from pte.networks.sampling import EdgeSampler, StoredEdges
from pte.training.setup import EDGES_OF_THREAD

ROUNDS = 5
EDGES = 4_000_000
LEAST = 8
"""So many threads are tried even where there are fewer cores."""

CALM = 0.95

COUNTS = thread_counts(max(LEAST, len(cores())))[1:]
CASES = {
    "one thread": Case(EDGES),
    **{f"{n} threads": Case(max(EDGES, n * EDGES_OF_THREAD), threads=n) for n in COUNTS},
    "own tables": Case(EDGES, trainings=2),
}


def main(folder: Path, step: str | None = None) -> None:
    note = journal(f"threads_{step}" if step else "threads")
    corpus = EncodedCorpus.load(folder)
    samplers = samplers_of(corpus, step)
    for method in METHODS:
        cases: dict[str, Callable[[int], Rate | float | None]] = {
            name: partial(measure, samplers, method, replace(case, step=step or "edge"))
            for name, case in CASES.items()
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


def samplers_of(corpus: EncodedCorpus, step: str | None) -> Mapping[str, EdgeSampler]:
    if step:
        return named.streams(corpus, NETWORKS, WINDOW)
    return {name: StoredEdges(named.build(name, corpus, WINDOW)) for name in NETWORKS}


def medians(found: Mapping[str, list[Rate]], name: str) -> dict[str, Any]:
    """Over those rounds in which this case and those it is compared with had their cores."""
    compared = {name, "one thread", "2 threads", "own tables"}
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
        "against_two_threads": ratio(rates[name], rates["2 threads"]),
        "against_own_tables": ratio(rates[name], rates["own tables"]),
    }


if __name__ == "__main__":
    main(Path(sys.argv[1]), *sys.argv[2:])
