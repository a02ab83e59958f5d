"""Predictions and scores from the features of a corpus's documents."""

from pte.corpora.encoded import TEST, EncodedCorpus
from pte.corpora.labelled import labelled_documents
from pte.corpora.targets import Targets
from pte.corpora.tfidf import unit_rows
from pte.evaluation.linear import Features, with_bias
from pte.evaluation.metrics import Scores, score
from pte.evaluation.prior import class_shares, with_prior, without_words
from pte.evaluation.setting import SCORES, ClassifierChoice, Solver
from pte.evaluation.solvers import fit_targets


def evaluate(
    corpus: EncodedCorpus, features: Features, choice: ClassifierChoice, solver: Solver = SCORES
) -> tuple[Targets, Scores]:
    """Train the classifier on the labelled training documents, and predict the test documents.

    `features` has a row for every document of the corpus. Returns the predicted class of each test
    document, int32, in corpus order, and the scores. In a multi-label corpus the predictions are
    bool, shape (test documents, classes). A document without a known word gets the prior
    (`pte.evaluation.prior`). Raises `PteError` when there are too few labels or a
    feature is not finite.
    """
    train, test = labelled_documents(corpus, "classifier"), corpus.documents(TEST)
    ready, taught = prepared(features, choice), corpus.targets(train)
    found = fit_targets(ready[train], taught, choice.c, solver=solver).predict(ready[test])
    shares = class_shares(taught, corpus.n_classes)
    predicted = with_prior(found, without_words(corpus, test), shares)
    return predicted, score(corpus.targets(test), predicted, corpus.classes)


def prepared(features: Features, choice: ClassifierChoice) -> Features:
    """Return the features as `choice` asks for them."""
    ready = unit_rows(features) if choice.unit_length else features
    return with_bias(ready) if choice.bias else ready
