"""PTE(joint) on parts of a text, in rounds: micro-F1 beside one training of the whole.

    python -m benchmarks.rounds CORPUS_FOLDER …

Training documents are dealt to 2, 4 and 8 nodes, each with one thread, which train in `ROUNDS`
rounds (`pte.training.rounds`). They train here one after the other. T is that of
`benchmarks.steps`, and `MORE` times as large: nodes that average what they learn need more edges.
Every case has the same seeds, and the edges are grouped. `behind` is the mean difference to one
node with the usual T, and `deviation` that of the differences. `seconds` are those of the slowest
node in each round, and of joining, so without any network between nodes; `sent_mb` is what a node
sends and gets in all rounds.
"""

import statistics
import sys
from functools import partial
from itertools import product
from pathlib import Path
from typing import NamedTuple

from benchmarks.common import NETWORKS, WINDOW, interleaved, journal
from benchmarks.steps import Result, whole
from pte.corpora.dealing import dealt
from pte.corpora.encoded import EncodedCorpus
from pte.evaluation.documents import document_means
from pte.evaluation.evaluate import evaluate
from pte.evaluation.setting import CHOICES, ClassifierChoice
from pte.networks import named
from pte.training.edges import train_edges
from pte.training.result import WordVectors
from pte.training.rounds import train_rounds
from pte.training.setup import Hyperparameters, Setup, Step

SEEDS = 5
ROUNDS = 20
MORE = 3


class Case(NamedTuple):
    """How many nodes, and how many times the usual T they train on together."""

    nodes: int
    more: int


ONE = Case(1, 1)
CASES = [ONE, Case(1, MORE), *(Case(*case) for case in product((2, 4, 8), (1, MORE)))]


def main(folders: list[str]) -> None:
    note = journal("rounds")
    for folder in folders:
        corpus, name = EncodedCorpus.load(Path(folder)), Path(folder).name
        cases = {case: partial(result, corpus, whole(name), case) for case in CASES}
        found = interleaved(cases, SEEDS)
        for case, results in found.items():
            behind = [a.micro_f1 - b.micro_f1 for a, b in zip(results, found[ONE], strict=True)]
            note(
                corpus=name,
                nodes=case.nodes,
                million_edges=case.more * whole(name) / 1e6,
                micro_f1=statistics.mean(each.micro_f1 for each in results),
                behind=statistics.mean(behind),
                deviation=statistics.stdev(behind),
                seconds=statistics.median(each.seconds for each in results),
                sent_mb=sent_bytes(corpus, case) / 1e6,
            )


def result(corpus: EncodedCorpus, samples: int, case: Case, number: int) -> Result:
    """One training and its score, with the number of the round as the seed."""
    setup = Setup(number + 1, Hyperparameters(step=Step.of("grouped")))
    trained = train(corpus, case.nodes, case.more * samples, setup)
    features = document_means(corpus, trained.vectors)
    _, scores = evaluate(corpus, features, ClassifierChoice(), CHOICES)
    return Result(trained.seconds, scores.micro_f1)


def train(corpus: EncodedCorpus, nodes: int, samples: int, setup: Setup) -> WordVectors:
    if nodes == 1:
        streams = named.streams(corpus, NETWORKS, WINDOW)
        return train_edges(streams, [NETWORKS], samples, setup)
    parts = dealt(corpus, nodes, setup.seed)
    return train_rounds(
        [named.streams(part, NETWORKS, WINDOW) for part in parts], samples, ROUNDS, setup
    )


def sent_bytes(corpus: EncodedCorpus, case: Case) -> int:
    """A word has a row as a target and one as a source, a class has one; each goes both ways."""
    if case.nodes == 1:
        return 0
    rows = 2 * corpus.n_words + corpus.n_classes
    return ROUNDS * 2 * rows * 4 * Hyperparameters().dim


if __name__ == "__main__":
    main(sys.argv[1:])
