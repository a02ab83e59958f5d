"""The labelled training documents, which classifiers learn from."""

import numpy as np
from numpy.typing import NDArray

from pte.corpora.encoded import TRAIN, UNLABELLED, EncodedCorpus
from pte.errors import PteError


def find_labelled(corpus: EncodedCorpus) -> NDArray[np.int64]:
    """Return the indices of the labelled training documents, in corpus order; maybe none."""
    return np.flatnonzero((corpus.split == TRAIN) & (corpus.labels != UNLABELLED))


def find_unlabelled(corpus: EncodedCorpus) -> NDArray[np.int64]:
    """Return the indices of the unlabelled training documents, in corpus order."""
    return np.flatnonzero((corpus.split == TRAIN) & (corpus.labels == UNLABELLED))


def members(corpus: EncodedCorpus) -> list[NDArray[np.int64]]:
    """Return the labelled training documents of each class; a document may have several classes."""
    documents, classes = corpus.class_pairs[corpus.split[corpus.class_pairs[:, 0]] == TRAIN].T
    order = np.argsort(classes, kind="stable")
    ends = np.cumsum(np.bincount(classes, minlength=corpus.n_classes))
    return np.split(documents[order].astype(np.int64), ends[:-1])


def class_sizes(corpus: EncodedCorpus) -> NDArray[np.int64]:
    """Return how many labelled training documents each class has."""
    return np.array([each.size for each in members(corpus)], np.int64)


def labelled_documents(corpus: EncodedCorpus, method: str) -> NDArray[np.int64]:
    """Return what `find_labelled` returns, if `method` can learn from these documents."""
    documents = find_labelled(corpus)
    if not documents.size:
        raise PteError(f"{method}: no training document has a label")
    if not corpus.n_words:
        raise PteError(f"{method}: the vocabulary is empty; the training documents hold no word")
    sizes = class_sizes(corpus)
    if np.count_nonzero(sizes) == 1:
        raise PteError(f"{method}: the labelled documents are all of one class")
    for name, size in zip(corpus.classes, sizes, strict=True):
        if not size:
            raise PteError(f"{method}: no training document is labelled {name!r}; label one")
    return documents
