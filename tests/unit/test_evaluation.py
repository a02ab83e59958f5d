import subprocess
import sys
from itertools import permutations

import naive
import numpy as np
import pytest
from scipy import sparse
from sklearn.feature_extraction.text import TfidfTransformer
from sklearn.metrics import confusion_matrix, f1_score, precision_recall_fscore_support
from sklearn.preprocessing import normalize

from pte.corpora.document import Document
from pte.corpora.encode import encode
from pte.corpora.encoded import TEST, TRAIN, UNLABELLED
from pte.corpora.features import tf_idf, unit_rows
from pte.corpora.tokenise import whitespace
from pte.errors import PteError
from pte.evaluation import liblinear, newton
from pte.evaluation.evaluate import Scored, evaluate, mean_vectors, write_score, write_unavailable
from pte.evaluation.metrics import score
from pte.evaluation.setting import UNJUDGED, ClassifierChoice
from pte.files import read_json
from pte.training import scores as selection
from pte.training.scores import choose_classifier
from pte.training.search import first_best, folds, outwards


def clusters(centres, n, spread, seed):
    """`n` points around each centre, in random order; the number of the centre is the label."""
    rng = np.random.default_rng(seed)
    labels = rng.permutation(np.repeat(np.arange(len(centres)), n)).astype(np.int32)
    points = np.array(centres, float)[labels]
    return (points + spread * rng.standard_normal(points.shape)).astype(np.float32), labels


# Document vectors


def test_a_document_is_the_mean_of_its_words(corpus):
    vectors = np.random.default_rng(0).standard_normal((corpus.n_words, 7)).astype(np.float32)
    found = mean_vectors(corpus.counts, vectors)
    expected = naive.mean_vectors(np.split(corpus.tokens, corpus.offsets[1:-1]), vectors)
    assert (found.shape, found.dtype) == ((corpus.n_documents, 7), np.float32)
    np.testing.assert_allclose(found, expected, rtol=1e-5, atol=1e-6)
    empty = np.diff(corpus.offsets) == 0
    assert empty.any() and not found[empty].any()


# The classifier


@pytest.mark.parametrize(
    "trained", [liblinear.fit, liblinear.fit_sparse, liblinear.fit_squared_hinge]
)
@pytest.mark.parametrize("n_classes", [2, 3])
def test_without_its_package_scikit_learn_gives_the_same_scores(monkeypatch, trained, n_classes):
    features, labels = clusters(np.eye(4)[:n_classes], 60, 0.7, seed=1)
    others, truth = clusters(np.eye(4)[:n_classes], 200, 0.7, seed=2)
    labels = np.array([7, 3, 5], np.int32)[labels]
    indicator = np.stack([labels == 3, labels > 0, labels != 3], axis=1)
    theirs = trained(features, labels, 10.0), liblinear.fit_each(features, indicator, 10.0)
    monkeypatch.setattr(liblinear, "train", None)
    wide = sparse.csr_array(features)  # features of documents have places of 64 bits
    wide.indices, wide.indptr = wide.indices.astype(np.int64), wide.indptr.astype(np.int64)
    ours = trained(wide, labels, 10.0), liblinear.fit_each(features, indicator, 10.0)
    names = np.array([7, 3, 5])[truth]
    for one, other in zip(theirs, ours, strict=True):
        assert (one.predict(others) == other.predict(others)).mean() > 0.99
    likely = [each[0].probabilities(others) for each in (theirs, ours)]
    assert np.abs(likely[0] - likely[1]).max() < 0.02
    scores = [100 * (each[0].predict(others) == names).mean() for each in (theirs, ours)]
    assert abs(scores[0] - scores[1]) < 0.5


@pytest.mark.parametrize("n_classes", [2, 3])
@pytest.mark.parametrize("c", [0.1, 10.0])
def test_the_weights_are_the_optimum_of_logistic_regression(n_classes, c):
    """½‖w‖² + C Σ log(1 + e^(−y w·x)), one class against the rest."""
    features, labels = clusters(np.eye(4)[:n_classes], 30, 0.8, seed=3)
    classifier = liblinear.fit(features, labels, c)
    for k in range(classifier.weights.shape[1]):
        y = np.where(labels == classifier.classes[k], 1, -1)

        def gradient(w, y=y):
            return w - c * (y / (1 + np.exp(y * (features @ w)))) @ features

        # LIBLINEAR stops when the gradient is 1 % of what it was at zero, or less.
        left = np.linalg.norm(gradient(classifier.weights[:, k]))
        assert left < 0.01 * np.linalg.norm(gradient(np.zeros(4)))


@pytest.mark.parametrize("order", [(0, 1, 2), (2, 1, 0), (1, 2, 0), (1, 0), (0, 1)])
def test_labels_may_come_in_any_order(order):
    features = np.repeat(np.eye(3, dtype=np.float32)[list(order)], 5, axis=0)
    labels = np.repeat(np.array(order, np.int32), 5)
    classifier = liblinear.fit(features, labels, 10.0)
    points = np.eye(3, dtype=np.float32)[: len(order)]
    assert classifier.predict(points).tolist() == list(range(len(order)))
    assert classifier.predict(sparse.csr_array(points)).tolist() == list(range(len(order)))


@pytest.mark.parametrize("n_classes", [2, 3])
def test_a_tie_goes_to_the_first_class_in_any_order_of_rows(n_classes):
    features, labels = np.eye(n_classes, 3, dtype=np.float32), np.arange(n_classes, dtype=np.int32)
    for order in permutations(range(n_classes)):
        classifier = liblinear.fit(features[list(order)], labels[list(order)], 1.0)
        tied = np.zeros((1, 3), np.float32)
        assert classifier.predict(tied).tolist() == [0]
        assert classifier.probabilities(tied).argmax() == 0


@pytest.mark.parametrize("solver", [liblinear, newton])
def test_one_class_is_an_error(solver):
    with pytest.raises(PteError, match="one class"):
        solver.fit(np.ones((3, 2), np.float32), np.array([1, 1, 1], np.int32), 1.0)


@pytest.mark.parametrize("solver", [liblinear, newton])
@pytest.mark.parametrize("value", [np.nan, np.inf])
def test_vectors_that_are_not_finite_are_an_error(solver, value):
    features = np.array([[1, 0], [0, value]], np.float32)
    for fit, labels in (
        (solver.fit, np.array([0, 1], np.int32)),
        (solver.fit_each, np.eye(2, dtype=bool)),
    ):
        with pytest.raises(PteError, match="NaN or infinity"):
            fit(features, labels, 1.0)


# The choice of the setting

# Two narrow, unequal classes a wide angle apart, of tiny vectors: a weak C puts the border at the
# sum of the vectors, which the larger class bends over the smaller one.
ANGLES = np.radians([20] * 15 + [70] * 60)
TINY = 0.01 * np.stack([np.cos(ANGLES), np.sin(ANGLES)], axis=1).astype(np.float32)
UNEQUAL = np.repeat(np.array([0, 1], np.int32), [15, 60])


def halved(labels):
    """A corpus of such documents; every second of a class is a test document."""
    seen, documents = {}, []
    for label in labels.tolist():
        seen[label] = seen.get(label, 0) + 1
        documents.append(Document(b"w", str(label), TRAIN if seen[label] % 2 else TEST))
    return encode(documents, whitespace)


def parts_of(features, labels):
    corpus = halved(labels)
    train, test = corpus.documents(TRAIN), corpus.documents(TEST)
    return [selection.Judging.of(corpus, features, train, test)]


def outward(best, **given):
    """The values that a search meets, where scores fall with the distance from the best value."""
    return [c for c, _ in outwards(lambda c: 90 - 5 * abs(np.log10(c / best)), **given)]


def test_no_search_of_c_ends_where_it_is_best():
    assert outward(1e4) == [1, 10, 100, 1000, 1e4, 1e5, 1e6]
    assert outward(1.0) == [1, 10, 100, 0.1]
    assert outward(1e-3) == [1, 10, 100, 0.1, 0.01, 1e-3, 1e-4]
    assert outward(0.1, start=0.1, factor=10**0.5) == [0.1, 0.316, 1, 0.0316]


def test_a_search_of_c_goes_over_a_dip_and_over_scores_of_0():
    scores = {1: 0.0, 10: 0.0, 100: 0.0, 1000: 7.0, 1e4: 6.0, 1e5: 9.0, 1e6: 8.0}
    assert outwards(scores.__getitem__) == list(scores.items())
    assert first_best(list(scores.items())) == 1e5
    assert first_best([(1, 70.0), (10, 70.09), (100, 69.0)]) == 1


def test_c_falls_below_1_where_labels_are_wrong():
    """Of many features only one tells the class; a large C learns the wrong labels by heart."""
    random = np.random.default_rng(2)
    truth = random.permutation(np.repeat([0, 1], 150)).astype(np.int32)
    features = random.standard_normal((300, 80)).astype(np.float32)
    features[:, 0] += 2 * truth - 1
    labels = np.where(random.random(300) < 0.3, 1 - truth, truth).astype(np.int32)
    chosen = selection.choose(parts_of(features, labels))
    below = [each.c for each, _ in chosen.tried if each.c < 1]
    assert chosen.best.c <= 0.1
    assert min(below) < chosen.best.c


def test_unit_length_and_a_bias_are_chosen_where_they_help():
    chosen = selection.choose(parts_of(TINY, UNEQUAL)).best
    assert (chosen.unit_length, chosen.bias) == (True, False)
    around = np.radians([45] * 30 + [-40] * 15 + [130] * 15)
    circle = np.stack([np.cos(around), np.sin(around)], axis=1).astype(np.float32)
    between = np.repeat(np.array([0, 1], np.int32), 30)
    assert selection.choose(parts_of(circle, between)).best.bias


def test_all_labelled_documents_judge_in_turn_where_nothing_is_trained():
    """Each is judged by a classifier that has not learnt from it."""
    corpus = halved(UNEQUAL)
    chosen = choose_classifier(corpus, TINY, 3)
    parts = folds(corpus.labels, 3)
    units = unit_rows(TINY)
    right = [
        (liblinear.fit(units[learn], corpus.labels[learn], 10.0, 1e-6).predict(units[judge]))
        == corpus.labels[judge]
        for learn, judge in parts
    ]
    tried = [point for point in chosen.curve if point["unit_length"] and point["c"] == 10]
    assert tried[0]["micro_f1"] == pytest.approx(100 * np.concatenate(right).mean())
    assert chosen.curve != choose_classifier(corpus, TINY).curve


def test_a_document_without_a_word_judges_nothing():
    """It gets the prior, whatever the classifier is."""
    texts = [(b"a", "x"), (b"b", "y")] * 3 + [(b"", "y")] * 4
    parts = [TRAIN] * 4 + [TEST] * 6
    corpus = encode([Document(t, c, p) for (t, c), p in zip(texts, parts, strict=True)], whitespace)
    assert {point["micro_f1"] for point in choose_classifier(corpus, tf_idf(corpus)).curve} == {100}
    known, empty = corpus.documents(TRAIN), np.arange(6, 10)
    part = selection.Judging.of(corpus, tf_idf(corpus), known, empty)
    assert selection.choose([part]).best == selection.choose([]).best == UNJUDGED


@pytest.mark.parametrize("n", [1, 2])
def test_few_labels_choose_in_turn_all_the_same(n):
    """With one document of each class nothing can judge; with two, all can."""
    labels = np.repeat(np.arange(3, dtype=np.int32), n)
    documents = [Document(b"%d w" % label, str(label), TRAIN) for label in labels]
    corpus = encode(documents, whitespace)
    found = choose_classifier(corpus, tf_idf(corpus), 1)
    assert (found.choice == vars(UNJUDGED)) == (n == 1)
    assert bool(found.curve) == (n > 1)


# From features to scores


@pytest.fixture
def three_classes():
    """A corpus whose documents hold the name of their class, but for one without a label."""
    documents = [
        Document(b"%s %s" % (label, other), label.decode(), part)
        for part, n in ((TRAIN, 4), (TEST, 2))
        for label in (b"x", b"y", b"z")
        for other in [b"p", b"q", b"r", b"s"][:n]
    ]
    return encode([*documents, Document(b"x z", None, TRAIN)], whitespace)


def test_evaluation_predicts_the_test_documents_in_their_order(three_classes):
    predicted, found = evaluate(three_classes, three_classes.counts, ClassifierChoice())
    assert predicted.tolist() == [0, 0, 1, 1, 2, 2]
    assert found["micro_f1"] == found["macro_f1"] == 100
    assert [each["class"] for each in found["per_class"]] == ["x", "y", "z"]


def test_evaluation_trains_on_labelled_training_documents_only(three_classes, monkeypatch):
    trained = []
    fit = liblinear.fit
    monkeypatch.setattr(
        liblinear, "fit", lambda x, y, c: trained.append((x.toarray(), y)) or fit(x, y, c)
    )
    evaluate(three_classes, three_classes.counts, ClassifierChoice())
    labelled = (three_classes.split == TRAIN) & (three_classes.labels != UNLABELLED)
    ((features, labels),) = trained
    assert (features == three_classes.counts.toarray()[labelled]).all()
    assert labels.tolist() == three_classes.labels[labelled].tolist()


def test_evaluation_does_not_look_at_test_labels_to_predict(three_classes):
    labels = three_classes.labels.copy()
    test = three_classes.documents(TEST)
    labels[test] = labels[test][::-1]
    mixed = type(three_classes)(
        **{name: getattr(three_classes, name) for name in ("tokens", "offsets", "split", "words")},
        labels=labels,
        classes=three_classes.classes,
    )
    honest, _ = evaluate(three_classes, three_classes.counts, ClassifierChoice())
    found, scores = evaluate(mixed, mixed.counts, ClassifierChoice())
    assert found.tolist() == honest.tolist()
    assert scores["micro_f1"] == pytest.approx(100 / 3)


@pytest.mark.parametrize("form", [np.asarray, sparse.csr_array], ids=["dense", "sparse"])
def test_rows_of_unit_length_are_scikit_learns(form):
    rng = np.random.default_rng(4)
    rows = rng.standard_normal((20, 6)).astype(np.float32) * (rng.random((20, 6)) < 0.5)
    rows[3] = 0
    found = unit_rows(form(rows))
    assert found.dtype == np.float32
    found = found.toarray() if sparse.issparse(found) else found
    np.testing.assert_allclose(found, normalize(rows), rtol=1e-6)


def test_tf_idf_is_scikit_learns(corpus):
    """One document of the corpus has no word."""
    weighting = TfidfTransformer().fit(corpus.counts[corpus.documents(TRAIN)])
    expected = weighting.transform(corpus.counts).toarray()
    found = tf_idf(corpus)
    assert found.dtype == np.float32
    np.testing.assert_allclose(found.toarray(), expected, rtol=1e-6)
    lengths = np.linalg.norm(found.toarray(), axis=1)
    np.testing.assert_allclose(lengths, np.diff(corpus.offsets) > 0, rtol=1e-6)


def test_scores_are_scikit_learns():
    rng = np.random.default_rng(8)
    truth, predicted = rng.integers(0, 4, (2, 300)).astype(np.int32)
    predicted[predicted == 2] = 1  # a class that is never predicted
    found = score(truth, predicted, "abcd")
    options = {"labels": range(4), "zero_division": 0}
    for average in ("micro", "macro"):
        expected = 100 * f1_score(truth, predicted, average=average, **options)
        assert found[f"{average}_f1"] == pytest.approx(expected, rel=1e-12)
    parts = precision_recall_fscore_support(truth, predicted, **options)
    for name, values in zip(("precision", "recall", "f1"), parts[:3], strict=True):
        assert [each[name] for each in found["per_class"]] == pytest.approx(list(100 * values))
    assert [each["documents"] for each in found["per_class"]] == parts[3].tolist()
    assert found["confusion"] == confusion_matrix(truth, predicted).tolist()


@pytest.mark.parametrize(
    ("truth", "predicted", "message"),
    [([0, 1], [0], "1 predictions for 2"), ([0, 1], [0, 2], "a prediction"), ([-1], [0], "label")],
)
def test_scores_of_what_is_no_class_are_an_error(truth, predicted, message):
    with pytest.raises(PteError, match=message):
        score(np.array(truth, np.int32), np.array(predicted, np.int32), "ab")


# The record


RUN = {"corpus": "r8", "method": "bow", "protocol": "paper", "seed": 3}
TWO = score(np.array([0, 1], np.int32), np.array([0, 1], np.int32), "ab")


def test_a_record_is_a_json_and_an_array(tmp_path):
    """The order of the keys is that of the columns of the collected scores."""
    predicted = np.array([0, 1], np.int32)
    scored = Scored(predicted, TWO, ClassifierChoice(10, True), 0.5)
    cost = {"samples": 7, "train_seconds": 1.5, "epochs": 20}
    written = write_score(tmp_path / "seed3", RUN, cost, scored)
    assert read_json(tmp_path / "seed3.json") == written
    first = RUN | cost | {"micro_f1": 100.0}
    assert list(written.items())[:8] == list(first.items())
    assert list(written)[8:] == ["macro_f1", "per_class", "confusion", "choice", "seconds"]
    assert written["choice"] == {"c": 10, "unit_length": True, "bias": False}
    found = np.load(tmp_path / "seed3.npy")
    assert (found.dtype, found.tolist()) == (np.int32, [0, 1])


def test_a_method_that_cannot_run_leaves_a_reason_and_no_predictions(tmp_path):
    written = write_unavailable(tmp_path / "seed3", RUN, "not installed")
    assert read_json(tmp_path / "seed3.json") == written
    assert list(written)[4:] == ["samples", "train_seconds", "unavailable"]
    assert written["unavailable"] == "not installed"
    assert np.load(tmp_path / "seed3.npy").shape == (0,)


SCORING = "pte.training.scores, pte.evaluation.evaluate, pte.models.words, pte.models.controls"


@pytest.mark.parametrize(
    ("modules", "packages"),
    [(SCORING, {"sklearn", "numba"}), ("pte.evaluation.setting", {"liblinear", "numpy"})],
)
def test_one_choice_needs_no_large_package(modules, packages):
    """Their imports take longer than most classifiers."""
    code = f"import sys, {modules}; sys.exit(bool({packages} & sys.modules.keys()))"
    assert subprocess.run([sys.executable, "-c", code]).returncode == 0
