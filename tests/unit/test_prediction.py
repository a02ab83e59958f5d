"""The arithmetic of benchmarks.prediction; what it measures is run by hand."""

import math

import pytest
from benchmarks.prediction import (
    Costs,
    Elsewhere,
    Touched,
    nanoseconds,
    touched,
    touches_in,
)

from pte.training.hot_rows import UPDATES_APART
from pte.training.setup import KINDS, Hyperparameters, Step

COSTS = Costs(trade=50, away=30, transfer=40, memory=60)
TOUCHED = Touched(rows=7, cold=0)


def test_one_thread_exchanges_nothing():
    assert nanoseconds(200, TOUCHED, COSTS, 1, 1, 40) == 200


def test_threads_exchange_more_often_the_more_they_are():
    each = [nanoseconds(200, TOUCHED, COSTS, n, n, 40) - 200 for n in (2, 4, 8)]
    often = [1 / (2 * (UPDATES_APART // n)) for n in (2, 4, 8)]
    away = [30 * (n - 1) / n for n in (2, 4, 8)]
    assert each == pytest.approx([7 * o * (50 + a) for o, a in zip(often, away, strict=True)])


def test_a_slower_transfer_makes_what_is_away_dearer():
    near, far = (nanoseconds(0, TOUCHED, COSTS, 8, 8, line) for line in (40, 80))
    assert far - near == pytest.approx(7 * 8 / (2 * UPDATES_APART) * 30 * 7 / 8)


def test_a_transfer_is_far_to_other_complexes():
    machine = Elsewhere(complex=8, far=170, memory=math.inf)
    assert machine.transfer(8, 40) == 40
    assert machine.transfer(9, 40) == pytest.approx((7 * 40 + 170) / 8)


@pytest.mark.parametrize("kind", KINDS)
def test_rows_of_a_small_text_lie_in_the_caches(kind):
    step = Step.of(kind)
    negatives = step.drawn_negatives(Hyperparameters().negatives)
    every = (1 + step.size + negatives) / step.size
    small = touched(touches_in(100, 1000, step.size), step)
    large = touched(touches_in(1_000_000, 100_000, step.size), step)
    assert 0 < large.rows <= small.rows < every
    assert 0 == small.cold < large.cold < every
    assert large.traffic == 2 * 448 * large.cold
