"""Folds of documents of which a part has labels: for a contest, and for scikit-learn's `cv`."""

import math
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator

from pte.classify.errors import BadInput, check_chance, check_whole
from pte.classify.given import read_groups, read_labels
from pte.corpora.encode import group_numbers
from pte.corpora.encoded import Groups, Targets
from pte.corpora.texts import GivenLabels
from pte.errors import PteError
from pte.limits import MOST_SEED
from pte.training.search import alone_or_grouped, divided

ENOUGH_TESTED = 400  # folds are repeated, divided anew, until so many documents were tested

MOST_REPEATS = 4


class Fold(NamedTuple):
    """Positions (int64) of documents that train, and of labelled ones that are tested."""

    repeat: int
    train: NDArray[np.int64]
    test: NDArray[np.int64]


class Collection(NamedTuple):
    """What is known of the documents of a contest; `unit` is what ids count, or empty for names.

    `tests`, bool, is the file's own split, or None if folds are to be made.
    """

    texts: Sequence[bytes]
    labels: GivenLabels
    ids: Sequence[str]
    groups: Sequence[str | None]
    tests: NDArray[np.bool_] | None = None
    unit: str = ""
    vectors: NDArray[np.float32] | None = None
    chosen: NDArray[np.bool_] | None = None  # whose labels a review chose: they train alone

    @property
    def kind(self) -> str:
        """How documents are divided: "given", "grouped" or "stratified"."""
        if self.tests is not None:
            return "given"
        return "grouped" if any(each is not None for each in self.groups) else "stratified"

    def of(self, documents: NDArray[np.int64]) -> "Collection":
        """Return a part of the documents; the classes stay those of all."""
        texts, rows, ids, groups = (
            [each[i] for i in documents.tolist()]
            for each in (self.texts, self.labels.of_documents, self.ids, self.groups)
        )
        return Collection(
            texts,
            replace(self.labels, of_documents=tuple(rows)),
            ids,
            groups,
            None if self.tests is None else self.tests[documents],
            self.unit,
            None if self.vectors is None else self.vectors[documents],
            None if self.chosen is None else self.chosen[documents],
        )

    def targets(self, documents: NDArray[np.int64]) -> Targets:
        """Return the true classes of labelled documents."""
        rows = [list(self.labels.of_documents[i] or ()) for i in documents]
        if not self.labels.several:
            return np.array([row[0] for row in rows], np.int32)
        found = np.zeros((len(rows), self.labels.classes.size), np.bool_)
        for i, row in enumerate(rows):
            found[i, row] = True
        return found

    def folds(self, n_folds: int, seed: int) -> list[Fold]:
        """Divide the documents by class and group; the file's own division is one fold.

        Documents without a label train in each, but not those of a group that is tested. Small
        classes, or few groups, make fewer folds.
        """
        if self.chosen is not None:
            folds = self._replace(chosen=None).folds(n_folds, seed)
            found = [each for each in map(self._without_chosen, folds) if each.test.size]
            if not found:
                raise PteError("a review chose nearly all labels; label some texts at random")
            return found
        known, others, first, groups = _divisible(self.labels, self.groups)
        if self.tests is not None:
            return [self._given(known, others, self.tests)]
        most = int(np.unique_counts(first).counts.max(initial=0))
        if most < 2:
            raise PteError("each class has one document only; label more")
        if groups is not None and np.unique(groups).size < 2:
            raise PteError("all labelled documents are of one group; leave --group out")
        found = []
        for repeat in range(min(MOST_REPEATS, -(-ENOUGH_TESTED // known.size))):
            of_repeat = (seed + repeat) % (MOST_SEED + 1)
            for train, test in divided(first, min(n_folds, most), of_repeat, groups):
                self._refuse_one_class(first[train], known[train])
                free = without_groups(others, known[test], self.groups)
                found.append(Fold(repeat, np.union1d(known[train], free), known[test]))
        return found

    def _without_chosen(self, fold: Fold) -> Fold:
        """Let what a review chose train in place of being tested."""
        assert self.chosen is not None
        chosen = self.chosen[fold.test]
        return fold._replace(
            train=np.union1d(fold.train, fold.test[chosen]), test=fold.test[~chosen]
        )

    def _refuse_one_class(self, first: NDArray[np.int32], train: NDArray[np.int64]) -> None:
        if np.unique(first[first >= 0]).size > 1:
            return
        found = (self.labels.of_documents[i] or () for i in train.tolist())
        if len(set(chain.from_iterable(found))) < 2:
            if self.kind == "grouped":
                raise PteError(
                    "too few groups to test: without some, all labels are of one class; label "
                    "documents of each of two classes in at least two groups, or leave --group out"
                )
            raise PteError(
                "too few labels to test; label at least two documents of each of two classes"
            )

    def _given(
        self, known: NDArray[np.int64], others: NDArray[np.int64], tests: NDArray[np.bool_]
    ) -> Fold:
        test, train = known[tests[known]], known[~tests[known]]
        if not (test.size and train.size):
            lacks = "test" if train.size else "training"
            raise PteError(f"no labelled document is for {lacks}; check the column of the split")
        free = without_groups(others[~tests[others]], test, self.groups)
        return Fold(0, np.union1d(train, free), test)


def _divisible(
    labels: GivenLabels, groups: Sequence[str | None]
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int32], Groups | None]:
    """Return labelled documents, the others, first labels (-1: of no class) and groups."""
    known = labels.known
    others = np.setdiff1d(np.arange(len(labels.of_documents)), known)
    first = np.array([(labels.of_documents[i] or (-1,))[0] for i in known], np.int32)
    numbers = group_numbers([groups[i] for i in known.tolist()])
    return known, others, first, None if numbers is None else alone_or_grouped(numbers)


def without_groups(
    others: NDArray[np.int64], tested: NDArray[np.int64], groups: Sequence[str | None]
) -> NDArray[np.int64]:
    """Return those of the `others` that share no group with a document that is tested."""
    left_out = {groups[i] for i in tested.tolist()} - {None}
    return np.array([i for i in others.tolist() if groups[i] not in left_out], np.int64)


def thinned(collection: Collection, fold: Fold, share: float, seed: int) -> Collection:
    """Keep the labels of a share of each class's training documents in the fold, at least one."""
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


RACED, MARGIN = 2000, 1.25  # labelled documents of a part, and times as many that stay whole


def part_of(collection: Collection, seed: int) -> Collection:
    """Return about `RACED` labelled documents, by class, and as large a share of the others."""
    n_known = collection.labels.known.size
    if n_known <= MARGIN * RACED:
        return collection
    by_class: dict[tuple[int, bool], list[int]] = defaultdict(list)
    tests = (
        np.zeros(len(collection.texts), np.bool_) if collection.tests is None else collection.tests
    )
    for i in np.random.default_rng(seed).permutation(tests.size).tolist():
        row = collection.labels.of_documents[i]
        by_class[-2 if row is None else (row or (-1,))[0], bool(tests[i])].append(i)
    share = RACED / n_known
    kept = [i for some in by_class.values() for i in some[: math.ceil(share * len(some))]]
    return collection.of(np.sort(kept))


def tested_documents(folds: Sequence[Fold]) -> NDArray[np.int64]:
    """Return the positions of all tested documents, ascending."""
    return np.sort(np.concatenate([fold.test for fold in folds if fold.repeat == 0]))


def n_labels(labels: GivenLabels, fold: Fold) -> int:
    """Return how many documents of a fold teach with their labels."""
    return sum(labels.of_documents[i] is not None for i in fold.train.tolist())


Folds = Iterator[tuple[NDArray[np.int64], NDArray[np.int64]]]  # of training and of test documents


@dataclass(eq=False)
class LabelledFolds(BaseEstimator):  # type: ignore[misc]
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

    __metadata_request__split = {"groups": True}  # noqa: RUF012

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
        names = read_groups(groups, n_documents)
        known, unlabelled, first, alone = _divisible(labels, names)
        most = int(np.unique_counts(first).counts.max())
        if most < n_splits:
            raise BadInput(
                f"n_splits is {n_splits}, but no class has more than {most} labelled documents; "
                "label more, or take fewer folds"
            )
        if alone is not None and (n_groups := np.unique(alone).size) < n_splits:
            raise BadInput(f"there are {n_groups} groups for {n_splits} folds; take fewer folds")
        for train, test in divided(first, n_splits, chance, alone):
            others = without_groups(unlabelled, known[test], names)
            yield np.concatenate([known[train], others]), known[test]

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
    if shape := getattr(X, "shape", ()):
        return int(shape[0])
    try:
        return len(X)
    except TypeError:
        raise BadInput("X: it has no length; give a list with an item for each document") from None
