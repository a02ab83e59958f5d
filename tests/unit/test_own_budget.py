import pytest

from pte_study.configuration.budget import (
    BYTES_OF_A_TOKEN,
    CURVE,
    CURVE_METHODS,
    FEWEST_EDGES,
    KEPT,
    MOST_EDGES,
    START_EDGES,
    choose,
)

DRAWS = {"bow": False, "skipgram": False, "line_ww": True, "pte_joint": True, "majority": False}
MEGABYTE = 10**6


def test_what_fits_is_all_there():
    found = choose(DRAWS, MEGABYTE, 10_000)
    assert found.methods == tuple(DRAWS)
    assert found.curve == ("bow", "pte_joint")
    assert found.left_out == {}
    assert found.tokens == MEGABYTE // BYTES_OF_A_TOKEN


def test_variants_go_first_and_those_that_are_kept_stay():
    whole = choose(DRAWS, 30 * MEGABYTE, 10_000)
    less = choose(DRAWS, 30 * MEGABYTE, whole.seconds - 1)
    assert list(less.left_out) == ["line_ww"]
    assert less.curve == whole.curve
    least = choose(DRAWS, 30 * MEGABYTE, 1)
    assert set(least.methods) == set(KEPT) & set(DRAWS)
    assert set(least.left_out) == {CURVE, "skipgram", "line_ww"}
    assert least.seconds < less.seconds < whole.seconds


def test_pte_auto_and_the_curve_come_before_near_duplicates():
    draws = DRAWS | {"pte_auto": True, "pvdbow": False, "line_wd": True}
    for seconds in (40, 60, 80, 100, 120, 240):
        found = choose(draws, MEGABYTE, seconds)
        assert found.seconds <= seconds or set(found.methods) <= set(KEPT)
        if seconds >= 60:
            assert "pte_auto" in found.methods
        assert bool(found.curve) == (seconds >= 120)
    assert "line_wd" not in choose(draws, MEGABYTE, 65).methods
    assert "line_wd" in choose(draws, MEGABYTE, 240).methods


def test_what_runs_in_any_case_counts():
    whole = choose(DRAWS, MEGABYTE, 10_000)
    assert whole.besides > 20
    assert whole.seconds == whole.besides + sum(whole.expected.values())
    assert choose(DRAWS, MEGABYTE, whole.seconds).left_out == {}
    assert choose(DRAWS, MEGABYTE, whole.seconds - whole.besides).left_out


def test_t_is_halved_when_nothing_else_can_be_left_out():
    few = {name: draws for name, draws in DRAWS.items() if name in KEPT}
    rich, poor = choose(few, 30 * MEGABYTE, 10_000), choose(few, 30 * MEGABYTE, 1)
    assert rich.samples_limit == MOST_EDGES
    assert poor.samples_limit == FEWEST_EDGES
    assert poor.methods == rich.methods


@pytest.mark.parametrize(("size", "limit"), [(0, START_EDGES), (10**10, MOST_EDGES)])
def test_t_has_bounds(size, limit):
    assert choose(DRAWS, size, 1e9).samples_limit == limit


def test_the_curve_has_no_method_that_does_not_fit():
    found = choose({"nb_em": False, "skipgram": False}, MEGABYTE, 10_000)
    assert found.curve == ("nb_em",)
    assert set(found.curve) < set(CURVE_METHODS)


def test_a_method_of_a_plugin_has_a_cost():
    found = choose({"mine": False, "net": True}, MEGABYTE, 10_000)
    assert found.seconds > 10


def test_a_method_that_cannot_run_takes_no_time_and_stays():
    whole = choose(DRAWS, 30 * MEGABYTE, 10_000)
    without = choose(DRAWS, 30 * MEGABYTE, whole.seconds - 1, idle=["skipgram"])
    assert without.methods == tuple(DRAWS)
    assert without.curve == whole.curve
    assert "skipgram" in choose(DRAWS, 30 * MEGABYTE, 1, idle=["skipgram"]).methods


def test_the_curve_has_no_method_that_cannot_run():
    assert choose(DRAWS, MEGABYTE, 10_000, idle=["bow"]).curve == ("pte_joint",)
