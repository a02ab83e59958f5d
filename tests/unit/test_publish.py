"""What is published of a run, and of parts of it; a look at a run that goes on."""

import re
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import matplotlib
import numpy as np
import pandas as pd
import pytest

from pte.errors import PteError
from pte.files import read_json, write_json
from pte_study.claims.claim import Claim
from pte_study.claims.judging import judge
from pte_study.claims.pairing import Outcomes
from pte_study.configuration.entries import Row
from pte_study.plan.fingerprint import Sources
from pte_study.plan.targets import published_parts
from pte_study.render.markdown import markdown_table
from pte_study.render.plots import STYLED
from pte_study.render.text import read_csv, write_csv
from pte_study.report.here import runs_here
from pte_study.report.look import look
from pte_study.report.moderation import moderation
from pte_study.report.partial import beside, write_beside
from pte_study.report.provenance import Piece
from pte_study.report.publication import judged_published, publish_here
from pte_study.report.published import Shelf, chosen, publish
from pte_study.report.verdicts import read_verdicts, write_verdicts

ROOT = Path(__file__).parents[2]
LABELS = {"a": "PTE(a)", "b": "BOW", "d": "CNN"}
CLAIMS = {
    "x": Claim("5.2", "a is better", "a", ("b",), "above", ("c",)),
    "y": Claim("5.3", "a is better still", "a", ("d",), "above", ("c",)),
}
README = "\n".join(
    f"<!-- {name}: begin -->\nold\n<!-- {name}: end -->" for name in ("results", "verdicts")
)


def judged(*methods):
    random = np.random.default_rng(0)
    shares = {"a": 0.9, "b": 0.7, "d": 0.6}
    hits = {name: random.random((3, 500)) < share for name, share in shares.items()}
    runs = {
        ("c", name): Outcomes((1, 2, 3), 100 * hits[name].astype(np.float32)) for name in methods
    }
    return {"paper": judge(CLAIMS, runs, {})}


def piece_of(corpus):
    row = {"method": "BOW", "corpus": corpus, "seeds": "3"}
    return Piece(hours=(1.0, 1.0), code={"commit": "1"}, texts=[], runs=[row])


@pytest.fixture
def shelf(tmp_path):
    (tmp_path / "README.md").write_text(README, "utf-8")
    return Shelf(tmp_path / "published", tmp_path / "README.md")


def put(shelf, files, verdicts, corpus="c"):
    publish(files, verdicts, piece_of(corpus), CLAIMS, LABELS, ["main"], shelf)


def test_files_verdicts_and_provenance_are_put_where_they_belong(shelf, tmp_path):
    frame = {"label": ["BOW"], "corpus": ["c"], "micro_mean": [71.5], "reference_micro": [70.0]}
    pd.DataFrame(frame).to_csv(tmp_path / "made.csv", index=False)
    put(shelf, [(tmp_path / "made.csv", "main.csv")], judged("a", "b", "d"))
    names = {path.name for path in shelf.folder.iterdir()}
    of_claims = {f"claims.{kind}" for kind in ("csv", "md", "tex")}
    assert names == {"main.csv", "provenance.json", "provenance.md"} | of_claims
    readme = shelf.readme.read_text("utf-8")
    assert "| BOW | 71.50 (70.00) |" in readme
    assert "| reproduced | 2 |" in readme
    assert "old" not in readme


def test_a_part_leaves_the_rest_as_it_was_and_joins_verdicts(shelf):
    put(shelf, [], judged("a", "b"))
    assert read_verdicts(shelf.folder / "claims.csv")["paper"]["effect"].isna().tolist() == [0, 1]
    before = (shelf.folder / "claims.csv").read_text("utf-8")
    put(shelf, [], None, "other")
    assert (shelf.folder / "claims.csv").read_text("utf-8") == before
    assert len(read_json(shelf.folder / "provenance.json")) == 2
    put(shelf, [], judged("a", "d"))
    together = read_verdicts(shelf.folder / "claims.csv")["paper"]
    assert together["verdict"].tolist() == ["reproduced"] * 2
    assert "| PTE(a), BOW |" in (shelf.folder / "claims.md").read_text("utf-8")


def test_a_plugins_verdicts_are_joined_and_counted_apart(shelf, monkeypatch):
    """Also where a protocol has no claim at all, because checkpoints have one protocol alone."""
    plugins = CLAIMS | {"y": replace(CLAIMS["y"], source="mine")}
    monkeypatch.setitem(globals(), "CLAIMS", plugins)
    both = judged("a", "b", "d")
    nothing = {"chosen": both["paper"].iloc[:0]}
    put(shelf, [], both | nothing)
    put(shelf, [], judged("a", "d") | nothing)
    kept = read_verdicts(shelf.folder / "claims.csv")["paper"]
    assert kept["verdict"].tolist() == ["reproduced"] * 2
    assert kept["p_holm"].tolist() == kept["p"].tolist()
    assert "| reproduced | 1 |" in shelf.readme.read_text("utf-8")
    text = (shelf.folder / "claims.md").read_text("utf-8")
    assert "How many claims of the plugin mine" in text
    assert "“a is better still” (mine, 5.3)" in text


@pytest.fixture
def parts(tmp_path):
    """One that is there, one of which a file is missing, and one that is not there."""
    for name in ("whole.csv", "whole.svg", "half.csv"):
        (tmp_path / name).touch()
    names = {"whole": ["whole.csv", "whole.svg"], "half": ["half.csv", "half.svg"], "none": ["n"]}
    return {name: [(tmp_path / file, file) for file in files] for name, files in names.items()}


def test_named_parts_must_be_there(parts):
    assert [name for _, name in chosen(parts, ["whole"])] == ["whole.csv", "whole.svg"]
    with pytest.raises(PteError, match=r"none lacks .*n; half lacks .*half.svg"):
        chosen(parts, ["none", "whole", "half"])
    with pytest.raises(PteError, match="other: not one of whole, half, none, claims"):
        chosen(parts, ["other", "whole"])


def test_without_names_all_that_is_there_is_published(parts):
    with pytest.raises(PteError, match=r"publish: half lacks \S*half.svg\. Make"):
        chosen(parts, [])
    del parts["half"]
    assert [name for _, name in chosen(parts, [])] == ["whole.csv", "whole.svg"]


@pytest.fixture
def nothing(tmp_path, monkeypatch):
    """The runs of a study of which none is there."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("pte_study.report.publication.store_here", lambda runs: [])
    study = SimpleNamespace(config=SimpleNamespace(maps=["c"]))
    known = {"published": ["main"], "curves": ["labelled"], "parameters": ["dim"]}
    return SimpleNamespace(study=study, **known)


@pytest.mark.parametrize(
    ("names", "message"),
    [
        ([], "publish: nothing is there to publish; run the workflow first"),
        (["claims"], "publish: claims: no score that a claim is about is there"),
        (["main", "bogus"], "publish: bogus: not one of table1, main, network, curves-labelled, "),
        (["maps-c", "claims"], "publish: maps-c lacks results/maps/c.csv, results/maps/c.md, "),
    ],
)
def test_what_is_not_there_is_refused(nothing, names, message):
    with pytest.raises(PteError, match=re.escape(message)):
        publish_here(nothing, names)


def test_a_look_shows_the_scores_that_are_there(tmp_path):
    run = {"corpus": "c", "method": "b", "protocol": "paper", "seed": 1, "samples": None}
    run |= {"train_seconds": None, "micro_f1": 71.5, "macro_f1": 70.0}
    write_json(tmp_path / "score.json", run)
    reference = pd.DataFrame(columns=["corpus", "method", "source", "micro_f1", "macro_f1"])
    methods = [Row(name, label, label, "baseline") for name, label in LABELS.items()]
    for scores, cell in (([tmp_path / "score.json"], "71.50 *"), ([], "not yet run")):
        text = look(scores, reference, methods, ["c"], ["paper"])
        (line,) = [line for line in text.splitlines() if line.startswith("BOW")]
        assert cell in line
        assert "PTE(a)  not yet run" in text


@pytest.mark.parametrize(
    ("module", "others"),
    [
        (
            "comparison_figure",
            ["pte_study/claims/", "render/html", "render/latex", "pte_study/report/times"],
        ),
        ("times", ["pte_study/claims/", "comparison", "report/curves"]),
        ("sensitivity", ["pte_study/claims/", "comparison", "report/curves"]),
        ("curves", ["pte_study/claims/", "comparison", "report/sensitivity"]),
        ("comparison", ["pte_study/claims/", "plots", "comparison_figure"]),
    ],
)
def test_a_table_or_a_figure_is_made_again_for_its_own_code_alone(module, others):
    files = Sources().closure(f"pte_study.report.{module}")
    assert f"pte_study/report/{module}.py" in files
    assert not [file for file in files for other in others if other in file.replace(module, "")]


@pytest.mark.parametrize("mirror", ["", "mirror"])
def test_the_published_verdicts_are_those_of_the_published_runs(monkeypatch, tmp_path, mirror):
    monkeypatch.chdir(ROOT)
    monkeypatch.setenv("PTE_MIRROR", mirror and str(tmp_path))
    runs = runs_here()
    study = runs.study
    write_verdicts(
        judged_published(runs), study.registries.claims, study.labels, tmp_path / "claims"
    )
    published = ROOT / "results" / "published" / "claims"
    for kind in ("md", "tex"):
        made = (tmp_path / f"claims.{kind}").read_text("utf-8")
        assert made == published.with_suffix(f".{kind}").read_text("utf-8")
    frames = [
        pd.read_csv(folder.with_suffix(".csv")) for folder in (tmp_path / "claims", published)
    ]
    pd.testing.assert_frame_equal(*frames, rtol=1e-9)  # the last digits are scipy's


# A part of a table, of a curve, or of the sensitivity experiment.


def cells(*rows):
    return pd.DataFrame(rows, columns=["corpus", "method", "labelled", "unlabelled", "micro_mean"])


def test_new_points_take_the_place_of_published_ones():
    published = cells(
        ("b", "y", 1, 100, 1.0), ("b", "y", 5, 100, 2.0), ("b", "x", 1, 100, 3.0),
        ("a", "y", 1, 100, 4.0),
    )  # fmt: skip
    made = cells(("b", "z", 1, 100, 7.0), ("b", "y", 2, 100, 6.0), ("b", "y", 1, 100, 5.0))
    expected = cells(
        ("b", "y", 1, 100, 5.0), ("b", "y", 2, 100, 6.0), ("b", "y", 5, 100, 2.0),
        ("b", "x", 1, 100, 3.0), ("b", "z", 1, 100, 7.0), ("a", "y", 1, 100, 4.0),
    )  # fmt: skip
    pd.testing.assert_frame_equal(beside(made, published), expected)
    ordered = beside(made, published, ["x", "z"])
    assert ordered["method"].tolist() == ["x", "z", "y", "y", "y", "y"]


def test_what_was_not_run_takes_no_place():
    published = cells(("a", "x", 1, 100, 1.0))
    made = cells(("a", "x", 1, 100, np.nan))
    pd.testing.assert_frame_equal(beside(made, published), published)


@pytest.mark.parametrize(
    ("name", "stem"),
    [
        ("news", "tables/news"),
        ("curves-unlabelled", "curves/unlabelled"),
        ("sensitivity-dim", "sensitivity/dim"),
    ],
)
def test_a_run_without_a_new_row_leaves_the_files_as_they_are(tmp_path, monkeypatch, name, stem):
    """Figures of curves and parameters are published as unrounded runs draw them."""
    published = ROOT / "results" / "published"
    monkeypatch.chdir(ROOT)
    runs = runs_here()
    parts = [(file.made, file.kept) for file in published_parts(runs)[name]]
    monkeypatch.chdir(tmp_path)
    Path("workflow").symlink_to(ROOT / "workflow")
    write_csv(read_csv(published / f"{name}.csv").iloc[2:4], Path("results") / stem)
    write_beside(runs, name, published, tmp_path / "out")
    for made, kept in parts:
        content = (published / kept).read_bytes()
        if kept.endswith("svg"):  # other versions of matplotlib draw otherwise
            this = f"Matplotlib v{matplotlib.__version__}".encode() in content
            if name != "news" or not this:
                continue
        assert (tmp_path / "out" / made).read_bytes() == content, kept


def test_a_figure_in_a_style_of_its_own_is_not_published(tmp_path):
    figure = tmp_path / "long.svg"
    figure.write_text(f"<svg>{STYLED}</svg>")
    with pytest.raises(PteError, match=r"long\.svg: drawn in a style; delete, and draw without"):
        chosen({"long": [(figure, "long.svg")]}, ["long"])


def test_the_verdicts_that_hang_on_moderation_are_named(monkeypatch):
    monkeypatch.chdir(ROOT)
    runs = runs_here()
    found = moderation(judged_published(runs), judged_published(runs, moderated=False))
    text = Path("docs/claims.md").read_text("utf-8")
    block = re.search("<!-- moderation: begin -->(.*)<!-- moderation: end -->", text, re.DOTALL)
    assert block[1].strip() == markdown_table(found), (
        "run `python -m pte_study.report.document_tables`"
    )
    assert (found["verdict"] != found["not moderated"]).all()
