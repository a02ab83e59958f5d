"""A document is the mean of its words' vectors (paper, equation 8)."""

from typing import Any, overload

import numpy as np
from numpy.typing import NDArray
from scipy import sparse


def mean_vectors(
    counts: sparse.csr_array, word_vectors: NDArray[np.float32]
) -> NDArray[np.float32]:
    """Document vectors, float32, shape (documents, dim); one without words is the zero vector.

    `counts` has shape (documents, words), `word_vectors` (words, dim).
    """
    totals = np.asarray(counts.sum(axis=1), np.float32).reshape(-1, 1)
    return (counts @ word_vectors / np.maximum(totals, 1)).astype(np.float32, copy=False)


@overload
def unit_rows(features: NDArray[np.float32]) -> NDArray[np.float32]: ...
@overload
def unit_rows(features: sparse.csr_array) -> sparse.csr_array: ...
def unit_rows(features: NDArray[np.float32] | sparse.csr_array) -> Any:
    """Rows divided by their Euclidean length, float32; a zero row stays. Dense or sparse."""
    if isinstance(features, np.ndarray):
        lengths = np.sqrt(np.einsum("ij,ij->i", features, features))
        return features / np.where(lengths == 0, np.float32(1), lengths)[:, None]
    row_of = np.repeat(np.arange(features.shape[0]), np.diff(features.indptr))
    lengths = np.sqrt(np.bincount(row_of, features.data**2, minlength=features.shape[0]))
    data = (features.data / np.where(lengths == 0, 1, lengths)[row_of]).astype(features.dtype)
    return sparse.csr_array((data, features.indices, features.indptr), features.shape)
