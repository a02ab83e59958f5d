"""Scores of what a method yields."""

import time

import numpy as np

from pte.corpora.encoded import TEST, EncodedCorpus
from pte.corpora.labelled import find_labelled
from pte.corpora.targets import check_kinds
from pte.evaluation.evaluate import (
    Scored,
    class_shares,
    document_means,
    evaluate,
    with_prior,
    without_words,
)
from pte.evaluation.linear import Features
from pte.evaluation.metrics import score
from pte.evaluation.setting import SCORES, ClassifierChoice, Solver


def score_fit(
    corpus: EncodedCorpus,
    array: Features,
    yields: str,
    choice: ClassifierChoice,
    solver: Solver = SCORES,
) -> Scored:
    """Score `array`, the result of a fit; `yields` says what it is, as in `Spec.yields`.

    Predictions are compared with the labels of the test documents, whatever the `choice` is. For a
    document without a known word, the prior (`pte.evaluation.evaluate`) takes the place of what the
    method predicted. Anything else becomes features for a classifier, which learns from all
    labelled training documents. Raises `PteError` when word vectors are not finite, and as
    `evaluate` does.
    """
    if yields == "predictions":
        known, asked = find_labelled(corpus), corpus.documents(TEST)
        truth, predicted = corpus.targets(asked), np.asarray(array)
        check_kinds(truth, predicted)
        shares = class_shares(corpus.targets(known), corpus.n_classes)
        predicted = with_prior(predicted, without_words(corpus, asked), shares)
        return Scored(predicted, score(truth, predicted, corpus.classes))
    began = time.perf_counter()
    predicted, scores = evaluate(corpus, features_of(corpus, array, yields), choice, solver)
    return Scored(predicted, scores, choice, time.perf_counter() - began)


def features_of(corpus: EncodedCorpus, array: Features, yields: str) -> Features:
    """Return the features that the classifier sees: a row for each document, dense or sparse.

    From word vectors, a document's row is the mean of its words' vectors (paper, equation 8).
    Vectors and features of documents are taken as they are. Raises `PteError` when word vectors are
    not finite.
    """
    return document_means(corpus, np.asarray(array)) if yields == "words" else array
