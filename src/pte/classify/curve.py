"""What more labels would bring: scores with a part of the labels, and a forecast."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from pte.classify.folds import Collection, Fold
from pte.corpora.texts import GivenLabels

FURTHER = 2
"""The forecast is for so many times the labels that there are."""


def thinned(collection: Collection, fold: Fold, share: float, seed: int) -> Collection:
    """Return the documents with the labels of a share of the fold's labelled training documents.

    Each class keeps its share, and at least one document. The other documents keep their text.
    """
    labels = collection.labels
    kept = list(labels.of_documents)
    known = [i for i in fold.train.tolist() if kept[i] is not None]
    by_class: dict[int, list[int]] = defaultdict(list)
    for document in np.random.default_rng(seed).permutation(known).tolist():
        by_class[(kept[document] or (-1,))[0]].append(document)
    for members in by_class.values():
        for document in members[max(1, round(share * len(members))) :]:
            kept[document] = None
    return collection._replace(labels=replace(labels, of_documents=tuple(kept)))


def n_labels(labels: GivenLabels, fold: Fold) -> int:
    """Return how many documents of a fold teach with their labels."""
    return sum(labels.of_documents[i] is not None for i in fold.train.tolist())


def forecast(points: Sequence[tuple[float, float]]) -> tuple[int, float] | None:
    """Return the number of labels of a forecast, and micro-F1 in percent there.

    `points` are pairs of a number of labels and micro-F1, ascending. The error is taken to fall as
    a power of the number of labels, which is a line through the logarithms of both, by least
    squares. None where the error does not fall, or where there are no errors.
    """
    labels = np.array([n for n, _ in points])
    errors = np.array([100 - score for _, score in points])
    if len(points) < 2 or (errors <= 0).any():
        return None
    slope, height = np.polyfit(np.log(labels), np.log(errors), 1)
    if slope > -1e-9:  # rounding alone may make a slope a little negative
        return None
    ahead = FURTHER * labels[-1]
    # The line is moved to the last point, which all labels and most documents measured.
    at_last = errors[-1] / np.exp(height + slope * np.log(labels[-1]))
    error = at_last * np.exp(height + slope * np.log(ahead))
    return round(float(ahead)), float(100 - error)
