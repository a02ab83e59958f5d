"""The classes of documents without a label, by a classifier that was chosen before."""

from collections.abc import Mapping
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pte.corpora.encoded import TRAIN, UNLABELLED, EncodedCorpus
from pte.corpora.labelled import labelled_documents
from pte.evaluation import liblinear
from pte.evaluation.documents import mean_vectors
from pte.evaluation.evaluate import prepare
from pte.evaluation.liblinear import Features
from pte.evaluation.setting import ClassifierChoice
from pte.training.contract import Task
from pte.training.plan import FitPlan


class Predicted(NamedTuple):
    """`documents` (int64) of a corpus, their classes (int32), and how sure that is (float64).

    `confidence` lies between 1 / classes and 1: the probability of the class under the classifiers
    of one class against the rest, divided by the sum over the classes.
    """

    documents: NDArray[np.int64]
    classes: NDArray[np.int32]
    confidence: NDArray[np.float64]


def features_of(plan: FitPlan, files: Mapping[str, Any]) -> Features:
    """What the classifier sees of each document of a corpus: a row, dense or sparse.

    `files` are those of a score by their roles. A method that predicts by itself has no features.
    """
    task = Task.of(plan, files, seed=0)
    if plan.yields == "features":
        features: Features = import_module(plan.model).fit(task).array
        return features
    array = np.load(Path(files["representation"]))
    return mean_vectors(task.corpus.counts, array) if plan.yields == "words" else array


def predict_unlabelled(
    corpus: EncodedCorpus, features: Features, choice: Mapping[str, Any]
) -> Predicted:
    """Train the classifier on the labelled training documents, and predict those without a label.

    `choice` has the fields of `ClassifierChoice`. Where documents may have several labels, nothing
    is predicted. Raises `PteError` as `evaluate` does.
    """
    chosen = ClassifierChoice(**choice)
    asked = np.flatnonzero((corpus.split == TRAIN) & (corpus.labels == UNLABELLED))
    if not asked.size or corpus.is_multilabel:
        return Predicted(asked[:0], np.empty(0, np.int32), np.empty(0))
    known = labelled_documents(corpus, "classifier")
    ready = prepare(features, chosen)
    classifier = liblinear.fit(ready[known], np.asarray(corpus.labels[known]), chosen.c)
    likely = 1 / (1 + np.exp(-np.asarray(ready[asked] @ classifier.weights, np.float64)))
    if classifier.weights.shape[1] == 1:
        likely = np.hstack([likely, 1 - likely])
    share = likely / likely.sum(axis=1, keepdims=True)
    return Predicted(asked, classifier.predict(ready[asked]), share.max(axis=1))
