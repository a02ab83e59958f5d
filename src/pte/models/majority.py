"""A control: every test document is of the class that most training documents are of."""

import time

import numpy as np

from pte.corpora.encoded import TEST, TRAIN, UNLABELLED, EncodedCorpus
from pte.errors import PteError
from pte.models.prediction import Prediction


def fit_predict(corpus: EncodedCorpus, seed: int, threads: int) -> Prediction:
    """Predict the largest class, of equally large ones the first; `seed`, `threads` are not used.

    Raises `PteError` when no training document has a label.
    """
    began = time.perf_counter()
    labels = corpus.labels[(corpus.split == TRAIN) & (corpus.labels != UNLABELLED)]
    if not labels.size:
        raise PteError("majority: no training document has a label")
    largest = np.bincount(labels).argmax()
    predicted = np.full(corpus.documents(TEST).size, largest, np.int32)
    return Prediction(predicted, {"samples": None, "seconds": time.perf_counter() - began})
