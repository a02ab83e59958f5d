"""Figures in the style of an author."""

import re
from pathlib import Path

import matplotlib.colors
import numpy as np
import pandas as pd
import pytest
import yaml
from made import configured

from pte.errors import PteError
from pte_study.configuration.entries import Curve
from pte_study.plan.exhibits import EXHIBITS
from pte_study.plan.runs import Runs
from pte_study.plan.study import Study
from pte_study.render.figures import is_styled, restyled
from pte_study.report import comparison_figure, curves, show, times

ROOT = Path(__file__).parents[2]
FRAME = pd.DataFrame(
    {
        "corpus": "c",
        "method": ["bow", "pte_joint", "cnn"],
        "label": ["BOW", "PTE(joint)", "CNN $x$"],
        "group": ["baseline", "predictive", "predictive"],
        "micro_mean": [71.0, 80.0, 75.0],
        "micro_sd": 0.5,
        "reference_micro": [70.0, 81.0, np.nan],
        "reference_source": ["paper", "paper", None],
        "train_seconds": [1.0, 10.0, 30.0],
        "labelled": 100.0,
        "unlabelled": 100.0,
    }
)


def colours(figure):
    lines = [line for each in figure.axes for line in each.get_lines()]
    return {matplotlib.colors.to_hex(line.get_color()) for line in lines}


def draw(kind, stem=Path("figure")):
    if kind == "curves":
        curves.plot_curves(FRAME, Curve("Few", "labelled"), stem)
    else:
        {"scores": comparison_figure.plot_comparison, "seconds": times.plot_times}[kind](
            FRAME, stem
        )


@pytest.mark.usefixtures("svg_alone")
def test_without_a_style_figures_are_as_they_are(tmp_path):
    draw("scores", tmp_path / "plain")
    with restyled({}):
        draw("scores", tmp_path / "same")
    with restyled({"width": 3.3}):
        draw("scores", tmp_path / "other")
    plain, same, other = (
        (tmp_path / f"{name}.svg").read_bytes() for name in ("plain", "same", "other")
    )
    assert plain == same != other


@pytest.mark.parametrize("kind", ["scores", "seconds", "curves"])
def test_a_style_has_its_width_and_colours(drawn, tmp_path, kind):
    style = {
        "width": 3.3,
        "matplotlib": {"font.family": "serif", "axes.titlesize": 11},
        "colours": {"pte_joint": "#123456"},
    }
    with restyled(style):
        draw(kind, tmp_path / "figure")
    figure = drawn[-1]
    assert figure.get_size_inches()[0] == pytest.approx(3.3)
    assert "#123456" in colours(figure)
    assert figure.axes[0].title.get_fontfamily() == ["serif"]


def test_a_legend_that_is_too_wide_gets_more_lines(drawn, tmp_path):
    draw("scores", tmp_path / "plain")
    with restyled({"width": 2.5}):
        draw("scores", tmp_path / "narrow")
    plain, narrow = drawn[0], drawn[-1]
    plain.draw_without_rendering()
    assert plain.legends[0].get_window_extent().width <= plain.bbox.width
    assert narrow.get_figheight() > plain.get_figheight()
    (one,), (other,) = plain.legends, narrow.legends
    narrow.draw_without_rendering()
    assert other.get_window_extent().width <= narrow.bbox.width
    assert [t.get_text() for t in one.get_texts()] == [t.get_text() for t in other.get_texts()]


def test_a_legend_has_the_colours_of_the_style(drawn, tmp_path):
    with restyled({"colours": {"pte_joint": "#aa0000", "baseline": "#123456"}}):
        comparison_figure.plot_comparison(FRAME, tmp_path / "x")
        times.plot_times(FRAME, tmp_path / "y")
    for figure in (drawn[0], drawn[-1]):
        (legend,) = figure.legends
        names = [text.get_text() for text in legend.get_texts()]
        colours = dict(zip(names, (line.get_color() for line in legend.get_lines()), strict=True))
        assert colours["PTE(joint)"] == "#aa0000"
        assert colours["baselines"] == "#123456"
        assert colours["predictive embeddings"] == "#D55E00"


@pytest.mark.parametrize(
    ("style", "said"),
    [
        ({"matplotlib": {"font.famly": "serif"}}, "no parameter 'font.famly'"),
        ({"matplotlib": {"font.size": "big"}}, "style.matplotlib.font.size"),
        ({"colours": {"bow": "greeen"}}, "style.colours.bow: 'greeen' is no colour"),
    ],
)
def test_what_matplotlib_refuses_is_named(style, said):
    with pytest.raises(PteError, match=said), restyled(style):
        pass


def test_a_file_holds_a_style(tmp_path):
    path = tmp_path / "paper.yaml"
    path.write_text(yaml.safe_dump({"width": 3.3, "colours": {"extra": "#000000"}}))
    study = Study.load({**configured(), "style": str(path)}, ROOT / "workflow")
    assert study.config.style == {"width": 3.3, "colours": {"extra": "#000000"}}
    assert Study.load(configured(), ROOT / "workflow").config.style == {}


@pytest.mark.parametrize(
    ("style", "said"),
    [
        ({"labels": {}}, "style"),
        ({"width": 0}, "style.width"),
        ({"colours": {"basline": "red"}}, "style.colours.*basline"),
        ("no such file.yaml", "no such file.yaml: no such file"),
    ],
)
def test_a_wrong_style_is_refused_before_anything_runs(style, said):
    with pytest.raises(PteError, match=said):
        Study.load({**configured(), "style": style}, ROOT / "workflow")


def test_every_figure_of_the_workflow_is_drawn_in_the_style(tmp_path):
    runs = Runs(Study.load({**configured(), "style": {"width": 3.3}}, ROOT / "workflow"))
    shown = [each for each in EXHIBITS if "svg" in each.kinds]
    assert len(shown) >= 6
    for each in shown:
        assert each.told(runs, next(iter(each.made(runs))))["style"] == {"width": 3.3}
    FRAME.to_csv(tmp_path / "scores.csv", index=False)
    for name, given in {"plain": {}, "styled": {"style": {"width": 3.3}}}.items():
        outputs = [tmp_path / f"{name}.svg"]
        show(comparison_figure.__name__, {"comparison": tmp_path / "scores.csv"}, given, outputs)
        assert is_styled(outputs[0]) == (name == "styled")


FIGURES = [*(ROOT / "results/published").glob("*.svg"), *(ROOT / "docs").glob("*.svg")]


@pytest.mark.parametrize("path", sorted(FIGURES), ids=str)
def test_letters_of_figures_can_be_read_on_a_phone(path):
    """Where a figure is 380 px wide."""
    svg = path.read_text("utf-8")
    (width,) = re.findall(r'viewBox="0 0 ([0-9.]+) ', svg)
    smallest = min(map(float, re.findall(r'font-size(?:: |=")([0-9.]+)', svg)))
    assert 380 / float(width) * smallest >= 8
