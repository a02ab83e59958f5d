"""What scores cost: seconds of training, as tables, and as figures of micro-F1 against seconds."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.lines import Line2D
from matplotlib.ticker import LogLocator, NullFormatter

from pte_study.configuration.entries import MAIN_METHOD
from pte_study.render.figures import (
    GREY,
    apart,
    group_colour,
    group_marks,
    panelled,
    save,
    save_sentence,
    styled,
    verbatim,
)
from pte_study.render.html import Section
from pte_study.render.tables import NONE, read_csv, seconds, write_tables
from pte_study.report.summaries import caveats

LINE_HEIGHT = 0.06
"""The share of a panel's height that a label takes."""
MARK: dict[str, Any] = {"marker": "o", "markersize": 4.5, "linestyle": "none"}
MAIN_MARK: dict[str, Any] = {"marker": "D", "markersize": 5, "markeredgecolor": "black"}
"""How the mark of PTE(joint) differs, with which the table compares."""


def make(files: Mapping[str, Path], given: Mapping[str, Any], table: Path, figure: Path) -> None:
    """Write the times of a comparison, and draw them."""
    frame = read_csv(files["comparison"])
    write_times(frame, table, given["title"])
    plot_times(frame, figure)


def section(files: Mapping[str, Path], given: Mapping[str, Any]) -> Section:
    """Show the tables and the figure."""
    frame = trained(read_csv(files["comparison"]))
    title, cells = given["title"], times_cells(frame)
    return Section(
        title,
        (given["caption"], *caveats(frame)),
        tables={f"{corpus}, seconds of training": table for corpus, table in cells.items()},
        pictures={f"{title}: seconds of training": files["svg"].read_bytes()},
    )


def trained(frame: pd.DataFrame) -> pd.DataFrame:
    """Return the rows of a comparison that have a score and seconds of training, but no controls.

    `ratio` is the seconds of a method divided by the seconds of PTE(joint) on the same corpus.
    """
    shown = frame[(frame["group"] != "control") & (frame["train_seconds"] > 0)]
    shown = shown.dropna(subset=["micro_mean"])
    joint = shown[shown["method"] == MAIN_METHOD].set_index("corpus")["train_seconds"]
    return shown.assign(ratio=shown["train_seconds"] / shown["corpus"].map(joint).astype(float))


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
                "seconds": rows["train_seconds"].map(seconds),
                "× PTE(joint)": rows["ratio"].map(lambda x: NONE if pd.isna(x) else f"{x:.2f}"),
                "micro-F1": rows["micro_mean"].map("{:.2f}".format),
            }
        )
        for corpus, panel in shown.groupby("corpus", sort=False)
        for rows in [panel.sort_values("train_seconds")]
    }


def plot_times(frame: pd.DataFrame, stem: Path) -> None:
    """Draw a comparison's `micro_mean` against `train_seconds` to `stem`.pdf, .svg and .png.

    A line joins the methods that no other method beats in both, and only these have labels. A
    corpus with one method has no panel. If there is no panel to draw, the figure says so.
    """
    shown = trained(frame)
    shown = shown[shown.groupby("corpus")["method"].transform("size") > 1]
    corpora = list(shown["corpus"].unique())
    with styled():
        if not corpora:
            why = "fewer than two methods were trained"
            return save_sentence(why, stem, "Seconds of training")
        figure, panels = panelled(len(corpora), 2.8, 0.4, columns=1)
        for axes, corpus in zip(panels, corpora, strict=True):
            _draw(axes, shown[shown["corpus"] == corpus])
            axes.set_title(corpus, loc="left")
            axes.set_xlabel("seconds of training, protocol “paper”")
            axes.set_ylabel("micro-F1 (%)")
        marks = [*group_marks(shown, **MARK), *_main_mark(shown)]
        figure.legend(handles=marks, loc="outside lower center", ncols=2)
        fronts = {corpus: front(shown[shown["corpus"] == corpus]) for corpus in corpora}
        told = "; ".join(f"on {each}: {', '.join(f['label'])}" for each, f in fronts.items())
        title = f"Micro-F1 against seconds of training on {', '.join(corpora)}"
        save(figure, stem, title, f"No method is both quicker and better than these: {told}")


def front(panel: pd.DataFrame) -> pd.DataFrame:
    """Return the methods that no other is both quicker than and better than, the quickest first."""
    ranked = panel.sort_values(["train_seconds", "micro_mean"], ascending=[True, False])
    before = ranked["micro_mean"].cummax().shift(fill_value=float("-inf"))
    return ranked[ranked["micro_mean"] > before]


def _draw(axes: Axes, panel: pd.DataFrame) -> None:
    times, scores = panel["train_seconds"].to_numpy(), panel["micro_mean"].to_numpy()
    axes.set_xscale("log")
    axes.set_xlim(times.min() * (times.min() / times.max() / 3) ** 0.4, times.max() * 2)
    axes.xaxis.set_major_locator(LogLocator(subs=(1, 3)))
    axes.xaxis.set_major_formatter("{x:g}")
    axes.xaxis.set_minor_formatter(NullFormatter())
    margin = max(0.5, 0.1 * (scores.max() - scores.min()))
    best = front(panel)
    low = scores.min() - margin
    high = above = scores.max() + margin
    while _heights(best, low, high)[-1] > 1 - LINE_HEIGHT:
        high += margin
    axes.set_ylim(low, high)
    axes.set_yticks([tick for tick in axes.get_yticks() if low <= tick <= above])
    axes.step(best["train_seconds"], best["micro_mean"], where="post", color=GREY, zorder=1)
    for row in panel.to_dict("records"):
        is_main = row["method"] == MAIN_METHOD
        mark = MARK | MAIN_MARK if is_main else MARK
        colour = group_colour(row["group"], row["method"])
        alpha = 1 if is_main or row["method"] in {*best["method"]} else 0.45
        point = (row["train_seconds"], row["micro_mean"])
        axes.plot(*point, color=colour, alpha=alpha, zorder=3 if is_main else 2, **mark)
    _name(axes, best)


def _main_mark(shown: pd.DataFrame) -> list[Line2D]:
    """Return the entry of the legend for PTE(joint), if it is shown."""
    return [
        Line2D(
            *([], []),
            color=group_colour(row["group"], row["method"]),
            label=verbatim(row["label"]),
            **MARK | MAIN_MARK,
        )
        for row in shown[shown["method"] == MAIN_METHOD].head(1).to_dict("records")
    ]


def _name(axes: Axes, best: pd.DataFrame) -> None:
    """Write names above the line, which is above all points, and lead a line to each point."""
    low, high = axes.get_ylim()
    heights = _heights(best, low, high)
    ends = low + (heights + LINE_HEIGHT / 2) * (high - low)
    axes.vlines(best["train_seconds"], best["micro_mean"], ends, color=GREY, linewidth=0.4)
    for row, height in zip(best.to_dict("records"), heights, strict=True):
        place = (row["train_seconds"] / 1.04, height)
        text = axes.text(*place, verbatim(row["label"]), fontsize=7.5, ha="right", va="bottom")
        text.set_transform(axes.get_xaxis_transform())


def _heights(best: pd.DataFrame, low: float, high: float) -> npt.NDArray[np.float64]:
    """Return the heights of names that do not overlap, in a panel from `low` to `high`."""
    above = (best["micro_mean"] - low) / (high - low) + 0.008
    return apart(above.to_numpy(), LINE_HEIGHT * np.arange(len(best)))
