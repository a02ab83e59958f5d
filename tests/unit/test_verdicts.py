"""The table of verdicts: which pair it shows, and in which words."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from pte.claims.claim import Claim
from pte.claims.pairing import Outcomes
from pte.claims.verdicts import judge
from pte.report.verdicts import (
    read_verdicts,
    rounded,
    verdict_cells,
    verdict_counts,
    verdict_tables,
    verdicts_page,
    write_pairs,
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
CLAIMS = {name: Claim.from_mapping(entry, name) for name, entry in ENTRIES.items()}


@pytest.fixture
def rng():
    return np.random.default_rng(0)


@pytest.fixture
def pairs(rng):
    shares = {"a": 0.8, "b": 0.6, "c": 0.95}
    runs = {
        ("x", name): Outcomes((1, 2, 3), rng.random((3, 1000)) < share, np.full(3, seconds))
        for (name, share), seconds in zip(shares.items(), [2.0, 9.0, 1.0], strict=True)
    }
    judged = judge(CLAIMS, runs, {"Wiki": "not published"})
    others = judged.assign(verdict="inconclusive")
    return {"paper": judged, "chosen": others}


def test_the_pair_that_decides_is_shown(pairs):
    cells = verdict_cells(pairs["paper"], CLAIMS, LABELS)
    assert cells["corpus"].tolist() == ["x", "Wiki", "x"]
    assert cells["pair"].tolist() == [
        "PTE(a), BOW",
        "PTE(a), CNN: not published",
        "PTE(a), CNN",
    ]
    assert cells["verdict"].tolist() == ["not reproduced", "cannot be run here", "reproduced"]
    against_bow = pairs["paper"].iloc[1]
    assert cells.at[0, "difference"].startswith(f"−{-against_bow['effect']:.2f} [−")
    assert cells.at[0, "p"] == f"{against_bow['p_holm']:.2g}"
    assert cells.loc[1, ["difference", "p"]].tolist() == ["—", "—"]
    assert cells.at[2, "difference"] == "4.5 × [4.5, 4.5]"


@pytest.mark.parametrize(
    ("relation", "shown"), [("above", "d"), ("not_above", "c"), ("comparable", "d")]
)
def test_the_pair_that_is_hardest_for_the_claim_decides(rng, relation, shown):
    """Against b, c and d, a is level, 10 points better and 20 worse."""
    shares = {"a": 0.7, "b": 0.7, "c": 0.6, "d": 0.9}
    labels = {name: name for name in shares}
    runs = {
        ("x", name): Outcomes((1, 2), rng.random((2, 1000)) < share, np.ones(2))
        for name, share in shares.items()
    }
    right = ("b", "c", "d")
    claim = replace(CLAIMS["better"], right=right, corpora=("x",), relation=relation)
    claims = {"any": claim}
    judged = judge(claims, runs, {}).assign(verdict="inconclusive")
    assert verdict_cells(judged, claims, labels)["pair"].item() == f"a, {shown}"


def test_each_setting_has_its_own_differences(pairs):
    other = pairs["paper"].assign(effect=lambda frame: frame["effect"] + 1)
    tables = verdict_tables({"paper": pairs["paper"], "chosen": other}, CLAIMS, LABELS)
    first, second = (tables[f"Each claim, classifier setting “{name}”"] for name in pairs)
    assert second.at[2, "difference"] == "5.5 × [4.5, 4.5]"
    assert first.at[0, "difference"] != second.at[0, "difference"]


def test_verdicts_are_counted_by_setting(pairs):
    counts = verdict_counts(pairs).set_index("claims")
    assert counts["paper"].to_dict() == {
        "reproduced": "1",
        "not reproduced": "1",
        "inconclusive": "0",
        "cannot be run here": "1",
    }
    assert counts.at["inconclusive", "chosen"] == "3"


def test_verdicts_on_stand_ins_are_counted_apart(rng):
    runs = {
        (corpus, name): Outcomes((1, 2), rng.random((2, 500)) < share, np.ones(2))
        for corpus in ("x", "small")
        for name, share in {"a": 0.9, "b": 0.6, "c": 0.5}.items()
    }
    claims = {"better": CLAIMS["better"].on_stand_ins({"Wiki": ["small"]})}
    pairs = {"paper": judge(claims, runs, {"Wiki": "not published"})}
    assert verdict_counts(pairs).to_dict("records") == [
        {"claims": "reproduced", "paper": "1", "paper, stand-ins": "1"}
    ]
    cells = verdict_cells(pairs["paper"], claims, LABELS)
    assert cells["corpus"].tolist() == ["x", "small, a stand-in for Wiki"]


def test_files_hold_every_pair_and_every_claim(pairs, tmp_path):
    write_verdicts(pairs, CLAIMS, LABELS, tmp_path / "claims")
    frame = pd.read_csv(tmp_path / "claims.csv")
    assert len(frame) == 2 * (2 * 2 + 1)
    assert frame["setting"].unique().tolist() == ["paper", "chosen"]
    markdown = (tmp_path / "claims.md").read_text("utf-8")
    assert r"“a \| is better than all” (5.2)" in markdown
    html = verdicts_page(pairs, CLAIMS, LABELS)
    assert html.count("<tr") == 3 + 4 + 2 * 3
    for text in (markdown, html):
        assert "PTE(a), BOW" in text
        assert "not published" in text


def test_pairs_keep_all_digits_and_the_published_file_the_same_few(pairs, tmp_path):
    write_pairs(pairs, tmp_path / "pairs.csv")
    write_verdicts(pairs, CLAIMS, LABELS, tmp_path / "claims")
    whole = read_verdicts(tmp_path / "pairs.csv")
    few = read_verdicts(tmp_path / "claims.csv")
    for setting, frame in pairs.items():
        pd.testing.assert_frame_equal(whole[setting], frame, check_dtype=False, check_exact=True)
        shown = rounded(whole)[setting]
        pd.testing.assert_frame_equal(shown, few[setting], check_dtype=False, check_exact=True)
    write_verdicts(rounded(whole), CLAIMS, LABELS, tmp_path / "again")
    again = (tmp_path / "again.csv").read_text("utf-8")
    assert again == (tmp_path / "claims.csv").read_text("utf-8")
