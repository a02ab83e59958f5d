"""Features of documents: TF-IDF of words, pairs of neighbouring words, and runs of letters."""

from collections.abc import Sequence
from typing import Any, overload

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from pte.corpora.encoded import TRAIN, EncodedCorpus
from pte.machine import require

BYTES_PER_TOKEN = 48  # most that `tf_idf` holds at a time; 38 were measured


def tf_idf(corpus: EncodedCorpus, rare: NDArray[np.float32] | None = None) -> sparse.csr_array:
    """Return the TF-IDF of words, float32, (documents, words); `rare` is the training's rarity."""
    rare = word_rarity(corpus) if rare is None else rare
    return weigh(_word_counts(corpus), rare)


def word_rarity(corpus: EncodedCorpus) -> NDArray[np.float32]:
    """Return the `rarity` of the words of a corpus. Raises `PteError` as `tf_idf` does."""
    return rarity(_word_counts(corpus)[corpus.documents(TRAIN)])


def _word_counts(corpus: EncodedCorpus) -> sparse.csr_array:
    whole = corpus.tokens.size
    require(BYTES_PER_TOKEN * whole, "TF-IDF", f"{whole} tokens")
    return corpus.counts


def rarity(counts: sparse.csr_array) -> NDArray[np.float32]:
    """Return log((1 + n) / (1 + df)) + 1 of n training documents, of which df hold the feature."""
    held = np.bincount(counts.indices, minlength=counts.shape[1])
    share = np.float32(1 + counts.shape[0]) / (1 + held).astype(np.float32)
    return np.asarray(np.log(share) + 1)


def weigh(counts: sparse.csr_array, rare: NDArray[np.float32]) -> sparse.csr_array:
    """Return counts times `rarity`, rows L2-normalised, float32, shape (documents, features)."""
    weighted = counts.data * rare[counts.indices]
    return unit_rows(sparse.csr_array((weighted, counts.indices, counts.indptr), counts.shape))


def dampened(counts: sparse.csr_array) -> sparse.csr_array:
    """Return 1 + log n in place of each count n, float32: a word that comes often is one topic."""
    return sparse.csr_array((1 + np.log(counts.data), counts.indices, counts.indptr), counts.shape)


@overload
def unit_rows(features: NDArray[np.float32]) -> NDArray[np.float32]: ...
@overload
def unit_rows(features: sparse.csr_array) -> sparse.csr_array: ...
def unit_rows(features: NDArray[np.float32] | sparse.csr_array) -> Any:
    """Divide rows, dense or sparse, by their Euclidean length, in float32; a zero row stays."""
    if isinstance(features, np.ndarray):
        lengths = np.sqrt(np.einsum("ij,ij->i", features, features))
        return features / np.where(lengths == 0, np.float32(1), lengths)[:, None]
    row_of = np.repeat(np.arange(features.shape[0]), np.diff(features.indptr))
    lengths = np.sqrt(np.bincount(row_of, features.data**2, minlength=features.shape[0]))
    data = (features.data / np.where(lengths == 0, 1, lengths)[row_of]).astype(features.dtype)
    return sparse.csr_array((data, features.indices, features.indptr), features.shape)


FEWEST_DOCUMENTS = 2  # training documents that must hold a pair; most are in one
_BYTES_PER_PAIR = 80  # most that pairs hold at a time, for each token
Pairs = NDArray[np.int64]  # ascending: first word · number of words + second word


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
    require(_BYTES_PER_PAIR * tokens.size, "word pairs", f"{tokens.size} tokens")
    document = np.repeat(np.arange(corpus.n_documents, dtype=np.int32), np.diff(corpus.offsets))
    inside = document[:-1] == document[1:]
    keys = tokens[:-1].astype(np.int64)[inside] * corpus.n_words + tokens[1:][inside]
    return keys, document[:-1][inside]


def _table(
    rows: NDArray[np.int32], columns: NDArray[np.int64], shape: tuple[int, int]
) -> sparse.csr_array:
    ones = np.ones(rows.size, np.float32)
    return sparse.csr_array(sparse.coo_array((ones, (rows, columns)), shape))


LENGTHS = 3, 5  # of runs, in characters; the space around a word counts as one
BITS = 20  # Runs are counted by a hash of so many bits. Two runs with one hash count as one


def letters_of(corpus: EncodedCorpus, runs: NDArray[np.int64] | None = None) -> sparse.csr_array:
    """Count the runs of letters, those of hashes `runs` or all, also in the words of `unknown`."""
    found = count_letters(corpus.words, corpus.counts)
    if runs is not None:
        found = sparse.csr_array(found[:, runs])
    if corpus.unknown is None:
        return found
    found = sparse.csr_array(found + letters_of(corpus.unknown, runs))
    found.sort_indices()
    return found


def count_letters(words: Sequence[bytes], counts: sparse.csr_array) -> sparse.csr_array:
    """Count letter runs inside words, float32, shape (documents, 2 ** `BITS`), from word counts."""
    from sklearn.feature_extraction.text import HashingVectorizer  # its import takes half a second

    cut = HashingVectorizer(
        analyzer="char_wb",
        ngram_range=LENGTHS,
        lowercase=False,
        n_features=2**BITS,
        alternate_sign=False,
        norm=None,
        dtype=np.float32,
    )
    some = np.flatnonzero(np.bincount(counts.indices, minlength=counts.shape[1])[: len(words)])
    if not some.size:
        return sparse.csr_array((counts.shape[0], 2**BITS), dtype=np.float32)
    runs = cut.transform([words[i].decode("utf-8", "replace") for i in some.tolist()])
    found = sparse.csr_array(counts[:, some].astype(np.float32) @ sparse.csr_array(runs))
    found.sort_indices()
    return found
