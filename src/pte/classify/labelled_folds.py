"""Cross-validation on documents of which only a part has labels."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.metadata_routing import MetadataRequest

from pte.classify.errors import BadInput, check_chance, check_whole
from pte.classify.folds import without_groups
from pte.classify.given import read_groups, read_labels
from pte.corpora.encode import group_numbers
from pte.training.parts import alone_or_grouped, divided

Folds = Iterator[tuple[NDArray[np.int64], NDArray[np.int64]]]
"""Pairs of the numbers of training documents and of test documents."""


@dataclass
class LabelledFolds:
    """Folds of the labelled documents, for `cv=` of scikit-learn.

    Take it whenever you cross-validate with documents of which only a part has labels. Each
    labelled document is tested once. Documents without a label train in every fold, and are never
    tested, so that any scorer works. Each class has its share of every fold. Where documents have
    several labels, the first label of a document is its class here, and documents with none of the
    labels are a class of their own.

    Parameters
    ----------
    n_splits : int, default=5
        Number of folds: at least 2, and at most as many as the largest class has labelled
        documents.
    random_state : int, RandomState instance or None, default=0
        Seed of the division into folds. With None, each `split` divides anew.

    See Also
    --------
    pte.PTEClassifier : Learns from documents with and without a label.
    sklearn.model_selection.StratifiedKFold : Makes the folds, of the labelled documents alone.

    Examples
    --------
    The document without a label, number 2, trains in both folds:

    >>> import pte
    >>> labels = ["sport", "sport", None, "money", "money"]
    >>> folds = pte.LabelledFolds(n_splits=2)
    >>> for train, test in folds.split(range(5), labels):
    ...     print(2 in train, sorted(labels[i] for i in test))
    True ['money', 'sport']
    True ['money', 'sport']
    """

    n_splits: int = 5
    random_state: Any = 0

    def split(self, X: Any, y: Any = None, groups: Sequence[Any] | None = None) -> Folds:
        """Yield the numbers of the training documents and of the test documents of each fold.

        Parameters
        ----------
        X : sequence of length (documents,)
            The documents; only their number counts.
        y : sequence or matrix with an item for each document
            The labels, as `PTE.fit` takes them; None, -1 or NaN is no label.
        groups : sequence of length (documents,), default=None
            The group of each document, such as its author; None or NaN is no group. Documents of
            the same group are never on both sides of a fold. Where a group is tested, its documents
            without a label are left out.

        Yields
        ------
        train : ndarray of int64
            The numbers of the documents that train.
        test : ndarray of int64
            The numbers of the labelled documents that are tested, ascending.

        Raises
        ------
        BadInput
            When `n_splits` is no whole number from 2 on, when `random_state` is no seed, when `X`
            has no length, when there are more or fewer groups than documents, and when there are
            too few labelled documents or groups. It is a `ValueError`.
        """
        n_splits = check_whole("n_splits", self.n_splits, 2)
        chance, n_documents = check_chance(self.random_state), _counted(X)
        labels = read_labels(y, n_documents)
        if labels is None:
            raise BadInput("y: no document has a label; folds are made of those that have one")
        known = labels.known
        unlabelled = np.setdiff1d(np.arange(len(labels.of_documents)), known)
        first = np.array([min(labels.of_documents[i] or [labels.classes.size]) for i in known])
        most = int(np.bincount(first).max())
        if most < n_splits:
            raise BadInput(
                f"n_splits is {n_splits}, but no class has more than {most} labelled documents; "
                "label more, or take fewer folds"
            )
        names = read_groups(groups, n_documents)
        numbers = group_numbers([names[i] for i in known.tolist()])
        alone = None if numbers is None else alone_or_grouped(numbers)
        if alone is not None and (n_groups := np.unique(alone).size) < n_splits:
            raise BadInput(f"there are {n_groups} groups for {n_splits} folds; take fewer folds")
        for train, test in divided(first, n_splits, chance, alone):
            others = without_groups(unlabelled, known[test], names)
            yield np.concatenate([known[train], others]), known[test]

    def get_metadata_routing(self) -> MetadataRequest:
        """Ask for the groups, where scikit-learn routes metadata.

        Returns
        -------
        MetadataRequest
            It asks for `groups` in `split`.
        """
        asked = MetadataRequest(owner=self)
        asked.split.add_request(param="groups", alias=True)
        return asked

    def get_n_splits(self, X: Any = None, y: Any = None, groups: Any = None) -> int:
        """Return the number of folds.

        Parameters
        ----------
        X, y, groups : object
            Ignored; scikit-learn gives them.

        Returns
        -------
        int
            `n_splits`.

        Raises
        ------
        BadInput
            When it is no whole number, or below 2.
        """
        return check_whole("n_splits", self.n_splits, 2)


def _counted(X: Any) -> int:
    """Return the number of documents; a matrix has one in each row."""
    if shape := getattr(X, "shape", ()):
        return int(shape[0])
    try:
        return len(X)
    except TypeError:
        raise BadInput("X: it has no length; give a list with an item for each document") from None
