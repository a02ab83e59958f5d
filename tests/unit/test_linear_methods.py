"""Support vector machines and log-count ratios: their features, weights and choices."""

import numpy as np
import pytest
from scipy import sparse
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.linear_model import LogisticRegression
from sklearn.svm import LinearSVC

from pte.corpora.document import Document
from pte.corpora.encode import encode
from pte.corpora.encoded import TEST, TRAIN
from pte.corpora.features import dampened
from pte.corpora.tokenise import whitespace
from pte.evaluation import liblinear
from pte.models.words import STEEP, NbSvm, Svm, fit_ratios
from pte.training.contract import Task

WORDS = ["a", "über", "abba", "naïve", "日本", "quickly", "quick"]


def texts(n, seed=0):
    """Documents of some words, with a class that the first word tells."""
    random = np.random.default_rng(seed)
    rows = [random.choice(WORDS, random.integers(2, 9)).tolist() for _ in range(n)]
    return [" ".join(row) for row in rows], [WORDS.index(row[0]) % 3 for row in rows]


def corpus_of(found, labels, tests=0):
    parts = [TRAIN] * (len(found) - tests) + [TEST] * tests
    rows = zip(found, labels, parts, strict=True)
    return encode([Document(t.encode(), f"c{label}", p) for t, label, p in rows], whitespace)


@pytest.mark.parametrize("sublinear", [False, True])
@pytest.mark.parametrize("letters", [False, True])
def test_a_machine_is_that_of_scikit_learn(sublinear, letters):
    found, labels = texts(60)
    corpus = corpus_of(found, labels, tests=20)
    options = {"letters": letters}
    choice = {"c": 0.5, "sublinear": sublinear}
    learnt = Svm.learn(Task(corpus, 1, options=options, choice=choice))
    ours = Svm.apply(learnt, options, corpus.of_documents(corpus.split == TEST))

    kinds = [{"token_pattern": r"\S+"}, {"analyzer": "char_wb", "ngram_range": (3, 5), "min_df": 2}]
    made = [TfidfVectorizer(lowercase=False, sublinear_tf=sublinear, **kind) for kind in kinds]
    made = made[: 1 + letters]
    train = sparse.hstack([each.fit_transform(found[:40]) for each in made])
    test = sparse.hstack([each.transform(found[40:]) for each in made])
    theirs = LinearSVC(C=0.5, dual=False, tol=1e-2).fit(train, labels[:40])
    odds = np.log(ours) - np.log(ours).mean(axis=1, keepdims=True)
    decisions = theirs.decision_function(test)
    decisions -= decisions.mean(axis=1, keepdims=True)
    np.testing.assert_allclose(odds / STEEP, decisions, atol=0.02)  # both stop at 1e-2


def test_ratios_are_a_logistic_regression_on_scaled_columns():
    """For each class, of columns times the log of the ratio of their smoothed shares."""
    random = np.random.default_rng(4)
    present = (random.random((90, 12)) < 0.4).astype(np.float32)
    present[:, -1] = 1  # for the bias
    labels = random.integers(0, 3, 90).astype(np.int32)
    found = fit_ratios(sparse.csr_array(present), labels, 0.3)
    for place, name in enumerate(found.classes):
        inside, outside = present[labels == name].sum(0) + 1, present[labels != name].sum(0) + 1
        ratios = np.log((inside / inside.sum()) / (outside / outside.sum()))
        ratios[-1] = 1
        expected = LogisticRegression(C=0.3, fit_intercept=False, tol=1e-8).fit(
            present * ratios, labels == name
        )
        np.testing.assert_allclose(found.weights[:, place], ratios * expected.coef_[0], atol=0.02)
    two = fit_ratios(sparse.csr_array(present), np.minimum(labels, 1), 0.3)
    assert two.weights.shape == (12, 1)
    np.testing.assert_allclose(two.weights[:, 0], found.weights[:, 0], atol=0.02)


@pytest.mark.parametrize(("model", "chosen"), [(Svm, {"c", "sublinear"}), (NbSvm, {"c"})])
def test_c_and_counts_are_chosen_and_kept(model, chosen):
    found, labels = texts(80)
    corpus = corpus_of(found, labels)
    options = {"pairs": True}
    learnt = model.learn(Task(corpus, 1, options=options))
    assert set(learnt.facts["choice"]) == chosen
    curve = learnt.facts["notes"]["curve"]
    assert learnt.facts["choice"]["c"] < max(point["c"] for point in curve)
    given = model.learn(Task(corpus, 1, options=options, choice=learnt.facts["choice"]))
    assert (given.arrays["weights"] == learnt.arrays["weights"]).all()


def test_counts_are_dampened_where_a_repeated_word_misleads():
    """Each document has four words of its class once, and a word of another class nine times."""
    random = np.random.default_rng(1)
    rows = []
    for i in range(150):
        other = (i + random.integers(1, 3)) % 3
        own = [f"c{i % 3}w{word}" for word in random.choice(8, 4, replace=False)]
        rows.append((" ".join([*own, *[f"c{other}w{random.integers(8)}"] * 9]), i % 3))
    corpus = corpus_of(*zip(*rows, strict=True))
    assert dampened(corpus.counts).data.max() == pytest.approx(1 + np.log(9))
    assert Svm.learn(Task(corpus, 1)).facts["choice"]["sublinear"]


def test_few_documents_learn_all_the_same():
    corpus = corpus_of(["a b", "c d", "e f"], [0, 1, 2])
    for model in (Svm, NbSvm):
        learnt = model.learn(Task(corpus, 1))
        assert model.apply(learnt, {}, corpus).argmax(axis=1).tolist() == [0, 1, 2]
        assert learnt.facts["notes"]["curve"] == []


def test_the_losses_are_those_of_liblinear():
    """In one dimension the minimum can be found on a grid."""
    x, labels = (
        np.array([[1.0], [2.0], [-1.0], [0.5]], np.float32),
        np.array([0, 0, 1, 1], np.int32),
    )
    grid = np.linspace(-3, 3, 60_001)
    margins = np.where(labels == 0, 1, -1)[:, None] * x * grid
    losses = {
        liblinear.fit: np.logaddexp(0, -margins).sum(0),
        liblinear.fit_squared_hinge: (np.maximum(0, 1 - margins) ** 2).sum(0),
    }
    for fit, values in losses.items():
        best = grid[(grid**2 / 2 + 2 * values).argmin()]
        assert fit(x, labels, 2.0, 1e-8).weights[0, 0] == pytest.approx(best, abs=1e-3)
