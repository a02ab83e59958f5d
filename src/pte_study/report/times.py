"""What scores cost: seconds of training, as tables, and as figures of micro-F1 against seconds."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import LogLocator, NullFormatter
from scipy.optimize import isotonic_regression

from pte_study.configuration.entries import MAIN_METHOD
from pte_study.render.cells import NONE
from pte_study.render.plots import panelled, save, styled, verbatim
from pte_study.render.section import Section
from pte_study.render.style import drawn_methods, restyled
from pte_study.render.tables import write_tables
from pte_study.render.text import read_csv
from pte_study.report.groups import group_colour, group_marks

LINE_HEIGHT = 0.052
"""The share of a panel's height that a label takes."""
MARK: dict[str, Any] = {"marker": "o", "markersize": 4, "linestyle": "none"}
ARM = 16
"""The length of the level part of a label's line, in typographic points.

After this part, the line turns to its point.
"""


def make(files: Mapping[str, Path], given: Mapping[str, Any], table: Path, figure: Path) -> None:
    """Write the times of a comparison, and draw them."""
    frame = read_csv(files["comparison"])
    write_times(frame, table, given["title"])
    with restyled(given["style"]):
        plot_times(frame, figure)


def section(files: Mapping[str, Path], given: Mapping[str, Any]) -> Section:
    """Show the tables and the figure."""
    title, cells = given["title"], times_cells(trained(read_csv(files["comparison"])))
    return Section(
        title,
        tables={f"{corpus}, seconds of training": table for corpus, table in cells.items()},
        pictures={f"{title}: seconds of training": files["svg"].read_bytes()},
        corpora={f"{corpus}, seconds of training": corpus for corpus in cells},
    )


def trained(frame: pd.DataFrame) -> pd.DataFrame:
    """Return the rows of a comparison that have a score and seconds of training, but no controls.

    `ratio` is the seconds of a method divided by the seconds of PTE(joint) on the same corpus.
    """
    shown = frame[(frame["group"] != "control") & (frame["train_seconds"] > 0)]
    shown = shown.dropna(subset=["micro_mean"])
    joint = shown[shown["method"] == MAIN_METHOD].set_index("corpus")["train_seconds"]
    return shown.assign(ratio=shown["train_seconds"] / shown["corpus"].map(joint))


def write_times(frame: pd.DataFrame, stem: Path, caption: str) -> None:
    """Write `stem`.csv, .md and .tex: the seconds of each method on each corpus of a comparison."""
    shown = trained(frame)
    columns = ["corpus", "method", "n_seeds", "train_seconds", "ratio", "micro_mean"]
    write_tables(shown[columns], times_cells(shown), stem, f"{caption}: seconds of training")


def times_cells(shown: pd.DataFrame) -> dict[str, pd.DataFrame]:
    """Return a table of strings for each corpus, the quickest method first.

    `shown` is the frame of `trained`.
    """
    return {
        str(corpus): pd.DataFrame(
            {
                "method": rows["label"],
                "seconds": rows["train_seconds"].map("{:,.1f}".format),
                "× PTE(joint)": rows["ratio"].map(_times),
                "micro-F1": rows["micro_mean"].map("{:.2f}".format),
            }
        )
        for corpus, panel in shown.groupby("corpus", sort=False)
        for rows in [panel.sort_values("train_seconds")]
    }


def _times(ratio: float) -> str:
    return NONE if pd.isna(ratio) else f"{ratio:.2f}"


def plot_times(frame: pd.DataFrame, stem: Path) -> None:
    """Draw a comparison's `micro_mean` against `train_seconds` to `stem`.pdf, .svg and .png.

    Controls, and methods that are not trained, are left out. Labels stand to the right of a panel
    in the order of their scores, and a line joins each label to its point. If there is no method to
    draw, the figure says so.
    """
    shown = drawn_methods(trained(frame))
    corpora = list(shown["corpus"].unique())
    with styled():
        if not corpora:
            figure = Figure(figsize=(3.9, 0.8))
            figure.text(0.5, 0.5, "no method was trained", ha="center", va="center")
            save(figure, stem)
            return
        figure, panels = panelled(len(corpora), (4.2, 3.2), 0.4)
        for axes, corpus in zip(panels, corpora, strict=True):
            _draw(axes, shown[shown["corpus"] == corpus])
            axes.set_title(corpus, loc="left")
            axes.set_xlabel("seconds of training, protocol “paper”")
            axes.set_ylabel("micro-F1 (%)")
        marks = group_marks(set(shown["group"]), **MARK)
        figure.legend(handles=marks, loc="outside lower center", ncols=2 * min(2, len(corpora)))
        save(figure, stem)


def _draw(axes: Axes, panel: pd.DataFrame) -> None:
    seconds, scores = panel["train_seconds"].to_numpy(), panel["micro_mean"].to_numpy()
    axes.set_xscale("log")
    axes.set_xlim(seconds.min() / 1.5, seconds.max() * 2)
    axes.xaxis.set_major_locator(LogLocator(subs=(1, 3)))
    axes.xaxis.set_major_formatter("{x:g}")
    axes.xaxis.set_minor_formatter(NullFormatter())
    margin = max(0.5, 0.06 * (scores.max() - scores.min()))
    axes.set_ylim(scores.min() - margin, scores.max() + margin)
    heights = apart(
        axes.transLimits.transform(np.column_stack([np.ones_like(scores), scores]))[:, 1]
    )
    for row, height in zip(panel.to_dict("records"), heights, strict=True):
        colour = group_colour(row["group"], row["method"])
        point = (row["train_seconds"], row["micro_mean"])
        axes.plot(*point, color=colour, **MARK)
        axes.annotate(
            verbatim(row["label"]),
            point,
            xytext=(1.13, height),
            textcoords=axes.transAxes,
            fontsize=6,
            va="center",
            annotation_clip=False,
            arrowprops={
                "arrowstyle": "-",
                "color": colour,
                "linewidth": 0.5,
                "relpos": (0, 0.5),
                "shrinkA": 1,
                "shrinkB": 2,
                "connectionstyle": f"arc,angleA=180,armA={ARM},rad=0",
            },
        )


def apart(heights: np.ndarray, least: float = LINE_HEIGHT) -> np.ndarray:
    """Move heights as little as possible until any two are `least` apart; keep their order.

    The heights stay between 0 and 1 if there is room. An isotonic regression finds the smallest
    moves.
    """
    if not heights.size:
        return heights
    order = np.argsort(heights, kind="stable")
    steps = least * np.arange(heights.size)
    top = max(0.0, 1 - steps[-1])
    placed = np.empty_like(heights)
    risen = isotonic_regression(heights[order] - steps).x
    placed[order] = steps + np.clip(risen, 0, top)
    return placed
