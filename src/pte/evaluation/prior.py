"""The rule for a document that tells nothing: it gets the prior of the training documents.

Its class is the largest class of the training documents, the first of equally large classes, and
its probabilities are the shares of the classes. If documents may have several classes, it has the
classes of more than half of the training documents. A document without a known word tells nothing,
but its new words can tell something to methods that see letters, and to an encoder
(`pte.classify.learning.Trained.sees_nothing`). The test documents of the study have no new words.
"""

from typing import Any, overload

import numpy as np
from numpy.typing import NDArray

from pte.corpora.encoded import EncodedCorpus
from pte.corpora.targets import Targets

Shares = NDArray[np.float64]
"""The share of the labelled training documents that have a class, shape (classes,)."""


def class_shares(targets: Targets, n_classes: int) -> Shares:
    """Return the shares of the classes among documents with these targets; 0 if there are none."""
    one_each = targets.ndim == 1
    sizes = np.bincount(targets, minlength=n_classes) if one_each else targets.sum(axis=0)
    return np.asarray(sizes / max(len(targets), 1), np.float64)


def without_words(corpus: EncodedCorpus, documents: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Return which of these documents have no word of the vocabulary, as a mask."""
    return np.asarray(corpus.offsets[documents] == corpus.offsets[documents + 1])


@overload
def with_prior(found: Shares, empty: NDArray[np.bool_], shares: Shares) -> Shares: ...
@overload
def with_prior(found: Targets, empty: NDArray[np.bool_], shares: Shares) -> Targets: ...
def with_prior(
    found: Targets | Shares, empty: NDArray[np.bool_], shares: Shares
) -> Targets | Shares:
    """Return what was `found` for some documents, with the prior for those that are `empty`.

    `found` has a class for each document, int32; or for each document and class a bool, or a
    probability, float64. `empty` is a mask, shape (documents,). `found` itself does not change.
    """
    prior: Any = shares if found.dtype == np.float64 else shares > 0.5
    if found.ndim == 1:
        prior = shares.argmax()
    changed = found.copy()
    changed[empty] = prior
    return changed
