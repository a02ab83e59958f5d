"""How far scores of a user's own text may be off, because the test documents are a sample."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

DRAWS, AT_ONCE = 2000, 100
"""The number of bootstrap samples of the test documents, and how many are drawn at a time."""

LEVEL, ERRORS = 0.05, 1.96
"""The level of 95 % intervals, and how many standard errors the intervals reach to each side."""


def own_intervals(
    truth: NDArray[Any], predicted: Mapping[str, NDArray[Any]]
) -> dict[str, tuple[float, float]]:
    """Return the interval of each method's micro-F1, in percent; arguments are as for `intervals`.

    If documents have one label, it is the interval of Wilson (1927), which holds near 0 and 100,
    too. If documents may have several labels, it is the interval of the bootstrap.
    """
    if truth.ndim > 1:
        return _quantiles(list(predicted), _resampled(truth, predicted))
    return {name: _wilson(np.mean(truth == each), truth.size) for name, each in predicted.items()}


def _wilson(share: Any, n: int) -> tuple[float, float]:
    """Return the interval of a share of `n`, in percent."""
    extra = ERRORS**2 / n
    middle = (share + extra / 2) / (1 + extra)
    reach = ERRORS * np.sqrt(share * (1 - share) / n + extra / (4 * n)) / (1 + extra)
    return float(100 * (middle - reach)), float(100 * (middle + reach))


def intervals(
    truth: NDArray[Any], predicted: Mapping[str, NDArray[Any]], best: str
) -> dict[str, tuple[float, float]]:
    """Return the interval of each method's micro-F1 minus the micro-F1 of `best`, in points.

    `truth` and the predictions have the class of each document, int, or say which classes each
    document has, shape (documents, classes). All methods are compared on the same bootstrap samples
    of the documents (Efron and Tibshirani 1993, chapter 16).
    """
    names, moved = list(predicted), _resampled(truth, predicted)
    return _quantiles(names, moved - moved[:, [names.index(best)]])


def _resampled(truth: NDArray[Any], predicted: Mapping[str, NDArray[Any]]) -> NDArray[Any]:
    """Return scores on bootstrap samples of the documents, in percent, shape (samples, methods)."""
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
    """Count, for each document, the right labels, and the true plus the predicted labels."""
    if predicted.ndim == 1:
        return truth == predicted, np.full(truth.size, 2)
    said, true = predicted.astype(bool), truth.astype(bool)
    return (said & true).sum(axis=1), said.sum(axis=1) + true.sum(axis=1)
