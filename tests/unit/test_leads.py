"""By how much PTE(auto) is ahead: the numbers of the README, and the table of the findings."""

from pathlib import Path

import pandas as pd
import pytest

from pte_study.report.leads import bounds, leads, over_the_best
from pte_study.report.publish import study_here

ROOT = Path(__file__).parents[2]
POINTS = {
    ("curves-labelled", 10): {"pte_auto": 70.0, "bow": 71.0, "cnn": 69.0, "pte_auto_encoder": 75.0},
    ("curves-labelled_chosen", 10): {"pte_auto": 70.0, "bow": 72.5},
    ("short", 100): {"pte_auto": 80.0, "bow": 78.0, "fasttext": 79.75, "pte_auto_words": 79.9},
    ("news", 100): {"pte_auto": 90.0, "bow": 90.0},
}
FILES = ("long", "short", "news", "curves-labelled", "curves-labelled_chosen")
LABELS = {"pte_auto": "PTE(auto)", "bow": "BOW", "cnn": "CNN", "fasttext": "fastText"}
LABELS |= {"pte_auto_encoder": "PTE(auto) with encoder", "pte_auto_words": "without vectors"}


@pytest.fixture
def published(tmp_path):
    columns = ["corpus", "method", "label", "labelled", "micro_mean", "chosen_micro_mean"]
    for name in FILES:
        rows = [
            ("r8" if name == "news" else "mr", method, LABELS[method], share, score, score)
            for (where, share), scores in POINTS.items()
            if where == name
            for method, score in scores.items()
        ]
        pd.DataFrame(rows, columns=columns).to_csv(tmp_path / f"{name}.csv", index=False)
    return tmp_path


def test_the_best_of_all_other_rows_is_named_whatever_table_or_curve_has_it(published):
    found = over_the_best(study_here(published=True), published).set_index("labels")
    assert found["mr"].to_dict() == {"10 %": "−2.5 BOW", "100 %": "+0.2 fastText"}
    assert found["r8"].to_dict() == {"10 %": "", "100 %": "+0.0 BOW"}


def test_the_published_leads_are_those_of_the_published_runs(monkeypatch):
    monkeypatch.chdir(ROOT)
    found = leads(study_here(published=True).of_published)
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


def test_t_meets_a_bound_in_the_phase_that_is_searched(tmp_path):
    """T of several phases is their sum, and all but the last have the limit of the search."""
    methods = study_here(published=True).registries.methods
    chosen = {"pte_joint": 600, "line_ww": 149, "pte_wl": 300, "pte_pretrain": 300}
    columns = ["corpus", "method", "label", "samples", "chosen_samples"]
    rows = [("mr", name, name, 30, t) for name, t in chosen.items()]
    rows += [("r8", "pte_pretrain", "pte_pretrain", 600, 290)]
    rows += [("r8", "pte_joint", "pte_joint", 30, 150)]
    pd.DataFrame(rows, columns=columns).to_csv(tmp_path / "short.csv", index=False)
    found = bounds([tmp_path / "short.csv"], (150, 600), methods)
    assert found.to_numpy().tolist() == [
        ["mr", "pte_joint; pte_pretrain", "4"],
        ["r8", "pte_joint", "2"],
    ]
