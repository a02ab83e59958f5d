"""The paper's bag-of-words baseline: TF-IDF, the document vector without an embedding."""

import numpy as np
from scipy import sparse
from sklearn.feature_extraction.text import TfidfTransformer

from pte.corpora.encoded import TRAIN, EncodedCorpus


def fit(corpus: EncodedCorpus) -> sparse.csr_array:
    """TF-IDF with L2-normalised rows, float32, shape (documents, words).

    The document frequencies are those of the training documents.
    """
    weighting = TfidfTransformer().fit(corpus.counts[corpus.documents(TRAIN)])
    return sparse.csr_array(weighting.transform(corpus.counts)).astype(np.float32)
