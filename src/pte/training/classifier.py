"""The classifier of vectors or features: C, unit length and bias, chosen on held-out documents.

Vectors fit a document that they have seen better than any test document, so judging documents have
no part in their training. If nothing is trained, all labelled documents judge in turn.
"""

import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from pte.corpora.encoded import TEST, EncodedCorpus, Targets, micro_f1
from pte.corpora.subsets import labelled_documents
from pte.evaluation.evaluate import fit_targets, prepared, without_words
from pte.evaluation.linear import Classifier, Features
from pte.evaluation.setting import UNJUDGED, ClassifierChoice
from pte.training.contract import Chosen
from pte.training.parts import in_turn
from pte.training.search import Search, first_best, outwards


class Judging(NamedTuple):
    """Documents that teach a classifier, and documents that judge it: features and targets."""

    taught: Features
    taught_targets: Targets
    judged: Features
    judged_targets: Targets

    @classmethod
    def of(
        cls,
        corpus: EncodedCorpus,
        features: Features,
        teachers: NDArray[np.int64],
        judges: NDArray[np.int64],
    ) -> "Judging":
        """Take the rows of a corpus; a document without a word judges nothing, and is left out."""
        judges = judges[~without_words(corpus, judges)]
        targets = corpus.targets(teachers), corpus.targets(judges)
        return cls(features[teachers], targets[0], features[judges], targets[1])


Fit = Callable[[Features, Targets, float, Any], Classifier]
"""Trains with C; begins at a classifier of another C, if not None."""


class HeldOutScore:
    """Micro-F1, in percent, over all judging documents, of classifiers of one C after another."""

    def __init__(self, parts: Sequence[Judging], fit: Fit) -> None:
        """Train by `fit`; there must be a judging document."""
        self._parts, self._fit = parts, fit
        self._truth: Targets = np.concatenate([part.judged_targets for part in parts])
        self._last: list[Classifier | None] = [None] * len(parts)

    def __call__(self, c: float) -> float:
        """Train a classifier for each part, beginning at the classifier of the C before."""
        found: list[Any] = []
        for i, part in enumerate(self._parts):
            classifier = self._fit(part.taught, part.taught_targets, c, self._last[i])
            self._last[i] = classifier
            found.append(classifier.predict(part.judged))
        return 100 * micro_f1(self._truth, np.concatenate(found))


def choose(parts: Sequence[Judging]) -> Search[ClassifierChoice]:
    """Choose unit length and C by tens (`outwards`), then the bias; else `UNJUDGED`."""
    parts = [part for part in parts if len(part.judged_targets)]
    if not parts:
        return Search(UNJUDGED)
    found: list[tuple[ClassifierChoice, float]] = []
    is_dense = not sparse.issparse(parts[0].taught)
    for unit in (True, False) if is_dense else (False,):
        alike = ClassifierChoice(unit_length=unit)
        tried = outwards(HeldOutScore(_prepared(parts, alike), fit_targets))
        found += [(replace(alike, c=c), score) for c, score in tried]
    with_bias = replace(first_best(found), bias=True)
    held_out = HeldOutScore(_prepared(parts, with_bias), fit_targets)
    found.append((with_bias, held_out(with_bias.c)))
    return Search(first_best(found), tuple(found))


def _prepared(parts: Sequence[Judging], choice: ClassifierChoice) -> list[Judging]:
    return [
        part._replace(taught=prepared(part.taught, choice), judged=prepared(part.judged, choice))
        for part in parts
    ]


def choose_classifier(corpus: EncodedCorpus, features: Features, seed: int | None = None) -> Chosen:
    """Choose by the test documents of `with_judges`; with a `seed`, by all labelled documents."""
    began = time.perf_counter()
    known, judges = labelled_documents(corpus, "classifier"), corpus.documents(TEST)
    splits = [(known, judges)]
    if seed is not None:
        splits = in_turn(corpus, np.sort(np.concatenate([known, judges])), seed)
    found = choose([Judging.of(corpus, features, *split) for split in splits])
    for choice, score in found.tried:
        print(f"{choice}: micro-F1 {score:.2f}")
    seconds = time.perf_counter() - began
    return Chosen(asdict(found.best), tuple(found.curve("micro_f1")), seconds)
