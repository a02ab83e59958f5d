"""What is tried, what is chosen, and the curve."""

from dataclasses import dataclass

import pytest

from pte.training.search import Search, is_worse, search


@dataclass(frozen=True)
class Pair:
    a: int
    b: bool = False


PAIRS = [Pair(1), Pair(2, True), Pair(3), Pair(4)]
SCORES = {1: 10.0, 2: 30.0, 3: 20.0, 4: 30.0}


def score(pair):
    return SCORES[pair.a]


def test_the_first_of_the_best_is_taken_and_the_curve_has_all():
    found = search(PAIRS, score)
    assert found.best == Pair(2, True)
    assert found.tried == tuple((pair, score(pair)) for pair in PAIRS)
    assert found.curve()[1] == {"a": 2, "b": True, "score": 30.0}
    assert found.notes == {"choice": {"a": 2, "b": True}, "curve": found.curve()}
    assert [point["f1"] for point in found.curve("f1")] == list(SCORES.values())


def test_a_search_may_end_before_all_are_tried():
    seen = []

    def ended(scores):
        seen.append(list(scores))
        return len(scores) == 3

    found = search(PAIRS, score, ended)
    assert [pair for pair, _ in found.tried] == PAIRS[:3]
    assert seen == [[10.0], [10.0, 30.0], [10.0, 30.0, 20.0]]


def test_a_choice_that_is_given_has_no_curve():
    assert Search(Pair(7)).notes == {"choice": {"a": 7, "b": False}, "curve": []}


@pytest.mark.parametrize(
    ("scores", "worse"),
    [([80], False), ([80, 77], False), ([80, 75], True), ([80, 75, 77], False), ([0, 0], False)],
)
def test_a_score_is_worse_if_it_is_a_standard_error_below_the_best(scores, worse):
    """The standard error of 80 % of 100 documents is 4 %."""
    assert is_worse(scores, 100) == worse
