"""Predicted classes of documents without a label, by a classifier that was chosen before."""

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit

from pte.corpora.encoded import EncodedCorpus
from pte.corpora.labelled import find_unlabelled, labelled_documents
from pte.corpora.targets import Targets
from pte.evaluation.evaluate import predict, prepare
from pte.evaluation.linear import Classifier, Features, MultilabelClassifier
from pte.evaluation.prior import class_shares, without_words
from pte.evaluation.setting import SCORES, ClassifierChoice
from pte.evaluation.solvers import fit_targets


class Predicted(NamedTuple):
    """Some `documents` (int64) of a corpus, their predicted classes, and how sure these are.

    `classes` has the class of each document, int32. If documents may have several labels, it says
    which classes each document has, bool, shape (documents, classes). `confidence` (float64) lies
    between 1 / classes and 1: the probability of the class under the classifiers of one class
    against the rest, divided by the sum over the classes. If documents may have several labels,
    `confidence` lies between 0.5 and 1: how sure the classifiers are of the class that they are
    least sure of.
    """

    documents: NDArray[np.int64]
    classes: Targets
    confidence: NDArray[np.float64]


def predict_unlabelled(
    corpus: EncodedCorpus, features: Features, choice: Mapping[str, Any]
) -> Predicted:
    """Train the classifier on labelled training documents, and predict unlabelled documents.

    `choice` has the fields of `ClassifierChoice`. Raises `PteError` as `evaluate` does.
    """
    chosen = ClassifierChoice(**choice)
    asked = find_unlabelled(corpus)
    if not asked.size:
        return Predicted(asked, corpus.targets(asked), np.empty(0))
    known = labelled_documents(corpus, "classifier")
    ready = prepare(features, chosen)
    classifier = fit_targets(ready[known], corpus.targets(known), chosen.c, SCORES)
    likely = expit(np.asarray(ready[asked] @ classifier.weights, np.float64))
    predicted = predict(corpus, classifier, ready, known, asked)
    confidence = _confidence(classifier, likely)
    shares = class_shares(corpus.targets(known), corpus.n_classes)[None]
    confidence[without_words(corpus, asked)] = _confidence(classifier, shares)
    return Predicted(asked, predicted, confidence)


def _confidence(classifier: Classifier, likely: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return `Predicted.confidence` from probabilities, shape (documents, classes or 1)."""
    if isinstance(classifier, MultilabelClassifier):
        taught = classifier.weights.any(axis=0)  # nothing is known about the other classes
        return np.asarray(np.maximum(likely, 1 - likely)[:, taught].min(axis=1, initial=1))
    if likely.shape[1] == 1:
        likely = np.hstack([likely, 1 - likely])
    return np.asarray((likely / likely.sum(axis=1, keepdims=True)).max(axis=1))
