"""How figures look, that is their style, colours and panels, and how figures are saved as files."""

from collections.abc import Mapping
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any
from xml.sax.saxutils import escape

import matplotlib.style
import numpy as np
import numpy.typing as npt
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.legend import Legend

from pte.files import atomic_file

GREY = "#555555"
_LINES: tuple[dict[str, Any], ...] = (
    {"color": "#D55E00", "marker": "o", "linestyle": "-"},
    {"color": "#0072B2", "marker": "s", "linestyle": "-"},
    {"color": "#009E73", "marker": "D", "linestyle": "-"},
    {"color": "#CC79A7", "marker": "^", "linestyle": "-"},
    {"color": "#E69F00", "marker": "v", "linestyle": "--"},
    {"color": "#56B4E9", "marker": "P", "linestyle": "--"},
    {"color": "#555555", "marker": "X", "linestyle": "--"},
    {"color": "#000000", "marker": "*", "linestyle": ":"},
    {"color": "#882255", "marker": "h", "linestyle": "-"},
    {"color": "#44AA99", "marker": "d", "linestyle": "-"},
    {"color": "#999933", "marker": "<", "linestyle": "--"},
    {"color": "#332288", "marker": ">", "linestyle": "--"},
    {"color": "#AA4499", "marker": "p", "linestyle": ":"},
)
LINES = (*_LINES, *({**line, "linestyle": "-.", "fillstyle": "none"} for line in _LINES[::-1]))
"""Lines whose marks work without colours; colour-blind readers can tell the colours apart."""
SMALL: dict[str, Any] = {"markersize": 3.5}
GROUPS = {
    "baseline": ("baselines", "#009E73"),
    "unsupervised": ("unsupervised embeddings", "#0072B2"),
    "predictive": ("predictive embeddings", "#D55E00"),
    "extra": ("beyond the paper", "#E69F00"),
    "control": ("controls", "#CC79A7"),
}
METADATA: dict[str, dict[str, Any]] = {
    "pdf": {"CreationDate": None},
    "svg": {"Date": None},
    "png": {},
}
ABOUT = {"pdf": "Subject", "svg": "Description", "png": "Description"}


def styled() -> AbstractContextManager[None]:
    return matplotlib.style.context("pte_study.render.figures", after_reset=True)


def verbatim(text: str) -> str:
    """Return text that matplotlib shows as it is: dollar signs do not begin mathematics."""
    return text.replace("$", r"\$")


def sized(height: float, per_width: float = 0) -> Figure:
    """Make a figure as wide as the style says, and `height` inches high, plus some of the width."""
    width = matplotlib.rcParams["figure.figsize"][0]
    return Figure(figsize=(width, height + per_width * width), layout="constrained")


def panelled(
    n: int, height: float, legend: float, columns: int = 2, sharey: bool = False
) -> tuple[Figure, list[Axes]]:
    """Make a figure of `n` panels, `columns` of them in a row."""
    columns = min(columns, n)
    lines = -(-n // columns)
    figure = sized(lines * height + legend)
    grid = figure.subplots(lines, columns, squeeze=False, sharey=sharey)
    for axes in grid.flat[n:]:
        axes.remove()
    return figure, list(grid.flat[:n])


def draw_means(axes: Axes, points: pd.DataFrame, along: str, line: Mapping[str, Any]) -> None:
    """Draw `micro_mean` against a column, in the style of a `line`, and a band of one deviation."""
    points = points.sort_values(along)
    x, y = points[along].to_numpy(), points["micro_mean"].to_numpy()
    sd = points["micro_sd"].fillna(0).to_numpy()
    axes.fill_between(x, y - sd, y + sd, color=line["color"], alpha=0.15, linewidth=0)
    axes.plot(x, y, **line, **SMALL)


def apart(heights: npt.ArrayLike, offsets: npt.ArrayLike) -> npt.NDArray[np.float64]:
    """Return the heights of names, in rising order, pushed up where names would overlap."""
    fallen = np.maximum.accumulate(np.subtract(heights, offsets))
    return np.asarray(fallen + np.asarray(offsets), dtype=np.float64)


def save(figure: Figure, stem: Path, title: str, description: str) -> None:
    """Write `stem`.pdf, .svg and .png, atomically; the same figure gives the same bytes."""
    for legend in figure.legends:
        _fit(figure, legend)
    for extension, metadata in METADATA.items():
        told = {"Title": title, ABOUT[extension]: description}
        with atomic_file(stem.with_name(f"{stem.name}.{extension}")) as temporary:
            figure.savefig(temporary, metadata=metadata | told)
            if extension == "svg":
                svg, about = temporary.read_text("utf-8"), f"</title>\n <desc>{escape(description)}"
                svg = svg.replace("</title>", f"{about}</desc>", 1)
                temporary.write_text(svg.replace("<svg ", '<svg role="img" ', 1), "utf-8")


def _fit(figure: Figure, legend: Legend) -> None:
    """Use fewer columns if a legend is wider than the figure, and make the figure higher to fit."""
    figure.draw_without_rendering()
    before = legend.get_window_extent().height
    names = [text.get_text() for text in legend.get_texts()]
    columns, room = len(names), 0.94 * figure.bbox.width  # letters of a browser may be wider
    while columns > 1 and legend.get_window_extent().width > room:
        columns -= 1
        handles = [handle for handle in legend.legend_handles if handle is not None]
        legend.remove()
        legend = figure.legend(handles, names, loc="outside lower center", ncols=columns)
        figure.draw_without_rendering()
    more = legend.get_window_extent().height - before
    figure.set_figheight(figure.get_figheight() + more / figure.dpi)
