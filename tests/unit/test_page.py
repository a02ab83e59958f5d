"""The page's sections from the files of a run."""

import json

import pandas as pd
import pytest

from pte.files import read_json, write_json
from pte.report.cells import sort_key
from pte.report.claims import judge
from pte.report.html import html_page, kinds
from pte.report.page import (
    claims_section,
    curve_section,
    maps_section,
    provenance_section,
    sensitivity_section,
    write_page,
)
from pte.report.provenance import (
    code_and_machine,
    commit,
    corpora_cells,
    piece,
    processor_hours,
    provenance,
    runs_cells,
    with_piece,
)
from pte.report.verdicts import write_verdicts

PICTURE = b"<svg xmlns='http://www.w3.org/2000/svg'/>"


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
        ("Δ", "+0.50", ["above"]),
        ("Δ", "+2.50", ["above", "far"]),
        ("Δ", "\N{MINUS SIGN}2.00", ["below"]),
        ("Δ", "\N{MINUS SIGN}2.01", ["below", "far"]),
        ("Δ", "+0.00", []),
        ("Δ", "—", []),
        ("paper", "not reproduced", ["verdict", "not-reproduced"]),
        ("paper", "71.90", []),
    ],
)
def test_cells_are_coloured_by_what_they_say(column, cell, expected):
    assert kinds(column, cell) == expected


def test_verdicts_are_read_back_from_their_file(tmp_path):
    claims = {
        "x": {
            "left": "a",
            "right": ["b"],
            "corpora": ["Wiki"],
            "relation": "above",
            "quotation": "a is better",
            "section": "5.2",
        }
    }
    labels = {"a": "PTE(a)", "b": "BOW"}
    judged = judge(claims, {}, {"Wiki": "it is not published"})
    write_verdicts({"paper": judged, "tuned": judged}, claims, labels, tmp_path / "claims")
    section = claims_section(tmp_path / "claims.csv", claims, labels)
    row = section.tables["Each claim, classifier setting “tuned”"].iloc[0]
    assert row["the paper"] == "“a is better” (5.2)"
    assert row["pair"] == "PTE(a), BOW: it is not published"
    assert row["verdict"] == "cannot be run here"
    counts = section.tables["How many claims"].set_index("claims")
    assert counts.loc["cannot be run here"].tolist() == ["1", "1"]


def test_a_curve_has_a_table_a_corpus(tmp_path, picture):
    frame = pd.DataFrame({"corpus": "c", "label": ["BOW", "BOW"], "labelled": [2.5, 100.0]})
    frame = frame.assign(unlabelled=100, samples=None)
    frame = frame.assign(micro_mean=[50.0, 75.5], micro_sd=[1.0, None])
    frame.to_csv(tmp_path / "curve.csv", index=False)
    curve = {"caption": "Labelled data", "along": "labelled"}
    section = curve_section(curve, tmp_path / "curve.csv", picture)
    cells = section.tables["c"].set_index("labelled documents (%)")
    assert cells.loc["BOW"].to_dict() == {
        "2.5 %": "**50.00 ± 1.00**",
        "100 %": "**75.50**",
        "T": "—",
    }
    assert section.pictures == {"Labelled data": PICTURE}
    assert "Open marks" in section.text[0]
    turned = frame.rename(columns={"labelled": "unlabelled", "unlabelled": "labelled"})
    turned.to_csv(tmp_path / "curve.csv", index=False)
    other = curve_section(curve | {"along": "unlabelled"}, tmp_path / "curve.csv", picture)
    assert "Open marks" not in other.text[0]


def test_each_parameter_has_a_table(tmp_path, picture):
    frame = pd.DataFrame({"corpus": "c", "value": [1, 5], "micro_mean": [50, 60], "micro_sd": 1.0})
    frame["samples"] = 5_000_000
    frame.to_csv(tmp_path / "negatives.csv", index=False)
    points = {"negatives": tmp_path / "negatives.csv"}
    section = sensitivity_section(points, {"negatives": picture})
    assert section.tables["Against negative samples, K"]["c, T = 5 M"].tolist() == [
        "50.00 ± 1.00",
        "60.00 ± 1.00",
    ]


def test_maps_are_drawn_a_method(tmp_path, picture):
    frame = pd.DataFrame({"method": ["m"], "neighbours_f1": [81.234], "silhouette": [0.126]})
    frame.to_csv(tmp_path / "c.csv", index=False)
    write_json(tmp_path / "c.json", {"m": {"xs": [1]}})
    files = ({"c": tmp_path / "c.csv"}, {"c": tmp_path / "c.json"}, {"c": picture})
    section = maps_section(*files)
    assert section.tables["c"].iloc[0].tolist() == ["m", "81.23", "0.13"]
    assert section.maps == {"Documents of c under m": {"xs": [1]}}


@pytest.fixture
def run(tmp_path):
    """An encoded corpus's record, and what Snakemake measured of jobs."""
    corpus = tmp_path / "corpora" / "c"
    corpus.mkdir(parents=True)
    record = {
        "archive": {"file": "c.zip", "sha256": "a" * 64},
        "documents_sha256": "b" * 64,
        "counts": {"documents": 1234, "vocabulary": 99, "tokens": 2_500_000},
    }
    (corpus / "corpus.json").write_text(json.dumps(record))
    files = []
    for method, seconds in {"late": [5], "early": [10, 30, 20]}.items():
        for seed, s in enumerate(seconds, 1):
            path = tmp_path / "vectors" / "c" / method / f"seed{seed}.tsv"
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(f"s\tmax_rss\tcpu_time\n{s}.4\t{100 * s}\tNA\n")
            files.append(path)
    return corpus, files


def test_runs_tell_the_median_of_seconds_and_the_most_memory(run, tmp_path):
    labels = {"early": "Early", "late": "Late"}
    here = piece(tmp_path, [], tmp_path, labels)
    cells = provenance([here], labels)[1]["Runs"]
    pd.testing.assert_frame_equal(cells[::-1].reset_index(drop=True), runs_cells(run[1], labels))
    assert cells["method"].tolist() == ["Early", "Late"]
    assert cells["seeds"].tolist() == ["3", "1"]
    assert cells["seconds"].tolist() == ["20", "5"]
    assert cells["MB"].tolist() == ["3,000", "500"]
    assert cells["of processor"].tolist() == ["—", "—"]


def test_processor_time_is_known_but_for_what_comes_after_the_last_look(tmp_path):
    """Of the last job more time was seen than passed, as with several threads."""
    jobs = {"a": (3600, 1770), "b": (1800, 1790), "c": (10, "NA"), "d": (60, 90)}
    for name, (clock, seen) in jobs.items():
        (tmp_path / f"{name}.tsv").write_text(f"s\tcpu_time\n{clock}\t{seen}\n")
    least, most = processor_hours(tmp_path.glob("*.tsv"))
    assert least * 3600 == pytest.approx(1770 + 1790 + 90)
    assert most * 3600 == pytest.approx(1800 + 1800 + 10 + 90)


def test_corpora_tell_what_they_were_read_from(run):
    row = corpora_cells([run[0]]).iloc[0]
    assert row.tolist() == ["c", "c.zip", "a" * 16, "b" * 16, "1,234", "99", "2.5 M"]


def test_the_commit_of_a_folder_that_has_none_is_unknown(tmp_path, monkeypatch):
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path.parent))
    assert commit(tmp_path) == "unknown"
    assert set(code_and_machine(tmp_path)) > {"commit", "cores", "numba", "matplotlib"}


def test_runs_of_a_sweep_tell_its_value(tmp_path):
    for value in ("dim/25", "default/all"):
        path = tmp_path / "sensitivity/c-labelled10-seed2" / value / "seed1.tsv"
        path.parent.mkdir(parents=True)
        path.write_text("s\tmax_rss\tcpu_time\n1\t1\t1\n")
    here = piece(tmp_path, [], tmp_path, {"pte_joint": "PTE(joint)"})
    assert [(row["method"], row["corpus"]) for row in here["runs"]] == [
        ("PTE(joint)", "c-labelled10-seed2, default"),
        ("PTE(joint)", "c-labelled10-seed2, dim 25"),
    ]


def with_runs(hours, **seeds):
    """A piece of runs on a corpus of one method, by the corpus and how many seeds."""
    return {
        "hours": [hours, 2 * hours],
        "code": {"commit": str(hours)},
        "texts": [{"corpus": name, "archive": f"{name}.zip"} for name in ("c", "d")],
        "runs": [
            {"method": "M", "corpus": name.replace("_", ", dim "), "seeds": str(n)}
            for name, n in seeds.items()
        ],
    }


@pytest.mark.parametrize(
    ("earlier", "new", "left"),
    [
        ({"c": 3, "d": 3}, {"c": 3}, [["d"], ["c"]]),
        ({"c": 3, "d": 3}, {"c": 5, "d": 3}, [["c", "d"]]),
        ({"c": 5}, {"c": 2, "d": 2}, [["c"], ["d"]]),
        ({"c": 5}, {"c": 2}, [["c"]]),
        ({"c": 5}, {}, [["c"]]),
        ({"c_25": 3}, {"c": 3}, [["c, dim 25"], ["c"]]),
        ({}, {}, [[]]),
    ],
)
def test_each_run_is_of_the_last_piece_with_most_seeds(earlier, new, left):
    pieces = with_piece([with_runs(1, **earlier)], with_runs(2, **new))
    assert [[row["corpus"] for row in each["runs"]] for each in pieces] == left
    for each in pieces:
        on = {row["corpus"].partition(",")[0] for row in each["runs"]} or {"c", "d"}
        assert {row["corpus"] for row in each["texts"]} == on


def test_what_is_of_several_pieces_says_of_which():
    pieces = with_piece([with_runs(1, c_25=3, d=3)], with_runs(2, c=3))
    said, tables = provenance(pieces, {"m": "M"})
    assert said.startswith("All jobs whose measurements are here took 3.0 to 6.0 hours")
    assert "1.0 to 2.0 in piece 1, 2.0 to 4.0 in piece 2." in said
    assert tables["Code and machine"].loc[0].tolist() == ["commit", "1", "2"]
    runs = tables["Runs"]
    assert list(zip(runs["corpus"], runs["piece"], strict=True)) == [
        ("c", "2"),
        ("c, dim 25", "1"),
        ("d", "1"),
    ]
    texts = tables["Texts"]
    assert list(zip(texts["corpus"], texts["piece"], strict=True)) == [("c", "1, 2"), ("d", "1")]
    assert "piece" not in provenance(pieces[:1], {})[1]["Runs"]


def test_pieces_survive_their_file(run, tmp_path):
    here = piece(tmp_path, [run[0]], tmp_path, {"early": "Early", "late": "Late"})
    write_json(tmp_path / "pieces.json", [here])
    (read,) = read_json(tmp_path / "pieces.json")
    assert provenance([read], {})[0] == provenance([here], {})[0]
    assert read["runs"] == here["runs"] and read["code"] == here["code"]


def test_the_page_holds_every_section_and_asks_no_network(run, tmp_path):
    corpus, _ = run
    section = provenance_section(tmp_path, [corpus], tmp_path, {"early": "Early", "late": "Late"})
    assert "took 0.0 to 0.0 hours of processor time" in section.text[0]
    write_page([section], tmp_path / "page.html")
    page = (tmp_path / "page.html").read_text("utf-8")
    assert page == html_page("PTE: Predictive Text Embedding, run again", [section])
    for part in ("c.zip", "Early", '<h2 id="provenance">'):
        assert part in page
    assert "http" not in page
