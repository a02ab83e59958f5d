"""A control: every test document gets the class that most training documents have."""

import time

import numpy as np

from pte.corpora.encoded import TEST, EncodedCorpus
from pte.corpora.labelled import find_labelled
from pte.errors import PteError
from pte.training.contract import Cost, Fitted, Spec, Task

SPEC = Spec(
    yields="predictions",
    seeded=False,
    cost=lambda options: Cost(2, 0),
    memory=lambda size: 4 * 8 * size.documents,  # labels, their positions, and predictions
)


def fit(task: Task) -> Fitted:
    """Predict the largest class as `predict_majority` does."""
    return predict_majority(task.corpus)


def predict_majority(corpus: EncodedCorpus) -> Fitted:
    """Predict the largest class for every test document; of equally large classes, the first.

    Raises `PteError` when no training document has a label.
    """
    began = time.perf_counter()
    labels = corpus.labels[find_labelled(corpus)]
    if not labels.size:
        raise PteError("majority: no training document has a label")
    largest = np.bincount(labels).argmax()
    predicted = np.full(corpus.documents(TEST).size, largest, np.int32)
    return Fitted(predicted, seconds=time.perf_counter() - began)
