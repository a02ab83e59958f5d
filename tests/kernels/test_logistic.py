"""Dual coordinate descent: its optimum has no gradient, and it is LIBLINEAR's."""

import naive
import numpy as np
import pytest
from scipy import sparse

from pte.core import logistic as kernel
from pte.errors import PteError
from pte.evaluation import liblinear
from pte.models.pte_auto import logistic
from pte.models.words import log_count_ratios


def documents(n_classes, n=80, seed=3):
    rng = np.random.default_rng(seed)
    dense = (rng.poisson(0.4, (n, 30)) * rng.uniform(0.2, 1.5, (n, 30))).astype(np.float32)
    dense[:, -1] = 0.3  # the bias
    labels = (dense[:, :n_classes].argmax(axis=1) + (rng.random(n) < 0.1)) % n_classes
    return sparse.csr_array(dense), labels.astype(np.int32)


def descended(rows, labels, c, scales, log_odds, tolerance=5e-3):
    parts = rows.indptr.astype(np.int64), rows.indices.astype(np.int32), rows.data
    weights = np.zeros((rows.shape[1], log_odds.shape[1]), np.float32)
    change, order = np.zeros(log_odds.shape[1], np.float32), np.arange(rows.shape[0])
    state = (log_odds, np.zeros_like(log_odds), weights, change, order)
    worst = kernel.descend(parts, labels.astype(np.int64), scales, state, c, tolerance, 5000)
    return weights, worst


@pytest.mark.parametrize("c", [0.1, 1.0, 30.0])
@pytest.mark.parametrize("scaled", [False, True])
def test_the_gradient_of_the_objective_is_zero_at_the_optimum(c, scaled):
    rows, labels = documents(4)
    rng = np.random.default_rng(1)
    ratios = rng.uniform(-2, 2, (30, 4)).astype(np.float32) if scaled else np.ones((30, 4))
    scales = (ratios**2).astype(np.float32) if scaled else np.ones((1, 4), np.float32)
    log_odds = np.full((80, 4), -20, np.float32)
    weights, worst = descended(rows, labels, c, scales, log_odds)
    assert worst < 5e-3 and weights.dtype == np.float32
    for k in range(4):
        seen = rows.toarray().astype(float) * ratios[:, k]
        own = weights[:, k] / ratios[:, k]  # of the features as this class sees them
        gradient = naive.logistic_gradient(seen.tolist(), (labels == k).tolist(), own.tolist(), c)
        size = naive.logistic_gradient(seen.tolist(), (labels == k).tolist(), [0.0] * 30, c)
        assert np.abs(gradient).max() < 0.01 * np.abs(size).max()


def test_the_weights_are_those_of_a_plain_twin():
    rows, labels = documents(3, n=12)
    scales = np.ones((1, 3), np.float32)
    log_odds = np.full((12, 3), -20, np.float32)
    weights, _ = descended(rows, labels, 2.0, scales, log_odds, 1e-4)
    for k in range(3):
        plain = naive.logistic_regression(rows.toarray().tolist(), (labels == k).tolist(), 2.0)
        assert weights[:, k] == pytest.approx(plain, abs=2e-3)


@pytest.mark.parametrize(("slope", "target"), [(0.0, 1.0), (5.0, -3.0), (1e6, 12.0), (30.0, 400.0)])
def test_the_root_is_one(slope, target):
    for begin in (-20.0, 0.0, 1e3):
        beta = kernel.root(begin, target, slope)
        assert beta + slope / (1 + np.exp(-beta)) == pytest.approx(target, abs=2e-3)


@pytest.mark.parametrize("n_classes", [2, 5])
def test_it_is_liblinear_s_model_wherever_it_begins(n_classes):
    rows, labels = documents(n_classes)
    known = liblinear.fit(rows, labels, 3.0, 1e-5)
    before = None
    for c in (0.3, 3.0):
        found, before = logistic.fit(rows, labels, c, before)
    again, _ = logistic.fit(rows, labels, 3.0)
    for each in (found, again):
        assert each.weights.shape == known.weights.shape
        assert np.abs(each.probabilities(rows) - known.probabilities(rows)).max() < 0.02
    assert np.array_equal(again.weights, logistic.fit(rows, labels, 3.0)[0].weights)


def test_log_count_ratios_are_those_of_the_paper():
    rows, labels = documents(3)
    present = sparse.csr_array((rows > 0).astype(np.float32))
    found = log_count_ratios(present, labels, 3)
    dense = present.toarray().tolist()
    for k in range(3):
        each = naive.log_count_ratios(dense, (labels == k).tolist())
        assert np.allclose(found[:-1, k], each[:-1], atol=1e-6)
    assert found.dtype == np.float32 and (found[-1] == 1).all()
    two = log_count_ratios(present, np.minimum(labels, 1), 1)
    assert two.shape == (30, 1) and two[:-1, 0] == pytest.approx(found[:-1, 0], abs=1e-5)


def test_one_class_is_refused():
    rows, labels = documents(2)
    with pytest.raises(PteError, match="all of one class"):
        logistic.fit(rows, 0 * labels, 1.0)
