"""The figure of few labels, narrow for phones: micro-F1 of some methods against labels."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.ticker import FixedLocator, FuncFormatter, NullLocator

from pte_study.render import figures
from pte_study.render.html import Section
from pte_study.render.tables import humanise, read_csv
from pte_study.store.reading import PACKED, corpus_record

OURS = "#D55E00"
LINES: dict[str, tuple[str, dict[str, Any]]] = {
    "pte_auto_encoder": ("PTE(auto)\nwith encoder", {"color": OURS, "linestyle": (0, (3, 1.5))}),
    "pte_auto": ("PTE(auto)", {"color": OURS, "linewidth": 1.8}),
    "pte_joint": ("PTE(joint)", {"color": "#AA4499"}),
    "bow_pairs": ("TF-IDF", {"color": "#009E73"}),
    "fasttext_pairs": ("fastText", {"color": "#0072B2"}),
    "encoder": ("encoder", {"color": "#555555"}),
}
FIRST = 50  # the smallest number of labels on the axis
DECADES = 10.0 ** np.arange(2, 10)  # numbers of labels that the axis names
GAP = 0.115  # the share of a panel's height that a line of a name takes


def make(files: Mapping[str, Any], given: Mapping[str, Any], stem: Path) -> None:
    """Draw the figure from the points of a curve and from the records of its corpora."""
    labels = {
        place.name.removesuffix(PACKED): corpus_record(place)["counts"]["labelled_train"]
        for place in files["corpora"]
    }
    plot_few_labels(with_labels(read_csv(files["curve"]), labels), stem)


def section(files: Mapping[str, Path], given: Mapping[str, Any]) -> Section:
    """Show the figure."""
    title = ": ".join(filter(None, ("How many labels it takes", given.get("of"))))
    return Section(title, (given["caption"],), pictures={title: files["svg"].read_bytes()})


def with_labels(points: pd.DataFrame, labels: Mapping[str, int]) -> pd.DataFrame:
    """Return the points of the drawn methods that have at least `FIRST` labels."""
    shown = points[points["method"].isin(list(LINES)) & points["micro_mean"].notna()]
    number = shown["corpus"].map(dict(labels)).astype(float) * shown["labelled"] / 100
    return shown.assign(labels=number)[number >= FIRST]


def plot_few_labels(points: pd.DataFrame, stem: Path) -> None:
    """Draw micro-F1 against `labels` to `stem`.pdf, .svg and .png, a panel for each corpus."""
    corpora = list(points["corpus"].unique())
    with figures.styled():
        if not corpora:
            title = "Micro-F1 against the number of labels"
            return figures.save_sentence(f"no drawn method has {FIRST} labels or more", stem, title)
        figure, grid = figures.panelled(len(corpora), 1.9, 0.2)
        for axes, corpus in zip(grid, corpora, strict=True):
            _draw(axes, points[points["corpus"] == corpus])
            axes.set_title(figures.verbatim(corpus), loc="left")
        figure.supxlabel("documents with a label")
        figure.supylabel("micro-F1 (%)")
        title = f"Micro-F1 against the number of labels on {', '.join(corpora)}"
        figures.save(figure, stem, title, _told(points))


def _draw(axes: Axes, panel: pd.DataFrame) -> None:
    ends = []
    axes.set_xscale("log")
    axes.set_xlim(FIRST, panel["labels"].max() * 25)
    for method, (name, look) in LINES.items():
        rows = panel[panel["method"] == method].sort_values("labels")
        if len(rows):
            figures.draw_means(axes, rows, "labels", look | {"marker": "o"})
            ends.append((rows["micro_mean"].iloc[-1], name, look["color"]))
    axes.xaxis.set_major_formatter(FuncFormatter(lambda value, _: humanise(value)))
    most = panel["labels"].max()
    axes.xaxis.set_major_locator(FixedLocator([tick for tick in DECADES if tick <= 2 * most]))
    axes.xaxis.set_minor_locator(NullLocator())
    _name(axes, ends, most)


def _name(axes: Axes, ends: Sequence[tuple[float, str, Any]], most: float) -> None:
    ends = sorted(ends)
    low, high = axes.get_ylim()
    axes.set_ylim(low, high)
    sizes = np.array([GAP * len(name.splitlines()) for _, name, _ in ends])
    middles = np.cumsum(sizes) - sizes / 2
    pushed = figures.apart([(score - low) / (high - low) for score, _, _ in ends], middles)
    highest = 1 + GAP / 2 - sizes.sum() + middles  # half a line may reach above the panel
    for height, (score, name, ink) in zip(np.minimum(pushed, highest), ends, strict=True):
        place = (1.8 * most, low + height * (high - low))
        axes.plot([1.15 * most, 1.7 * most], [score, place[1]], color=ink, linewidth=0.5)
        axes.text(*place, name, color=ink, va="center", fontsize=7.5, linespacing=1)


def _told(points: pd.DataFrame) -> str:
    fewest = points[points["labels"] == points.groupby("corpus")["labels"].transform("min")]
    best = fewest.sort_values("micro_mean", ascending=False).drop_duplicates("corpus").sort_index()
    return "; ".join(
        f"with {row['labelled']:g} % of the labels of {row['corpus']}, {row['label']} has the best "
        f"of these scores, {row['micro_mean']:.1f}"
        for row in best.to_dict("records")
    )
