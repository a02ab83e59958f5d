"""What scores cost: a figure of micro-F1 against the seconds of training."""

from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.lines import Line2D
from matplotlib.ticker import LogLocator, NullFormatter

from pte_study.configuration.config import MAIN_METHOD
from pte_study.render import figures
from pte_study.render.html import Section
from pte_study.render.tables import read_csv
from pte_study.report.summaries import Files, Given, caveats

LINE_HEIGHT = 0.06  # the share of a panel's height that a label takes
MARK: dict[str, Any] = {"marker": "o", "markersize": 4.5, "linestyle": "none"}
MAIN_MARK = MARK | {"marker": "D", "markersize": 5, "markeredgecolor": "black"}  # of PTE(joint)


def make_times(files: Files, given: Given, figure: Path) -> None:
    plot_times(read_csv(files["comparison"]), figure)


def show_times(files: Files, given: Given) -> Section:
    notes, title = caveats(_trained(read_csv(files["comparison"]))), given["title"]
    pictures = {f"{title}: seconds of training": files["svg"].read_bytes()}
    return Section(title, (given["caption"], *notes), pictures=pictures)


def _trained(frame: pd.DataFrame) -> pd.DataFrame:
    shown = frame[(frame["group"] != "control") & (frame["train_seconds"] > 0)]
    return shown.dropna(subset=["micro_mean"])


def plot_times(frame: pd.DataFrame, stem: Path) -> None:
    """Draw a comparison; a line joins the methods of the `front`, which alone have names."""
    shown = _trained(frame)
    shown = shown[shown.groupby("corpus")["method"].transform("size") > 1]
    corpora = list(shown["corpus"].unique())
    with figures.styled():
        if not corpora:
            why = "fewer than two methods were trained"
            return figures.save_sentence(why, stem, "Seconds of training")
        figure, panels = figures.panelled(len(corpora), 2.8, 0.4, columns=1)
        for axes, corpus in zip(panels, corpora, strict=True):
            _draw(axes, shown[shown["corpus"] == corpus])
            axes.set_title(corpus, loc="left")
            axes.set_xlabel("seconds of training, protocol “paper”")
            axes.set_ylabel("micro-F1 (%)")
        marks = figures.group_marks(shown, **MARK)
        for row in shown[shown["method"] == MAIN_METHOD].head(1).to_dict("records"):
            own: dict[str, Any] = {"label": figures.verbatim(row["label"]), **MAIN_MARK}
            marks.append(Line2D([], [], color=figures.GROUPS[row["group"]][1], **own))
        figure.legend(handles=marks, loc="outside lower center", ncols=2)
        fronts = {corpus: front(shown[shown["corpus"] == corpus]) for corpus in corpora}
        told = "; ".join(f"on {each}: {', '.join(f['label'])}" for each, f in fronts.items())
        title = f"Micro-F1 against seconds of training on {', '.join(corpora)}"
        figures.save(
            figure, stem, title, f"No method is both quicker and better than these: {told}"
        )


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
    axes.step(best["train_seconds"], best["micro_mean"], where="post", color=figures.GREY, zorder=1)
    for row in panel.to_dict("records"):
        is_main = row["method"] == MAIN_METHOD
        look: dict[str, Any] = {
            "color": figures.GROUPS[row["group"]][1],
            "zorder": 3 if is_main else 2,
        }
        alpha = 1 if is_main or row["method"] in {*best["method"]} else 0.45
        point = (row["train_seconds"], row["micro_mean"])
        axes.plot(*point, alpha=alpha, **look, **MAIN_MARK if is_main else MARK)
    _name(axes, best, low, high)


def _name(axes: Axes, best: pd.DataFrame, low: float, high: float) -> None:
    heights = _heights(best, low, high)
    ends = low + (heights + LINE_HEIGHT / 2) * (high - low)
    axes.vlines(best["train_seconds"], best["micro_mean"], ends, color=figures.GREY, linewidth=0.4)
    for row, height in zip(best.to_dict("records"), heights, strict=True):
        place = (row["train_seconds"] / 1.04, height)
        text = axes.text(
            *place, figures.verbatim(row["label"]), fontsize=7.5, ha="right", va="bottom"
        )
        text.set_transform(axes.get_xaxis_transform())


def _heights(best: pd.DataFrame, low: float, high: float) -> npt.NDArray[np.float64]:
    above = (best["micro_mean"] - low) / (high - low) + 0.008
    return figures.apart(above.to_numpy(), LINE_HEIGHT * np.arange(len(best)))
