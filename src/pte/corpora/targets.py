"""The true and the predicted classes of documents: one class for each document, or several."""

import numpy as np
from numpy.typing import NDArray

from pte.errors import PteError

Targets = NDArray[np.int32] | NDArray[np.bool_]
"""A class number for each document; if it may have several classes, a bool for each class."""

Groups = NDArray[np.int64] | NDArray[np.int32]
"""The number of each document's group, such as its author."""


def hits(truth: Targets, predicted: Targets) -> NDArray[np.bool_]:
    """Return which documents are predicted right; of several classes, the set must be exact."""
    check_kinds(truth, predicted)
    same = np.asarray(truth == predicted)
    return same if same.ndim == 1 else np.asarray(same.all(axis=1))


def micro_f1(truth: Targets, predicted: Targets) -> float:
    """Return micro-F1 as a share; with one class for each document, it is the accuracy."""
    check_kinds(truth, predicted)
    if truth.ndim == 1:
        return int((truth == predicted).sum()) / truth.size
    marked = int(truth.sum()) + int(predicted.sum())
    return 2 * int((truth & predicted).sum()) / marked if marked else 0.0


def check_kinds(truth: Targets, predicted: Targets) -> None:
    """Raise `PteError` unless both are of the same kind and have the same shape."""
    if truth.ndim != predicted.ndim:
        one, other = ("one class", "several classes")[:: 1 if truth.ndim == 1 else -1]
        raise PteError(f"scores: {other} predicted for documents that have {one}")
    if truth.shape != predicted.shape:
        raise PteError(f"scores: {len(predicted)} predictions for {len(truth)} documents")
