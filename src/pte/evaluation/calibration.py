"""Probabilities that are as sure as they are right."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize_scalar
from scipy.special import log_softmax, softmax

Opinion = NDArray[np.float64]
"""log p(class | document), shape (documents, classes), up to a constant for each document."""

SUREST, LEAST_SURE = 4.0, 1 / 32
"""The bounds of the factor by which `calibrated` makes an opinion as sure as it is right."""

LEAST = 1e-300
"""The least probability, so that its logarithm is finite."""


class Asked(NamedTuple):
    """Probabilities for documents that nothing learnt from, and `truth`, their classes, int32."""

    likely: NDArray[np.float64]
    truth: NDArray[np.int32]


def log_loss(opinion: Opinion, labels: NDArray[np.int32]) -> float:
    """Return the mean of −log p(label) over the documents."""
    return float(-log_softmax(opinion, axis=1)[np.arange(labels.size), labels].mean())


def calibrated(opinion: Opinion, labels: NDArray[np.int32]) -> tuple[float, float]:
    """Return the factor that gives an opinion on unseen documents the least log loss, and this."""

    def loss(power: float) -> float:
        return log_loss(np.exp(power) * opinion, labels)

    lowest, highest = np.log(LEAST_SURE), np.log(SUREST)
    found = minimize_scalar(loss, bounds=(lowest, highest), method="bounded")
    return float(np.exp(found.x)), float(found.fun)


def surety(parts: Sequence[Asked]) -> float:
    """Return the power that makes probabilities as sure as right; 1 if nothing was asked."""
    if not sum(each.truth.size for each in parts):
        return 1.0
    likely = np.concatenate([each.likely for each in parts])
    truth = np.concatenate([each.truth for each in parts])
    return calibrated(np.log(np.maximum(likely, LEAST)), truth)[0]


def raised(likely: NDArray[np.float64], power: float) -> NDArray[np.float64]:
    """Return probabilities to a power, scaled so that a row adds up to 1."""
    return np.asarray(softmax(power * np.log(np.maximum(likely, LEAST)), axis=1))
