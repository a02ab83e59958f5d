"""The documents that a classifier learns from, and parts of them to choose its settings by."""

import warnings
from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from pte.corpora.encoded import TRAIN, UNLABELLED, EncodedCorpus
from pte.errors import PteError


def labelled_documents(corpus: EncodedCorpus, method: str) -> NDArray[np.int64]:
    """Indices of the labelled training documents, in corpus order.

    Raises `PteError`, naming the method, when the corpus has no words, fewer than two classes, or
    a class without a labelled training document.
    """
    documents = np.flatnonzero((corpus.split == TRAIN) & (corpus.labels != UNLABELLED))
    if not documents.size:
        raise PteError(f"{method}: no training document has a label")
    if not corpus.n_words:
        raise PteError(f"{method}: the vocabulary is empty; the training documents hold no word")
    sizes = np.bincount(corpus.labels[documents], minlength=corpus.n_classes)
    if np.count_nonzero(sizes) == 1:
        raise PteError(f"{method}: the labelled documents are all of one class")
    for name, size in zip(corpus.classes, sizes, strict=True):
        if not size:
            raise PteError(f"{method}: no training document is labelled {name!r}; label one")
    return documents


def folds(
    labels: NDArray[np.int32], n: int, method: str, seed: int
) -> Iterator[tuple[NDArray[np.int64], NDArray[np.int64]]]:
    """Pairs of positions to learn from and to judge by: each position judges once.

    Of each class in proportion. Raises `PteError` when no class has `n` documents.
    """
    from sklearn.model_selection import StratifiedKFold  # takes seconds; few methods choose

    largest = np.unique_counts(labels).counts.max()
    if largest < n:
        raise PteError(
            f"{method}: no class has more than {largest} labelled documents, too few for the {n} "
            "folds that choose its settings; label more"
        )
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # a class smaller than `n` is no fault
        yield from StratifiedKFold(n, shuffle=True, random_state=seed).split(labels, labels)
