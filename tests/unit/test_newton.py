"""Newton's method: the minimum of LIBLINEAR's objective, from anywhere, on any data."""

from functools import partial

import numpy as np
import pytest

from pte.corpora.subsets import Subset
from pte.errors import PteError
from pte.evaluation import liblinear, newton
from pte.evaluation.evaluate import fit_targets
from pte.evaluation.setting import LIBLINEAR, NEWTON, ClassifierChoice
from pte.training.scores import choose_classifier, score_fit


def drawn(n, dim, n_classes, noise, seed=1):
    """Points, float32, and the class of each: the nearest of some directions, more or less."""
    rng = np.random.default_rng(seed)
    points = rng.normal(size=(n, dim)).astype(np.float32)
    scores = points @ rng.normal(size=(dim, n_classes)) + noise * rng.normal(size=(n, n_classes))
    labels = scores.argmax(axis=1).astype(np.int32)
    labels[:n_classes] = np.arange(n_classes)
    return points, labels


def constant():
    points, labels = drawn(80, 4, 3, 1.0)
    points[:, 1], points[:, 2] = 3, 0
    return points, labels


FEW, OF_FEW = drawn(60, 5, 2, 1.0)
DATA = {
    "random": drawn(400, 8, 4, 3.0),
    "two classes": drawn(300, 6, 2, 2.0),
    "separable": drawn(100, 6, 3, 0.0),
    "fewer documents than features": drawn(12, 40, 3, 1.0),
    "a class of one document": (FEW, np.where(np.arange(60) == 7, 2, OF_FEW).astype(np.int32)),
    "constant features": constant(),
    "more than a block": drawn(newton.BLOCK + 100, 3, 2, 2.0),
    "many classes": drawn(300, 5, newton.COLUMNS + 5, 1.0),
}


def columns(labels):
    classes = np.unique(labels)
    return labels[:, None] == (classes[:1] if classes.size == 2 else classes)


def objectives(weights, points, positive, c):
    """½‖w‖² + C Σ log(1 + e^(−y w·x)), in float64, without the code that is tested."""
    decisions = points.astype(np.float64) @ weights
    losses = np.log1p(np.exp(-np.abs(decisions))) + np.maximum(
        np.where(positive, -decisions, decisions), 0
    )
    return (weights**2).sum(axis=0) / 2 + c * losses.sum(axis=0)


def exact(points, positive, c):
    """LIBLINEAR's weights of each column, with a tolerance that is tiny."""
    found = []
    for column in positive.T:
        made = liblinear.fit(points, column.astype(np.int32), c, 1e-9)
        found.append(made.weights[:, 0] if made.classes[0] == 1 else -made.weights[:, 0])
    return np.stack(found, axis=1)


@pytest.mark.parametrize("c", [0.1, 1.0, 100.0])
@pytest.mark.parametrize("name", DATA)
def test_the_objective_is_liblinears_with_a_tiny_tolerance(name, c):
    points, labels = DATA[name]
    positive = columns(labels)
    ours, theirs = newton.solve(points, positive, c)[0], exact(points, positive, c)
    assert ours.dtype == np.float64
    found, expected = (objectives(each, points, positive, c) for each in (ours, theirs))
    np.testing.assert_allclose(found, expected, rtol=newton.TOLERANCE)
    np.testing.assert_allclose(ours, theirs, rtol=1e-3, atol=1e-3 * np.abs(theirs).max())


@pytest.mark.parametrize("name", DATA)
def test_a_warm_start_ends_where_a_cold_one_does(name):
    points, labels = DATA[name]
    positive = columns(labels)
    before = newton.solve(points, positive, 1.0)
    cold, warm = (newton.solve(points, positive, 10.0, start) for start in (None, before[0]))
    for each in (cold, warm):
        assert each[1].shape == (positive.shape[1],)
    expected = objectives(cold[0], points, positive, 10.0)
    np.testing.assert_allclose(
        objectives(warm[0], points, positive, 10.0), expected, newton.TOLERANCE
    )
    assert warm[1].sum() < cold[1].sum()
    assert not newton.solve(points, positive, 10.0, cold[0])[1].any()


def test_the_objective_never_rises(monkeypatch):
    """From a start so far away that full steps would overshoot."""
    points, labels = DATA["random"]
    positive = columns(labels)
    seen, lengths = [], []
    search = newton._Line.search

    def watched(line, at, descent):
        found = search(line, at, descent)
        seen.append((at, line.values(found, np.arange(found.size))))
        lengths.append(found)
        return found

    monkeypatch.setattr(newton._Line, "search", watched)
    start = np.random.default_rng(5).normal(scale=30, size=(points.shape[1], positive.shape[1]))
    far = newton.solve(points, positive, 100.0, start)[0]
    assert all((after <= before).all() for before, after in seen)
    assert min(each.min() for each in lengths) < 1
    near = newton.solve(points, positive, 100.0)[0]
    np.testing.assert_allclose(far, near, rtol=1e-3, atol=1e-3)


@pytest.mark.parametrize("c", [1e-3, 1e6, 1e9])
@pytest.mark.parametrize("name", ["separable", "random", "fewer documents than features"])
def test_any_c_has_its_minimum(name, c):
    """A large C needs the Hessian in float64; separable data have weights that grow with C."""
    points, labels = DATA[name]
    positive = columns(labels)
    weights = newton.solve(points, positive, c)[0]
    moved = np.random.default_rng(2).normal(size=weights.shape) * (1e-2 * np.abs(weights).max())
    here = objectives(weights, points, positive, c)
    for other in (weights + moved, weights - moved, weights * 1.05, weights * 0.95):
        assert (objectives(other, points, positive, c) > here).all()


def test_the_hessian_is_of_float32_only_where_that_is_exact_enough():
    points, _ = DATA["random"]
    twin = points.astype(np.float64)
    for curvature, exactness in ((1e-2, 1e-5), (1e4, 1e-13)):
        found = newton._hessians(points, np.full((len(points), 1), curvature))[0]
        expected = np.eye(points.shape[1]) + curvature * twin.T @ twin
        np.testing.assert_allclose(found, expected, rtol=exactness, atol=exactness)


def test_a_feature_that_says_nothing_ends():
    """The gradient at 0 is rounding alone."""
    positive = columns(np.arange(10, dtype=np.int32) % 2)
    found = newton.solve(np.full((10, 1), 0.1, np.float32), positive, 1.0)
    assert abs(found[0]).max() < 1e-12


def test_the_same_input_gives_the_same_bits():
    points, labels = DATA["more than a block"]
    one, other = (newton.fit(points, labels, 1.0).weights.tobytes() for _ in range(2))
    assert one == other


# What it is to the rest


@pytest.mark.parametrize("labels", [(0, 1), (9, 4), (5, 2, 7), (0, 2, 1)])
def test_classes_are_predicted_as_by_liblinear(labels):
    points, classes = drawn(200, 4, len(labels), 1.0)
    named = np.array(labels, np.int32)[classes]
    asked, _ = drawn(500, 4, 2, 1.0, seed=3)
    ours, theirs = (
        solver.fit(points, named, 10.0).predict(asked) for solver in (newton, liblinear)
    )
    assert ours.dtype == np.int32
    assert (ours == theirs).mean() > 0.99


def test_each_class_of_several_is_predicted_as_by_liblinear():
    points, labels = DATA["random"]
    indicator = np.stack(
        [labels == 0, labels > 0, np.zeros(400, bool), np.ones(400, bool), labels == 3], axis=1
    )
    ours, theirs = (solver.fit_each(points, indicator, 1.0) for solver in (newton, liblinear))
    np.testing.assert_allclose(ours.weights, theirs.weights, atol=0.05)
    assert ours.always.tolist() == theirs.always.tolist()
    assert not ours.weights[:, 2:4].any()
    again = newton.fit_each(points, indicator, 1.0, ours)
    np.testing.assert_array_equal(again.weights, ours.weights)


def test_a_search_without_end_is_an_error(monkeypatch):
    monkeypatch.setattr(newton, "MOST_STEPS", 2)
    with pytest.raises(PteError, match=r"no minimum in 2 steps at C = 100"):
        newton.fit(*DATA["separable"], 100.0)


def test_a_hessian_that_rounding_makes_singular_is_refused():
    """Few documents, long vectors and a large C: the identity is less than the rounding."""
    random = np.random.default_rng(0)
    rows = (random.normal(size=(40, 2)) @ random.normal(size=(2, 8)) * 1e6).astype(np.float32)
    with pytest.raises(PteError, match=r"at C = 1e\+12; try a smaller C"):
        newton.fit(rows, random.integers(0, 2, 40).astype(np.int32), 1e12)


# Which solver trains what


@pytest.fixture
def trained(monkeypatch):
    """Of each classifier that is trained, in order: its solver, C, and whether it began warm."""
    names = []
    for module in (liblinear, newton):
        name, fit = module.__name__.rpartition(".")[2], module.fit

        def recorded(features, labels, c, start=None, name=name, fit=fit):
            names.append((name, c, start is not None))
            return fit(features, labels, c, *([] if start is None else [start]))

        monkeypatch.setattr(module, "fit", recorded)
    return names


def test_sparse_features_are_liblinears(trained, corpus):
    labels = np.arange(corpus.n_documents, dtype=np.int32) % 2
    for solver in (LIBLINEAR, NEWTON):
        fit_targets(corpus.counts, labels, 1.0, solver=solver)
    fit_targets(corpus.counts.toarray(), labels, 1.0)
    assert [name for name, *_ in trained] == ["liblinear", "liblinear", "newton"]


def vectors(corpus):
    return np.random.default_rng(1).normal(size=(corpus.n_documents, 6)).astype(np.float32)


def test_newtons_method_searches_and_liblinear_trains_what_is_scored(trained, corpus):
    hidden = Subset("", hidden=True).of(corpus)
    chosen = choose_classifier(hidden, vectors(hidden))
    score_fit(corpus, vectors(corpus), "documents", ClassifierChoice(**chosen.choice))
    assert {name for name, *_ in trained[:-1]} == {"newton"}
    assert trained[0] == ("newton", 1.0, False) and trained[1] == ("newton", 10.0, True)
    assert trained[-1] == ("liblinear", chosen.choice["c"], False)


def test_the_solvers_of_the_search_choose_alike(corpus, monkeypatch):
    hidden = Subset("", hidden=True).of(corpus)
    points = np.asarray(hidden.counts.toarray(), np.float32)
    ours = choose_classifier(hidden, points)
    by_liblinear = partial(fit_targets, solver=LIBLINEAR)
    monkeypatch.setattr("pte.training.scores.fit_targets", by_liblinear)
    assert ours.choice == choose_classifier(hidden, points).choice
