"""The paired comparison: intervals that cover, false alarms that stay rare, differences found."""

import numpy as np
import pytest

from pte.claims.significance import (
    NO_SPREAD,
    NORMAL,
    Spread,
    common_spread,
    compare,
    differences,
    documents_resampled,
    holm,
    seed_spread,
)
from pte.errors import PteError

DOCUMENTS = 400


@pytest.fixture
def rng():
    return np.random.default_rng(0)


def hits(random, seeds, likely, seed_deviation=0.0):
    """Runs that get document d right with probability `likely[d]`, shifted for a whole seed."""
    shift = seed_deviation * random.standard_normal((seeds, 1))
    return random.random((seeds, likely.size)) < likely + shift


def wins_of(random, seeds, gain, seed_deviation):
    """Two methods, of which the left gains `gain` on documents of all difficulty."""
    likely = 0.2 + 0.6 * random.random(DOCUMENTS)
    left = hits(random, seeds, likely + gain, seed_deviation)
    return differences(left, hits(random, seeds, likely, seed_deviation))


def compared(n, seeds, gain, seed_deviation):
    for i in range(n):
        random = np.random.default_rng(i)
        yield compare(wins_of(random, seeds, gain, seed_deviation), draws=2000)


# One seed shows nothing of what seeds do.
@pytest.mark.parametrize(
    ("seeds", "seed_deviation"), [(1, 0.0), (3, 0.0), (5, 0.0), (3, 0.02), (5, 0.02)]
)
def test_methods_that_are_equally_good_seldom_differ(seeds, seed_deviation):
    n = 400
    alarms = sum(found.p < 0.05 for found in compared(n, seeds, 0.0, seed_deviation))
    assert alarms <= 0.05 * n + 3 * np.sqrt(0.05 * 0.95 * n)


ALIKE = [pytest.param([each], marks=pytest.mark.long) for each in (0.0, 0.02)]


@pytest.mark.parametrize("deviations", [*ALIKE, [0.0, 0.005, 0.03]])
@pytest.mark.parametrize("seeds", [3, 5])
def test_false_alarms_stay_rare_far_in_the_tail(seeds, deviations):
    """Where a family looks for them: pairs that differ in what seeds do borrow from one another."""
    random = np.random.default_rng(0)
    n, size, level = 750, 50, 0.002
    alarms = 0
    for _ in range(n // size):
        family = [wins_of(random, seeds, 0.0, random.choice(deviations)) for _ in range(size)]
        spread = common_spread([seed_spread(wins) for wins in family])
        for wins in family:
            alone = compare(wins, draws=1000).p < level
            alarms += max(alone, compare(wins, others=spread, draws=1000).p < level)
    assert alarms <= 2 * level * n + 3 * np.sqrt(2 * level * n)


@pytest.mark.parametrize("seeds", [3, 5])
def test_the_interval_covers_the_difference(seeds):
    n = 300
    covered = sum(found.low <= 8 <= found.high for found in compared(n, seeds, 0.08, 0.02))
    assert covered >= 0.95 * n - 3 * np.sqrt(0.05 * 0.95 * n)


def test_a_difference_is_found_and_has_its_sign():
    found = list(compared(50, 5, 0.15, 0.01))
    assert sum(each.p < 0.05 and each.effect > 0 for each in found) >= 45
    assert all(each.low <= each.effect <= each.high for each in found)


def test_what_other_pairs_tell_finds_more(rng):
    """With three seeds a pair alone hardly ever has a p-value that is small among many."""
    wins = [wins_of(rng, 3, 0.10, 0.01) for _ in range(60)]
    spread = common_spread([seed_spread(each) for each in wins])
    alone = sum(compare(each, draws=2000).p < 0.002 for each in wins)
    together = sum(compare(each, others=spread, draws=2000).p < 0.002 for each in wins)
    assert together > 2 * alone
    assert together > 20


@pytest.mark.parametrize("seeds", [1, 4])
def test_a_hypothesis_may_be_another_difference_than_none(rng, seeds):
    wins = wins_of(rng, seeds, 0.2, 0.0)
    effect = wins.mean()
    assert compare(wins).p < 0.01
    assert compare(wins, null=effect).p == pytest.approx(1, abs=0.2)
    assert compare(wins, null=effect + 20).p < 0.01
    shifted = [compare(wins + shift, null=shift).p for shift in (0.0, 5.0)]
    assert shifted[0] == pytest.approx(shifted[1])


def test_left_and_right_are_mirror_images(rng):
    left, right = rng.random((3, 500)) < 0.8, rng.random((3, 500)) < 0.7
    one, other = compare(differences(left, right)), compare(differences(right, left))
    assert one.effect == pytest.approx(-other.effect)
    assert one.effect == pytest.approx(100 * (left.mean() - right.mean()))
    assert (one.low, one.high) == pytest.approx((-other.high, -other.low), abs=0.15)


def test_a_run_without_seeds_stands_for_all(rng):
    left, right = rng.random((3, 200)) < 0.8, rng.random((1, 200)) < 0.7
    all_alike = np.repeat(right, 3, axis=0)
    assert (differences(left, right) == differences(left, all_alike)).all()


def test_the_same_predictions_do_not_differ(rng):
    same = rng.random((3, 100)) < 0.7
    found = compare(differences(same, same))
    assert (found.effect, found.low, found.high, found.p) == (0, 0, 0, 1)


def test_documents_resampled_is_the_bootstrap(rng):
    wins = rng.choice([-100.0, 0.0, 50.0], 60)
    quick = documents_resampled(wins[None], 20_000, rng)
    plain = rng.choice(wins, (20_000, 60)).mean(axis=1) - wins.mean()
    assert quick.mean() == pytest.approx(0, abs=0.3)
    assert quick.std() == pytest.approx(plain.std(), rel=0.03)


def test_what_runs_get_right_by_chance_is_no_part_of_the_documents(rng):
    """Their deviation is that of documents whose seeds are never ending."""
    difficulty = rng.random(2000)
    wins = 100.0 * (rng.random((3, 2000)) < difficulty)
    assert documents_resampled(wins, 5000, rng).std() == pytest.approx(
        100 * difficulty.std() / np.sqrt(2000), rel=0.1
    )


def test_the_spread_of_seeds_is_the_variance_of_their_means(rng):
    wins = 100.0 * (rng.random((5, 1000)) < 0.5 + 0.1 * rng.standard_normal((5, 1)))
    means = [row.mean() for row in wins]
    assert seed_spread(wins) == Spread(pytest.approx(np.var(means, ddof=1)), 4)
    assert seed_spread(np.ones((1, 10))) == NO_SPREAD


@pytest.mark.parametrize("own", [3.0, 12.0])
def test_the_common_spread_is_found_again(rng, own):
    """Variances of four degrees of freedom, whose truths are scaled inverse chi-square."""
    truths = 0.7 * own / rng.chisquare(own, 4000)
    found = common_spread([Spread(t * rng.chisquare(4) / 4, 4) for t in truths])
    assert found.df == pytest.approx(own, rel=0.2)
    assert found.variance == pytest.approx(0.7, rel=0.1)


def test_spreads_that_are_alike_tell_everything_and_few_tell_nothing(rng):
    alike = [Spread(0.4, 2), Spread(0.4, 2), Spread(0.4, 2), Spread(0, 2), NO_SPREAD]
    common = common_spread(alike)
    assert common.df == NORMAL
    assert Spread(9, 2).joined(common).variance == pytest.approx(common.variance, rel=1e-3)
    assert common_spread(alike[2:]) == NO_SPREAD
    assert Spread(9, 2).joined(NO_SPREAD) == Spread(9, 2)
    assert Spread(9, 2).joined(Spread(3, 4)) == Spread(5, 6)


def test_predictions_that_do_not_fit_are_an_error():
    ones = np.ones((3, 5), bool)
    for left, right in [
        (ones, np.ones((3, 4), bool)),
        (ones, np.ones((2, 5), bool)),
        (ones[:, :0], ones[:, :0]),
        (ones, ones[:0]),
    ]:
        with pytest.raises(PteError, match="compare"):
            differences(left, right)


def test_holm_by_hand():
    assert holm([0.01, 0.04, 0.03, 0.005]) == pytest.approx([0.03, 0.06, 0.06, 0.02])
    assert holm([0.6, 0.9]) == pytest.approx([1, 1])
    assert holm([]).size == 0


def test_holm_keeps_the_chance_of_any_false_alarm(rng):
    families = rng.random((2000, 10))
    alarms = np.mean([(holm(family) < 0.05).any() for family in families])
    assert 0.03 < alarms < 0.07
