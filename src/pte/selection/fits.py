"""What a method yields becomes scores."""

import time

import numpy as np

from pte.corpora.encoded import TEST, EncodedCorpus
from pte.evaluation.documents import document_means
from pte.evaluation.evaluate import evaluate
from pte.evaluation.linear import Features
from pte.evaluation.metrics import score
from pte.evaluation.record import Scored
from pte.evaluation.setting import SCORES, ClassifierChoice, Solver


def score_fit(
    corpus: EncodedCorpus,
    array: Features,
    yields: str,
    choice: ClassifierChoice,
    solver: Solver = SCORES,
) -> Scored:
    """Score what `pte.training.contract.Spec.yields` names.

    Predictions are compared with the labels of the test documents, whatever the `choice`. All else
    becomes features for a classifier, which learns from all labelled training documents. Raises
    `PteError` when word vectors are not finite, and as `evaluate`.
    """
    if yields == "predictions":
        predicted = np.asarray(array)
        truth = corpus.targets(corpus.documents(TEST))
        return Scored(predicted, score(truth, predicted, corpus.classes))
    began = time.perf_counter()
    predicted, scores = evaluate(corpus, features_of(corpus, array, yields), choice, solver)
    return Scored(predicted, scores, choice, time.perf_counter() - began)


def features_of(corpus: EncodedCorpus, array: Features, yields: str) -> Features:
    """What the classifier sees of each document: a row, dense or sparse.

    A document is the mean of its word vectors (paper, equation 8); vectors and features of
    documents are taken as they are. Raises `PteError` when word vectors are not finite.
    """
    return document_means(corpus, np.asarray(array)) if yields == "words" else array
