"""Documents as rows of TF-IDF weights, and rows of unit length."""

from typing import Any, overload

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from pte.corpora.encoded import TRAIN, EncodedCorpus
from pte.machine import require

BYTES_PER_TOKEN = 48
"""The most bytes that `tf_idf` holds at a time, for each token of the corpus; 38 were measured."""


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
