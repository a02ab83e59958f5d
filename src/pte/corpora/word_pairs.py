"""Pairs of neighbouring words, counted in documents."""

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from pte.corpora.encoded import TRAIN, EncodedCorpus
from pte.memory import require

FEWEST_DOCUMENTS = 2
"""In how many training documents a pair must be; most pairs are in one alone and teach nothing."""

BYTES_PER_TOKEN = 80
"""The most that `frequent_pairs` and `pair_counts` hold at a time, for each token of the corpus."""

Pairs = NDArray[np.int64]
"""Ascending: for each pair, the number of its first word times the number of words, and the second.

The words are numbered as those of the corpus.
"""


def frequent_pairs(corpus: EncodedCorpus) -> Pairs:
    """The pairs that `FEWEST_DOCUMENTS` training documents hold.

    A pair has an order, and both words are of one document. Raises `PteError`, before it begins,
    when there is too little memory.
    """
    keys, document = _pairs_in(corpus)
    found, pair = np.unique_inverse(keys)
    counts = _table(document, pair, (corpus.n_documents, found.size))
    in_documents = np.bincount(counts[corpus.split == TRAIN].indices, minlength=found.size)
    return found[in_documents >= FEWEST_DOCUMENTS]


def counts_with(corpus: EncodedCorpus, pairs: Pairs | None) -> sparse.csr_array:
    """Counts of words and, unless they are None, of pairs behind them; float32, by documents."""
    words = corpus.counts.astype(np.float32)
    if pairs is None:
        return words
    return sparse.csr_array(sparse.hstack([words, pair_counts(corpus, pairs)]))


def pair_counts(corpus: EncodedCorpus, pairs: Pairs) -> sparse.csr_array:
    """How often each of some pairs is in each document, float32, shape (documents, pairs).

    Raises `PteError`, before it begins, when there is too little memory.
    """
    keys, document = _pairs_in(corpus)
    places = np.searchsorted(pairs, keys)
    known = places < pairs.size
    known[known] = pairs[places[known]] == keys[known]
    return _table(document[known], places[known], (corpus.n_documents, pairs.size))


def _pairs_in(corpus: EncodedCorpus) -> tuple[NDArray[np.int64], NDArray[np.int32]]:
    """Each pair of neighbouring tokens, and the document that it is in."""
    tokens = corpus.tokens
    require(BYTES_PER_TOKEN * tokens.size, "word pairs", f"{tokens.size} tokens")
    document = np.repeat(np.arange(corpus.n_documents, dtype=np.int32), np.diff(corpus.offsets))
    inside = document[:-1] == document[1:]
    keys = tokens[:-1].astype(np.int64)[inside] * corpus.n_words + tokens[1:][inside]
    return keys, document[:-1][inside]


def _table(
    rows: NDArray[np.int32], columns: NDArray[np.int64], shape: tuple[int, int]
) -> sparse.csr_array:
    """How often each row and column come together, float32."""
    ones = np.ones(rows.size, np.float32)
    return sparse.csr_array(sparse.coo_array((ones, (rows, columns)), shape))
