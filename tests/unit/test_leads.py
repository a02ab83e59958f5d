"""By how much PTE(auto) is ahead: the numbers of the README, and the table of the findings."""

import re
from pathlib import Path

import pandas as pd
import pytest

from pte_study.plan.runs import Runs
from pte_study.render.markdown import markdown_table
from pte_study.report.document_tables import bounds_met
from pte_study.report.here import runs_here
from pte_study.report.leads import CURVES, TABLES, leads, over_the_best
from pte_study.store.reading import held

ROOT = Path(__file__).parents[2]
POINTS = {
    ("curves-labelled", 10): {"pte_auto": 70.0, "bow": 71.0, "cnn": 69.0},
    ("curves-labelled_chosen", 10): {"pte_auto": 70.0, "bow": 72.5},
    ("short", 100): {"pte_auto": 80.0, "bow": 78.0, "fasttext": 79.75},
    ("news", 100): {"pte_auto": 90.0, "bow": 90.0},
}
LABELS = {"pte_auto": "PTE(auto)", "bow": "BOW", "cnn": "CNN", "fasttext": "fastText"}


@pytest.fixture
def published(tmp_path):
    columns = ["corpus", "method", "label", "labelled", "micro_mean", "chosen_micro_mean"]
    for name in (*TABLES, *CURVES):
        rows = [
            ("r8" if name == "news" else "mr", method, LABELS[method], share, score, score)
            for (where, share), scores in POINTS.items()
            if where == name
            for method, score in scores.items()
        ]
        pd.DataFrame(rows, columns=columns).to_csv(tmp_path / f"{name}.csv", index=False)
    return tmp_path


def test_the_best_of_all_other_rows_is_named_whatever_table_or_curve_has_it(published):
    found = over_the_best(published).set_index("labels")
    assert found["mr"].to_dict() == {"10 %": "−2.5 BOW", "100 %": "+0.2 fastText"}
    assert found["r8"].to_dict() == {"10 %": "", "100 %": "+0.0 BOW"}


def test_the_table_of_the_findings_is_computed():
    text = (ROOT / "docs" / "findings.md").read_text("utf-8")
    block = re.search("<!-- lead: begin -->(.*)<!-- lead: end -->", text, re.DOTALL)
    made = over_the_best(ROOT / "results" / "published", runs_here().study.unseeded_methods)
    assert block[1].strip() == markdown_table(made), (
        "run `python -m pte_study.report.document_tables`"
    )


def test_the_table_of_bounds_is_computed():
    text = (ROOT / "docs" / "protocols.md").read_text("utf-8")
    block = re.search("<!-- bounds: begin -->(.*)<!-- bounds: end -->", text, re.DOTALL)
    made = bounds_met(runs_here())
    assert block[1].strip() == markdown_table(made), (
        "run `python -m pte_study.report.document_tables`"
    )
    named = made.set_index("corpus")["T at a bound"]
    assert len(named["20ng"].split("; ")) == 9
    assert named["dblp"] == "LINE(Gww)" and "mr" not in named


def test_the_published_leads_are_those_of_the_published_runs(monkeypatch):
    monkeypatch.chdir(ROOT)
    found = leads(Runs(runs_here().study, held()))
    published = pd.read_csv("results/published/leads.csv")
    for name in ("ahead", "low", "high"):
        assert found[name].tolist() == pytest.approx(published[name].tolist(), abs=0.006)
    scores = pd.read_csv("results/published/long.csv").set_index(["corpus", "method"])
    means = scores["chosen_micro_mean"]
    row = found.set_index(["corpus", "method", "labelled"]).loc["imdb", "bow_pairs", 100]
    assert row["ahead"] == pytest.approx(
        means["imdb", "pte_auto"] - means["imdb", "bow_pairs"], abs=0.01
    )
    assert row["low"] < row["ahead"] < row["high"]
