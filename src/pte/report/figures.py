"""The comparison as a figure: one panel of dots per corpus."""

from pathlib import Path
from typing import Any

import matplotlib.style
import numpy as np
import numpy.typing as npt
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.ticker import MaxNLocator

from pte.errors import PteError
from pte.files import atomic_file

FloatArray = npt.NDArray[np.float64]

GROUPS = {
    "baseline": ("baselines", "#009E73"),
    "unsupervised": ("unsupervised embeddings", "#0072B2"),
    "predictive": ("predictive embeddings", "#D55E00"),
    "extra": ("beyond the paper", "#E69F00"),
    "control": ("controls", "#CC79A7"),
}
GREY = "#555555"
PAPER: dict[str, Any] = {"marker": "o", "markersize": 4, "linestyle": "none"}
TUNED: dict[str, Any] = PAPER | {"markersize": 6.5, "fillstyle": "none", "markeredgewidth": 0.9}
REPORTED: dict[str, Any] = {
    "marker": "|",
    "markersize": 9,
    "markeredgewidth": 1.1,
    "linestyle": "none",
    "color": "black",
}
VALUES = ["micro_mean", "tuned_micro_mean", "reference_micro"]
UNAVAILABLE = "unavailable"
METADATA: dict[str, dict[str, Any]] = {
    "pdf": {"CreationDate": None},
    "svg": {"Date": None},
    "png": {},
}


def plot_comparison(frame: pd.DataFrame, stem: Path) -> None:
    """Draw micro-F1 per method and corpus to `stem`.pdf, `stem`.svg and `stem`.png.

    Methods without any value in the frame are left out, but for those that could not be run: their
    row says why. A control far below the others is an
    arrow at the edge of its panel, with its value in figures.
    """
    corpora = list(frame["corpus"].unique())
    frame = frame.reindex(columns=frame.columns.union([*VALUES, UNAVAILABLE], sort=False))
    rows = _rows(frame)
    if rows.empty:
        raise PteError("comparison figure: the frame has no score to draw; run a method first")
    with matplotlib.style.context("pte.report.figures", after_reset=True):
        columns = min(len(corpora), 2)
        height = 0.155 * (rows["y"].max() + 1) + 0.35
        size = (3.5 if columns > 1 else 4.5, height)
        figure, panels = panelled(len(corpora), size, 0.75, sharey=True)
        for index, (axes, corpus) in enumerate(zip(panels, corpora, strict=True)):
            _draw_panel(axes, frame[frame["corpus"] == corpus], rows)
            axes.set_title(corpus, loc="left")
            if index + columns >= len(corpora):
                axes.set_xlabel("micro-F1 (%)")
        _draw_legend(figure, frame, columns)
        save(figure, stem)


def _rows(frame: pd.DataFrame) -> pd.DataFrame:
    """The label and height of every method that is shown, with a thin gap between groups."""
    shown = frame[[*VALUES, UNAVAILABLE]].notna().any(axis=1)
    methods = frame[shown]["method"].unique()
    rows = frame[frame["method"].isin(methods)].drop_duplicates("method").set_index("method")
    gaps = rows["group"].ne(rows["group"].shift()).cumsum() - 1
    return pd.DataFrame({"label": rows["label"], "y": np.arange(len(rows)) + 0.5 * gaps})


def _draw_panel(axes: Axes, panel: pd.DataFrame, rows: pd.DataFrame) -> None:
    low, high = _limits(panel)
    axes.set_xlim(low, high)
    axes.xaxis.set_major_locator(MaxNLocator(6, steps=[1, 2, 5, 10]))
    axes.set_ylim(rows["y"].max() + 0.7, -0.7)
    axes.set_yticks(rows["y"].to_list(), rows["label"].to_list())
    shown = panel.merge(rows["y"], left_on="method", right_index=True)
    for row in shown.to_dict("records"):
        _draw_row(axes, row, low)


def _draw_row(axes: Axes, row: dict[Any, Any], low: float) -> None:
    y, colour = row["y"], GROUPS[row["group"]][1]
    whisker = 0.0 if pd.isna(row["micro_sd"]) else row["micro_sd"]
    if row["micro_mean"] >= low:
        axes.errorbar(row["micro_mean"], y, xerr=whisker, color=colour, **PAPER)
    if row["tuned_micro_mean"] >= low:
        axes.plot(row["tuned_micro_mean"], y, color=colour, **TUNED)
    if row["reference_micro"] >= low:
        axes.plot(row["reference_micro"], y, **REPORTED)
    far = {"": row["micro_mean"], "tuned ": row["tuned_micro_mean"]}
    text = ", ".join(f"{name}{value:.1f}" for name, value in far.items() if value < low)
    if text:
        text = f"◂ {text}"
    elif pd.isna(row["micro_mean"]) and pd.notna(row[UNAVAILABLE]):
        text = row[UNAVAILABLE]
    if text:
        ends = (row["micro_mean"] + whisker, row["tuned_micro_mean"], row["reference_micro"])
        beside = max((end for end in ends if end >= low), default=low)
        gap = 8 if beside > low else 2
        said = axes.annotate(text, (beside, y), (gap, 0), textcoords="offset points")
        said.set(color=GREY, va="center", fontsize=7)


def _limits(panel: pd.DataFrame) -> tuple[float, float]:
    """The span of the methods' values, widened to the controls that are not far below them."""
    values, others = _finite(panel), _finite(panel[panel["group"] != "control"])
    if not values.size:
        return 0.0, 100.0
    low, high = (others if others.size else values).min(), values.max()
    near = values[values >= low - 0.1 * (high - low)]
    margin = max(0.04 * (high - near.min()), 0.3)
    return float(near.min() - margin), float(high + margin)


def _finite(panel: pd.DataFrame) -> FloatArray:
    whisker = panel["micro_sd"].fillna(0.0)
    ends = [panel["micro_mean"] - whisker, panel["micro_mean"] + whisker]
    values = pd.concat([panel[VALUES], *ends], axis=1).to_numpy(dtype=np.float64)
    finite: FloatArray = values[np.isfinite(values)]
    return finite


def _draw_legend(figure: Figure, frame: pd.DataFrame, columns: int) -> None:
    sources = " / ".join(frame["reference_source"].dropna().unique())
    marks = [
        Line2D([], [], color=colour, label=label, **PAPER | {"marker": "s"})
        for group, (label, colour) in GROUPS.items()
        if group in set(frame["group"])
    ]
    marks.append(Line2D([], [], color=GREY, label="paper setting", **PAPER))
    if frame["tuned_micro_mean"].notna().any():
        marks.append(Line2D([], [], color=GREY, label="tuned setting", **TUNED))
    if sources:
        marks.append(Line2D([], [], label=f"reported ({sources})", **REPORTED))
    figure.legend(handles=marks, loc="outside lower center", ncols=4 if columns > 1 else 3)


def panelled(
    n: int, size: tuple[float, float], legend: float, sharey: bool = False
) -> tuple[Figure, list[Axes]]:
    """A figure of `n` panels, two a line, each of a size in inches, and of room for a legend."""
    columns, lines = min(2, n), -(-n // 2)
    width, height = columns * size[0], lines * size[1] + legend
    figure = Figure(figsize=(width, height), layout="constrained")
    grid = figure.subplots(lines, columns, squeeze=False, sharey=sharey)
    for axes in grid.flat[n:]:
        axes.remove()
    return figure, list(grid.flat[:n])


def save(figure: Figure, stem: Path) -> None:
    """Write `stem`.pdf, .svg and .png, each atomically and the same bytes for the same figure."""
    for extension, metadata in METADATA.items():
        with atomic_file(stem.with_name(f"{stem.name}.{extension}")) as temporary:
            figure.savefig(temporary, metadata=metadata)
