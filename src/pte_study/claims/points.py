"""The points that each test document adds to a score, so that one test serves every score.

Micro-F1 and macro-F1 are ratios of sums over documents. To the first order, such a ratio changes
with the documents as the mean of one number for each document does. The number is the score itself
plus n times the document's influence, where n counts the documents (Hampel 1974; the infinitesimal
jackknife). The mean of these numbers is the score. If each document has one class, the number for
micro-F1 is 100 for a document that is right and 0 for a document that is wrong.
"""

from typing import Literal, get_args

import numpy as np
from numpy.typing import NDArray

from pte.corpora.targets import Targets, check_kinds

Metric = Literal["micro_f1", "macro_f1"]
METRICS: tuple[Metric, ...] = get_args(Metric)
"""The metrics by which claims about scores are judged."""

Points = NDArray[np.float32]
"""Numbers of runs and test documents, shape (seeds, documents); the mean of a row is a score."""


def document_points(truth: Targets, predicted: Targets, metric: Metric) -> Points:
    """Return the points of one run's documents, in percent, shape (documents,).

    A class that no test document has, and that is predicted for no test document, is left out of
    macro-F1. Raises `PteError` as `check_kinds` does.
    """
    check_kinds(truth, predicted)
    actual, claimed = _of_classes(truth, predicted)
    marks = actual.astype(np.float64) + claimed
    if metric == "micro_f1":
        right, marks = (actual & claimed).sum(axis=1, keepdims=True), marks.sum(1, keepdims=True)
    else:
        used = marks.any(axis=0)
        right, marks = (actual & claimed)[:, used], marks[:, used]
    wholes = np.maximum(marks.sum(axis=0), 1)
    f1 = 2 * right.sum(axis=0) / wholes
    influence = ((2 * right - f1 * marks) / wholes).mean(axis=1)
    points: Points = (100 * (f1.mean() + len(truth) * influence)).astype(np.float32)
    return points


def _of_classes(truth: Targets, predicted: Targets) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """Return which classes documents have, and which are predicted, shape (documents, classes)."""
    if truth.ndim == 2:
        return np.asarray(truth, bool), np.asarray(predicted, bool)
    classes = np.arange(1 + max(int(truth.max(initial=0)), int(predicted.max(initial=0))))
    return np.asarray(truth[:, None] == classes), np.asarray(predicted[:, None] == classes)
