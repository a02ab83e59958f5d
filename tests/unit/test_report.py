"""The report: frames in, tables and figures out."""

import re
from functools import partial
from html import unescape
from pathlib import Path

import matplotlib as mpl
import pandas as pd
import pytest
from matplotlib.figure import Figure

from pte.corpora.entry import PaperRow
from pte.errors import PteError
from pte_study.configuration.config import Row
from pte_study.render import figures
from pte_study.render.tables import Section, description_of, html_page, humanise, markdown_table
from pte_study.report.comparison import _told, comparison, plot_comparison, write_comparison
from pte_study.report.origins import table1, write_table1
from pte_study.report.page import what_won
from pte_study.report.summaries import frame_of, reference_scores, summarise

ROOT = Path(__file__).parents[2]
METHODS = [
    Row("bow", "BOW", "baseline"),
    Row("line_ww", "LINE(ww)", "unsupervised"),
    Row("pte_joint", "PTE(joint)", "predictive"),
    Row("oracle", "oracle", "control"),
    Row("shuffled", "shuffled", "control"),
]
CORPORA = ["20ng", "r8"]


def run(corpus, method, micro, protocol="paper", seed=0, samples=300_000_000, seconds=61.0):
    said = {"corpus": corpus, "method": method, "protocol": protocol, "seed": seed}
    scores = {"micro_f1": micro, "macro_f1": micro - 1}
    return said | scores | {"samples": samples, "train_seconds": seconds}


@pytest.fixture(scope="module")
def scores():
    return frame_of(
        [
            run("20ng", "bow", 80.5, samples=None, seconds=float("nan")),
            run("20ng", "pte_joint", 84.0, seed=0, samples=2_000_000, seconds=4.0),
            run("20ng", "pte_joint", 84.2, seed=1, samples=2_500_000, seconds=5.0),
            run("20ng", "pte_joint", 84.4, seed=2, samples=3_000_000, seconds=9.0),
            run("20ng", "pte_joint", 85.0, protocol="chosen", seed=0),
            run("20ng", "pte_joint", 85.4, protocol="chosen", seed=1),
            run("20ng", "oracle", 99.0),
            run("20ng", "shuffled", 5.25),
            run("r8", "bow", 93.0, samples=None),
            run("r8", "pte_joint", 96.5),
        ]
    )


@pytest.fixture(scope="module")
def reference():
    return pd.DataFrame(
        [
            ("20ng", "bow", "paper", 80.88, 79.30),
            ("20ng", "pte_joint", "paper", 84.20, 83.39),
            ("20ng", "line_ww", "paper", 72.78, 70.95),
            ("r8", "pte_joint", "TextGCN", 96.69, float("nan")),
        ],
        columns=["corpus", "method", "source", "micro_f1", "macro_f1"],
    )


@pytest.fixture(scope="module")
def frame(scores, reference):
    return comparison(scores, reference, METHODS, CORPORA, True)


# summaries


def test_summary_has_mean_sample_deviation_and_medians(scores):
    row = summarise(scores).query("method == 'pte_joint' and corpus == '20ng'").iloc[0]
    assert row["protocol"] == "paper"
    assert row["n_seeds"] == 3
    assert row["micro_mean"] == pytest.approx(84.2)
    assert row["micro_sd"] == pytest.approx(0.2)
    assert row["macro_mean"] == pytest.approx(83.2)
    assert row["macro_sd"] == pytest.approx(0.2)
    assert row["samples"] == 2_500_000
    assert row["train_seconds"] == 5.0


def test_reference_is_the_paper_and_text_gcn_where_the_paper_has_nothing(tmp_path):
    paper, others = tmp_path / "paper.csv", tmp_path / "others.csv"
    paper.write_text("table,corpus,method,micro_f1,macro_f1\nlong,20ng,bow,80.88,79.30\n")
    others.write_text(
        "source,corpus,method,metric,value,note\n"
        '"text_gcn, Table 2",20ng,pte_joint,accuracy,76.74,\n'
        '"text_gcn, Table 2",r8,pte_joint,accuracy,96.69,\n'
        "somebody else,r52,pte_joint,accuracy,91.00,\n"
    )
    rows = reference_scores(paper, others, (), {})
    assert rows[["corpus", "method", "source", "micro_f1"]].to_numpy().tolist() == [
        ["20ng", "bow", "paper", 80.88],
        ["r8", "pte_joint", "TextGCN", 96.69],
    ]
    assert rows["macro_f1"].isna().tolist() == [False, True]
    without = reference_scores(paper, others, ["r8"], {})
    assert "r8" in set(rows["corpus"])
    assert "r8" not in set(without["corpus"])


# comparison


def test_a_metric_that_old_runs_do_not_have_follows_from_their_confusion():
    old = {"corpus": "mr", "method": "bow", "confusion": [[3, 1], [2, 4]]}
    frame = frame_of([old, old | {"micro_f1": 1.0, "macro_f1": 2.0}, {"method": "gone"}])
    assert frame["micro_f1"].tolist()[:2] == [70.0, 1.0]
    assert frame["macro_f1"].tolist()[0] == pytest.approx(100 * (6 / 9 + 8 / 11) / 2)
    assert frame.loc[2, ["micro_f1", "macro_f1"]].isna().all()


def test_without_the_chosen_protocol_there_are_no_chosen_columns(scores, reference):
    frame = comparison(scores, reference, METHODS, CORPORA, False)
    assert not [name for name in frame.columns if "chosen" in name]


# tables


def markdown_rows(text, corpus):
    section = text.split(f"### {corpus}\n")[1].split("###")[0]
    lines = [line for line in section.splitlines() if line.startswith("|")]
    rows = [[part.strip() for part in line.strip("|").split("|")] for line in lines]
    return {row[0]: dict(zip(rows[0], row, strict=True)) for row in rows[2:]}


@pytest.fixture
def stem(frame, tmp_path):
    stem = tmp_path / "tables" / "main_v1.0"
    write_comparison(frame, stem, "Scores & costs, 100 % of the labels")
    return stem


def read(stem, extension):
    return stem.with_name(f"{stem.name}.{extension}").read_text(encoding="utf-8")


def test_markdown_cells(stem):
    rows = markdown_rows(read(stem, "md"), "20ng")
    assert rows["PTE(joint)"] == {
        "method": "PTE(joint)",
        "micro-F1": "**84.20 ± 0.20**",
        "macro-F1": "83.20 ± 0.20",
        "paper": "84.20",
        "Δ": "+0.00",
        "chosen": "85.20 ± 0.28",
        "T": "2.5 M",
        "chosen T": "300 M",
        "seconds": "5.0",
    }
    assert rows["BOW"]["micro-F1"] == "<ins>80.50</ins>"
    assert rows["BOW"]["Δ"] == "\N{MINUS SIGN}0.38"
    assert rows["BOW"]["T"] == rows["BOW"]["seconds"] == "—"
    line, oracle = rows["LINE(ww)"], rows["oracle"]
    assert [line[name] for name in ("micro-F1", "macro-F1", "chosen")] == ["not yet run"] * 3
    assert (line["paper"], line["Δ"]) == ("72.78", "—")
    assert (oracle["micro-F1"], oracle["paper"], oracle["Δ"]) == ("99.00", "—", "—")


def test_the_best_is_bold_and_controls_are_never_the_best(stem):
    text = read(stem, "md")
    assert re.findall(r"\*\*.*?\*\*", text) == ["**84.20 ± 0.20**", "**96.50**"]


def test_markdown_aligns_numbers_to_the_right_and_text_to_the_left():
    cells = {"": ["1", "2"], "p": ["< 0.0001", "—"], "pair": ["a, b", "—"], "T": ["—", "—"]}
    rule = markdown_table(pd.DataFrame(cells)).splitlines()[1]
    assert rule == "| :-- | --: | :-- | --: |"


@pytest.mark.parametrize(
    ("count", "text"),
    [
        *((300_000_000, "300 M"), (2_500_000, "2.5 M"), (1_200_000_000, "1.2 B"), (7, "7")),
        *((999_960, "1 M"), (999_940, "999.9 k"), (960_000, "960 k"), (50_000, "50 k")),
        *((None, "—"), (float("nan"), "—"), (pd.NA, "—")),
    ],
)
def test_humanise(count, text):
    assert humanise(count) == text


# Table 1


@pytest.fixture
def paper_datasets():
    columns = ["corpus", "kind", "train", "labelled_train", "test", "vocabulary", "doc_length"]
    row = ("20ng", "long", 11314, 11314, 7532, 89039, 305.77, 20)
    return pd.DataFrame([row], columns=[*columns, "classes"])


COUNTS = {"train": 11314, "labelled_train": 11314, "test": 7532, "vocabulary": 89038}
COUNTS |= {"mean_document_length": 304.7703, "classes": 20}


def corpus(name="20ng", match="exact", row="20ng", why="the same release", **counts):
    return name, COUNTS | counts, PaperRow(row, match, why)


R8 = {"name": "r8", "match": "none", "row": None, "why": "R_8 is not in the paper"}


def test_table1_shows_ours_both_ways(paper_datasets):
    frame = table1([corpus()], paper_datasets)
    assert frame["values"].to_list() == ["paper", "ours", "ours + 1"]
    assert frame["vocabulary"].to_list() == [89039, 89038, 89039]
    assert frame["doc_length"].to_list() == [305.77, 304.7703, 305.77]
    assert frame["agrees"].to_list() == [True] * 3


def test_a_corpus_outside_the_paper_neither_agrees_nor_disagrees(paper_datasets):
    frame = table1([corpus(**R8)], paper_datasets)
    assert frame["values"].to_list() == ["ours", "ours + 1"]
    assert frame["agrees"].isna().all()


@pytest.mark.parametrize(
    ("column", "value", "message"),
    [
        ("train", 11293, "20ng: train .* expected 11314, got 11293"),
        ("test", 7528, "20ng: test .* expected 7532, got 7528"),
        ("vocabulary", 89039, "20ng: vocabulary .* expected 89039, got 89040"),
        ("mean_document_length", 305.77, r"20ng: doc_length .* expected 305\.77, got 306\.77"),
        ("classes", 19, "20ng: classes .* expected 20, got 19"),
        ("row", None, "20ng: declared exact"),
        ("row", "20news", r"20ng: paper_row '20news'.*known rows are 20ng"),
    ],
)
def test_an_exact_corpus_must_agree(paper_datasets, column, value, message):
    with pytest.raises(PteError, match=message):
        table1([corpus(**{column: value})], paper_datasets)


def test_table1_files(paper_datasets, tmp_path):
    stem = tmp_path / "table1"
    write_table1(table1([corpus(), corpus(**R8)], paper_datasets), stem, "caption")
    assert len(read(stem, "csv").splitlines()) == 6
    markdown = read(stem, "md")
    assert "| 20ng | paper | 11,314 | 11,314 | 7,532 | 89,039 | 305.77 | 20 | exact | yes |" in (
        markdown
    )
    assert "- r8: R_8 is not in the paper" in markdown
    assert "the same release" not in markdown


# figures


def files_of(frame, folder):
    plot_comparison(frame, folder / "figure")
    return {path.suffix: path.read_bytes() for path in folder.iterdir()}


@pytest.fixture(scope="module")
def figure(frame, tmp_path_factory):
    """The files of the comparison's figure, drawn once for all tests that read them."""
    return files_of(frame, tmp_path_factory.mktemp("figure"))


@pytest.fixture
def draw(svg_alone, tmp_path):
    """Draw a figure and return what is written in it."""

    def draw(frame):
        plot_comparison(frame, tmp_path / "figure")
        return drawn_text((tmp_path / "figure.svg").read_bytes())

    return draw


def drawn_text(svg):
    """The text of a figure is text: readers find it and copy it."""
    return [unescape(text) for text in re.findall("<text[^>]*>([^<]*)</text>", svg.decode())]


def test_text_in_svg_is_text_in_any_font(figure):
    names = ["BOW", "LINE(ww)", "PTE(joint)", "oracle", *CORPORA, "chosen protocol"]
    assert {*names, "reported (paper / TextGCN)"} <= set(drawn_text(figure[".svg"]))
    families = set(re.findall(r"font-family: ([^;]*);", figure[".svg"].decode()))
    assert families and all(family.endswith(", sans-serif") for family in families)


def test_a_figure_has_a_title_and_a_description(figure):
    svg = figure[".svg"].decode()
    assert '<svg role="img"' in svg
    assert "<title>Micro-F1 of 5 methods on 20ng, r8</title>" in svg
    best = "on 20ng, PTE(joint) has the best score"
    assert f"<desc>{best}" in svg and best in description_of(figure[".svg"])


def test_the_best_of_a_figure_is_that_of_the_page(frame):
    """A method with the score of one protocol alone is not compared with those of the other."""
    chosen = frame.assign(chosen_micro_mean=frame["micro_mean"].where(frame["method"] == "bow"))
    told = "on 20ng, BOW has the best score, 80.50; on r8, BOW has the best score, 93.00"
    assert _told(chosen) == told
    assert what_won([chosen]).tables[""]["best"].tolist() == ["BOW", "BOW"]


def test_a_control_far_below_is_a_number_at_the_edge(figure):
    drawn = drawn_text(figure[".svg"])
    assert "◂ ● 5.2" in drawn
    assert min(int(text) for text in drawn if text.isdecimal()) >= 65


def test_figures_are_the_same_bytes_twice(figure, frame, tmp_path):
    with mpl.rc_context({"font.size": 20, "axes.labelpad": 20}):
        assert files_of(frame, tmp_path) == figure
    assert b"CreationDate" not in figure[".pdf"]
    assert b"dc:date" not in figure[".svg"]


def test_a_figure_needs_a_score(scores, reference, tmp_path):
    frame = comparison(scores, reference, METHODS, ["mr"], True)
    with pytest.raises(PteError, match="no score to draw"):
        plot_comparison(frame, tmp_path / "figure")


def test_a_legend_gets_more_lines_where_a_figure_is_narrow(frame, drawn, tmp_path, monkeypatch):
    plot_comparison(frame, tmp_path / "wide")
    narrow = partial(Figure, layout="constrained")
    monkeypatch.setattr(figures, "sized", lambda height, _=0: narrow(figsize=(2.5, height)))
    plot_comparison(frame, tmp_path / "narrow")
    wide, slim = drawn
    assert slim.get_size_inches()[0] == pytest.approx(2.5)
    assert slim.get_figheight() > wide.get_figheight()
    for figure in (wide, slim):
        figure.draw_without_rendering()
        assert figure.legends[0].get_window_extent().width <= figure.bbox.width
    (one,), (other,) = wide.legends, slim.legends
    assert [t.get_text() for t in one.get_texts()] == [t.get_text() for t in other.get_texts()]


FIGURES = [*(ROOT / "results/published").glob("*.svg"), *(ROOT / "docs").glob("*.svg")]


@pytest.mark.parametrize("path", sorted(FIGURES), ids=str)
def test_letters_of_figures_can_be_read_on_a_phone(path):
    """Where a figure is 380 px wide."""
    svg = path.read_text("utf-8")
    (width,) = re.findall(r'viewBox="0 0 ([0-9.]+) ', svg)
    smallest = min(map(float, re.findall(r'font-size(?:: |=")([0-9.]+)', svg)))
    assert 380 / float(width) * smallest >= 8


# methods that could not be run, and methods beyond the paper

WHY = "not installed: pip install package"


@pytest.fixture
def with_unavailable(scores, reference):
    """The comparison of runs of which some have no scores, and an extra method."""
    methods = [*METHODS, Row("cnn", "CNN", "predictive"), Row("fasttext", "fastText", "extra")]
    runs = [run("20ng", "fasttext", 79.0, protocol=protocol) for protocol in ("paper", "chosen")]
    for protocol in ("paper", "chosen"):
        for seed in (0, 1):
            gone = {"protocol": protocol, "seed": seed, "samples": None, "train_seconds": None}
            runs.append({"corpus": "20ng", "method": "cnn", "unavailable": WHY} | gone)
    paper = [("20ng", "cnn", "paper", 78.85, 78.29)]
    return comparison(
        pd.concat([scores, frame_of(runs)], ignore_index=True),
        pd.concat([reference, pd.DataFrame(paper, columns=reference.columns)]),
        methods,
        CORPORA,
        True,
    )


def test_every_table_says_why_a_method_could_not_be_run(with_unavailable, tmp_path):
    write_comparison(with_unavailable, tmp_path / "t", "caption")
    again = pd.read_csv(tmp_path / "t.csv")
    assert again.loc[again["method"] == "cnn", "unavailable"].tolist()[0] == WHY
    assert "| fastText † |" in read(tmp_path / "t", "md")
    row = markdown_rows(read(tmp_path / "t", "md"), "20ng")["CNN"]
    assert [row[name] for name in ("micro-F1", "macro-F1", "chosen")] == [WHY, "—", "—"]
    assert (row["paper"], row["Δ"]) == ("78.85", "—")
    text = read(tmp_path / "t", "md")
    assert text.count(WHY) == 1
    assert "nan" not in text.lower()
    write_comparison(again, tmp_path / "again", "caption")
    assert read(tmp_path / "again", "md") == text


def test_a_figure_says_why_a_method_could_not_be_run(with_unavailable, draw):
    drawn = draw(with_unavailable)
    assert drawn.count(WHY) == 1
    assert {"CNN", "beyond the paper"} <= set(drawn)


def test_the_page_holds_every_cell_escaped_and_the_best_in_bold():
    cells = pd.DataFrame({"a<b": ["x & y", "**1.5** *"]})
    page = html_page("caption", [Section(tables={"mr": cells})])
    for part in ("a&lt;b", "x &amp; y", "<b>1.5</b> *", "<caption>mr</caption>"):
        assert part in page
    assert "http" not in page.replace("http-equiv", "")


def test_a_run_that_appears_twice_is_refused(scores):
    with pytest.raises(PteError, match=r"20ng.*bow.*paper.*seed 0 appears twice"):
        summarise(pd.concat([scores, scores.head(1)]))
