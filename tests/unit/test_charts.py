"""Charts of the page, and what its first section says."""

import re

import numpy as np
import pandas as pd
import pytest

from pte_study.render.charts import Dot, Part, bars, dot_plot
from pte_study.report.glance import CHART, best_cells, glance_section, verdict_bars
from pte_study.report.overview import each_once

SCORES = pd.DataFrame(
    {
        "corpus": ["c", "c", "c", "d"],
        "method": ["bow", "pte_joint", "random", "pte_joint"],
        "label": ["BOW", "PTE(joint)", "random vectors", "PTE(joint)"],
        "group": ["baseline", "predictive", "control", "predictive"],
        "micro_mean": [71.5, 80.0, 99.0, 60.0],
        "micro_sd": [np.nan, 0.5, 0.1, 0.2],
        "reference_micro": [70.0, 82.0, np.nan, np.nan],
        "reference_source": ["paper", "paper", None, None],
        "difference": [1.5, -2.0, np.nan, np.nan],
    }
)


def places(drawn):
    """Where the marks stand, by what a hover says."""
    found = re.findall(r"translate\((\S+) (\S+)\)[^>]*><title>([^<]*)</title>", drawn)
    return {said: (float(x), float(y)) for x, y, said in found}


def test_marks_stand_where_their_values_are():
    dots = [Dot("A", "c", -2.0, "low"), Dot("A", "d", 3.0, "high"), Dot("B", "c", 0.5, "mid")]
    at = places(dot_plot(dots, "points"))
    (low, y_low), (high, y_high), (mid, y_mid) = at["low"], at["high"], at["mid"]
    assert (mid - low) / (high - low) == pytest.approx(2.5 / 5, abs=0.002)
    assert y_low < y_high < y_mid


@pytest.mark.parametrize("values", [[0.0], [0.004], [-30, 250], [1.0, 2.0, 9.5], [-0.7]])
def test_the_axis_has_few_round_ticks_and_holds_zero(values):
    drawn = dot_plot([Dot("A", "c", value, "x") for value in values], "points")
    ticks = re.findall(r"<text x=[^>]*>([^<]+)</text>", drawn)
    numbers = [float(tick.replace("\N{MINUS SIGN}", "-")) for tick in ticks]
    assert 2 <= len(numbers) <= 10
    assert 0 in numbers
    assert min(numbers) <= min(values)
    assert max(numbers) >= max(values)
    assert np.allclose(np.diff(numbers), numbers[1] - numbers[0])


def test_charts_show_names_as_they_are():
    drawn = dot_plot([Dot('<script>"x"', "a&b", 1.0, "<i>")], "<axis>")
    drawn += bars({"<b>": [Part(1, "<u>", '" onclick=')]})
    for raw in ("<script>", "<axis>", "<i>", "<b>", "<u>", '" onclick'):
        assert raw not in drawn
    assert "a&amp;b" in drawn


def test_parts_of_a_bar_are_as_long_as_they_count():
    drawn = bars({"paper": [Part(12, "reproduced", "good"), Part(0, "level", "grey")]})
    assert 'class="good" style="flex-grow: 12"' in drawn
    assert "level" not in drawn
    assert 'aria-label="paper: 12 reproduced"' in drawn


def test_the_best_of_a_corpus_is_no_control():
    cells = best_cells(SCORES).set_index("corpus")
    assert cells.loc["c"].tolist() == [
        "PTE(joint)",
        "80.00 ± 0.50",
        "+0.00",
        "\N{MINUS SIGN}8.50",
        "paper",
    ]
    assert cells.loc["d", "BOW, behind"] == "—"
    chosen = SCORES.assign(chosen_micro_mean=[90.0, 85.0, 99.0, np.nan], chosen_micro_sd=np.nan)
    cells = best_cells(chosen).set_index("corpus")
    assert cells.loc["c", ["best", "protocol"]].tolist() == ["BOW", "chosen"]
    assert cells.loc["d", "protocol"] == "paper"


def test_what_is_reported_stands_beside_ours():
    section = glance_section([SCORES], None)
    said = places(section.charts[CHART])
    assert "BOW on c: 71.50, paper 70.00, +1.50" in said
    assert len(said) == 2
    alone = SCORES.assign(difference=np.nan)
    assert glance_section([alone], None).charts == {}


def test_a_corpus_of_several_tables_is_shown_once():
    few = SCORES[SCORES["corpus"] == "c"].head(1).assign(micro_mean=50.0)
    again = SCORES[SCORES["corpus"] == "c"].assign(
        micro_mean=81.0, chosen_micro_mean=90.0, chosen_micro_sd=np.nan
    )
    for tables in ([SCORES, few, again], [again, few, SCORES]):
        frame = each_once(tables)
        assert len(frame) == len(SCORES)
        assert set(frame[frame["corpus"] == "c"]["micro_mean"]) == {81.0}
        assert len(places(glance_section(tables, None).charts[CHART])) == 2


def test_verdicts_are_counted_by_protocol_and_stand_ins_apart():
    frame = pd.DataFrame(
        {
            "claim": ["a", "b", "b"],
            "corpus": ["c", "c", "s"],
            "metric": "micro-F1",
            "verdict": ["reproduced", "reproduced", "inconclusive"],
            "stand_in": [None, None, "Wiki"],
        }
    )
    drawn = verdict_bars({"paper": frame})
    assert 'aria-label="paper: 2 reproduced"' in drawn
    assert 'aria-label="paper, stand-ins: 1 inconclusive"' in drawn
