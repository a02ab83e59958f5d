"""The figure of few labels: numbers of labels, and names that do not overlap."""

import numpy as np
import pandas as pd
import pytest

from pte_study.render import figures
from pte_study.report.curves import FIRST, GAP, plot_few_labels, with_labels


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


def heights_of(axes):
    """The heights of names, as shares of the panel's."""
    bottom, top = axes.get_ylim()
    return [(text.get_position()[1] - bottom) / (top - bottom) for text in axes.texts]


def test_names_stand_at_the_ends_of_lines_in_their_order(points, tmp_path, monkeypatch):
    drawn = []
    monkeypatch.setattr(figures, "save", lambda *given: drawn.append(given))
    plot_few_labels(with_labels(points, {"c": 1000, "d": 5000}), tmp_path / "x")
    figure, _, title, told = drawn[0]
    assert title.endswith("on c, d") and not figure.legends
    assert told.startswith("with 10 % of the labels of c, PTE(auto) with encoder has the best")
    for axes in figure.axes:
        names = [text.get_text() for text in axes.texts]
        assert names == ["encoder", "TF-IDF", "PTE(joint)", "PTE(auto)", "PTE(auto)\nwith encoder"]
        gaps, top = np.diff(heights_of(axes)), heights_of(axes)[-1]
        assert (gaps[:-1] >= GAP - 1e-9).all() and gaps[-1] >= 1.5 * GAP - 1e-9 and top <= 1
        leading = [line for line in axes.lines if line.get_linewidth() == 0.5]
        ends = [(line.get_ydata()[0], line.get_ydata()[1]) for line in leading]
        assert [start for start, _ in ends] == [79.0, 79.8, 79.9, 80.0, 80.1]
        assert [end for _, end in ends] == [text.get_position()[1] for text in axes.texts]


def test_a_figure_without_a_point_says_so(points, tmp_path):
    plot_few_labels(with_labels(points, {"c": FIRST - 1, "d": FIRST - 1}), tmp_path / "x")
    assert "no drawn method has 50 labels or more" in (tmp_path / "x.svg").read_text("utf-8")
