"""Forest plots of text, read back by eye."""

import pytest

from pte_study.report.forest import axis, forest, scale_of

LEFT = "·······┊·······│···"
ROW = {"relation": "above", "bound": 0.0, "overall": False}


def row(effect, low, high, **rest):
    return {**ROW, "effect": effect, "low": low, "high": high, **rest}


@pytest.mark.parametrize(
    ("shown", "scale", "expected"),
    [
        (row(2, 1, 4), 5.0, "············┊··│··├──●─────┤···"),
        (row(-1, -7, 0.2), 5.0, "◂───────────●──┼┤·┊············"),
        (row(0, -0.1, 0.1, overall=True), 5.0, "············┊··◆··┊············"),
        (row(1, 0.6, 1.5, relation="comparable", bound=1.0), 2.0, LEFT + "├───●──┤····"),
        (row(None, None, None), 2.0, "·······┊·······│·······┊·······"),
    ],
)
def test_a_difference_its_interval_and_margins(shown, scale, expected):
    assert forest(shown, scale) == f"`{expected}`"


def test_a_scale_holds_all_differences_and_names_its_ends():
    assert scale_of([row(1, -9, 9), row(-3, -4, -2)]) == 5.0
    assert scale_of([row(99, 0, 0)]) == 50.0
    assert scale_of([row(None, None, None)]) == 2.0
    assert axis(5.0, seconds=False) == "`−5·············0·············+5`"
    assert axis(2.0, seconds=True) == "`÷7·············×1············×7`"
