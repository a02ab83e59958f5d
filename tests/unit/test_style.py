"""Figures, their letters and their legends."""

import re
from functools import partial
from pathlib import Path

import pandas as pd
import pytest
from matplotlib.figure import Figure

from pte_study.render import figures
from pte_study.report.comparison import plot_comparison

ROOT = Path(__file__).parents[2]
FRAME = pd.DataFrame(
    {
        "corpus": "c",
        "method": ["bow", "pte_joint", "cnn"],
        "label": ["BOW", "PTE(joint)", "CNN $x$"],
        "group": ["baseline", "predictive", "predictive"],
        "micro_mean": [71.0, 80.0, 75.0],
        "micro_sd": 0.5,
        "reference_micro": [70.0, 81.0, None],
        "reference_source": ["paper", "paper", None],
    }
)


def test_a_legend_gets_more_lines_where_a_figure_is_narrow(drawn, tmp_path, monkeypatch):
    plot_comparison(FRAME, tmp_path / "wide")
    narrow = partial(Figure, layout="constrained")
    monkeypatch.setattr(figures, "sized", lambda height, _=0: narrow(figsize=(2.5, height)))
    plot_comparison(FRAME, tmp_path / "narrow")
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
