"""Probabilities that are as sure as they are right, of one expert or of a pool of several."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.special import log_softmax, softmax

Opinion = NDArray[np.float64]
"""log p(class | document), shape (documents, classes), up to a constant for each document."""

SUREST, LEAST_SURE = 4.0, 1 / 32  # bounds of the factor that makes an opinion as sure as right
LEAST = 1e-300  # the least probability, so that its logarithm is finite


class Asked(NamedTuple):
    """Probabilities for documents that nothing learnt from, and `truth`, their classes, int32."""

    likely: NDArray[np.float64]
    truth: NDArray[np.int32]


class HeldOut(NamedTuple):
    """What was predicted for documents that nothing learnt from, shape (documents,) each."""

    probability: NDArray[np.float32]  # of the predicted class
    predicted: NDArray[np.int32]
    right: NDArray[np.bool_]

    @classmethod
    def of(cls, parts: Sequence[Asked], power: float = 1.0) -> "HeldOut":
        """Return what `parts` say, with probabilities to a power."""
        likely = [raised(each.likely, power) for each in parts]
        found = [each.argmax(axis=1).astype(np.int32) for each in likely]
        right = [one == each.truth for one, each in zip(found, parts, strict=True)]
        surest = [each.max(axis=1).astype(np.float32) for each in likely]
        arrays = (
            np.concatenate([np.empty(0, dtype), *some])
            for dtype, some in ((np.float32, surest), (np.int32, found), (np.bool_, right))
        )
        return cls(*arrays)


def log_loss(opinion: Opinion, labels: NDArray[np.int32]) -> float:
    """Return the mean of −log p(label) over the documents."""
    return float(-log_softmax(opinion, axis=1)[np.arange(labels.size), labels].mean())


def calibrated(opinion: Opinion, labels: NDArray[np.int32]) -> tuple[float, float]:
    """Return the factor that gives an opinion on unseen documents the least log loss, and this."""

    def loss(power: float) -> float:
        return log_loss(np.exp(power) * opinion, labels)

    from scipy.optimize import minimize_scalar  # slow to import, and predicting needs none

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


PULL = 10.0  # how strongly weights are drawn towards `prior_weights`, in units of documents
AS_ONE = 3  # so many judges count as one in the prior weights: losses are noisy
LEAST_SPREAD = 1e-9  # an expert whose opinion has less spread than this says nothing of a document
PARTS = 5  # so many parts of the documents measure, in turn, what the weights of the others gain


def prior_weights(
    losses: NDArray[np.float64], n_documents: int, odds: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Return `odds` times the likelihoods to the power 1 / `AS_ONE`, scaled to add up to 1."""
    with np.errstate(divide="ignore"):  # an expert with odds of 0 has a weight of 0
        return np.asarray(softmax(np.log(odds) - losses * n_documents / AS_ONE))


def evened(weights: NDArray[np.float64], opinions: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return weights over the spread of each expert's `opinions`, else the surest decides alone.

    The pool stays as sure on average; an expert that says the same of all has no weight.
    """
    spread = (opinions - opinions.mean(axis=2, keepdims=True)).std(axis=(1, 2))
    some = spread > LEAST_SPREAD
    if opinions.shape[1] > 1:
        some &= opinions.std(axis=1).max(axis=1) > LEAST_SPREAD
    even = np.divide(weights, spread, out=np.zeros_like(weights), where=some)
    return even * (weights @ spread) / weights.sum() if some.any() else weights


def pooled(opinions: NDArray[np.float64], weights: NDArray[np.float64]) -> Opinion:
    """Return the pool's opinion; `opinions` has the shape (experts, documents, classes)."""
    return np.asarray(log_softmax(np.tensordot(weights, opinions, axes=1), axis=1))


def pool_weights(
    opinions: NDArray[np.float64], labels: NDArray[np.int32], prior: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Return weights ≥ 0 of least log loss plus `PULL` times the squared way from `prior`."""
    given = opinions[:, np.arange(labels.size), labels].sum(axis=1)

    def objective(weights: NDArray[np.float64]) -> tuple[float, NDArray[np.float64]]:
        pool = pooled(opinions, weights)
        away = weights - prior
        loss = labels.size * log_loss(pool, labels) + PULL * float(away @ away)
        expected = np.einsum("dc,edc->e", np.exp(pool), opinions)
        return loss, expected - given + 2 * PULL * away

    from scipy.optimize import minimize

    bounds = [(0, None)] * prior.size
    return np.asarray(minimize(objective, prior, jac=True, bounds=bounds, method="L-BFGS-B").x)


def weights_beside(
    one: int, opinions: NDArray[np.float64], labels: NDArray[np.int32]
) -> NDArray[np.float64]:
    """Return weights as `pool_weights` does, nearer to expert `one` alone if few documents judge.

    An encoder has seen millions of texts, the others a few labels, whose judges may err. The pool
    counts by the share max(0, 1 − (s / g)²), as Stein's estimator shrinks a mean; g is its mean
    gain over `one` on documents that did not choose its weights, s the standard error.
    """
    alone = np.eye(len(opinions))[one]
    if labels.size < 2:
        return np.asarray(alone)
    part = np.arange(labels.size) % PARTS
    gains = np.zeros(labels.size)
    for number in np.unique(part):
        judged, others = part == number, part != number
        weights = pool_weights(opinions[:, others], labels[others], alone)
        each = np.arange(labels.size)[judged], labels[judged]
        pool = pooled(opinions[:, judged], weights)[np.arange(each[0].size), each[1]]
        gains[judged] = pool - log_softmax(opinions[one], axis=1)[each]
    gain, error = gains.mean(), gains.std() / np.sqrt(gains.size)
    share = max(0.0, 1 - (error / gain) ** 2) if gain > 0 else 0.0
    return np.asarray(alone + share * (pool_weights(opinions, labels, alone) - alone))
