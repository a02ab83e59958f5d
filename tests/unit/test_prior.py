"""The rule for documents without a known word, in scores and in estimators."""

import numpy as np
import pytest
from made import corpus_of

import pte
from pte.corpora.encoded import TEST
from pte.errors import PteError
from pte.evaluation.evaluate import class_shares, evaluate, with_prior, without_words
from pte.evaluation.setting import ClassifierChoice
from pte.training.scores import score_fit

EMPTY = np.array([False, True, True])
TEXTS = ["the team won", "a striker scored", "the bank lent", "a share fell", "rates fell"] * 4
NAMES = ["b", "b", "a", "a", "a"] * 4
UNKNOWN = ["", "xyzzy plugh", "the team"]
SMALL = {"dim": 8, "threads": 1, "random_state": 0}


def test_shares_are_of_documents_with_one_class_or_several():
    one = class_shares(np.array([2, 0, 2, 2], np.int32), 4)
    several = class_shares(np.array([[1, 0], [1, 1], [0, 0], [1, 0]], np.bool_), 2)
    assert one.tolist() == [0.25, 0, 0.75, 0]
    assert several.tolist() == [0.75, 0.25]
    assert class_shares(np.empty(0, np.int32), 2).tolist() == [0, 0]


@pytest.mark.parametrize(
    ("found", "shares", "expected"),
    [
        (np.array([1, 1, 2], np.int32), [0.2, 0.2, 0.6], [1, 2, 2]),
        (np.array([1, 1, 2], np.int32), [0.4, 0.4, 0.2], [1, 0, 0]),
        (np.array([[0, 1], [0, 1], [0, 1]], np.bool_), [0.6, 0.5], [[0, 1], [1, 0], [1, 0]]),
        (np.array([[0.3, 0.7]] * 3), [0.6, 0.4], [[0.3, 0.7], [0.6, 0.4], [0.6, 0.4]]),
    ],
    ids=["largest", "first of equals", "several", "probabilities"],
)
def test_the_prior_is_the_largest_class_the_likely_classes_or_the_shares(found, shares, expected):
    before = found.copy()
    changed = with_prior(found, EMPTY, np.array(shares))
    assert changed.dtype == found.dtype
    np.testing.assert_array_equal(changed, expected)
    np.testing.assert_array_equal(found, before)


def test_scores_of_features_and_of_predictions_follow_the_rule():
    training = [([b"p"], "x"), ([b"q"], "y"), ([b"q"], "y")]
    corpus = corpus_of(training, [[b"p"], [], [b"never"]])
    asked = corpus.documents(TEST)
    assert without_words(corpus, asked).tolist() == EMPTY.tolist()
    predicted, scores = evaluate(corpus, corpus.counts, ClassifierChoice())
    assert predicted.tolist() == [0, 1, 1]
    assert scores["confusion"] == [[1, 2], [0, 0]]
    given = np.zeros(3, np.int32)
    found = score_fit(corpus, given, "predictions", ClassifierChoice())
    assert found.predicted.tolist() == [0, 1, 1]
    assert not given.any()
    with pytest.raises(PteError, match="2 predictions for 3 documents"):
        score_fit(corpus, given[:2], "predictions", ClassifierChoice())


def test_documents_of_several_labels_have_the_classes_of_more_than_half():
    training = [([b"p"], ("x", "y")), ([b"q"], "y"), ([b"q"], "y"), ([b"p"], "x")]
    corpus = corpus_of(training, [[b"p"], [], [b"q"]])
    predicted, _ = evaluate(corpus, corpus.counts, ClassifierChoice(100.0))
    assert predicted[1].tolist() == [False, True]


@pytest.mark.parametrize(
    "model",
    [pte.PTEClassifier(**SMALL, samples=20_000), pte.PTEAuto(**SMALL, samples_limit=20_000)],
    ids=["PTEClassifier", "PTEAuto"],
)
def test_a_classifier_and_its_file_follow_the_rule(model, tmp_path):
    model.fit(TEXTS, NAMES)
    assert model.class_shares_.tolist() == [0.6, 0.4]
    path = tmp_path / "model.npz"
    model.save(path)
    for each in (model, type(model).load(path)):
        assert each.predict(UNKNOWN).tolist() == ["a", "a", "b"]
        assert each.predict_proba(UNKNOWN)[:2].tolist() == [[0.6, 0.4]] * 2


def test_a_classifier_of_several_labels_follows_the_rule():
    labels = [[name, "c"] if name == "a" else [name] for name in NAMES]
    labels[0] = []
    model = pte.PTEClassifier(**SMALL, samples=20_000).fit(TEXTS, labels)
    assert model.class_shares_.tolist() == [0.6, 0.35, 0.6]
    assert model.predict(UNKNOWN)[:2].tolist() == [[1, 0, 1]] * 2
    assert model.predict_proba(UNKNOWN)[0].tolist() == [0.6, 0.35, 0.6]
