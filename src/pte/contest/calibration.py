"""Probabilities that are as sure as they are right."""

from collections.abc import Sequence

import numpy as np

from pte.evaluation.evaluate import prepared
from pte.evaluation.linear import LinearClassifier
from pte.evaluation.setting import ClassifierChoice
from pte.models.pte_auto.pool import calibrated
from pte.selection.classifier import Judging, fit_logistic

LEAST = 1e-9
"""The least probability, so that its logarithm is finite."""


def surety(parts: Sequence[Judging], choice: ClassifierChoice) -> float:
    """Return the power of the probabilities that makes a classifier as sure as it is right.

    Judging documents decide (`calibrated`). It is 1 where documents may have several labels, and
    where no document judges.
    """
    parts = [part for part in parts if len(part.judged_targets)]
    if not parts or parts[0].judged_targets.ndim == 2:
        return 1.0
    found, truth = [], []
    for part in parts:
        ready = prepared(part.taught, choice)
        classifier = fit_logistic(ready, part.taught_targets, choice.c)
        assert isinstance(classifier, LinearClassifier)
        likely = classifier.probabilities(prepared(part.judged, choice))
        places = np.searchsorted(np.sort(classifier.classes), part.judged_targets)
        found.append(np.log(np.maximum(likely, LEAST)))
        truth.append(places.astype(np.int32))
    if len({each.shape[1] for each in found}) > 1:
        return 1.0
    return calibrated(np.concatenate(found), np.concatenate(truth))[0]
