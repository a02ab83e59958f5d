"""Figures in the style sheet of an author."""

import re
from pathlib import Path

import pandas as pd
import pytest
from made import configured

from pte.errors import PteError
from pte_study.plan.exhibits import EXHIBITS
from pte_study.plan.study import Study
from pte_study.render.figures import is_styled, restyled
from pte_study.report import comparison_figure, show

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


@pytest.fixture
def sheet(tmp_path):
    path = tmp_path / "column.mplstyle"
    path.write_text("figure.figsize: 2.5, 3\nfont.family: serif\naxes.titlesize: 11\n")
    return str(path)


def test_a_style_sheet_gives_width_and_letters_and_a_legend_gets_more_lines(drawn, tmp_path, sheet):
    comparison_figure.plot_comparison(FRAME, tmp_path / "plain")
    with restyled(sheet):
        comparison_figure.plot_comparison(FRAME, tmp_path / "styled")
    plain, styled = drawn[0], drawn[-1]
    assert styled.get_size_inches()[0] == pytest.approx(2.5)
    assert styled.axes[0].title.get_fontfamily() == ["serif"]
    assert styled.get_figheight() > plain.get_figheight()
    for figure in (plain, styled):
        figure.draw_without_rendering()
        assert figure.legends[0].get_window_extent().width <= figure.bbox.width
    (one,), (other,) = plain.legends, styled.legends
    assert [t.get_text() for t in one.get_texts()] == [t.get_text() for t in other.get_texts()]


@pytest.mark.usefixtures("svg_alone")
def test_a_figure_in_a_style_says_so(tmp_path, sheet):
    FRAME.to_csv(tmp_path / "scores.csv", index=False)
    files = {"comparison": tmp_path / "scores.csv"}
    for name, style in {"plain": "", "styled": sheet}.items():
        given = {"style": style}
        show(comparison_figure.__name__, files, given, [tmp_path / f"{name}.svg"])
        assert is_styled(tmp_path / f"{name}.svg") == (name == "styled")


def test_every_figure_of_the_workflow_is_drawn_in_the_style(sheet):
    study = Study.load({**configured(), "style": sheet}, ROOT / "workflow")
    shown = [each for each in EXHIBITS if "svg" in each.kinds]
    assert len(shown) >= 6
    for each in shown:
        assert each.told(study, next(iter(each.made(study))))["style"] == sheet
    assert Study.load(configured(), ROOT / "workflow").config.style == ""


def test_a_style_sheet_that_is_not_there_is_named():
    with (
        pytest.raises(PteError, match=r"style: no\.mplstyle: no such file"),
        restyled("no.mplstyle"),
    ):
        pass


FIGURES = [*(ROOT / "results/published").glob("*.svg"), *(ROOT / "docs").glob("*.svg")]


@pytest.mark.parametrize("path", sorted(FIGURES), ids=str)
def test_letters_of_figures_can_be_read_on_a_phone(path):
    """Where a figure is 380 px wide."""
    svg = path.read_text("utf-8")
    (width,) = re.findall(r'viewBox="0 0 ([0-9.]+) ', svg)
    smallest = min(map(float, re.findall(r'font-size(?:: |=")([0-9.]+)', svg)))
    assert 380 / float(width) * smallest >= 8
