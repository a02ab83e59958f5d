"""Verdicts on whole sentences, from p-values on each corpus."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from pte_study.claims.claim import Claim
from pte_study.claims.verdicts import ADJUSTED, at_least, of_sentences

SURE, NEVER = 1e-6, 1.0
ONE = Claim("6", "a is better", ("a",), ("b",), "above", ("c", "d", "e"))


def test_at_least_so_many_hold_by_hand():
    p = [0.01, 0.2, 0.03]
    assert at_least(p, 3) == 0.2  # the intersection-union test
    assert at_least(p, 2) == pytest.approx(2 * 0.03)
    assert at_least(p, 1) == pytest.approx(3 * 0.01)  # Bonferroni
    assert at_least([0.01, float("nan")], 2) == 1


def test_at_least_so_many_is_seldom_found_where_it_is_not_so():
    """One of four claims holds, so that two hold is false."""
    random = np.random.default_rng(0)
    found = [at_least([0.0, *random.random(3)], 2) < 0.05 for _ in range(4000)]
    assert np.mean(found) <= 0.05 + 3 * np.sqrt(0.05 * 0.95 / 4000)


def frame(cells, stand_ins=()):
    """A row for each claim and corpus, whose verdict is the first of the three questions."""
    words = ("reproduced", "not reproduced", "level")
    rows = []
    for (name, corpus), question in cells.items():
        p = dict.fromkeys(ADJUSTED, NEVER)
        verdict = "too few seeds" if question is None else words[question]
        if question is not None:
            p[ADJUSTED[question]] = SURE
        stand_in = "Wiki" if corpus in stand_ins else None
        keys = {"source": "paper", "claim": name, "corpus": corpus, "metric": "micro_f1"}
        rows.append({**keys, **p, "stand_in": stand_in, "verdict": verdict})
    return pd.DataFrame(rows)


@pytest.mark.parametrize(
    ("questions", "each", "most", "one"),
    [
        ((0, 0, 0), "reproduced", "reproduced", "reproduced"),
        ((0, 0, None), "reproduced in part", "reproduced", "reproduced"),
        ((0, 0, 1), "not reproduced", "reproduced", "reproduced"),
        ((0, 1, 1), "not reproduced", "not reproduced", "reproduced"),
        ((1, 1, 1), "not reproduced", "not reproduced", "not reproduced"),
        ((2, 2, 2), "level", "level", "level"),
        ((None, None, 2), "inconclusive", "inconclusive", "inconclusive"),
    ],
)
def test_a_sentence_is_about_each_most_or_one_of_its_corpora(questions, each, most, one):
    pairs = frame({("x", corpus): q for corpus, q in zip("cde", questions, strict=True)})
    for holds_on, expected in {"each": each, "most": most, "one": one}.items():
        claims = {"x": replace(ONE, holds_on=holds_on)}
        assert of_sentences(pairs, claims)["verdict"].tolist() == [expected]


def test_claims_of_one_quotation_are_one_sentence_and_stand_ins_are_apart():
    claims = {"x": ONE, "y": replace(ONE, right=("d",)), "z": replace(ONE, quotation="b is worse")}
    cells = {("x", "c"): 0, ("y", "c"): 1, ("z", "c"): 0, ("x", "wiki"): 0, ("y", "wiki"): 0}
    found = of_sentences(frame(cells, ["wiki"]), claims)
    assert found[["quotation", "stand_ins", "verdict"]].to_numpy().tolist() == [
        ["a is better", False, "not reproduced"],
        ["b is worse", False, "reproduced"],
        ["a is better", True, "reproduced"],
    ]
    assert found["p_contrary_holm"][0] == pytest.approx(2 * SURE)
