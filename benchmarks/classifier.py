"""Solvers of logistic regression on PTE(joint)'s vectors: seconds, objective, micro-F1.

    python -m benchmarks.classifier CORPUS_FOLDER … [--samples 10000000] [--c 1] [--rounds 3]

One thread, and one against the rest for all. `seconds` are those of the processor, the median of
the rounds; `objective` is the sum over the classes of ½‖w‖² + C Σ log(1 + exp(−y w·x)). `warm`
begins at the solution of a tenth of C. `steps` are Newton's, over all classes.
"""

import argparse
import statistics
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from threadpoolctl import threadpool_limits

from benchmarks.common import NETWORKS, WINDOW, Journal, interleaved, journal
from pte.corpora.encoded import TEST, EncodedCorpus
from pte.corpora.subsets import labelled_documents
from pte.evaluation import liblinear, newton
from pte.evaluation.evaluate import mean_vectors
from pte.evaluation.linear import LinearClassifier
from pte.evaluation.metrics import score
from pte.networks import named
from pte.training.edges import train_edges
from pte.training.setup import Setup


class Data(NamedTuple):
    """What a solver is given; `positive` has a column for each classifier, `classes` its class."""

    features: NDArray[np.float32]
    labels: NDArray[np.int32]
    classes: NDArray[np.int32]
    positive: NDArray[np.bool_]
    c: float


Solve = Callable[[Data], LinearClassifier]


def by_liblinear(tolerance: float) -> Solve:
    return lambda data: liblinear.fit(data.features, data.labels, data.c, tolerance)


def by_scikit_learn(solver: str) -> Solve:
    """With its own tolerance, a model for each class."""
    from sklearn.linear_model import LogisticRegression

    def solve(data: Data) -> LinearClassifier:
        rows = data.features.astype(np.float64)
        model = LogisticRegression(solver=solver, C=data.c, fit_intercept=False, max_iter=1000)
        weights = [model.fit(rows, column).coef_[0].copy() for column in data.positive.T]
        return LinearClassifier(np.stack(weights, axis=1), data.classes)

    return solve


def by_newton(data: Data) -> LinearClassifier:
    return newton.fit(data.features, data.labels, data.c)


SOLVERS: dict[str, Solve] = {
    "liblinear": by_liblinear(liblinear.TOLERANCE),
    "liblinear -e 1e-4": by_liblinear(1e-4),
    "scikit-learn newton-cholesky": by_scikit_learn("newton-cholesky"),
    "scikit-learn lbfgs": by_scikit_learn("lbfgs"),
    "newton": by_newton,
}


def compare(folder: Path, samples: int, c: float, rounds: int, note: Journal) -> None:
    """A line for each solver on one corpus, and one for the warm start."""
    corpus = EncodedCorpus.load(folder)
    if corpus.is_multilabel:
        sys.exit(f"{folder}: its documents have several labels; give a corpus with one each")
    networks = named.streams(corpus, NETWORKS, WINDOW)
    vectors = train_edges(networks, [NETWORKS], samples, Setup(1)).vectors
    features = mean_vectors(corpus.counts, vectors)
    known, asked = labelled_documents(corpus, "classifier"), corpus.documents(TEST)
    labels = np.asarray(corpus.labels[known], np.int32)
    classes = np.unique(labels)
    columns = classes[:1] if classes.size == 2 else classes
    data = Data(features[known], labels, classes, labels[:, None] == columns, c)
    before = newton.fit(data.features, labels, c / 10)
    warm = {"newton, warm": lambda data: newton.fit(data.features, labels, c, before)}
    cases = {name: _timed(solve, data) for name, solve in (SOLVERS | warm).items()}
    for name, runs in interleaved(cases, rounds).items():
        found = runs[0][1]
        predicted = found.predict(features[asked])
        note(
            kind="solver",
            corpus=folder.name,
            solver=name,
            c=c,
            samples=samples,
            seconds=statistics.median(seconds for seconds, _ in runs),
            objective=str(round(objective(found, data), 2)),
            micro_f1=score(corpus.targets(asked), predicted, corpus.classes)["micro_f1"],
        )
    starts = {"cold": None, "warm": before.weights}
    steps = {
        name: int(newton.solve(data.features, data.positive, c, start)[1].sum())
        for name, start in starts.items()
    }
    note(kind="steps", corpus=folder.name, c=c, **steps)


def _timed(solve: Solve, data: Data) -> Callable[[int], tuple[float, LinearClassifier]]:
    def case(_: int) -> tuple[float, LinearClassifier]:
        began = time.process_time()
        found = solve(data)
        return time.process_time() - began, found

    return case


def objective(found: LinearClassifier, data: Data) -> float:
    columns: NDArray[Any] = found.classes[: found.weights.shape[1]]
    signs = np.where(data.labels[:, None] == columns, 1.0, -1.0)
    margins = signs * (data.features.astype(np.float64) @ found.weights)
    return float(newton.objective(found.weights, margins, data.c).sum())


def main(arguments: list[str]) -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.classifier")
    parser.add_argument("corpora", type=Path, nargs="+", metavar="CORPUS_FOLDER")
    parser.add_argument("--samples", type=int, default=10_000_000)
    parser.add_argument("--c", type=float, default=1.0)
    parser.add_argument("--rounds", type=int, default=3)
    asked = parser.parse_args(arguments)
    note = journal("classifier")
    with threadpool_limits(1):
        for folder in asked.corpora:
            compare(folder, asked.samples, asked.c, asked.rounds, note)


if __name__ == "__main__":
    main(sys.argv[1:])
