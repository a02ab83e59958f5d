"""Cross-validation on documents of which only a part has labels."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.model_selection import StratifiedGroupKFold, StratifiedKFold

from pte.estimators.errors import BadInput, check_whole
from pte.estimators.labels import is_missing, read_labels

Folds = Iterator[tuple[NDArray[np.int64], NDArray[np.int64]]]
"""Pairs of the numbers of training documents and of test documents."""


@dataclass
class LabelledFolds:
    """Folds of the labelled documents, for `cv=` of scikit-learn.

    Each labelled document is tested once. Documents without a label train in every fold, and are
    never tested, so that any scorer works. Each class has its share of every fold. Where documents
    have several labels, the first label of a document is its class here, and documents with none of
    the labels are a class of their own.

    Parameters
    ----------
    n_splits : number of folds.
    random_state : the seed of the division into folds.
    """

    n_splits: int = 5
    random_state: Any = 0

    def split(self, X: Any, y: Any = None, groups: Sequence[Any] | None = None) -> Folds:
        """Yield the numbers of the training documents and of the test documents of each fold.

        `X` are the documents and `y` their labels, as `PTE.fit` takes them. `groups` has the group
        of each document; None or NaN is no group. Documents of the same group are never on both
        sides of a fold. An unlabelled document is left out of all folds if its group has labelled
        documents, which are tested. Raises `BadInput` when there are too few labelled documents or
        groups.
        """
        n_splits = check_whole("n_splits", self.n_splits, 2)
        labels = read_labels(y, len(X))
        if labels is None:
            raise BadInput("y: no document has a label; folds are made of those that have one")
        known = labels.known
        others = np.setdiff1d(np.arange(len(labels.of_documents)), known)
        first = np.array([min(labels.of_documents[i] or [labels.classes.size]) for i in known])
        most = int(np.bincount(first).max())
        if most < n_splits:
            raise BadInput(
                f"n_splits is {n_splits}, but no class has more than {most} labelled documents; "
                "label more, or take fewer folds"
            )
        if groups is None:
            divided = StratifiedKFold(n_splits, shuffle=True, random_state=self.random_state)
            pairs = divided.split(known, first)
        else:
            groups = list(groups)
            pairs = self._of_groups(known, first, groups)
            tested = {groups[i] for i in known.tolist() if not is_missing(groups[i])}
            others = np.array([i for i in others.tolist() if groups[i] not in tested], np.int64)
        for train, test in pairs:
            yield np.concatenate([known[train], others]), known[test]

    def get_n_splits(self, X: Any = None, y: Any = None, groups: Any = None) -> int:
        """Return the number of folds."""
        return self.n_splits

    def _of_groups(
        self, known: NDArray[np.int64], first: NDArray[np.int64], groups: Sequence[Any]
    ) -> Any:
        """Return folds of the `known` documents; a document without a group is a group alone."""
        names = [object() if is_missing(groups[i]) else groups[i] for i in known.tolist()]
        numbers = {name: number for number, name in enumerate(dict.fromkeys(names))}
        if len(numbers) < self.n_splits:
            raise BadInput(
                f"there are {len(numbers)} groups for {self.n_splits} folds; take fewer folds"
            )
        divided = StratifiedGroupKFold(self.n_splits, shuffle=True, random_state=self.random_state)
        return divided.split(known, first, [numbers[name] for name in names])
