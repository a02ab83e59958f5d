import pytest

from pte.training.contract import Cost
from pte_study.configuration.budget import (
    BYTES_OF_A_TOKEN,
    CURVE,
    FEWEST_EDGES,
    MOST_EDGES,
    START_EDGES,
    Candidate,
    choose,
)

NETWORKS = Cost(8, 3, 0.3)
BOW = Candidate(Cost(5, 16), False, ("always", "curve"))
NB_EM = Candidate(Cost(3, 4), False, ("curve",))
SKIPGRAM = Candidate(Cost(6, 60), False)
LINE = Candidate(NETWORKS, True)
ALWAYS = ("bow", "pte_joint", "majority")
METHODS = {
    "bow": BOW,
    "skipgram": SKIPGRAM,
    "line_ww": LINE,
    "pte_joint": Candidate(NETWORKS, True, ("always", "curve")),
    "majority": Candidate(Cost(2, 0), False, ("always",)),
}
MEGABYTE = 10**6


def test_what_fits_is_all_there():
    found = choose(METHODS, MEGABYTE, 10_000)
    assert found.methods == tuple(METHODS)
    assert found.curve == ("bow", "pte_joint")
    assert found.left_out == {}
    assert found.tokens == MEGABYTE // BYTES_OF_A_TOKEN


def test_variants_go_first_and_what_is_always_run_stays():
    whole = choose(METHODS, 30 * MEGABYTE, 10_000)
    less = choose(METHODS, 30 * MEGABYTE, whole.seconds - 1)
    assert list(less.left_out) == ["line_ww"]
    assert less.curve == whole.curve
    least = choose(METHODS, 30 * MEGABYTE, 1)
    assert set(least.methods) == set(ALWAYS)
    assert set(least.left_out) == {CURVE, "skipgram", "line_ww"}
    assert least.seconds < less.seconds < whole.seconds


def test_pte_auto_and_the_curve_come_before_near_duplicates():
    auto = Candidate(Cost(6, 40, 0.5), False, ("first",))
    pvdbow = Candidate(Cost(6, 19), False)
    methods = METHODS | {"pte_auto": auto, "pvdbow": pvdbow, "line_wd": LINE}
    for seconds in (40, 60, 80, 100, 120, 240):
        found = choose(methods, MEGABYTE, seconds)
        assert found.seconds <= seconds or set(found.methods) <= set(ALWAYS)
        if seconds >= 60:
            assert "pte_auto" in found.methods
        assert bool(found.curve) == (seconds >= 120)
    assert "line_wd" not in choose(methods, MEGABYTE, 65).methods
    assert "line_wd" in choose(methods, MEGABYTE, 240).methods


def test_what_runs_in_any_case_counts():
    whole = choose(METHODS, MEGABYTE, 10_000)
    assert whole.besides > 20
    assert whole.seconds == whole.besides + sum(whole.expected.values())
    assert choose(METHODS, MEGABYTE, whole.seconds).left_out == {}
    assert choose(METHODS, MEGABYTE, whole.seconds - whole.besides).left_out


def test_t_is_halved_when_nothing_else_can_be_left_out():
    few = {name: METHODS[name] for name in ALWAYS}
    rich, poor = choose(few, 30 * MEGABYTE, 10_000), choose(few, 30 * MEGABYTE, 1)
    assert rich.samples_limit == MOST_EDGES
    assert poor.samples_limit == FEWEST_EDGES
    assert poor.methods == rich.methods


@pytest.mark.parametrize(("size", "limit"), [(0, START_EDGES), (10**10, MOST_EDGES)])
def test_t_has_bounds(size, limit):
    assert choose(METHODS, size, 1e9).samples_limit == limit


def test_the_curve_has_no_method_that_does_not_fit():
    methods = {"bow": BOW, "nb_em": NB_EM, "skipgram": SKIPGRAM}
    assert choose(methods, MEGABYTE, 10_000).curve == ("bow", "nb_em")
    assert choose(methods, 30 * MEGABYTE, 1).curve == ()


def test_a_method_that_cannot_run_takes_no_time_and_stays():
    whole = choose(METHODS, 30 * MEGABYTE, 10_000)
    without = choose(METHODS, 30 * MEGABYTE, whole.seconds - 1, idle=["skipgram"])
    assert without.methods == tuple(METHODS)
    assert without.curve == whole.curve
    assert "skipgram" in choose(METHODS, 30 * MEGABYTE, 1, idle=["skipgram"]).methods


def test_the_curve_has_no_method_that_cannot_run():
    assert choose(METHODS, MEGABYTE, 10_000, idle=["bow"]).curve == ("pte_joint",)
