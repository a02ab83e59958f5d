"""Scores of predictions, in percent, and 95 % intervals of a share of documents."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pte.corpora.encoded import Targets, check_kinds, hits
from pte.errors import PteError

Counts = NDArray[np.int64]


def ratio(part: NDArray[Any], whole: NDArray[Any]) -> NDArray[np.float64]:
    return np.asarray(np.where(whole > 0, part / np.maximum(whole, 1), 0.0))


METRICS: Mapping[str, Callable[[Counts, Counts, Counts], Any]] = {
    "micro_f1": lambda right, actual, said: ratio(2 * right.sum(), actual.sum() + said.sum()),
    "macro_f1": lambda right, actual, said: np.mean(ratio(2 * right, actual + said)),
}
"""Every metric, as a share, of how many of each class are right, have it, and are said to."""


def metrics_of(confusion: NDArray[np.int64]) -> dict[str, float]:
    """Return each of `METRICS`, in percent, from a confusion matrix as `score` gives it."""
    return _metrics(np.diagonal(confusion), confusion.sum(axis=1), confusion.sum(axis=0))


def _metrics(right: Counts, actual: Counts, said: Counts) -> dict[str, float]:
    return {name: 100 * float(metric(right, actual, said)) for name, metric in METRICS.items()}


def score(truth: Targets, predicted: Targets, classes: Sequence[str]) -> dict[str, Any]:
    """Compare predictions with the truth; the result is a part of a run's JSON.

    `exact` is the percentage of right sets; a class never predicted counts with 0 in macro-F1.
    """
    more: dict[str, Any]
    if truth.ndim == 2:
        check_kinds(truth, predicted)
        if truth.shape[1] != len(classes):
            raise PteError(f"scores: {truth.shape[1]} columns for {len(classes)} classes")
        sets = (truth & predicted, truth, predicted)
        right, actual, said = (np.asarray(each.sum(axis=0)) for each in sets)
        more = {"exact": 100 * float(hits(truth, predicted).mean())}
    else:
        table = confusion(
            np.asarray(truth, np.int32), np.asarray(predicted, np.int32), len(classes)
        )
        right, actual, said = np.diagonal(table), table.sum(axis=1), table.sum(axis=0)
        more = {"confusion": table.tolist()}
    found = {"per_class": per_class(right, actual, said, classes)}
    return {**_metrics(right, actual, said), **found, **more}


def per_class(
    right: NDArray[Any], actual: NDArray[Any], said: NDArray[Any], classes: Sequence[str]
) -> list[dict[str, Any]]:
    """Return each class's precision, recall and F1, in percent, and its number of documents."""
    shares = {"precision": ratio(right, said), "recall": ratio(right, actual)}
    shares["f1"] = ratio(2 * right, actual + said)
    return [
        {"class": name}
        | {share: 100 * float(values[i]) for share, values in shares.items()}
        | {"documents": int(actual[i])}
        for i, name in enumerate(classes)
    ]


def confusion(
    truth: NDArray[np.int32], predicted: NDArray[np.int32], n_classes: int
) -> NDArray[np.int64]:
    """Count the documents of each true class (rows) for each predicted class (columns)."""
    check_kinds(truth, predicted)
    for name, found in (("a label", truth), ("a prediction", predicted)):
        if found.size and not 0 <= found.min() <= found.max() < n_classes:
            raise PteError(
                f"scores: {name} is none of the {n_classes} classes, which are 0 to {n_classes - 1}"
            )
    cells = truth.astype(np.int64) * n_classes + predicted
    return np.bincount(cells, minlength=n_classes**2).reshape(n_classes, n_classes)


ERRORS = 1.96  # how many standard errors a 95 % interval reaches to each side

Interval = tuple[float, float]


def wilson(share: float, documents: int) -> Interval:
    """Return the interval of a share of some documents, in percent (Wilson 1927)."""
    extra = ERRORS**2 / documents
    middle = (share + extra / 2) / (1 + extra)
    reach = ERRORS * np.sqrt(share * (1 - share) / documents + extra / (4 * documents))
    low, high = middle - reach / (1 + extra), middle + reach / (1 + extra)
    return max(0.0, float(100 * low)), min(100.0, float(100 * high))
