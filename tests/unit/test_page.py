"""The page's sections from the files of a run."""

import re
from base64 import b64encode
from hashlib import sha256

import numpy as np
import pandas as pd
import pytest

from pte.files import write_json
from pte_study.claims.claim import Claim
from pte_study.claims.judging import judge
from pte_study.plan.study import PAGES
from pte_study.render.tables import FIRST, LONG, MANY, Section, html_page, sort_key
from pte_study.report.origins import provenance
from pte_study.report.page import QUICKSTART, Item, page_sections, what_won, write_page
from pte_study.report.summaries import each_once
from pte_study.report.verdicts import write_verdicts

SHOWN = "pte_study.report.comparison"
NETWORK = ("pte_study.report.pictures", "network_picture")
PICTURE = b"<svg xmlns='http://www.w3.org/2000/svg'/>"
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


@pytest.fixture
def picture(tmp_path):
    path = tmp_path / "picture.svg"
    path.write_bytes(PICTURE)
    return path


@pytest.mark.parametrize(
    ("cell", "key"),
    [
        ("84.20 ± 0.20", 84.2),
        ("**84.20**", 84.2),
        ("<ins>84.20</ins>", 84.2),
        ("\N{MINUS SIGN}0.38", -0.38),
        ("+2.50 [+1.00, +4.00]", 2.5),
        ("12.5 × [10, 13]", 12.5),
        ("1,234", 1234),
        ("300 M", 3e8),
        ("2.5 %", 2.5),
        ("500 k–20 M", 5e5),
        ("< 0.0001", 1e-4),
        ("5.04, 4.3 ×", 5.04),
        ("—", None),
        ("20ng", None),
        ("not yet run", None),
        ("", None),
    ],
)
def test_cells_are_sorted_by_the_number_they_start_with(cell, key):
    assert sort_key(cell) == key


@pytest.mark.parametrize(
    ("column", "cell", "expected"),
    [
        ("Δ", "+0.50", "above"),
        ("Δ", "+2.50", "above far"),
        ("Δ", "\N{MINUS SIGN}2.00", "below"),
        ("Δ", "\N{MINUS SIGN}2.01", "below far"),
        ("Δ", "+0.00", ""),
        ("Δ", "—", ""),
        ("paper", "not reproduced", "text verdict not-reproduced"),
        ("paper", "71.90", ""),
    ],
)
def test_cells_are_coloured_by_what_they_say(tmp_path, column, cell, expected):
    table = Section(tables={"": pd.DataFrame({"x": ["y"], column: [cell]})})
    write_page("scores", [table], tmp_path / "page.html")
    page = (tmp_path / "page.html").read_text("utf-8")
    assert (re.search(r'<td(?: class="([^"]*)")?[ >]', page)[1] or "") == expected


def test_verdicts_are_read_back_from_their_file(tmp_path):
    claims = {"x": Claim("5.2", "a is better", ("a",), ("b",), "above", ("Wiki",))}
    labels = {"a": "PTE(a)", "b": "BOW"}
    judged = judge(claims, {}, {"Wiki": "it is not published"})
    both = [judged.assign(protocol=protocol) for protocol in ("paper", "chosen")]
    write_verdicts(pd.concat(both), claims, labels, tmp_path / "claims")
    files = {"csv": tmp_path / "claims.csv"}
    item = Item("pte_study.report.verdicts", "claims", "claims", files, {"claims": claims})
    item = item._replace(given={"claims": claims, "labels": labels})
    first, section = page_sections("claims", [item])
    assert first.text[0] == "Sentences by “paper”: 1 cannot be run here; 1 in all."
    row = section.tables["“a is better” (5.2)"].iloc[1]
    assert row["protocol"] == "chosen"
    assert row["pair"] == "PTE(a), BOW: it is not published"
    assert row["verdict"] == "cannot be run here"
    counts = section.tables["How many sentences"].set_index("sentences")
    assert counts.loc["cannot be run here"].tolist() == ["1", "1"]


def test_the_page_holds_every_section_and_asks_no_network(tmp_path):
    counts = {"documents": 3, "vocabulary": 2, "tokens": 9}
    text = {"archive": {"file": "c.zip", "sha256": "a" * 64}, "counts": counts}
    (tmp_path / "c").mkdir()
    write_json(tmp_path / "c" / "corpus.json", text | {"documents_sha256": "b" * 64})
    cost = tmp_path / "results/costs/representations/c/early/paper/seed1.json"
    cost.parent.mkdir(parents=True)
    write_json(cost, {"seconds": 9.0, "processor_seconds": 9000.0, "memory_mb": 1.0})
    here = provenance(tmp_path, [tmp_path / "c"], [cost])
    (section,) = page_sections("provenance", [], here)
    assert "took 2.5 hours of processor time" in section.text[0]
    write_page("quickstart", [section], tmp_path / "page.html")
    page = (tmp_path / "page.html").read_text("utf-8")
    assert page == html_page(QUICKSTART, [section])
    for part in ("c.zip", "fit methods", '<h2 id="where-the-numbers-come-from">'):
        assert part in page
    assert "http" not in page.replace("http-equiv", "")
    (script,) = re.findall("<script>(.*)</script>", page, re.DOTALL)
    digest = b64encode(sha256(script.encode()).digest()).decode()
    (policy,) = re.findall('Content-Security-Policy" content="([^"]*)"', page)
    assert policy.startswith("default-src &#39;none&#39;; ")
    assert policy.endswith(f"script-src &#39;sha256-{digest}&#39;")


def test_items_of_the_same_part_share_a_section(tmp_path, picture):
    row = {"corpus": "c", "method": "b", "label": "BOW", "group": "baseline"}
    numbers = {"micro_mean": 71.5, "macro_mean": 70.0, "train_seconds": 2.0, "n_seeds": 1}
    empty = ["micro_sd", "macro_sd", "reference_micro", "reference_source", "difference"]
    frame = pd.DataFrame([row | numbers | dict.fromkeys([*empty, "samples", "unavailable"])])
    frame.to_csv(tmp_path / "main.csv", index=False)
    title = {"title": "Main", "caption": ""}
    items = [
        Item(SHOWN, "comparison", "main", {"csv": tmp_path / "main.csv"}, title),
        Item(SHOWN, "comparison_figure", "main", {"svg": picture}, title),
        Item(*NETWORK, "network", {"svg": picture}, {"caption": ""}),
    ]
    sections = {each.title: each for each in page_sections("quickstart", items, ("", {}))}
    assert list(sections["Main"].tables) == ["c"]
    assert list(sections["Main"].pictures) == ["Main: micro-F1"]
    assert list(sections) == [
        "What won, by how much, and at what cost",
        "Main",
        "The networks of a few documents (the paper's Figure 1)",
        "Where the numbers come from",
    ]


def test_long_tables_and_late_sections_open_at_a_click():
    short, long = (pd.DataFrame({"method": ["a"] * rows}) for rows in (LONG, LONG + 1))
    page = html_page("A page", [Section("S", tables={"c": short, "d": long})])
    assert page.count("<summary>d: 13 rows") == 1 and "<summary>c" not in page
    assert "rows</summary>" not in html_page("A page", [Section(tables={"": long})])
    tables = {f"t{i}": short for i in range(MANY + 1)}
    page = html_page("A page", [Section("S", tables=tables)])
    assert page.count(f": {LONG} rows</summary>") == MANY + 1 - FIRST
    many = [Section(f"S{i}") for i in range(MANY + 1)]
    assert html_page("A page", many).count("<summary>Show") == MANY + 1 - FIRST
    assert "<summary>Show" not in html_page("A page", many[:MANY])


def test_pages_that_belong_together_link_to_each_other(tmp_path):
    write_page("scores", [Section("S")], tmp_path / "scores.html")
    page = (tmp_path / "scores.html").read_text("utf-8")
    links = re.findall(r'<li><a href="(\w+)\.html"( aria-current="page")?>', page)
    assert [name for name, _ in links] == list(PAGES)
    assert [name for name, current in links if current] == ["scores"]


def test_a_text_is_told_once(tmp_path, picture):
    items = [
        Item(*NETWORK, part, {"svg": picture}, {"caption": "Told."}) for part in ("one", "other")
    ]
    first, second = page_sections("corpora", items)
    assert ([*first.text], [*second.text]) == (["Told."], [])


def test_the_best_of_a_corpus_is_no_control():
    cells = what_won([SCORES]).tables[""].set_index("corpus")
    shown = ["PTE(joint)", "80.00 ± 0.50", "BOW", "+8.50", "+0.00", "+8.50", "12", "paper"]
    assert cells.loc["c"].tolist() == shown
    assert cells.loc["d", ["second", "over BOW"]].tolist() == ["—", "—"]
    chosen = SCORES.assign(chosen_micro_mean=[90.0, 85.0, 99.0, np.nan], chosen_micro_sd=np.nan)
    cells = what_won([chosen]).tables[""].set_index("corpus")
    assert cells.loc["c", ["best", "protocol"]].tolist() == ["BOW", "chosen"]
    assert cells.loc["d", "protocol"] == "paper"


def test_the_first_sentence_says_what_won_by_how_much_and_at_what_cost():
    alone, both = (what_won([frame]).text[0] for frame in (SCORES[SCORES["corpus"] == "c"], SCORES))
    assert alone == (
        "PTE(joint) has the best score on c: 80.00 % of the test documents are right, 8.50 points "
        "more than with BOW."
    )
    assert both == "PTE(joint) has the best score on 2 of the 2 corpora on which it was run."
    tied = SCORES[SCORES["corpus"] == "c"].assign(micro_mean=80.0)
    assert "are right, as many as with" in what_won([tied]).text[0]


def test_a_corpus_of_several_tables_is_shown_once():
    few = SCORES[SCORES["corpus"] == "c"].head(1).assign(micro_mean=50.0)
    chosen = {"chosen_micro_mean": 90.0, "chosen_micro_sd": np.nan}
    again = SCORES[SCORES["corpus"] == "c"].assign(micro_mean=81.0, **chosen)
    for tables in ([SCORES, few, again], [again, few, SCORES]):
        frame = each_once(tables)
        assert len(frame) == len(SCORES)
        assert set(frame[frame["corpus"] == "c"]["micro_mean"]) == {81.0}
