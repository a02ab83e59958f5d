"""Charts of the page, and what its first section says."""

import numpy as np
import pandas as pd

from pte_study.claims.verdicts import HYPOTHESIS
from pte_study.report.glance import Part, bars, best_cells, verdict_bars, what_won
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
        "train_seconds": [np.nan, 12.3, 0.1, 9.0],
    }
)


def test_charts_show_names_as_they_are():
    drawn = bars({"a&<b>": [Part(1, "<u>", '" onclick=')]})
    for raw in ("<b>", "<u>", '" onclick'):
        assert raw not in drawn
    assert "a&amp;&lt;b&gt;" in drawn


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
        "BOW",
        "+8.50",
        "+0.00",
        "+8.50",
        "12",
        "paper",
    ]
    assert cells.loc["d", ["second", "over BOW"]].tolist() == ["—", "—"]
    chosen = SCORES.assign(chosen_micro_mean=[90.0, 85.0, 99.0, np.nan], chosen_micro_sd=np.nan)
    cells = best_cells(chosen).set_index("corpus")
    assert cells.loc["c", ["best", "protocol"]].tolist() == ["BOW", "chosen"]
    assert cells.loc["d", "protocol"] == "paper"


def test_the_first_sentence_says_what_won_by_how_much_and_at_what_cost():
    alone, both = (what_won([frame]).text[0] for frame in (SCORES[SCORES["corpus"] == "c"], SCORES))
    assert alone == (
        "PTE(joint) has the best score on c: 80.00 % of the test documents are right, 8.50 points "
        "more than with BOW. PTE(joint) trained for 12 seconds. BOW has no vectors to train."
    )
    assert both == "PTE(joint) has the best score on 2 of the 2 corpora on which it was run."
    tied = SCORES[SCORES["corpus"] == "c"].assign(micro_mean=80.0)
    assert "are right, as many as with" in what_won([tied]).text[0]


def test_a_corpus_of_several_tables_is_shown_once():
    few = SCORES[SCORES["corpus"] == "c"].head(1).assign(micro_mean=50.0)
    again = SCORES[SCORES["corpus"] == "c"].assign(
        micro_mean=81.0, chosen_micro_mean=90.0, chosen_micro_sd=np.nan
    )
    for tables in ([SCORES, few, again], [again, few, SCORES]):
        frame = each_once(tables)
        assert len(frame) == len(SCORES)
        assert set(frame[frame["corpus"] == "c"]["micro_mean"]) == {81.0}


def test_verdicts_are_counted_by_protocol_and_stand_ins_apart():
    frame = pd.DataFrame(
        {
            "claim": ["a", "b", "b"],
            "corpus": ["c", "c", "s"],
            "metric": "micro-F1",
            "verdict": ["reproduced", "reproduced", "too few seeds"],
            "stand_in": [None, None, "Wiki"],
            "left": ["m", "n", "n"],
            "overall": False,
        }
    )
    frame = frame.assign(source="paper", **dict.fromkeys(HYPOTHESIS[1:5], ""), relation="above")
    frame["bound"] = 0.0
    drawn = verdict_bars({"paper": frame})
    assert 'aria-label="paper: 2 reproduced"' in drawn
    assert 'aria-label="paper, stand-ins: 1 too few seeds"' in drawn
