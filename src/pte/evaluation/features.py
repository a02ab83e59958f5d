"""What the classifier sees of a document."""

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from pte.corpora.encoded import EncodedCorpus
from pte.errors import PteError
from pte.evaluation.documents import mean_vectors, unit_rows
from pte.evaluation.liblinear import Features
from pte.models import bow


def document_features(
    corpus: EncodedCorpus,
    word_vectors: NDArray[np.float32],
    *,
    unit_length: bool = False,
    beside_bow: bool = False,
) -> Features:
    """Mean word vectors of all documents, float32, shape (documents, dim).

    With `unit_length` they are L2-normalised. With `beside_bow` the TF-IDF features, which always
    are, stand behind them: sparse, shape (documents, dim + words). Raises `PteError` when a vector
    holds NaN or infinity.
    """
    if not np.isfinite(word_vectors).all():
        raise PteError("document features: the word vectors hold NaN or infinity; train them anew")
    means = mean_vectors(corpus.counts, word_vectors)
    if unit_length:
        means = unit_rows(means)
    if not beside_bow:
        return means
    return sparse.csr_array(sparse.hstack([sparse.csr_array(means), bow.fit(corpus)]))
