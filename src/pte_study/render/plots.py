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

from pte.files import atomic_file
from pte_study.render import style

GREY = "#555555"
WIDTH = 4.4
"""The width of a figure in inches. Where it is 380 px wide, on a phone, letters are 9 px high."""
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
"""Styles of lines. Colour-blind readers can tell the colours apart; marks work without colours."""
SMALL: dict[str, Any] = {"markersize": 3.5}
METADATA: dict[str, dict[str, Any]] = {
    "pdf": {"CreationDate": None},
    "svg": {"Date": None},
    "png": {},
}
ABOUT = {"pdf": "Subject", "svg": "Description", "png": "Description"}
"""The name of a description in the metadata of each kind of file."""


STYLED = "in a style of its own"
"""The keyword of an SVG file that was drawn in a style other than the published one."""


def verbatim(text: str) -> str:
    """Return text that matplotlib shows as it is: dollar signs do not begin mathematics."""
    return text.replace("$", r"\$")


def styled() -> AbstractContextManager[None]:
    """Return a context for drawing with plots.mplstyle and the current style, not matplotlibrc."""
    changed = dict(style.current().matplotlib)
    return matplotlib.style.context(["pte_study.render.plots", changed], after_reset=True)


def panelled(
    n: int, height: float, legend: float, columns: int = 2, sharey: bool = False
) -> tuple[Figure, list[Axes]]:
    """Make a figure of `n` panels, `columns` of them in a row.

    `height` is that of a panel, and `legend` that of the room for a legend, in inches.
    """
    columns = min(columns, n)
    lines = -(-n // columns)
    figure = Figure(figsize=(WIDTH, lines * height + legend), layout="constrained")
    grid = figure.subplots(lines, columns, squeeze=False, sharey=sharey)
    for axes in grid.flat[n:]:
        axes.remove()
    return figure, list(grid.flat[:n])


def apart(heights: npt.ArrayLike, offsets: npt.ArrayLike) -> npt.NDArray[np.float64]:
    """Return the heights of names, in rising order, pushed up where names would overlap.

    `offsets` are the heights that the names have when they stand on each other.
    """
    fallen = np.maximum.accumulate(np.subtract(heights, offsets))
    return np.asarray(fallen + np.asarray(offsets), dtype=np.float64)


def draw_means(axes: Axes, points: pd.DataFrame, along: str, line: Mapping[str, Any]) -> None:
    """Draw `micro_mean` against a column, in the style of a `line`, and a band of one deviation."""
    points = points.sort_values(along)
    x, y = points[along].to_numpy(), points["micro_mean"].to_numpy()
    sd = points["micro_sd"].fillna(0).to_numpy()
    axes.fill_between(x, y - sd, y + sd, color=line["color"], alpha=0.15, linewidth=0)
    axes.plot(x, y, **line, **SMALL)


def save(figure: Figure, stem: Path, title: str, description: str) -> None:
    """Write `stem`.pdf, .svg and .png, each file atomically.

    Each file carries the title and the description, for readers who do not see the figure. The same
    figure gives the same bytes. The current style gives the figure its width and labels. The text
    of the SVG file is text: a browser that lacks its font takes another.
    """
    style.apply(figure)
    said = {"svg": {"Keywords": STYLED}} if style.current() != style.Style() else {}
    for extension, metadata in METADATA.items():
        told = {"Title": title, ABOUT[extension]: description} | said.get(extension, {})
        with atomic_file(stem.with_name(f"{stem.name}.{extension}")) as temporary:
            figure.savefig(temporary, metadata=metadata | told)
            if extension == "svg":
                svg, about = temporary.read_text("utf-8"), f"</title>\n <desc>{escape(description)}"
                svg = svg.replace("</title>", f"{about}</desc>", 1)
                temporary.write_text(svg.replace("<svg ", '<svg role="img" ', 1), "utf-8")


def save_sentence(why: str, stem: Path, title: str) -> None:
    """Write `stem`.pdf, .svg and .png, which say in a sentence why nothing is drawn."""
    figure = Figure(figsize=(3.9, 0.8))
    figure.text(0.5, 0.5, why, ha="center", va="center")
    save(figure, stem, title, f"{why[0].upper()}{why[1:]}.")


def save_none_drawn(stem: Path, title: str) -> None:
    """Write `stem`.pdf, .svg and .png for a style that draws none of the methods of a figure."""
    with styled():
        save_sentence("style.methods names no method of this figure", stem, title)


def is_styled(path: Path) -> bool:
    """Return whether a file is an SVG that was drawn in a style other than the published one."""
    return path.suffix == ".svg" and STYLED in path.read_text("utf-8")
