"""Micro-F1 of PTE(joint) by the number of threads that race, and by T.

    python -m benchmarks.races CORPUS_FOLDER MILLION_EDGES …

Grouped steps on edges from the token stream, as in the library's default; the threads are 1, 2, 4
and so on, up to the cores of the machine, as far as each has the edges without which it does not
race (`Setup.for_edges`). Micro-F1 is on the test documents, by logistic regression with C = 1
(`pte.evaluation.newton`). A line has the mean over the seeds, and the mean difference to one thread
with the same seed and its standard error. `cores` says how many cores' worth of time the trainings
were given.
"""

import math
import statistics
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from benchmarks.common import METHODS, NETWORKS, WINDOW, cores, journal, thread_counts
from benchmarks.trainings import now
from pte.corpora.encoded import EncodedCorpus
from pte.evaluation.evaluate import evaluate, mean_vectors
from pte.evaluation.setting import CHOICES, ClassifierChoice
from pte.networks import named
from pte.training.edges import Networks, train_edges
from pte.training.setup import EDGES_OF_THREAD, Hyperparameters, Setup, Step

SEEDS = 8
SHAPE = Hyperparameters(step=Step.of("grouped"))


class Result(NamedTuple):
    """Of one training."""

    seconds: float
    cores: float
    micro_f1: float


def main(folder: Path, millions: Sequence[float]) -> None:
    note = journal(f"races_{folder.name}")
    corpus = EncodedCorpus.load(folder)
    streams = named.streams(corpus, NETWORKS, WINDOW)
    train(corpus, streams, EDGES_OF_THREAD, 1, 0)  # compiles
    for edges in (int(1e6 * each) for each in millions):
        alone: list[Result] = []
        for threads in counts(edges):
            found = [train(corpus, streams, edges, threads, seed) for seed in range(1, SEEDS + 1)]
            alone = alone or found
            where = {"corpus": folder.name, "million_edges": edges / 1e6, "threads": threads}
            note(**where, **summary(found, alone))


def counts(edges: int) -> list[int]:
    """The numbers of threads that race on so many edges."""
    numbers = thread_counts(len(cores()))
    return [n for n in numbers if Setup(0, SHAPE, threads=n).for_edges(edges).threads == n]


def train(corpus: EncodedCorpus, streams: Networks, edges: int, threads: int, seed: int) -> Result:
    """One training and its score."""
    setup = Setup(seed, SHAPE, threads=threads)
    began, worked_before = now()
    result = train_edges(streams, [METHODS["joint"]], edges, setup)
    ended, worked = now()
    given = (worked - worked_before) / (ended - began)
    features = mean_vectors(corpus.counts, result.vectors)
    _, scores = evaluate(corpus, features, ClassifierChoice(), CHOICES)
    return Result(result.seconds, given, scores["micro_f1"])


def summary(found: Sequence[Result], alone: Sequence[Result]) -> dict[str, float]:
    """Means, medians, and the difference to one thread with the same seed."""
    more = [a.micro_f1 - b.micro_f1 for a, b in zip(found, alone, strict=True)]
    return {
        "micro_f1": statistics.mean(each.micro_f1 for each in found),
        "against_one_thread": statistics.mean(more),
        "standard_error": statistics.stdev(more) / math.sqrt(len(more)),
        "seconds": statistics.median(each.seconds for each in found),
        "cores": statistics.median(each.cores for each in found),
    }


if __name__ == "__main__":
    main(Path(sys.argv[1]), [float(each) for each in sys.argv[2:]])
