"""Thresholds that keep a promise on documents that nothing has seen."""

import numpy as np
import pytest
from scipy.stats import binomtest

from pte.evaluation.calibration import Asked, HeldOut
from pte.evaluation.promise import fewest, lower_bound, threshold, thresholds


@pytest.mark.parametrize("right, n", [(0, 5), (29, 29), (90, 100), (500, 900)])
def test_the_bound_is_that_of_clopper_and_pearson(right, n):
    interval = binomtest(right, n, alternative="greater").proportion_ci(0.95, "exact")
    assert lower_bound(right, n) == pytest.approx(interval.low, abs=1e-9)


def test_fewest_documents_that_are_all_right_prove_it():
    assert fewest(0.9) == 29
    assert lower_bound(29, 29) >= 0.9 > lower_bound(28, 28)


def drawn(rng, n):
    """Documents whose probability is as high as the share that is right."""
    sure = rng.uniform(0.5, 1, n).astype(np.float32)
    return sure, rng.random(n) < sure


def test_the_promise_holds_in_nineteen_of_twenty_draws():
    rng, kept, found = np.random.default_rng(1), 0, 0
    for _ in range(400):
        least = threshold(*drawn(rng, 400), 0.9)
        if np.isfinite(least):
            found += 1
            kept += (1 + least) / 2 >= 0.9  # the mean share that is right above the threshold
    assert found > 300
    assert kept >= 0.93 * found


def test_no_threshold_is_promised_where_few_documents_could_prove_it():
    assert threshold(np.ones(28), np.ones(28, np.bool_), 0.9) == np.inf
    assert threshold(np.ones(29), np.ones(29, np.bool_), 0.9) == 1


def test_a_class_with_enough_documents_has_a_threshold_of_its_own():
    rng = np.random.default_rng(2)
    right = np.repeat([True, False, True], [150, 150, 30])
    held = HeldOut(rng.random(330).astype(np.float32), np.repeat([0, 1, 2], [150, 150, 30]), right)
    found = thresholds(held, 0.9, 4)
    assert np.isfinite(found).tolist() == [True, False, True, True]
    assert found[2] == found[3]


def test_what_was_held_out_is_kept_with_its_power():
    likely = np.array([[0.2, 0.8], [0.6, 0.4]])
    held = HeldOut.of([Asked(likely, np.array([1, 1], np.int32))], power=2.0)
    assert held.right.tolist() == [True, False]
    assert held.predicted.tolist() == [1, 0]
    assert held.probability == pytest.approx([0.64 / 0.68, 0.36 / 0.52])
