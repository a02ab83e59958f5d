"""Pairs of neighbouring words, counted in documents."""

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from pte.corpora.encoded import TRAIN, EncodedCorpus
from pte.machine import require

FEWEST_DOCUMENTS = 2
"""How many training documents must hold a pair; most pairs are in only one and teach nothing."""

BYTES_PER_TOKEN = 80
"""The most bytes that `frequent_pairs` or `pair_counts` hold at a time, for each token."""

Pairs = NDArray[np.int64]
"""Ascending keys: the first word's number times the number of words, plus the second's number."""


def frequent_pairs(corpus: EncodedCorpus) -> Pairs:
    """Return the ordered pairs that at least `FEWEST_DOCUMENTS` training documents hold."""
    keys, document = _pairs_in(corpus)
    found, pair = np.unique_inverse(keys)
    counts = _table(document, pair, (corpus.n_documents, found.size))
    in_documents = np.bincount(counts[corpus.split == TRAIN].indices, minlength=found.size)
    return found[in_documents >= FEWEST_DOCUMENTS]


def counts_with(corpus: EncodedCorpus, pairs: Pairs | None) -> sparse.csr_array:
    """Return the counts of words and, behind them, of `pairs`, float32, a row for each document."""
    words = corpus.counts.astype(np.float32)
    if pairs is None:
        return words
    return sparse.csr_array(sparse.hstack([words, pair_counts(corpus, pairs)]))


def pair_counts(corpus: EncodedCorpus, pairs: Pairs) -> sparse.csr_array:
    """Return how often each pair is in each document, float32, shape (documents, pairs)."""
    keys, document = _pairs_in(corpus)
    places = np.searchsorted(pairs, keys)
    known = places < pairs.size
    known[known] = pairs[places[known]] == keys[known]
    return _table(document[known], places[known], (corpus.n_documents, pairs.size))


def _pairs_in(corpus: EncodedCorpus) -> tuple[NDArray[np.int64], NDArray[np.int32]]:
    """Return the key of each pair of neighbouring tokens, and the document that holds the pair."""
    tokens = corpus.tokens
    require(BYTES_PER_TOKEN * tokens.size, "word pairs", f"{tokens.size} tokens")
    document = np.repeat(np.arange(corpus.n_documents, dtype=np.int32), np.diff(corpus.offsets))
    inside = document[:-1] == document[1:]
    keys = tokens[:-1].astype(np.int64)[inside] * corpus.n_words + tokens[1:][inside]
    return keys, document[:-1][inside]


def _table(
    rows: NDArray[np.int32], columns: NDArray[np.int64], shape: tuple[int, int]
) -> sparse.csr_array:
    ones = np.ones(rows.size, np.float32)
    return sparse.csr_array(sparse.coo_array((ones, (rows, columns)), shape))
