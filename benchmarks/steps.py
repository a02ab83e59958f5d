"""Seconds of PTE(joint) to a score, for each kind of step: edge, shared, grouped.

    python -m benchmarks.steps CORPUS_FOLDER …

Each case is a training of its own, with a schedule that ends at its T, on one thread and on edges
from the token stream. `WHOLE` is the T of the case to which others are compared: an edge's step at
the rate of config.yaml. Edges have that T and half of it, groups also twice, and both have twice
the rate as well. Micro-F1 is on the test documents, by logistic regression with C = 1
(`pte.evaluation.newton`).

A `case` line has the medians over the seeds. A `goal` line says for each kind how long its fastest
case takes among those whose mean score is at most `NEAR` below the one to which they are compared,
as a ratio of seconds within the rounds. fastText's classifier has lines of its own, in the same
rounds: its seconds hold its reading of a text file, and it needs no classifier afterwards.
"""

import statistics
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from itertools import product
from pathlib import Path
from typing import NamedTuple

from benchmarks.common import CONFIG, METHODS, NETWORKS, WINDOW, Journal, interleaved, journal
from benchmarks.common import ratio as ratio_of
from benchmarks.quality import run_fasttext
from pte.corpora.encoded import EncodedCorpus
from pte.evaluation.evaluate import evaluate, mean_vectors
from pte.evaluation.setting import CHOICES, ClassifierChoice
from pte.networks import named
from pte.networks.sampling import EdgeSampler
from pte.training.edges import train_edges
from pte.training.setup import KINDS, Hyperparameters, Setup, Step

SEEDS = 5
WHOLE = {"mr": 10_000_000, "r8": 12_000_000, "dblp": 24_000_000}
USUAL = 50_000_000
NEAR = 0.1
"""Points of micro-F1."""


@dataclass(frozen=True)
class Case:
    """A kind of step, what part of the whole T it has, and what multiple of the rate."""

    kind: str
    part: float = 1
    rate: float = 1


class Result(NamedTuple):
    """Of one training."""

    seconds: float
    micro_f1: float


COMPARED = Case("edge")
CASES = [
    *(Case("edge", part, rate) for part, rate in product((0.5, 1), (1, 2))),
    Case("shared"),
    *(Case("grouped", part, rate) for part, rate in product((0.5, 1, 2), (1, 2))),
]

Found = Mapping[Case, list[Result]]


def main(folders: list[str]) -> None:
    note = journal("steps")
    for folder in folders:
        corpus, name = EncodedCorpus.load(Path(folder)), Path(folder).name
        streams = named.streams(corpus, NETWORKS, WINDOW)
        cases = {case: partial(train, corpus, streams, whole(name), case) for case in CASES}
        found = interleaved(cases, SEEDS)
        report(note, name, found)
        for line in run_fasttext(corpus, name, 1):
            note(kind="fasttext", corpus=name, **line)


def whole(name: str) -> int:
    return WHOLE.get(name, USUAL)


def train(
    corpus: EncodedCorpus, streams: Mapping[str, EdgeSampler], edges: int, case: Case, seed: int
) -> Result:
    """One training and its score."""
    rate = case.rate * float(CONFIG["hyperparameters"]["learning_rate"])
    setup = Setup(seed + 1, Hyperparameters(learning_rate=rate, step=Step.of(case.kind)))
    result = train_edges(streams, [METHODS["joint"]], int(edges * case.part), setup)
    features = mean_vectors(corpus.counts, result.vectors)
    _, scores = evaluate(corpus, features, ClassifierChoice(), CHOICES)
    return Result(result.seconds, scores["micro_f1"])


def report(note: Journal, name: str, found: Found) -> None:
    for case, results in found.items():
        seconds = statistics.median(each.seconds for each in results)
        edges = whole(name) * case.part
        note(
            kind="case",
            corpus=name,
            step=case.kind,
            million_edges=edges / 1e6,
            rate=case.rate * CONFIG["hyperparameters"]["learning_rate"],
            seconds=seconds,
            million_edges_per_second=edges / seconds / 1e6,
            speed_against_edge=speed(found, case),
            micro_f1=mean_score(found, case),
            deviation=statistics.stdev(each.micro_f1 for each in results),
        )
    for kind, case in fastest(found):
        against = ratio(found, case)
        note(kind="goal", corpus=name, step=kind, case=str(case), seconds_against_edge=against)


def speed(found: Found, case: Case) -> float:
    """Edges a second against the compared case."""
    return case.part / COMPARED.part / ratio(found, case)


def ratio(found: Found, case: Case) -> float:
    """Seconds against those of the compared case."""
    return ratio_of(
        [each.seconds for each in found[case]], [each.seconds for each in found[COMPARED]]
    )


def mean_score(found: Found, case: Case) -> float:
    return statistics.mean(each.micro_f1 for each in found[case])


def fastest(found: Found) -> Iterator[tuple[str, Case]]:
    """Of each kind, the fastest case with a score near that of the compared case."""
    least = mean_score(found, COMPARED) - NEAR
    for kind in KINDS:
        near = [c for c in found if c.kind == kind and mean_score(found, c) >= least]
        if near:
            yield kind, min(near, key=lambda case: ratio(found, case))


if __name__ == "__main__":
    main(sys.argv[1:])
