"""The leads of PTE(auto), from which the README takes its numbers."""

from pathlib import Path

import pandas as pd
import pytest

from pte_study.plan.runs import Runs
from pte_study.report.here import runs_here
from pte_study.report.leads import leads
from pte_study.store.reading import held

ROOT = Path(__file__).parents[2]


def test_the_published_leads_are_those_of_the_published_runs(monkeypatch):
    monkeypatch.chdir(ROOT)
    found = leads(Runs(runs_here().study, held()))
    published = pd.read_csv("results/published/leads.csv")
    for name in ("ahead", "low", "high"):
        assert found[name].tolist() == pytest.approx(published[name].tolist(), abs=0.006)
    scores = pd.read_csv("results/published/long.csv").set_index(["corpus", "method"])
    means = scores["chosen_micro_mean"]
    row = found.set_index(["corpus", "method", "labelled"]).loc["imdb", "bow_pairs", "100"]
    assert row["ahead"] == pytest.approx(
        means["imdb", "pte_auto"] - means["imdb", "bow_pairs"], abs=0.01
    )
    assert row["low"] < row["ahead"] < row["high"]
