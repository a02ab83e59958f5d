"""The paired comparison: intervals that cover, false alarms that stay rare, differences found."""

import numpy as np
import pytest

from pte.errors import PteError
from pte.evaluation.significance import compare, documents_resampled, holm, seed_spread

DOCUMENTS = 400


@pytest.fixture
def rng():
    return np.random.default_rng(0)


def hits(random, seeds, likely, seed_deviation=0.0):
    """Runs that get document d right with probability `likely[d]`, shifted for a whole seed."""
    shift = seed_deviation * random.standard_normal((seeds, 1))
    return random.random((seeds, likely.size)) < likely + shift


def compared(n, seeds, gain, seed_deviation):
    """Comparisons of two methods, of which the left gains `gain` on documents of all difficulty."""
    for i in range(n):
        random = np.random.default_rng(i)
        likely = 0.2 + 0.6 * random.random(DOCUMENTS)
        left = hits(random, seeds, likely + gain, seed_deviation)
        yield compare(left, hits(random, seeds, likely, seed_deviation), draws=2000)


# One seed shows nothing of what seeds do.
@pytest.mark.parametrize(
    ("seeds", "seed_deviation"), [(1, 0.0), (3, 0.0), (5, 0.0), (3, 0.02), (5, 0.02)]
)
def test_methods_that_are_equally_good_seldom_differ(seeds, seed_deviation):
    n = 400
    alarms = sum(found.p < 0.05 for found in compared(n, seeds, 0.0, seed_deviation))
    assert alarms <= 0.05 * n + 3 * np.sqrt(0.05 * 0.95 * n)


@pytest.mark.parametrize("seeds", [3, 5])
def test_the_interval_covers_the_difference(seeds):
    n = 300
    covered = sum(found.low <= 8 <= found.high for found in compared(n, seeds, 0.08, 0.02))
    assert covered >= 0.95 * n - 3 * np.sqrt(0.05 * 0.95 * n)


def test_a_difference_is_found_and_has_its_sign():
    found = list(compared(50, 5, 0.15, 0.01))
    assert sum(each.p < 0.05 and each.effect > 0 for each in found) >= 45
    assert all(each.low <= each.effect <= each.high for each in found)


def test_left_and_right_are_mirror_images(rng):
    left, right = rng.random((3, 500)) < 0.8, rng.random((3, 500)) < 0.7
    one, other = compare(left, right), compare(right, left)
    assert one.effect == pytest.approx(-other.effect)
    assert one.effect == pytest.approx(100 * (left.mean() - right.mean()))
    assert (one.low, one.high) == pytest.approx((-other.high, -other.low), abs=0.15)


def test_a_run_without_seeds_stands_for_all(rng):
    left, right = rng.random((3, 200)) < 0.8, rng.random((1, 200)) < 0.7
    assert compare(left, right) == compare(left, np.repeat(right, 3, axis=0))


def test_the_same_predictions_do_not_differ(rng):
    same = rng.random((3, 100)) < 0.7
    found = compare(same, same)
    assert (found.effect, found.low, found.high, found.p) == (0, 0, 0, 1)


def test_documents_resampled_is_the_bootstrap(rng):
    wins = rng.choice([-100.0, 0.0, 50.0], 60)
    quick = documents_resampled(wins, 20_000, rng)
    plain = rng.choice(wins, (20_000, 60)).mean(axis=1)
    assert quick.mean() == pytest.approx(plain.mean(), abs=0.3)
    assert quick.std() == pytest.approx(plain.std(), rel=0.03)


def test_seeds_that_differ_by_documents_alone_add_little(rng):
    """And those that differ as a whole add their standard error."""
    alike = [seed_spread(100.0 * (rng.random((5, 1000)) < 0.5)) for _ in range(200)]
    noise = 100 * np.sqrt(0.25 / 1000 / 5)
    assert np.mean(alike) < 0.6 * noise
    apart = [
        seed_spread(100.0 * (rng.random((5, 1000)) < 0.5 + 0.1 * rng.standard_normal((5, 1))))
        for _ in range(200)
    ]
    assert np.mean(np.square(apart)) == pytest.approx(100 * 0.1**2 * 100 / 5, rel=0.2)
    assert seed_spread(np.ones((1, 10))) == 0


def test_predictions_that_do_not_fit_are_an_error():
    ones = np.ones((3, 5), bool)
    for left, right in [
        (ones, np.ones((3, 4), bool)),
        (ones, np.ones((2, 5), bool)),
        (ones[:, :0], ones[:, :0]),
        (ones, ones[:0]),
    ]:
        with pytest.raises(PteError, match="compare"):
            compare(left, right)


def test_holm_by_hand():
    assert holm([0.01, 0.04, 0.03, 0.005]) == pytest.approx([0.03, 0.06, 0.06, 0.02])
    assert holm([0.6, 0.9]) == pytest.approx([1, 1])
    assert holm([]).size == 0


def test_holm_keeps_the_chance_of_any_false_alarm(rng):
    families = rng.random((2000, 10))
    alarms = np.mean([(holm(family) < 0.05).any() for family in families])
    assert 0.03 < alarms < 0.07
