"""What scores cost: seconds of training, in tables and as figures of micro-F1 against them."""

from pathlib import Path

import matplotlib.style
import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from scipy.optimize import isotonic_regression

from pte.report.cells import NONE
from pte.report.figures import GROUPS, panelled, save
from pte.report.tables import write_csv, write_tables

LINE_HEIGHT = 0.052
"""What a label takes of the height of a panel."""


def trained(frame: pd.DataFrame) -> pd.DataFrame:
    """The rows of a comparison with a score and seconds of training, without controls.

    `ratio` is how many times as long as PTE(joint) a method took on the same corpus.
    """
    shown = frame[(frame["group"] != "control") & (frame["train_seconds"] > 0)]
    shown = shown.dropna(subset=["micro_mean"])
    joint = shown[shown["method"] == "pte_joint"].set_index("corpus")["train_seconds"]
    return shown.assign(ratio=shown["train_seconds"] / shown["corpus"].map(joint))


def write_times(frame: pd.DataFrame, stem: Path, caption: str) -> None:
    """Write `stem`.csv, .md and .tex: what each method took on each corpus of a comparison."""
    shown = trained(frame)
    columns = ["corpus", "method", "n_seeds", "train_seconds", "ratio", "micro_mean"]
    write_csv(shown[columns], stem)
    write_tables(times_cells(shown), stem, f"{caption}: seconds of training")


def times_cells(shown: pd.DataFrame) -> dict[str, pd.DataFrame]:
    """A table of strings a corpus, from what `trained` leaves: the quickest method first."""
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

    Controls, and methods that are not trained, are left out. Labels stand at the right edge in the
    order of their scores, each with a line to its point. Without any method the figure says so.
    """
    shown = trained(frame)
    corpora = list(shown["corpus"].unique())
    with matplotlib.style.context("pte.report.figures", after_reset=True):
        if not corpora:
            figure = Figure(figsize=(3.9, 0.8))
            figure.text(0.5, 0.5, "no method was trained", ha="center", va="center")
            save(figure, stem)
            return
        figure, panels = panelled(len(corpora), (3.9, 2.9), 0.4)
        for axes, corpus in zip(panels, corpora, strict=True):
            _draw(axes, shown[shown["corpus"] == corpus])
            axes.set_title(corpus, loc="left")
            axes.set_xlabel("seconds of training")
            axes.set_ylabel("micro-F1 (%)")
        marks = [
            Line2D([], [], color=colour, marker="o", markersize=4, linestyle="none", label=label)
            for group, (label, colour) in GROUPS.items()
            if group in set(shown["group"])
        ]
        figure.legend(handles=marks, loc="outside lower center", ncols=2 * min(2, len(corpora)))
        save(figure, stem)


def _draw(axes: Axes, panel: pd.DataFrame) -> None:
    seconds, scores = panel["train_seconds"].to_numpy(), panel["micro_mean"].to_numpy()
    axes.set_xscale("log")
    axes.set_xlim(seconds.min() / 1.5, seconds.max() * 1.5)
    margin = max(0.5, 0.06 * (scores.max() - scores.min()))
    axes.set_ylim(scores.min() - margin, scores.max() + margin)
    heights = apart(
        axes.transLimits.transform(np.column_stack([np.ones_like(scores), scores]))[:, 1]
    )
    for row, height in zip(panel.to_dict("records"), heights, strict=True):
        colour = GROUPS[row["group"]][1]
        point = (row["train_seconds"], row["micro_mean"])
        axes.plot(*point, marker="o", markersize=4, color=colour)
        axes.annotate(
            row["label"],
            point,
            xytext=(1.03, height),
            textcoords=axes.transAxes,
            fontsize=5.5,
            va="center",
            annotation_clip=False,
            arrowprops={
                "arrowstyle": "-",
                "color": colour,
                "linewidth": 0.35,
                "relpos": (0, 0.5),
                "shrinkA": 1,
                "shrinkB": 2,
            },
        )


def apart(heights: np.ndarray, least: float = LINE_HEIGHT) -> np.ndarray:
    """Heights in the same order, moved as little as it takes to lie `least` from each other.

    Within 0 to 1 where there is room. What is least moved is a regression on rising numbers.
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
