"""The folds of a contest: which documents train, and which labelled documents are tested."""

from collections.abc import Sequence
from itertools import chain
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pte.corpora.encode import group_numbers
from pte.corpora.texts import GivenLabels
from pte.errors import PteError
from pte.limits import MOST_SEED
from pte.training.parts import alone_or_grouped, divided

ENOUGH_TESTED = 400
"""Folds are repeated, each time divided anew, until so many documents were tested."""

MOST_REPEATS = 4


class Fold(NamedTuple):
    """The positions of documents that train, and of labelled documents that are tested, int64.

    A labelled document is tested once in each `repeat`.
    """

    repeat: int
    train: NDArray[np.int64]
    test: NDArray[np.int64]


class Collection(NamedTuple):
    """What is known of the documents of a contest: texts in UTF-8, labels, ids, groups, the split.

    An item of `groups` is None for a document without a group. `tests` says which documents the
    file itself gives to the test, bool; it is None if folds are to be made. `order_lost` says
    whether texts are bags of words. `unit` is what ids count, such as "line"; it is empty if ids
    are names. `vectors` has a row for each document, if an encoder has read them.
    """

    texts: Sequence[bytes]
    labels: GivenLabels
    ids: Sequence[str]
    groups: Sequence[str | None]
    tests: NDArray[np.bool_] | None = None
    order_lost: bool = False
    unit: str = ""
    vectors: NDArray[np.float32] | None = None

    @property
    def kind(self) -> str:
        """How documents are divided: "given", "grouped" or "stratified"."""
        if self.tests is not None:
            return "given"
        return "grouped" if any(each is not None for each in self.groups) else "stratified"

    def folds(self, n_folds: int, seed: int) -> list[Fold]:
        """Divide the documents; documents without a label train in each fold.

        Those of a group that is tested do not. The file's own division is one fold. Otherwise each
        class has its share of each fold, and documents of one group are never on both sides of a
        fold. There are fewer folds if the largest class, or the number of groups, has fewer
        documents. Raises `PteError` when there are too few labels, or too few groups.
        """
        known = self.labels.known
        others = np.setdiff1d(np.arange(len(self.texts)), known)
        if self.tests is not None:
            return [self._given(known, others, self.tests)]
        first = np.array([(self.labels.of_documents[i] or (-1,))[0] for i in known], np.int32)
        most = int(np.unique_counts(first).counts.max(initial=0))
        if most < 2:
            raise PteError("each class has one document only; label more")
        numbers = group_numbers([self.groups[i] for i in known.tolist()])
        groups = None if numbers is None else alone_or_grouped(numbers)
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

    def _refuse_one_class(self, first: NDArray[np.int32], train: NDArray[np.int64]) -> None:
        """Raise `PteError` if the labels in training are of one class; `first` are the first."""
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


def without_groups(
    others: NDArray[np.int64], tested: NDArray[np.int64], groups: Sequence[str | None]
) -> NDArray[np.int64]:
    """Return those of the `others` that share no group with a document that is tested."""
    left_out = {groups[i] for i in tested.tolist()} - {None}
    return np.array([i for i in others.tolist() if groups[i] not in left_out], np.int64)
