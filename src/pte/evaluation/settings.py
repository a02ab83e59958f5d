"""How a classifier is set: the paper's fixed values, or values chosen on the training documents."""

import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product

import numpy as np
from numpy.typing import NDArray

from pte.errors import PteError
from pte.evaluation import liblinear
from pte.evaluation.documents import unit_rows
from pte.evaluation.liblinear import Features


@dataclass(frozen=True)
class Choice:
    """One way to train the classifier: its C, and whether document vectors get unit length."""

    c: float
    unit_length: bool

    def prepare(self, features: Features) -> Features:
        """The features as this choice wants them."""
        return unit_rows(features) if self.unit_length else features


def choose(
    features: Features,
    labels: NDArray[np.int32],
    costs: Sequence[float],
    unit_length: Sequence[bool],
    folds: int,
    cv_documents: int,
    seed: int,
) -> Choice:
    """The choice with the best cross-validated accuracy on labelled training documents.

    The first of equals. One choice is taken as it is, without cross-validation. Above
    `cv_documents` documents, a random part of that size judges for all of them. Raises `PteError`
    when every class has fewer documents than there are folds.
    """
    choices = [Choice(c, unit) for unit, c in product(unit_length, costs)]
    if len(choices) == 1:
        return choices[0]
    from sklearn.model_selection import StratifiedKFold  # takes seconds, which a choice alone needs

    if labels.size > cv_documents:
        kept = _part(labels, cv_documents, seed)
        features, labels = features[kept], labels[kept]
    largest = np.unique_counts(labels).counts.max()
    if largest < folds:
        raise PteError(
            f"classifier: no class has more than {largest} labelled documents, too few for "
            f"{folds} folds; set one value of costs and of unit_length, or fewer folds"
        )
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # a class smaller than `folds` is no fault
        scheme = StratifiedKFold(folds, shuffle=True, random_state=seed)
        splits = list(scheme.split(labels, labels))

    def accuracy(choice: Choice) -> float:
        ready = choice.prepare(features)
        hits = 0
        for fit_on, judge_on in splits:
            classifier = liblinear.fit(ready[fit_on], labels[fit_on], choice.c)
            hits += int((classifier.predict(ready[judge_on]) == labels[judge_on]).sum())
        return hits / labels.size

    return max(choices, key=accuracy)


def _part(labels: NDArray[np.int32], size: int, seed: int) -> NDArray[np.int64]:
    """Indices of `size` documents; stratified where every class can be on both sides."""
    from sklearn.model_selection import train_test_split

    counts = np.unique_counts(labels).counts
    possible = counts.min() >= 2 and counts.size <= min(size, labels.size - size)
    kept, _ = train_test_split(
        np.arange(labels.size),
        train_size=size,
        stratify=labels if possible else None,
        random_state=seed,
    )
    return np.asarray(kept)
