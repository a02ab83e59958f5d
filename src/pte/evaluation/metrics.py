"""Scores of predictions, in percent."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pte.corpora.targets import Targets, check_kinds, hits
from pte.errors import PteError


@dataclass(frozen=True)
class Scores:
    """F1 in percent, and the numbers behind it; `asdict` of these scores goes into a JSON file.

    `per_class` has, for each class, its name as "class", its precision, recall and f1, in percent,
    and the number of its documents.
    """

    micro_f1: float
    macro_f1: float
    per_class: list[dict[str, Any]]


@dataclass(frozen=True)
class SingleLabelScores(Scores):
    """Scores with a matrix `confusion` that counts documents; its rows are the true classes."""

    confusion: list[list[int]]


@dataclass(frozen=True)
class MultilabelScores(Scores):
    """Scores with the percentage of documents whose set of classes is predicted exactly, `exact`.

    There is no confusion matrix, because a document may have several true classes.
    """

    exact: float


def score(truth: Targets, predicted: Targets, classes: Sequence[str]) -> Scores:
    """Compare predictions with the true classes.

    A class that is never predicted has an F1 of zero, and counts in the macro average. Raises
    `PteError` when there are not as many predictions as documents, when a label or a prediction is
    not a class, and when only one of `truth` and `predicted` has several classes for each document.
    """
    if truth.ndim == 2:
        return _score_several(truth, predicted, classes)
    table = confusion(np.asarray(truth, np.int32), np.asarray(predicted, np.int32), len(classes))
    hits, actual, claimed = np.diagonal(table), table.sum(axis=1), table.sum(axis=0)
    return SingleLabelScores(**_f1(hits, actual, claimed, classes), confusion=table.tolist())


def _score_several(truth: Targets, predicted: Targets, classes: Sequence[str]) -> MultilabelScores:
    check_kinds(truth, predicted)
    if truth.shape[1] != len(classes):
        raise PteError(f"scores: {truth.shape[1]} columns for {len(classes)} classes")
    right, actual, claimed = (
        np.asarray(part.sum(axis=0)) for part in (truth & predicted, truth, predicted)
    )
    exact = 100 * float(hits(truth, predicted).mean())
    return MultilabelScores(**_f1(right, actual, claimed, classes), exact=exact)


def _f1(
    hits: NDArray[np.int64],
    actual: NDArray[np.int64],
    claimed: NDArray[np.int64],
    classes: Sequence[str],
) -> dict[str, Any]:
    """Return the fields of `Scores`, from the counts of right, actual and predicted documents."""
    return {
        "micro_f1": 100 * float(ratio(2 * hits.sum(), actual.sum() + claimed.sum())),
        "macro_f1": 100 * float(np.mean(ratio(2 * hits, actual + claimed))),
        "per_class": per_class(hits, actual, claimed, classes),
    }


def per_class(
    hits: NDArray[Any], actual: NDArray[Any], claimed: NDArray[Any], classes: Sequence[str]
) -> list[dict[str, Any]]:
    """Return `per_class` of `Scores`, from the counts of right, actual and predicted documents."""
    precision, recall = ratio(hits, claimed), ratio(hits, actual)
    f1 = ratio(2 * hits, actual + claimed)
    return [
        {
            "class": name,
            "precision": 100 * float(precision[i]),
            "recall": 100 * float(recall[i]),
            "f1": 100 * float(f1[i]),
            "documents": int(actual[i]),
        }
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


def ratio(part: NDArray[Any], whole: NDArray[Any]) -> NDArray[np.float64]:
    """Return `part` / `whole`, and 0 where `whole` is 0."""
    return np.asarray(np.where(whole > 0, part / np.maximum(whole, 1), 0.0))
