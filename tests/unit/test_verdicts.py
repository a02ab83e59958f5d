"""The table of verdicts: which pair it shows, and in which words."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from pte_study.claims.claim import Claim, beside
from pte_study.claims.judging import Outcomes, judge
from pte_study.claims.verdicts import ADJUSTED, NOT_RUN, at_least, of_sentences
from pte_study.report.verdicts import (
    counts_of_sentences,
    counts_of_tests,
    read_verdicts,
    verdict_tables,
    write_verdicts,
)

LABELS = {"a": "PTE(a)", "b": "CNN", "c": "BOW"}
ENTRIES = {
    "better": {
        "section": "5.2",
        "quotation": "a | is better than all",
        "left": "a",
        "right": ["b", "c"],
        "relation": "above",
        "corpora": ["x", "Wiki"],
    },
    "quick": {
        "section": "5.3",
        "quotation": "a is faster",
        "left": "a",
        "right": ["b"],
        "relation": "faster",
        "factor": 3,
        "corpora": ["x"],
    },
}
CLAIMS = {name: Claim.from_mapping(entry) for name, entry in ENTRIES.items()}


@pytest.fixture(scope="module")
def rng():
    return np.random.default_rng(0)


def outcomes(rng, share, seeds=(1, 2, 3), documents=1000):
    hits = rng.random((len(seeds), documents)) < share
    return Outcomes(seeds, 100 * hits.astype(np.float32))


@pytest.fixture(scope="module")
def pairs(rng):
    shares = {"a": 0.8, "b": 0.6, "c": 0.95}
    runs = {("x", name): outcomes(rng, share) for name, share in shares.items()}
    for name, seconds in {"a": 2.0, "b": 9.0}.items():
        logs = np.log([[seconds], [1.01 * seconds], [seconds / 1.01]]).astype(np.float32)
        runs[beside("x", "seconds"), name] = Outcomes((1, 2, 3), logs)
    unavailable = {"Wiki": "not published"}
    by_metric = [
        judge(CLAIMS, runs, unavailable, metric=metric) for metric in ("micro_f1", "macro_f1")
    ]
    judged = pd.concat(by_metric, ignore_index=True)
    others = judged.assign(verdict="too few seeds", protocol="chosen")
    return pd.concat([judged.assign(protocol="paper"), others], ignore_index=True)


def by_micro(pairs):
    return pairs[pairs["metric"] != "macro_f1"]


def shown(judged, claims=CLAIMS, labels=LABELS):
    """The rows of all sentences, by the protocol "paper", without those of whole sentences."""
    tables = verdict_tables(judged.assign(protocol="paper"), claims, labels)
    rows = pd.concat([table for title, table in tables.items() if title.startswith("“")])
    return rows[rows["corpus"] != "together"].reset_index(drop=True)


def test_the_pair_that_decides_is_shown(pairs):
    paper = pairs[pairs["protocol"] == "paper"]
    cells = shown(paper)
    assert cells["corpus"].tolist() == ["x", "Wiki", "x"]
    assert cells["pair"].tolist() == ["PTE(a), BOW", "PTE(a), CNN: not published", "PTE(a), CNN"]
    assert cells["verdict"].tolist() == ["not reproduced", "cannot be run here", "reproduced"]
    against_bow = paper.iloc[1]
    assert cells.at[0, "difference"].startswith(f"−{-against_bow['effect']:.2f} [−")
    assert against_bow["p_contrary_holm"] < 1e-4
    assert cells.at[0, "p"] == "< 0.0001"
    assert cells.loc[1, ["difference", "p"]].tolist() == ["—", "—"]
    assert cells["by macro-F1"].tolist()[:2] == ["not reproduced", "cannot be run here"]
    assert pd.isna(cells.at[2, "by macro-F1"])
    assert cells.at[2, "difference"] == "4.5 × [4.4, 4.6]"


def test_corpora_where_nothing_was_run_are_named_and_left_out(pairs, tmp_path):
    absent = pairs.head(1).assign(corpus="y", verdict=NOT_RUN, effect=np.nan)
    both = pd.concat([pairs, absent], ignore_index=True)
    write_verdicts(both, CLAIMS, LABELS, tmp_path / "claims")
    text = (tmp_path / "claims.md").read_text("utf-8")
    assert "because nothing was run there yet: y." in text
    assert "| y |" not in text and NOT_RUN not in text
    assert "y" in set(read_verdicts(tmp_path / "claims.csv")["corpus"])
    write_verdicts(pairs.assign(verdict=NOT_RUN), CLAIMS, LABELS, tmp_path / "claims")
    assert "| Wiki |" in (tmp_path / "claims.md").read_text("utf-8")


@pytest.mark.parametrize(
    ("relation", "other"), [("above", "d"), ("not_above", "c"), ("comparable", "d")]
)
def test_the_pair_that_is_hardest_for_the_claim_decides(rng, relation, other):
    """Against b, c and d, a is level, 10 points better and 20 worse."""
    shares = {"a": 0.7, "b": 0.7, "c": 0.6, "d": 0.9}
    labels = {name: name for name in shares}
    runs = {("x", name): outcomes(rng, share, (1, 2)) for name, share in shares.items()}
    right = ("b", "c", "d")
    claim = replace(CLAIMS["better"], right=right, corpora=("x",), relation=relation)
    claims = {"any": claim}
    judged = judge(claims, runs, {}).assign(verdict="too few seeds")
    pair, _, lacks = shown(judged, claims, labels)["pair"].item().partition(": ")
    assert pair == f"a, {other}"
    assert not lacks or lacks.startswith(("only below ", "about "))


@pytest.mark.parametrize(
    ("views", "said"),
    [
        (("x", "x"), "PTE(a), CNN"),
        (("x-labelled10", "x-labelled10"), "PTE(a), CNN on x-labelled10"),
        (("x", "x-labelled10"), "PTE(a), CNN on x-labelled10"),
        (("x, default all", "x, dim 50"), "PTE(a) (default all), CNN (dim 50)"),
        (("x-labelled1 & x-labelled5 & x",) * 2, "PTE(a), CNN on x-labelled1 to x, mean of 3"),
    ],
)
def test_a_pair_says_where_its_sides_are_measured(pairs, views, said):
    left_on, right_on = views
    frame = pairs.assign(left_on=left_on, right_on=right_on)
    assert shown(frame.iloc[:1])["pair"].item() == said


def test_verdicts_are_counted_by_protocol(pairs):
    counts = counts_of_tests(by_micro(pairs)).set_index("tests")
    assert counts["paper"].to_dict() == {
        "reproduced": "1",
        "not reproduced": "1",
        "too few seeds": "0",
        "cannot be run here": "1",
        "all": "3",
    }
    assert counts.at["too few seeds", "chosen"] == "3"
    sentences = counts_of_sentences(pairs, CLAIMS).set_index("sentences")
    assert sentences["paper"].to_dict() == {"reproduced": "1", "not reproduced": "1", "all": "2"}
    macro = verdict_tables(pairs, CLAIMS, LABELS)["How many tests, by macro-F1"]
    assert dict(zip(macro["tests"], macro["paper"], strict=True))["not reproduced"] == "1"


def test_verdicts_on_stand_ins_are_counted_apart(rng):
    runs = {
        (corpus, name): outcomes(rng, share, (1, 2), 500)
        for corpus in ("x", "small")
        for name, share in {"a": 0.9, "b": 0.6, "c": 0.5}.items()
    }
    claims = {"better": CLAIMS["better"].on_corpora({}, {"Wiki": ["small"]}, {})}
    pairs = judge(claims, runs, {"Wiki": "not published"}).assign(protocol="paper")
    assert counts_of_tests(pairs).to_dict("records") == [
        {"tests": name, "paper": "1", "paper, stand-ins": "1"} for name in ("reproduced", "all")
    ]
    assert shown(pairs, claims)["corpus"].tolist() == ["x", "small, a stand-in for Wiki"]


def test_verdicts_are_read_back_with_all_digits(pairs, tmp_path):
    write_verdicts(pairs, CLAIMS, LABELS, tmp_path / "claims")
    assert r"### “a | is better than all” (5.2)" in (tmp_path / "claims.md").read_text("utf-8")
    whole = read_verdicts(tmp_path / "claims.csv")
    pd.testing.assert_frame_equal(whole, pairs, check_dtype=False, check_exact=True)
    write_verdicts(whole, CLAIMS, LABELS, tmp_path / "again")
    again = (tmp_path / "again.csv").read_text("utf-8")
    assert again == (tmp_path / "claims.csv").read_text("utf-8")


# Whole sentences, from p-values on each corpus

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


def cells_of(cells, stand_ins=()):
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
    pairs = cells_of({("x", corpus): q for corpus, q in zip("cde", questions, strict=True)})
    for holds_on, expected in {"each": each, "most": most, "one": one}.items():
        claims = {"x": replace(ONE, holds_on=holds_on)}
        assert of_sentences(pairs, claims)["verdict"].tolist() == [expected]


def test_claims_of_one_quotation_are_one_sentence_and_stand_ins_are_apart():
    claims = {"x": ONE, "y": replace(ONE, right=("d",)), "z": replace(ONE, quotation="b is worse")}
    cells = {("x", "c"): 0, ("y", "c"): 1, ("z", "c"): 0, ("x", "wiki"): 0, ("y", "wiki"): 0}
    found = of_sentences(cells_of(cells, ["wiki"]), claims)
    assert found[["quotation", "stand_ins", "verdict"]].to_numpy().tolist() == [
        ["a is better", False, "not reproduced"],
        ["b is worse", False, "reproduced"],
        ["a is better", True, "reproduced"],
    ]
    assert found["p_contrary_holm"][0] == pytest.approx(2 * SURE)
