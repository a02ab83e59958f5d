"""Scores of predictions, in percent."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pte.errors import PteError


@dataclass(frozen=True)
class Scores:
    """F1 in percent, and what it is made of; `asdict` of it goes into a JSON file.

    `per_class` has, for each class, its name as "class", its precision, recall and f1, in percent,
    and the number of its documents. `confusion` counts documents; its rows are the true classes.
    """

    micro_f1: float
    macro_f1: float
    per_class: list[dict[str, Any]]
    confusion: list[list[int]]


def score(truth: NDArray[np.int32], predicted: NDArray[np.int32], classes: Sequence[str]) -> Scores:
    """Compare predictions with the true classes; both are class numbers, one a document.

    A class that is never predicted has an F1 of zero, and counts in the macro average. Raises
    `PteError` when there are not as many predictions as documents, or one is of no class.
    """
    table = confusion(truth, predicted, len(classes))
    hits, actual, claimed = np.diagonal(table), table.sum(axis=1), table.sum(axis=0)
    precision, recall = ratio(hits, claimed), ratio(hits, actual)
    f1 = ratio(2 * hits, actual + claimed)
    return Scores(
        micro_f1=100 * float(ratio(hits.sum(), table.sum())),
        macro_f1=100 * float(np.mean(f1)),
        per_class=[
            {
                "class": name,
                "precision": 100 * float(precision[i]),
                "recall": 100 * float(recall[i]),
                "f1": 100 * float(f1[i]),
                "documents": int(actual[i]),
            }
            for i, name in enumerate(classes)
        ],
        confusion=table.tolist(),
    )


def confusion(
    truth: NDArray[np.int32], predicted: NDArray[np.int32], n_classes: int
) -> NDArray[np.int64]:
    """Count the documents of each class (rows) that are predicted to be of each (columns)."""
    if truth.shape != predicted.shape:
        raise PteError(f"scores: {predicted.size} predictions for {truth.size} documents")
    for name, found in (("a label", truth), ("a prediction", predicted)):
        if found.size and not 0 <= found.min() <= found.max() < n_classes:
            raise PteError(
                f"scores: {name} is none of the {n_classes} classes, which are 0 to {n_classes - 1}"
            )
    cells = truth.astype(np.int64) * n_classes + predicted
    return np.bincount(cells, minlength=n_classes**2).reshape(n_classes, n_classes)


def ratio(part: NDArray[np.int64], whole: NDArray[np.int64]) -> NDArray[np.float64]:
    """`part` / `whole`, and 0 where `whole` is 0."""
    return np.asarray(np.where(whole > 0, part / np.maximum(whole, 1), 0.0))
