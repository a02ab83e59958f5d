"""The classifier on vectors or features of a contest: its C, unit length and bias, chosen.

Judging documents choose: documents that the vectors have not seen. LIBLINEAR's objective has no
bias of its own, so a bias is the weight of a feature that is 1 in every document.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np
from scipy import sparse

from pte.corpora.targets import Targets, micro_f1
from pte.corpora.tfidf import unit_rows
from pte.evaluation.linear import Classifier, Features, LinearClassifier
from pte.evaluation.setting import CHOICES
from pte.evaluation.solvers import fit_targets
from pte.models.pte_auto.pool import calibrated
from pte.selection.search import Search

COSTS = (0.1, 1.0, 10.0, 100.0, 1000.0, 10_000.0)
"""The values of C, in the order in which they are tried; most searches end before the last."""


LEAST = 1e-9
"""The least probability, so that its logarithm is finite."""

GAIN = 0.1
"""How many points a choice must gain, to be taken in place of one that was tried before."""


@dataclass(frozen=True)
class LinearChoice:
    """C, whether documents get unit length, and whether there is a bias."""

    c: float = 1.0
    unit_length: bool = True
    bias: bool = True


class Judging(NamedTuple):
    """Documents that teach a classifier, and documents that judge it: features and targets."""

    taught: Features
    taught_targets: Targets
    judged: Features
    judged_targets: Targets


def prepared(features: Features, choice: LinearChoice) -> Features:
    """Return the features as `choice` asks for them, with a last column of 1 for a bias."""
    ready = unit_rows(features) if choice.unit_length else features
    if not choice.bias:
        return ready
    ones = np.ones((ready.shape[0], 1), np.float32)
    if sparse.issparse(ready):
        return sparse.csr_array(sparse.hstack([ready, sparse.csr_array(ones)]))
    return np.hstack([np.asarray(ready), ones])


def fit_classifier(
    features: Features, targets: Targets, choice: LinearChoice, start: Classifier | None = None
) -> Classifier:
    """Train the classifier; Newton's method begins at `start`.

    Raises `PteError` when all documents are of one class, or when a feature is not finite.
    """
    return fit_targets(prepared(features, choice), targets, choice.c, CHOICES, start)


def surety(parts: Sequence[Judging], choice: LinearChoice) -> float:
    """Return the power of the probabilities that makes a classifier as sure as it is right.

    Judging documents decide (`calibrated`). It is 1 where documents may have several labels.
    """
    if parts[0].judged_targets.ndim == 2:
        return 1.0
    found, truth = [], []
    for part in parts:
        classifier = fit_classifier(part.taught, part.taught_targets, choice)
        assert isinstance(classifier, LinearClassifier)
        likely = classifier.probabilities(prepared(part.judged, choice))
        places = np.searchsorted(np.sort(classifier.classes), part.judged_targets)
        found.append(np.log(np.maximum(likely, LEAST)))
        truth.append(places.astype(np.int32))
    if len({each.shape[1] for each in found}) > 1:
        return 1.0
    return calibrated(np.concatenate(found), np.concatenate(truth))[0]


def choose(parts: Sequence[Judging]) -> Search[LinearChoice]:
    """Choose unit length and C, then the bias, by micro-F1 in percent over all judging documents.

    C rises until it no longer helps; a choice must be better than those before by `GAIN`. While
    nothing is right, as where labels are rare and none is likely, C goes on to rise. Sparse
    features have unit length already. There must be a part.
    """
    truth: Targets = np.concatenate([part.judged_targets for part in parts])
    found: list[tuple[LinearChoice, float]] = []
    is_dense = not sparse.issparse(parts[0].taught)
    for unit in (True, False) if is_dense else (False,):
        last: list[Classifier | None] = [None] * len(parts)
        scores: list[float] = []
        for c in COSTS:
            choice = LinearChoice(c, unit, bias=False)
            scores.append(_judged(parts, truth, choice, last))
            found.append((choice, scores[-1]))
            before = max(scores[:-2], default=0.0)
            if before > 0 and max(scores[-2:]) < before + GAIN:
                break
    with_bias = replace(_best(found), bias=True)
    found.append((with_bias, _judged(parts, truth, with_bias, [None] * len(parts))))
    return Search(_best(found), tuple(found))


def _best(found: Sequence[tuple[LinearChoice, float]]) -> LinearChoice:
    """Return the first choice that no other choice is better than by `GAIN`."""
    highest = max(score for _, score in found)
    return next(choice for choice, score in found if score > highest - GAIN)


def _judged(
    parts: Sequence[Judging], truth: Targets, choice: LinearChoice, last: list[Classifier | None]
) -> float:
    """Return the score of a choice; `last` has the classifiers to begin at, and gets the new."""
    said: list[Any] = []
    for i, part in enumerate(parts):
        classifier = fit_classifier(part.taught, part.taught_targets, choice, last[i])
        last[i] = classifier
        said.append(classifier.predict(prepared(part.judged, choice)))
    return 100 * micro_f1(truth, np.concatenate(said))
