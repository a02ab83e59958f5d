"""Features of a corpus's documents become predictions and scores."""

import time
from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pte.corpora.encoded import TEST, EncodedCorpus
from pte.evaluation import liblinear
from pte.evaluation.liblinear import Features
from pte.evaluation.metrics import score
from pte.evaluation.settings import choose
from pte.models.labelled import labelled_documents


def evaluate(
    corpus: EncodedCorpus, features: Features, setting: Mapping[str, Any], seed: int
) -> tuple[NDArray[np.int32], dict[str, Any]]:
    """Train on the labelled training documents, predict the test documents.

    `features` has a row for every document of the corpus; `setting` holds `costs`, `unit_length`,
    `folds` and `cv_documents` (see `pte.evaluation.settings.choose`). Returns the predicted class
    of each test document, in corpus order, and the scores with what was chosen.
    """
    began = time.perf_counter()
    train = labelled_documents(corpus, "classifier")
    test = corpus.documents(TEST)
    labels = np.asarray(corpus.labels[train])
    choice = choose(features[train], labels, **setting, seed=seed)
    ready = choice.prepare(features)
    predicted = liblinear.fit(ready[train], labels, choice.c).predict(ready[test])
    scores = score(np.asarray(corpus.labels[test]), predicted, corpus.classes)
    spent = {"choice": asdict(choice), "seconds": time.perf_counter() - began}
    return predicted, scores | spent
