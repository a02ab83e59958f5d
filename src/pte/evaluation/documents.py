"""A document is the mean of its words' vectors (paper, equation 8)."""

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from pte.corpora.encoded import EncodedCorpus
from pte.errors import PteError

BLOCK = 2**15
"""How many documents are counted at a time; this bounds the memory."""


def document_means(corpus: EncodedCorpus, word_vectors: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return `mean_vectors` of all documents of a corpus, without counting all words at once."""
    means = np.empty((corpus.n_documents, word_vectors.shape[1]), np.float32)
    for first in range(0, corpus.n_documents, BLOCK):
        last = min(first + BLOCK, corpus.n_documents)
        means[first:last] = mean_vectors(corpus.counts_between(first, last), word_vectors)
    return means


def mean_vectors(
    counts: sparse.csr_array, word_vectors: NDArray[np.float32]
) -> NDArray[np.float32]:
    """Return document vectors, float32, shape (documents, dim); zero for a document without words.

    `counts` has shape (documents, words), `word_vectors` (words, dim). Raises `PteError` when a
    vector holds NaN or infinity.
    """
    if not np.isfinite(word_vectors).all():
        raise PteError("document features: the word vectors hold NaN or infinity; train them anew")
    totals = np.asarray(counts.sum(axis=1), np.float32).reshape(-1, 1)
    return (counts @ word_vectors / np.maximum(totals, 1)).astype(np.float32, copy=False)
