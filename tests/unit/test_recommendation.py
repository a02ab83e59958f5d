"""The advice of `pte.recommend`: by what it is made, that it is computed, and what it says."""

import math
import re
import subprocess
import sys
from itertools import pairwise
from pathlib import Path

import pytest

import pte
from pte import recommendation
from pte.errors import PteError
from pte.recommendation import (
    METHODS,
    SITUATIONS,
    Situation,
    Weighed,
    chosen,
    measured,
    points_behind,
    weighed,
)
from pte.render.markdown import markdown_table
from pte.render.text import read_csv, write_csv
from pte.report.guidelines import OTHERS, advice, unseen
from pte.report.situations import situations

ROOT = Path(__file__).parents[2]
PUBLISHED = ROOT / "results" / "published"
PAGE = (ROOT / "docs" / "choosing.md").read_text("utf-8")
REMEDY = "run `python -m pte.report.guidelines`"


def test_the_scores_are_those_that_are_published(tmp_path):
    write_csv(situations(PUBLISHED), tmp_path / "situations")
    made = (tmp_path / "situations.csv").read_text("utf-8")
    assert SITUATIONS.read_text("utf-8") == made, REMEDY


@pytest.mark.parametrize("name", [*OTHERS, "unseen"])
def test_the_tables_of_the_page_are_computed(name):
    table = unseen() if name == "unseen" else advice(OTHERS[name])
    block = re.search(f"<!-- {name}: begin -->(.*)<!-- {name}: end -->", PAGE, re.DOTALL)
    assert block[1].strip() == markdown_table(table), REMEDY


def test_the_code_of_the_page_prints_what_it_shows(capsys):
    code, shown = re.search(r"```python\n(.*?)```\n\n```\n(.*?)```", PAGE, re.DOTALL).groups()
    exec(code, {})
    assert capsys.readouterr().out == shown


def test_scores_are_read_with_their_situation():
    known = {(each.corpus, each.labelled, each.unlabelled): each for each in measured()}
    assert len(known) == len(measured())
    here = "corpus == '20ng' and labelled == 10"
    by_paper, labelled, unlabelled = (
        read_csv(PUBLISHED / f"curves-{name}.csv").query(here).set_index("method")
        for name in ("labelled", "labelled_chosen", "unlabelled")
    )
    with_text, without = labelled["micro_mean"], unlabelled.query("unlabelled == 0")["micro_mean"]
    tenth = known["20ng", 1131, 10183].scores  # 10 % of 11,314
    assert (tenth["pte_joint"], tenth["bow"]) == (with_text["pte_joint"], with_text["bow"])
    assert tenth["skipgram"] == by_paper.loc["skipgram", "micro_mean"]  # in that curve alone
    alone = known["20ng", 1131, 0].scores
    assert alone["bow"] == tenth["bow"] and alone["pte_joint"] == without["pte_joint"]
    assert "skipgram" not in alone
    assert known["r8", 5485, 0].scores["bow"] == 97.81  # the tuned classifier


@pytest.mark.parametrize(
    ("asked", "method"),
    [
        ((11314, 0, 305), "PTE(auto)"),
        ((7108, 0, 21), "PTE(auto)"),
        ((61479, 0, 9), "BOW with pairs"),
        ((600, 60_000, 9), "PTE(auto)"),
        ((600, 10_000, 300), "PTE(auto)"),
        ((500, 20_000, 250), "PTE(auto)"),
        ((100, 3_000, 250), "PTE(auto)"),
        ((1000, 0, 12), "BOW"),
    ],
)
def test_it_recommends_what_was_best_on_similar_texts(asked, method):
    assert pte.recommend(*asked).method == method


def test_situations_count_by_the_ratios_of_three_numbers():
    asked = Situation("", 100, 300, 50.0, {})
    others = [
        Situation("same", 100, 300, 50.0, {}),
        Situation("twice as long", 100, 300, 100.0, {}),
        Situation("half as many labels", 50, 150, 50.0, {}),
        Situation("twice as many texts for each", 100, 700, 50.0, {}),
        Situation("all of it", 200, 1400, 100.0, {}),
    ]
    found = weighed(asked, others)
    shares = {each.situation.corpus: each.share / found[0].share for each in found}
    assert sum(each.share for each in found) == pytest.approx(1)
    one = pytest.approx(2.718281828**-0.5)
    assert shares["twice as long"] == shares["half as many labels"] == one
    assert shares["twice as many texts for each"] == one
    assert shares["all of it"] == pytest.approx(2.718281828**-1.5)


def test_points_behind_are_averaged_over_what_was_measured():
    evidence = [
        Weighed(Situation("a", 1, 0, 1.0, {"bow": 80.0, "pte_joint": 90.0}), 0.6),
        Weighed(Situation("b", 1, 0, 1.0, {"bow": 90.0, "nb_em": 70.0}), 0.4),
        Weighed(Situation("c", 1, 0, 1.0, {"cnn": 70.0}), 0.0),
    ]
    found = points_behind(evidence)
    assert found == {"bow": pytest.approx(6), "nb_em": 20.0, "pte_joint": 0.0}  # no CNN
    assert list(found) == ["bow", "nb_em", "pte_joint"]


def test_of_level_methods_the_simplest_is_chosen():
    assert chosen({"bow": 0.6, "pte_joint": 0.2, "cnn": 0.1}) == "bow"
    assert chosen({"bow": 0.7, "pte_joint": 0.2, "cnn": 0.1}) == "pte_joint"


def test_alternatives_are_in_order_and_the_evidence_too():
    said = pte.recommend(600, 10_000, 300)
    assert all(a.behind <= b.behind for a, b in pairwise(said.alternatives))
    assert all(a.share >= b.share for a, b in pairwise(said.evidence))
    assert said.method not in [each.method for each in said.alternatives]


def test_it_says_what_was_not_measured():
    assert pte.recommend(625, 24_375, 234).cautions == ()
    (caution,) = pte.recommend(625, 24_375, 2340).cautions
    assert caution == "mean_length is 2,340; measured were 9 to 305."
    assert "n_labelled is 9;" in str(pte.recommend(9, 0, 20))
    assert "lies between" in pte.recommend(300, 9_000, 70).cautions[0]


@pytest.fixture
def less_measured(tmp_path, monkeypatch):
    """PTE(auto) is not measured with 2.5 % of imdb's labels."""
    rows = SITUATIONS.read_text("utf-8").splitlines()
    left = [row for row in rows if not (row.startswith("imdb,625,24375,") and ",pte_auto," in row)]
    assert len(left) == len(rows) - 1
    (tmp_path / "situations.csv").write_text("\n".join(left), "utf-8")
    monkeypatch.setattr(recommendation, "SITUATIONS", tmp_path / "situations.csv")
    measured.cache_clear()
    yield
    measured.cache_clear()


def test_its_text_has_the_call_the_scores_and_the_reason(less_measured):
    text = str(pte.recommend(625, 24_375, 234))
    assert text.startswith("PTE(auto): pte.PTEAuto()\n")
    assert re.search(r"imdb +625 +24,375 +234 +\d+% +~\d\d\.\d ", text)
    assert "it had the best micro-F1, where it was measured" in text
    assert "\n~: between what was measured" in text and "weight: how much a row counts" in text
    level = " ".join(str(pte.recommend(61479, 0, 9)).split())
    assert "points of micro-F1 behind the best method, on average. PTE(auto) was 0.0" in level
    assert "~" not in level


def test_a_score_between_two_measured_ones_is_on_the_line_of_logarithms(less_measured):
    known = {(each.corpus, each.labelled): each for each in measured() if each.unlabelled}
    there, near = known["imdb", 1250], known["imdb", 625]
    low, high = known["imdb", 250].scores["pte_auto"], there.scores["pte_auto"]
    share = math.log(625 / 250) / math.log(1250 / 250)
    assert near.between == {"pte_auto": pytest.approx(low + share * (high - low))}
    assert not there.between and not known["20ng", 566].between
    best = near.scores["cnn_pretrain"] - near.scores["pte_joint"]
    assert (
        0
        < best
        < near.behind("pte_joint")
        == pytest.approx(near.between["pte_auto"] - near.scores["pte_joint"])
    )


@pytest.mark.parametrize(
    ("asked", "message"),
    [
        ((0, 100, 10), "n_labelled is 0"),
        ((10, -1, 10), "n_unlabelled is -1"),
        ((float("nan"), 0, 10), "n_labelled is nan"),
        ((10, 0, 0), "mean_length is 0"),
        ((10, 0, float("nan")), "mean_length is nan"),
        ((10, 0, float("inf")), "mean_length is inf"),
        (("10", 0, 10), "n_labelled is '10'; it must be a number"),
    ],
)
def test_numbers_that_no_text_has_are_refused(asked, message):
    with pytest.raises(PteError, match=message):
        pte.recommend(*asked)


def test_every_method_has_a_score_and_a_label_of_the_tables():
    labels = (
        read_csv(PUBLISHED / "short.csv").drop_duplicates("method").set_index("method")["label"]
    )
    assert {name: method.label for name, method in METHODS.items()} == labels[[*METHODS]].to_dict()
    assert METHODS.keys() == {name for each in measured() for name in each.scores}


def test_it_needs_no_package_beside_python():
    code = "import pte, sys; pte.recommend(9, 0, 9); pte.recommend(9, 0, 9); print(*sys.modules)"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert not {"numpy", "numba", "sklearn", "pandas"} & set(run.stdout.split())
