"""Learning curves: micro-F1 against the share of labels, or of unlabelled text."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import matplotlib.style
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.lines import Line2D
from matplotlib.ticker import NullLocator

from pte.corpora.subsets import Subset
from pte.errors import PteError
from pte.report.cells import NONE, humanise, spread
from pte.report.figures import panelled, save
from pte.report.summaries import MEANS
from pte.report.tables import MARKDOWN, write_csv, write_tables

POINT = ["corpus", "method", "labelled", "unlabelled"]
AXES = {"labelled": "labelled documents (%)", "unlabelled": "unlabelled documents (%)"}
STYLES: tuple[dict[str, Any], ...] = (
    {"color": "#D55E00", "marker": "o", "linestyle": "-"},
    {"color": "#0072B2", "marker": "s", "linestyle": "-"},
    {"color": "#009E73", "marker": "D", "linestyle": "-"},
    {"color": "#CC79A7", "marker": "^", "linestyle": "-"},
    {"color": "#E69F00", "marker": "v", "linestyle": "--"},
    {"color": "#56B4E9", "marker": "P", "linestyle": "--"},
    {"color": "#555555", "marker": "X", "linestyle": "--"},
    {"color": "#000000", "marker": "*", "linestyle": ":"},
)
"""Colours that the colour-blind can tell apart, and for printers without colour the rest."""
SMALL: dict[str, Any] = {"markersize": 3.5}
OPEN: dict[str, Any] = {"fillstyle": "none", "linestyle": "none", "markersize": 6}


def learning_curves(scores: pd.DataFrame, methods: Sequence[Mapping[str, Any]]) -> pd.DataFrame:
    """A row for each corpus, method and share: means and deviations over seeds, `paper` setting.

    `samples` is T, where the method has one, in the median over seeds; a method that could not be
    run has no scores.

    `scores` is the tidy frame, whose corpora may be subsets. Corpora are in the order of `scores`,
    methods in their own.
    """
    scores = scores[scores["setting"] == "paper"].copy()
    subsets = [Subset.parse(name) for name in scores["corpus"]]
    bases = [subset.base for subset in subsets]
    scores["corpus"] = pd.Categorical(bases, list(dict.fromkeys(bases)))  # sorts in this order
    scores["labelled"] = [float(subset.labelled) for subset in subsets]
    scores["unlabelled"] = [float(subset.unlabelled) for subset in subsets]
    averages = MEANS | {"samples": ("samples", "median")}
    summary = scores.groupby(POINT, sort=False, observed=True).agg(**averages).reset_index()
    names = pd.DataFrame(list(methods))[["name", "label"]].rename(columns={"name": "method"})
    names["order"] = range(len(names))
    frame = names.merge(summary, on="method").sort_values(["corpus", "order", *POINT[2:]])
    frame["samples"] = frame["samples"].astype(float).round()
    frame = frame.astype({"corpus": str, "samples": "Int64"}).reset_index(drop=True)
    return frame[[*POINT[:2], "label", *summary.columns[2:]]]


def write_curves(frame: pd.DataFrame, along: str, stem: Path, caption: str) -> None:
    """Write `stem`.csv with every point, and `stem`.md and .tex with a table a corpus."""
    shares = {name: frame[name].map("{:g}".format) for name in AXES}  # of any number of decimals
    write_csv(frame.assign(**shares), stem)
    write_tables(curve_cells(frame, along), stem, caption)


def curve_cells(frame: pd.DataFrame, along: str) -> dict[str, pd.DataFrame]:
    """A table of strings a panel: a row a method, a column a share, with the best two marked."""
    tables = {}
    for title, panel in _panels(frame, along):
        means = panel["micro_mean"].round(2)  # as they are printed
        ranks = means.groupby(panel[along]).rank(method="dense", ascending=False)
        cells = [
            NONE if pd.isna(mean) else MARKDOWN.get(rank, "{}").format(spread(mean, deviation))
            for mean, deviation, rank in zip(
                panel["micro_mean"], panel["micro_sd"], ranks, strict=True
            )
        ]
        table = panel.assign(cell=cells).pivot(index="label", columns=along, values="cell")
        table = table.loc[panel["label"].unique()].fillna(NONE)
        table.columns = [f"{share:g} %" for share in table.columns]
        edges = panel.groupby("label")["samples"].agg(["min", "max"]).loc[table.index]
        table["T"] = ["–".join(dict.fromkeys(map(humanise, ends))) for ends in edges.to_numpy()]
        tables[title] = table.reset_index(names=AXES[along])
    return tables


def _panels(frame: pd.DataFrame, along: str) -> Iterator[tuple[str, pd.DataFrame]]:
    """The points of each corpus, whose title says how much is left of what does not vary."""
    (other,) = set(AXES) - {along}
    for corpus, panel in frame.groupby("corpus", sort=False):
        (share,) = panel[other].unique()
        yield str(corpus) + (f", {share:g} % {other}" if share < 100 else ""), panel


def plot_curves(
    frame: pd.DataFrame, along: str, stem: Path, reference: pd.DataFrame | None = None
) -> None:
    """Draw the curves to `stem`.pdf, .svg and .png, a panel a corpus, with bands of a deviation.

    Labels are on a logarithmic axis. What others reported on all labels, in `reference`, is an open
    mark beside the last point. Raises `PteError` when the frame is empty.
    """
    frame = frame[frame["micro_mean"].notna()]
    if frame.empty:
        raise PteError(f"{stem.name}: there is no point to draw; run a method first")
    panels = dict(_panels(frame, along))
    labels = frame.drop_duplicates("method").set_index("method")["label"]
    styles = dict(zip(labels.index, STYLES, strict=False))
    marks = [
        Line2D([], [], **styles[method] | SMALL, label=name) for method, name in labels.items()
    ]
    with matplotlib.style.context("pte.report.figures", after_reset=True):
        figure, grid = panelled(len(panels), (3.5, 2.2), 0.7)
        marked = 0
        for axes, (title, panel) in zip(grid, panels.items(), strict=True):
            _draw(axes, panel, along, styles)
            if reference is not None:
                reported = reference[reference["corpus"] == panel["corpus"].iloc[0]]
                marked += _mark(axes, reported, {m: styles[m] for m in panel["method"].unique()})
            axes.set_title(title, loc="left")
            axes.set_xlabel(AXES[along])
            axes.set_ylabel("micro-F1 (%)")
        if marked:
            shape = {"color": "black", "marker": "o", "label": "reported, same mark"}
            marks.append(Line2D([], [], **OPEN | shape))
        figure.legend(handles=marks, loc="outside lower center", ncols=4)
        save(figure, stem)


def _draw(axes: Axes, panel: pd.DataFrame, along: str, styles: Mapping[Any, Any]) -> None:
    for method, points in panel.groupby("method", sort=False):
        points = points.sort_values(along)
        x, y = points[along].to_numpy(), points["micro_mean"].to_numpy()
        sd = points["micro_sd"].fillna(0).to_numpy()
        axes.fill_between(x, y - sd, y + sd, color=styles[method]["color"], alpha=0.15, linewidth=0)
        axes.plot(x, y, **styles[method] | SMALL)
    shares = sorted(panel[along].unique())
    if along == "labelled":
        axes.set_xscale("log")
        axes.xaxis.set_minor_locator(NullLocator())
    axes.set_xticks(shares, [f"{share:g}" for share in shares])


def _mark(axes: Axes, reported: pd.DataFrame, styles: Mapping[Any, Any]) -> int:
    """Draw what is reported on all labels; how many marks that makes."""
    rows = reported[reported["method"].isin(list(styles))].to_dict("records")
    for row in rows:
        axes.plot([100.0], [row["micro_f1"]], **styles[row["method"]] | OPEN)
    return len(rows)
