"""The comparison as a figure: one panel of dots per corpus."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.ticker import MaxNLocator

from pte.errors import PteError
from pte_study.render import figures
from pte_study.render.html import Section
from pte_study.render.tables import read_csv
from pte_study.report.summaries import UNAVAILABLE, ranked

FloatArray = npt.NDArray[np.float64]

PAPER_MARK: dict[str, Any] = {"marker": "o", "markersize": 4, "linestyle": "none"}
CHOSEN_MARK = PAPER_MARK | {"markersize": 6.5, "fillstyle": "none", "markeredgewidth": 0.9}
REPORTED = PAPER_MARK | {"marker": "|", "markersize": 9, "markeredgewidth": 1.1, "color": "black"}
VALUES = ["micro_mean", "chosen_micro_mean", "reference_micro"]
CLOSE = 10.0  # points within which panels share their axis, lest small differences look large
TITLE = 36  # letters of a title in one line
Limits = tuple[float, float]


def make(files: Mapping[str, Path], given: Mapping[str, Any], stem: Path) -> None:
    """Draw a comparison."""
    plot_comparison(read_csv(files["comparison"]), stem)


def section(files: Mapping[str, Path], given: Mapping[str, Any]) -> Section:
    """Show the figure."""
    title = given["title"]
    return Section(title, pictures={f"{title}: micro-F1": files["svg"].read_bytes()})


def plot_comparison(frame: pd.DataFrame, stem: Path) -> None:
    """Draw micro-F1 per method and corpus to `stem`.pdf, `stem`.svg and `stem`.png."""
    frame = frame.reindex(columns=frame.columns.union([*VALUES, UNAVAILABLE], sort=False))
    corpora = list(frame["corpus"].unique())
    rows = _rows(frame)
    if rows.empty:
        raise PteError("comparison figure: the frame has no score to draw; run a method first")
    with figures.styled():
        columns = min(len(corpora), 2)
        height = 0.155 * (rows["y"].max() + 1) + 0.35
        figure, panels = figures.panelled(len(corpora), height, 0.75, sharey=True)
        groups: set[str] = set()
        parts = [frame[frame["corpus"] == corpus] for corpus in corpora]
        limits = _shared(list(map(_limits, parts)))
        for index, (axes, corpus) in enumerate(zip(panels, corpora, strict=True)):
            groups |= _draw_panel(axes, parts[index], rows, limits[index])
            axes.xaxis.set_major_locator(MaxNLocator(6 // columns + 1, steps=[1, 2, 5, 10]))
            title = corpus if len(corpus) <= TITLE / columns else "_\n".join(corpus.rsplit("_", 1))
            axes.set_title(figures.verbatim(title), loc="left")
            if index + columns >= len(corpora):
                axes.set_xlabel("micro-F1 (%)")
        _draw_legend(figure, frame, groups)
        figures.save(
            figure, stem, f"Micro-F1 of {len(rows)} methods on {', '.join(corpora)}", _told(frame)
        )


def _rows(frame: pd.DataFrame) -> pd.DataFrame:
    shown = frame[[*VALUES, UNAVAILABLE]].notna().any(axis=1)
    methods = frame[shown]["method"].unique()
    rows = frame[frame["method"].isin(methods)].drop_duplicates("method").set_index("method")
    gaps = rows["group"].ne(rows["group"].shift()).cumsum() - 1
    return pd.DataFrame({"label": rows["label"], "y": np.arange(len(rows)) + 0.5 * gaps})


def _draw_panel(axes: Axes, panel: pd.DataFrame, rows: pd.DataFrame, limits: Limits) -> set[str]:
    """Return the groups that have a mark in the panel."""
    low, high = limits
    axes.set_xlim(low, high)
    axes.set_ylim(rows["y"].max() + 0.7, -0.7)
    axes.set_yticks(rows["y"].to_list(), rows["label"].map(figures.verbatim).to_list())
    shown = panel.merge(rows["y"], left_on="method", right_index=True)
    for row in shown.to_dict("records"):
        _draw_row(axes, row, low)
    return set(shown.loc[(shown[["micro_mean", "chosen_micro_mean"]] >= low).any(axis=1), "group"])


def _draw_row(axes: Axes, row: dict[Any, Any], low: float) -> None:
    y, colour = row["y"], figures.GROUPS[row["group"]][1]
    whisker = 0.0 if pd.isna(row["micro_sd"]) else row["micro_sd"]
    if row["micro_mean"] >= low:
        axes.errorbar(row["micro_mean"], y, xerr=whisker, color=colour, **PAPER_MARK)
    if row["chosen_micro_mean"] >= low:
        axes.plot(row["chosen_micro_mean"], y, color=colour, clip_on=False, **CHOSEN_MARK)
    if row["reference_micro"] >= low:
        axes.plot(row["reference_micro"], y, **REPORTED)
    far = dict(zip("●○|", (row[name] for name in VALUES), strict=True))
    text = " ".join(f"{mark} {value:.1f}" for mark, value in far.items() if value < low)
    if text:
        text = f"◂ {text}"
    elif pd.isna(row["micro_mean"]) and pd.notna(row[UNAVAILABLE]):
        text = row[UNAVAILABLE]
    if text:
        ends = (row["micro_mean"] + whisker, row["chosen_micro_mean"], row["reference_micro"])
        beside = max((end for end in ends if end >= low), default=low)
        gap = 8 if beside > low else 2
        said = axes.annotate(text, (beside, y), (gap, 0), textcoords="offset points")
        said.set(color=figures.GREY, va="center", fontsize=7)


def _shared(limits: Sequence[Limits | None]) -> list[Limits]:
    given = [each for each in limits if each]
    if not given:
        return [(0.0, 100.0)] * len(limits)
    low, high = min(low for low, _ in given), max(high for _, high in given)
    if high - low <= CLOSE:
        return [(low, high)] * len(limits)
    return [each or (low, high) for each in limits]


def _limits(panel: pd.DataFrame) -> Limits | None:
    """Return the limits around the values that are not below the lower fence of a box plot."""
    values, others = _finite(panel), _finite(panel[panel["group"] != "control"])
    if not values.size:
        return None
    others = others if others.size else values
    quarter, three = np.quantile(others, [0.25, 0.75])
    low, high = others[others >= quarter - 1.5 * (three - quarter)].min(), values.max()
    near = values[values >= low - 0.1 * (high - low)]
    margin = max(0.04 * (high - near.min()), 0.3)
    return float(near.min() - margin), float(high + margin)


def _finite(panel: pd.DataFrame) -> FloatArray:
    whisker = panel["micro_sd"].fillna(0.0)
    ends = [panel["micro_mean"] - whisker, panel["micro_mean"] + whisker]
    values = pd.concat([panel[VALUES], *ends], axis=1).to_numpy(dtype=np.float64)
    finite: FloatArray = values[np.isfinite(values)]
    return finite


def _told(frame: pd.DataFrame) -> str:
    return "; ".join(
        f"on {corpus}, {best['label']} has the best score, {best['score']:.2f}"
        for corpus, _, (best, *_) in ranked(frame)
    )


def _draw_legend(figure: Figure, frame: pd.DataFrame, groups: set[str]) -> None:
    sources = " / ".join(frame["reference_source"].dropna().unique())
    shown = frame[frame["group"].isin(groups)]
    marks = figures.group_marks(shown, **PAPER_MARK | {"marker": "s"})
    marks.append(Line2D([], [], color=figures.GREY, label="paper protocol", **PAPER_MARK))
    if frame["chosen_micro_mean"].notna().any():
        marks.append(Line2D([], [], color=figures.GREY, label="chosen protocol", **CHOSEN_MARK))
    if sources:
        marks.append(Line2D([], [], label=f"reported ({sources})", **REPORTED))
    figure.legend(handles=marks, loc="outside lower center", ncols=3)
