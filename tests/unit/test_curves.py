"""Learning curves: what is averaged, and that what is drawn is what is in the frame."""

import numpy as np
import pandas as pd
import pytest

from pte.errors import PteError
from pte.files import write_json
from pte_study.configuration.config import Curve, Row
from pte_study.plan.exhibits import CURVE
from pte_study.render import figures
from pte_study.render.figures import LINES
from pte_study.report import curves
from pte_study.report.curves import (
    FIRST,
    GAP,
    learning_curves,
    plot_curves,
    plot_few_labels,
    with_labels,
    write_curves,
)
from pte_study.report.publish import study_here

METHODS = [Row("pte_joint", "PTE(joint)", "predictive"), Row("bow", "BOW", "baseline")]
LABELLED, UNLABELLED = Curve("Labelled data", "labelled"), Curve("Text", "unlabelled")


@pytest.fixture
def scores():
    rows = [
        (f"mr-labelled{share:g}-seed{seed}" if share < 100 else "mr", method, seed, value + seed)
        for share, start in {2.5: 50.0, 10: 60.0, 100: 70.0}.items()
        for method, value in {"bow": start, "pte_joint": start + 5}.items()
        for seed in (1, 2, 3)
        if not (method == "bow" and share == 100 and seed > 1)
    ]
    frame = pd.DataFrame(rows, columns=["corpus", "method", "seed", "micro_f1"])
    frame["macro_f1"] = frame["micro_f1"] - 1
    frame["samples"] = frame["method"].map({"pte_joint": 20_000_000.0})
    return frame


@pytest.fixture
def frame(scores):
    return learning_curves(scores, METHODS)


def test_subsets_of_all_seeds_are_one_point(frame):
    assert frame["method"].tolist() == ["pte_joint"] * 3 + ["bow"] * 3
    assert frame["labelled"].tolist() == [2.5, 10, 100] * 2
    assert frame["micro_mean"].tolist() == [57, 67, 77, 52, 62, 71]
    assert frame["n_seeds"].tolist() == [3, 3, 3, 3, 3, 1]
    assert frame["micro_sd"].tolist()[:5] == [1] * 5
    assert frame["corpus"].unique().tolist() == ["mr"]


def test_tables_have_a_column_a_share(frame, tmp_path):
    write_curves(frame, LABELLED, tmp_path / "labelled")
    text = (tmp_path / "labelled.md").read_text("utf-8")
    assert "### mr\n" in text
    assert "| labelled documents (%) | 2.5 % | 10 % | 100 % | T |" in text
    best = "**57.00 ± 1.00** | **67.00 ± 1.00** | **77.00 ± 1.00**"
    second = "<ins>52.00 ± 1.00</ins> | <ins>62.00 ± 1.00</ins> | <ins>71.00</ins>"
    assert f"| PTE(joint) | {best} | 20 M |" in text
    assert f"| BOW | {second} | — |" in text
    assert len(pd.read_csv(tmp_path / "labelled.csv")) == len(frame)


def test_a_panel_says_what_share_is_left_of_what_does_not_vary(frame, tmp_path, drawn):
    other = frame.assign(unlabelled=frame["labelled"], labelled=10.0)
    assert list(curves.curve_cells(other, "unlabelled")) == ["mr, 10 % labelled"]
    plot_curves(other, UNLABELLED, tmp_path / "x")
    (axes,) = drawn[0].axes
    assert axes.get_title(loc="left") == "mr, 10 % labelled"
    assert axes.get_xlabel() == "unlabelled (%)"
    assert axes.get_xscale() == "linear"


def test_what_is_drawn_is_what_is_in_the_frame(frame, tmp_path, drawn):
    reported = pd.DataFrame(
        {
            "corpus": ["mr", "dblp", "mr"],
            "method": ["bow", "bow", "cnn"],
            "micro_f1": [71.9, 75, 80],
        }
    )
    plot_curves(frame, LABELLED, tmp_path / "x", reported)
    (axes,) = drawn[0].axes
    joint, bow, mark = axes.lines
    for line, method in ((joint, "pte_joint"), (bow, "bow")):
        points = frame[frame["method"] == method]
        np.testing.assert_allclose(line.get_xdata(), points["labelled"])
        np.testing.assert_allclose(line.get_ydata(), points["micro_mean"])
    assert (list(mark.get_xdata()), list(mark.get_ydata())) == ([125.0], [71.9])
    assert mark.get_color() == bow.get_color()
    assert axes.get_xscale() == "log"
    band = axes.collections[0].get_paths()[0].vertices
    assert (band[:, 1].min(), band[:, 1].max()) == pytest.approx((56, 78))
    assert axes.get_xlabel() == "labelled (%)"
    told = [text.get_text() for text in drawn[0].legends[0].get_texts()]
    assert told == ["PTE(joint)", "BOW", "reported, same mark"]


def test_a_method_looks_the_same_in_each_curve_of_a_study(frame, tmp_path, drawn):
    curve = Curve("Few", "labelled", ("cnn", "pte_joint", "bow"))
    plot_curves(frame, curve, tmp_path / "both")
    plot_curves(frame[frame["method"] == "bow"], curve, tmp_path / "bow")
    (both,), (alone,) = drawn[0].axes, drawn[1].axes
    looks = [(line.get_color(), line.get_marker()) for line in (*both.lines, *alone.lines)]
    assert looks[1] == looks[2] == (LINES[2]["color"], LINES[2]["marker"])


def test_nothing_to_draw_is_an_error(frame, tmp_path):
    with pytest.raises(PteError, match="unlabelled: there is no point to draw"):
        plot_curves(frame[:0], UNLABELLED, tmp_path / "unlabelled")


def test_curves_on_other_texts_stand_beside_no_score_of_the_paper(tmp_path, drawn):
    """Whatever the names of these corpora are, and under its name in those of the paper's files."""
    for corpus in ("mr", "mr_official"):
        run = {"corpus": corpus, "method": "bow", "seed": 1, "micro_f1": 70, "macro_f1": 70}
        write_json(tmp_path / f"{corpus}.json", run)
    paper = tmp_path / "paper.csv"
    paper.write_text("corpus,method,micro_f1,macro_f1\nmr,bow,71.9,71\n")
    (tmp_path / "others.csv").write_text("source,corpus,method,metric,value\nx,mr,bow,f1,1\n")
    files = {"runs": [], "paper": paper, "third_party": tmp_path / "others.csv"}
    curve, official = Curve("Few", "labelled"), {"mr": "mr_official"}
    for stand_ins, named, drawn_marks in (
        ((), {}, [1, 0]),
        (("mr",), {}, [0, 0]),
        ((), official, [0, 1]),
    ):
        names = [str(tmp_path / corpus) for corpus in ("mr", "mr_official")]
        given = {"names": names, "methods": METHODS, "curve": curve}
        given |= {"stand_ins": stand_ins, "official": named}
        curves.make_curve(files, given, tmp_path / "x", tmp_path / "x")
        assert [len(axes.lines) - 1 for axes in drawn[-1].axes] == drawn_marks
    told = CURVE.told(study_here(), "labelled")
    assert "wiki" in told["stand_ins"] and told["official"] == study_here().official_rows


# Few labels: numbers of labels, and names that do not overlap


@pytest.fixture
def points():
    rows = [
        (corpus, method, label, share, score)
        for corpus in ("c", "d")
        for method, label, score in (
            ("pte_auto_encoder", "PTE(auto) with encoder", 80.1),
            *(("pte_auto", "PTE(auto)", 80.0), ("pte_joint", "PTE(joint)", 79.9)),
            ("encoder", "encoder", 79.0),
            *(("bow_pairs", "BOW with pairs", 79.8), ("cnn", "CNN", 99.0)),
        )
        for share in (1.0, 10.0, 100.0)
    ]
    frame = pd.DataFrame(rows, columns=["corpus", "method", "label", "labelled", "micro_mean"])
    return frame.assign(micro_sd=0.5)


def test_points_have_numbers_of_labels(points):
    found = with_labels(points, {"c": 1000, "d": 5000})
    assert "cnn" not in set(found["method"])
    assert found.loc[found["corpus"] == "c", "labels"].unique().tolist() == [100.0, 1000.0]
    assert found.loc[found["corpus"] == "d", "labels"].unique().tolist() == [FIRST, 500, 5000]


def test_names_stand_at_the_ends_of_lines_in_their_order(points, tmp_path, monkeypatch):
    saved = []
    monkeypatch.setattr(figures, "save", lambda *given: saved.append(given))
    plot_few_labels(with_labels(points, {"c": 1000, "d": 5000}), tmp_path / "x")
    figure, _, title, told = saved[0]
    assert title.endswith("on c, d") and not figure.legends
    assert told.startswith("with 10 % of the labels of c, PTE(auto) with encoder has the best")
    for axes in figure.axes:
        names = [text.get_text() for text in axes.texts]
        assert names == ["encoder", "TF-IDF", "PTE(joint)", "PTE(auto)", "PTE(auto)\nwith encoder"]
        low, high = axes.get_ylim()
        heights = [(text.get_position()[1] - low) / (high - low) for text in axes.texts]
        gaps, top = np.diff(heights), heights[-1]
        assert (gaps[:-1] >= GAP - 1e-9).all() and gaps[-1] >= 1.5 * GAP - 1e-9 and top <= 1
        leading = [line for line in axes.lines if line.get_linewidth() == 0.5]
        ends = [(line.get_ydata()[0], line.get_ydata()[1]) for line in leading]
        assert [start for start, _ in ends] == [79.0, 79.8, 79.9, 80.0, 80.1]
        assert [end for _, end in ends] == [text.get_position()[1] for text in axes.texts]


@pytest.mark.usefixtures("svg_alone")
def test_a_figure_of_few_labels_without_a_point_says_so(points, tmp_path):
    plot_few_labels(with_labels(points, {"c": FIRST - 1, "d": FIRST - 1}), tmp_path / "x")
    assert "no drawn method has 50 labels or more" in (tmp_path / "x.svg").read_text("utf-8")
