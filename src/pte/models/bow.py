"""The paper's bag-of-words baseline: TF-IDF, the document vector without an embedding."""

import numpy as np
from scipy import sparse

from pte.corpora.encoded import TRAIN, EncodedCorpus
from pte.evaluation.documents import unit_rows


def fit(corpus: EncodedCorpus) -> sparse.csr_array:
    """TF-IDF with L2-normalised rows, float32, shape (documents, words).

    The weight of a word is tf · (log((1 + n) / (1 + df)) + 1), scikit-learn's default; n, the
    number of documents, and df, that of documents with the word, are of the training documents.
    """
    counts, train = corpus.counts, corpus.documents(TRAIN)
    with_word = np.bincount(counts[train].indices, minlength=corpus.n_words)
    rarity = np.log(np.float32(1 + train.size) / (1 + with_word).astype(np.float32)) + 1
    weighted = counts.data * rarity[counts.indices]
    return unit_rows(sparse.csr_array((weighted, counts.indices, counts.indptr), counts.shape))
