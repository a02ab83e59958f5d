"""How far scores of a user's own text may be off, for the test documents are a sample."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

DRAWS, AT_ONCE = 2000, 100
"""Bootstrap samples of the test documents, and how many are drawn at a time."""

LEVEL, ERRORS = 0.05, 1.96
"""Of 95 % intervals, and the standard errors that they reach to each side."""


def own_intervals(
    truth: NDArray[Any], predicted: Mapping[str, NDArray[Any]]
) -> dict[str, tuple[float, float]]:
    """The interval of each method's micro-F1, in percent; arguments as for `intervals`.

    Where documents have one label it is that of Wilson (1927), which holds near 0 and 100, too;
    with several labels it is that of the bootstrap.
    """
    if truth.ndim > 1:
        return _quantiles(list(predicted), _resampled(truth, predicted))
    return {name: _wilson(np.mean(truth == each), truth.size) for name, each in predicted.items()}


def _wilson(share: Any, n: int) -> tuple[float, float]:
    """The interval of a share of `n`, in percent."""
    extra = ERRORS**2 / n
    middle = (share + extra / 2) / (1 + extra)
    reach = ERRORS * np.sqrt(share * (1 - share) / n + extra / (4 * n)) / (1 + extra)
    return float(100 * (middle - reach)), float(100 * (middle + reach))


def intervals(
    truth: NDArray[Any], predicted: Mapping[str, NDArray[Any]], best: str
) -> dict[str, tuple[float, float]]:
    """The interval of each method's micro-F1 minus that of `best`, in points.

    `truth` and the predictions are the class of each document, int, or which classes it has, shape
    (documents, classes). All methods are compared on the same bootstrap samples of the documents
    (Efron and Tibshirani 1993, chapter 16).
    """
    names, moved = list(predicted), _resampled(truth, predicted)
    return _quantiles(names, moved - moved[:, [names.index(best)]])


def _resampled(truth: NDArray[Any], predicted: Mapping[str, NDArray[Any]]) -> NDArray[Any]:
    """Scores on bootstrap samples of the documents, in percent, shape (samples, methods)."""
    random = np.random.default_rng(0)
    counts = [_counts(truth, each) for each in predicted.values()]
    hits, sizes = (np.stack(each, axis=1).astype(float) for each in zip(*counts, strict=True))
    n, scores = len(hits), []
    for _ in range(0, DRAWS, AT_ONCE):
        times = random.multinomial(n, np.full(n, 1 / n), AT_ONCE)
        scores.append(200 * (times @ hits) / np.maximum(times @ sizes, 1))
    return np.vstack(scores)


def _quantiles(names: Sequence[str], drawn: NDArray[Any]) -> dict[str, tuple[float, float]]:
    low, high = np.quantile(drawn, [LEVEL / 2, 1 - LEVEL / 2], axis=0)
    return {name: (float(low[i]), float(high[i])) for i, name in enumerate(names)}


def _counts(truth: NDArray[Any], predicted: NDArray[Any]) -> tuple[NDArray[Any], NDArray[Any]]:
    """For each document the labels that are right, and those that are true plus those predicted."""
    if predicted.ndim == 1:
        return truth == predicted, np.full(truth.size, 2)
    said, true = predicted.astype(bool), truth.astype(bool)
    return (said & true).sum(axis=1), said.sum(axis=1) + true.sum(axis=1)
