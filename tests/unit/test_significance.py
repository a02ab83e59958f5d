"""Tests of differences: false alarms that stay rare, intervals that cover, differences found."""

from dataclasses import replace
from math import inf

import numpy as np
import pytest
from scipy import stats

from pte.errors import PteError
from pte.evaluation.metrics import score
from pte_study.claims.claim import ABOVE, COMPARABLE, CONSISTENTLY, NOT_ABOVE, NOT_BELOW
from pte_study.claims.significance import (
    FEWEST,
    JUDGED,
    NO_PRIOR,
    NO_SPREAD,
    NORMAL,
    Estimate,
    Prior,
    Sample,
    Spread,
    Stratum,
    answers,
    document_points,
    estimate,
    fails,
    holds,
    holm,
    prior_of,
    priors_by_stratum,
)

DOCUMENTS = 400
HERE = Stratum("c", "runs", False)


@pytest.fixture
def rng():
    return np.random.default_rng(0)


def sample(points, sign=1, name="a", documents="c", stratum=HERE):
    points = np.atleast_2d(np.asarray(points, np.float32))
    return Sample(sign, points, documents, stratum, (name,))


def run_points(random, seeds, likely, deviation):
    """Runs that get document d right with probability `likely[d]`, shifted for a whole seed."""
    shift = deviation * random.standard_normal((seeds, 1))
    return 100.0 * (random.random((seeds, likely.size)) < likely + shift)


def two_sides(random, seeds, gain, deviation, name="x"):
    """Two methods, of which the left gains `gain` on documents of all difficulty."""
    likely = 0.2 + 0.6 * random.random(DOCUMENTS)
    sides = [
        run_points(random, n, likely + g, deviation) for n, g in zip(seeds, (gain, 0), strict=True)
    ]
    return [sample(p, sign, f"{name}{sign}") for p, sign in zip(sides, (1, -1), strict=True)]


def as_pairs(sides):
    """The differences of each seed, as one sample."""
    return [replace(sides[0], points=sides[0].points - sides[1].points)]


def seldom(alarms, n, level=0.05):
    return alarms <= level * n + 3 * np.sqrt(level * (1 - level) * n)


# One run shows nothing of what seeds do.
@pytest.mark.parametrize(
    ("seeds", "deviation"),
    [((1, 1), 0.0), ((3, 3), 0.0), ((10, 1), 0.0), ((3, 3), 0.02), ((3, 10), 0.02), ((5, 5), 0.05)],
)
@pytest.mark.parametrize("form", [list, as_pairs])
def test_the_level_of_five_percent_holds_on_either_side(seeds, deviation, form):
    if form is as_pairs and len(set(seeds)) > 1:
        seeds = (min(seeds), min(seeds))
    n, above, below = 600, 0, 0
    random = np.random.default_rng(0)
    for _ in range(n):
        found = estimate(form(two_sides(random, seeds, 0.0, deviation)), {})
        above += found.above(0) < 0.05
        below += found.below(0) < 0.05
    assert seldom(above, n) and seldom(below, n)
    assert above + below > 0.03 * n  # and is used


@pytest.mark.parametrize(
    ("seeds", "deviations"), [(3, [0.01]), (3, [0.0, 0.005, 0.03]), (5, [0.03])]
)
def test_false_alarms_stay_rare_far_in_the_tail(seeds, deviations):
    """Where a family looks for them: methods of one stratum borrow from one another."""
    random = np.random.default_rng(0)
    n, size, level = 1500, 15, 0.005
    alarms = 0
    for _ in range(n // size):
        family = [
            two_sides(random, (seeds, seeds), 0.0, random.choice(deviations), f"{i}x")
            for i in range(size)
        ]
        priors = priors_by_stratum([each for sides in family for each in sides])
        alarms += sum(estimate(sides, priors).above(0) < level for sides in family)
    assert seldom(alarms, n, 2 * level)


def test_what_other_runs_tell_finds_more(rng):
    """With three seeds a pair alone hardly ever has a p-value that is small among many."""
    family = [two_sides(rng, (3, 3), 0.15, 0.02, f"{i}x") for i in range(40)]
    priors = priors_by_stratum([each for sides in family for each in sides])
    alone, together = (
        sum(estimate(sides, known).above(0) < 0.001 for sides in family) for known in ({}, priors)
    )
    assert together > 1.5 * alone
    assert together > 20


@pytest.mark.parametrize(("seeds", "rate"), [(3, 0.94), (10, 0.94)])
def test_the_interval_covers_the_difference(rng, seeds, rate):
    n = 400
    ends = [estimate(two_sides(rng, (seeds, seeds), 0.08, 0.02), {}).interval() for _ in range(n)]
    assert sum(low <= 8 <= high for low, high in ends) >= rate * n - 3 * np.sqrt(0.06 * n)


def test_sides_with_seeds_of_their_own_have_the_test_of_welch(rng):
    """Without documents, as of seconds."""
    left, right = rng.standard_normal((6, 1)), 3 * rng.standard_normal((4, 1)) - 1
    found = estimate([sample(left), sample(right, -1)], {})
    known = stats.ttest_ind(left.astype(np.float32), right.astype(np.float32), equal_var=False)
    assert found.df == pytest.approx(known.df.item(), rel=1e-5)
    assert 2 * min(found.above(0), found.below(0)) == pytest.approx(known.pvalue.item(), rel=1e-5)
    assert found.of_documents == 0


def test_the_same_predictions_do_not_differ(rng):
    same = 100.0 * (rng.random((1, 100)) < 0.7)
    found = estimate([sample(same), sample(same, -1)], {})
    assert (found.effect, found.error, found.above(0), found.below(0)) == (0, 0, 1, 1)
    assert found.above(-1) == found.below(1) == 0
    assert found.interval() == (0, 0)


def test_a_difference_on_one_corpus_is_compared_with_that_on_another(rng):
    """Documents of different corpora vary on their own."""
    here = two_sides(rng, (5, 5), 0.3, 0.02, "here")
    there = [
        replace(each, documents="d", sign=-each.sign)
        for each in two_sides(rng, (5, 5), 0.0, 0.02, "there")
    ]
    one, other = estimate(here, {}), estimate(there, {})
    both = estimate([*here, *there], {})
    assert both.effect == pytest.approx(one.effect + other.effect)
    assert both.error**2 == pytest.approx(one.error**2 + other.error**2)


def test_what_runs_get_right_by_chance_is_no_part_of_the_documents(rng):
    """Their deviation is that of documents whose seeds are never ending."""
    difficulty = rng.random(2000)
    found = estimate([sample(100.0 * (rng.random((3, 2000)) < difficulty))], {})
    assert found.of_documents == pytest.approx(100 * difficulty.std() / np.sqrt(2000), rel=0.1)


def level_at(random, gap, opponents=1, error=0.35, df=30):
    """Whether a claim `above` ends as level, if left is `gap` below the best of right."""
    gaps = [-gap, *[3.0] * (opponents - 1)]
    estimates = [
        [Estimate(each + error * random.standard_t(df), error, df, 0.1 * error)] for each in gaps
    ]
    found = answers([estimates], ABOVE, 0.0)
    return found.p_level < 0.05


@pytest.mark.parametrize("opponents", [1, 4])
def test_level_is_found_where_it_is_so_and_seldom_where_it_is_not(rng, opponents):
    n = 2000
    assert sum(level_at(rng, 0.0, opponents) for _ in range(n)) > (0.7, 0.3)[opponents > 1] * n
    for gap in (1.0, -1.0, 1.5):
        assert seldom(sum(level_at(rng, gap, opponents) for _ in range(n)), n)


def test_a_claim_about_several_methods_holds_if_it_does_for_each(rng):
    """Its false alarms are rarest where several are level, and never more than 5 %."""
    n = 2000
    for gaps in ([0.0, 9.0, 9.0], [0.0, 0.0, 0.0]):
        drawn = np.array(gaps) + rng.standard_normal((n, 3))
        grids = [[[[Estimate(each, 1, NORMAL, 0)] for each in row]] for row in drawn]
        assert seldom(sum(holds(grid, (0, inf)) < 0.05 for grid in grids), n)
        assert seldom(sum(fails(grid, (0, inf)) < 0.05 for grid in grids), n)
    contrary = [[[Estimate(each, 1, NORMAL, 0)] for each in (9.0, -4.0)]]
    assert fails(contrary, (0, inf)) < 0.01 < holds(contrary, (0, inf))


def test_left_stands_for_the_best_of_its_methods(rng):
    one, none = Estimate(5.0, 1, NORMAL, 0), Estimate(-5.0, 1, NORMAL, 0)
    assert holds([[[none]], [[one]]], (0, inf)) == pytest.approx(2 * one.above(0))
    assert fails([[[none]], [[one]]], (0, inf)) > 0.99
    assert fails([[[none]], [[none]]], (0, inf)) == none.below(0)
    drawn = rng.standard_normal((2000, 3))
    grids = [[[[Estimate(each, 1, NORMAL, 0)]] for each in row] for row in drawn]
    assert seldom(sum(holds(grid, (0, inf)) < 0.05 for grid in grids), 2000)


@pytest.mark.parametrize(
    ("relation", "effect", "expected"),
    [
        (ABOVE, 3, "p"),
        (ABOVE, -3, "p_contrary"),
        (ABOVE, 0, "p_level"),
        (COMPARABLE, 0.2, "p"),
        (COMPARABLE, 3, "p_contrary"),
        (COMPARABLE, -3, "p_contrary"),
        (NOT_ABOVE, -3, "p"),
        (NOT_ABOVE, 3, "p_contrary"),
        (NOT_BELOW, 3, "p"),
        (NOT_BELOW, -3, "p_contrary"),
    ],
)
def test_each_relation_has_its_region(relation, effect, expected):
    found = answers([[[Estimate(effect, 0.2, NORMAL, 0)]]], relation, 1.0)
    few = {name: value < 0.01 for name, value in found._asdict().items()}
    assert few == {name: name == expected for name in found._fields}


def points_of(effects):
    return [[[Estimate(effect, 0.2, NORMAL, 0) for effect in effects]]]


def test_one_point_is_enough_to_be_above_somewhere():
    found = answers(points_of([-0.2, 0.7, 0.1]), CONSISTENTLY, 1.0)
    above = [Estimate(effect, 0.2, NORMAL, 0).above(0) for effect in (-0.2, 0.7, 0.1)]
    assert found.p == pytest.approx(3 * min(above)) and found.p_level > 0.05
    found = answers(points_of([-0.2, 0.1, 0.1]), CONSISTENTLY, 1.0)
    assert found.p > 0.05 > found.p_level and found.p_contrary > 0.05
    found = answers(points_of([-1.8, 4.0, 4.0]), CONSISTENTLY, 1.0)
    below = Estimate(-1.8, 0.2, NORMAL, 0).below(-1)
    assert found.p > 0.05 and found.p_contrary == pytest.approx(3 * below)


def test_consistency_is_seldom_found_where_it_is_not(rng):
    """Left is level at all points, or far above at some and a point below at one."""
    n = 2000
    for truth in ([0.0, 0.0, 0.0], [-1.0, 5.0, 5.0]):
        drawn = np.array(truth) + 0.3 * rng.standard_normal((n, 3))
        grids = [[[[Estimate(each, 0.3, NORMAL, 0) for each in row]]] for row in drawn]
        found = [answers(grid, CONSISTENTLY, 1.0) for grid in grids]
        assert seldom(sum(each.p < 0.05 for each in found), n)
        assert seldom(sum(each.p_contrary < 0.05 for each in found), n)


@pytest.mark.parametrize("metric", JUDGED)
def test_points_of_documents_have_the_score_as_their_mean(rng, metric):
    truth, predicted = rng.integers(0, 4, (2, 300)).astype(np.int32)
    several = rng.random((2, 300, 4)) < 0.4
    for one, other in ((truth, predicted), several):
        known = score(one, other, ["a", "b", "c", "d"])[metric]
        assert document_points(one, other, metric).mean() == pytest.approx(known, rel=1e-4)
    hits = document_points(truth, predicted, "micro_f1")
    assert hits == pytest.approx(100.0 * (truth == predicted), abs=1e-4)


@pytest.mark.parametrize("several", [False, True])
def test_points_of_documents_vary_as_the_score_does(rng, several):
    """The bootstrap agrees, where a score is no mean of documents: classes of unequal size."""
    truth = rng.choice(3, 600, p=[0.7, 0.2, 0.1]).astype(np.int32)
    predicted = np.where(rng.random(600) < 0.7, truth, rng.integers(0, 3, 600)).astype(np.int32)
    if several:
        truth, predicted = (np.eye(3, dtype=bool)[each] for each in (truth, predicted))
        predicted |= rng.random(predicted.shape) < 0.1
    points = document_points(truth, predicted, "macro_f1")
    drawn = [rng.integers(0, 600, 600) for _ in range(800)]
    scores = [score(truth[i], predicted[i], ["a", "b", "c"])["macro_f1"] for i in drawn]
    assert points.std() / np.sqrt(600) == pytest.approx(np.std(scores), rel=0.1)


@pytest.mark.parametrize("own", [3.0, 12.0])
def test_the_common_spread_is_found_again(rng, own):
    """Variances of four degrees of freedom, whose truths are scaled inverse chi-square."""
    truths = 0.7 * own / rng.chisquare(own, 4000)
    found = prior_of([Spread(t * rng.chisquare(4) / 4, 4) for t in truths])
    assert found.df == pytest.approx(own, rel=0.2)
    assert found.variance == pytest.approx(0.7, rel=0.1)


def test_spreads_that_are_alike_tell_everything_and_few_tell_nothing():
    alike = [*[Spread(0.4, 2)] * FEWEST, Spread(0, 2), NO_SPREAD]
    prior = prior_of(alike)
    assert (prior.df, prior.most) == (NORMAL, 2 * FEWEST)
    assert prior.moderates(Spread(9, 2)).variance == pytest.approx(prior.variance, rel=1e-3)
    assert prior_of(alike[1:]) == NO_PRIOR
    assert NO_PRIOR.moderates(Spread(9, 2)) == Spread(9, 2)
    assert Prior(3, 4, 20).moderates(Spread(9, 2)) == Spread(5, 6)


def test_equal_scores_have_no_spread_though_their_mean_is_rounded():
    equal = sample(100.0 * np.array([[1, 0, 0], [0, 1, 0], [0, 0, 1]]))
    assert 0 <= equal.spread.variance < 1e-20
    alike = [Spread(0.4, 2)] * FEWEST
    assert prior_of([*alike, equal.spread, Spread(1e-28, 2)]) == prior_of(alike)


def test_strata_do_not_borrow_from_each_other_and_a_name_counts_once(rng):
    few = [sample(rng.random((3, 9)), name=f"{i}") for i in range(FEWEST)]
    elsewhere = [replace(each, stratum=HERE._replace(stochastic=True)) for each in few]
    found = priors_by_stratum([*few, *few, *elsewhere[1:]])
    assert found[HERE] == prior_of([each.spread for each in few])
    assert found[elsewhere[0].stratum] == NO_PRIOR


def test_holm_by_hand():
    assert holm([0.01, 0.04, 0.03, 0.005]) == pytest.approx([0.03, 0.06, 0.06, 0.02])
    assert holm([0.6, 0.9]) == pytest.approx([1, 1])
    assert holm([]).size == 0


def test_holm_keeps_the_chance_of_any_false_alarm(rng):
    families = rng.random((2000, 10))
    alarms = np.mean([(holm(family) < 0.05).any() for family in families])
    assert 0.03 < alarms < 0.07


def test_documents_that_do_not_fit_are_an_error():
    with pytest.raises(PteError, match=r"compare: predictions of \[4, 5\] test documents"):
        estimate([sample(np.ones((3, 5))), sample(np.ones((3, 4)), -1)], {})
    with pytest.raises(PteError, match="compare"):
        estimate([sample(np.ones((3, 0)))], {})
