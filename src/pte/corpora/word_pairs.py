"""Pairs of neighbouring words, counted in documents."""

import numpy as np
from scipy import sparse

from pte.corpora.encoded import TRAIN, EncodedCorpus
from pte.memory import require

FEWEST_DOCUMENTS = 2
"""In how many training documents a pair must be; most pairs are in one alone and teach nothing."""

BYTES_PER_TOKEN = 80
"""The most that `pair_counts` holds at a time, for each token of the corpus."""


def pair_counts(corpus: EncodedCorpus) -> sparse.csr_array:
    """How often each pair of neighbouring words is in each document.

    float32, shape (documents, pairs), over the pairs that `FEWEST_DOCUMENTS` training documents
    hold. A pair has an order, and both words are of one document. Raises `PteError`, before it
    begins, when there is too little memory.
    """
    tokens = corpus.tokens
    require(BYTES_PER_TOKEN * tokens.size, "word pairs", f"{tokens.size} tokens")
    document = np.repeat(np.arange(corpus.n_documents, dtype=np.int32), np.diff(corpus.offsets))
    inside = document[:-1] == document[1:]
    keys = tokens[:-1].astype(np.int64)[inside] * corpus.n_words + tokens[1:][inside]
    found, pair = np.unique_inverse(keys)
    ones = np.ones(pair.size, np.float32)
    shape = (corpus.n_documents, found.size)
    counts = sparse.csr_array(sparse.coo_array((ones, (document[:-1][inside], pair)), shape))
    in_documents = np.bincount(counts[corpus.split == TRAIN].indices, minlength=found.size)
    return sparse.csr_array(counts[:, in_documents >= FEWEST_DOCUMENTS])
