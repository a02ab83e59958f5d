"""Learning curves: micro-F1 against the share of labels, or of unlabelled text."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import cycle
from pathlib import Path
from typing import Any

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.lines import Line2D
from matplotlib.ticker import NullLocator

from pte.corpora.subsets import Subset
from pte.errors import PteError
from pte_study.configuration.config import Curve, Row
from pte_study.render import figures
from pte_study.render.html import Section
from pte_study.render.tables import (
    EMPHASIS,
    NONE,
    as_printed,
    humanise,
    read_csv,
    spread,
    write_tables,
)
from pte_study.report.summaries import MEANS, caveats, frame_of, reference_scores
from pte_study.store.reading import read_records

POINT = ["corpus", "method", "labelled", "unlabelled"]
AXES = {"labelled": "labelled documents (%)", "unlabelled": "unlabelled documents (%)"}
BESIDE = 125.0  # where scores that others reported stand, right of the curves
OPEN: dict[str, Any] = {"fillstyle": "none", "linestyle": "none", "markersize": 6}


def make(files: Mapping[str, Any], given: Mapping[str, Any], table: Path, figure: Path) -> None:
    """Write and draw the learning curves of some runs."""
    curve: Curve = given["curve"]
    frame = learning_curves(frame_of(read_records(files["runs"], given["names"])), given["methods"])
    write_curves(frame, curve, table)
    reported = (files["paper"], files["third_party"], given["stand_ins"], given["official"])
    plot_curves(frame, curve, figure, reference_scores(*reported))


def section(files: Mapping[str, Path], given: Mapping[str, Any]) -> Section:
    """Show a learning curve as a figure, and as a table for each corpus."""
    curve: Curve = given["curve"]
    frame = read_csv(files["csv"])
    text, pictures = (given["caption"], *caveats(frame)), {curve.caption: files["svg"].read_bytes()}
    return Section(curve.caption, text, curve_cells(frame, curve.along), pictures)


def learning_curves(scores: pd.DataFrame, methods: Sequence[Row]) -> pd.DataFrame:
    """Return a row for each corpus, method and share: means and deviations over the seeds."""
    scores = scores.copy()
    subsets = [Subset.parse(name) for name in scores["corpus"]]
    bases = [subset.base for subset in subsets]
    scores["corpus"] = pd.Categorical(bases, list(dict.fromkeys(bases)))  # fixes the sort order
    scores["labelled"] = [float(subset.labelled) for subset in subsets]
    scores["unlabelled"] = [float(subset.unlabelled) for subset in subsets]
    averages = MEANS | {"samples": ("samples", "median")}
    summary = scores.groupby(POINT, sort=False, observed=True).agg(**averages).reset_index()
    names = pd.DataFrame({"method": [row.name for row in methods]})
    names = names.assign(label=[row.label for row in methods], order=range(len(methods)))
    frame = names.merge(summary, on="method").sort_values(["corpus", "order", *POINT[2:]])
    frame["samples"] = frame["samples"].astype(float).round()
    frame = frame.astype({"corpus": str, "samples": "Int64"}).reset_index(drop=True)
    return frame[[*POINT[:2], "label", *summary.columns[2:]]]


def write_curves(frame: pd.DataFrame, curve: Curve, stem: Path) -> None:
    """Write `stem`.csv with every point, and `stem`.md and .tex with a table for each corpus."""
    shares = {name: frame[name].map("{:g}".format) for name in AXES}  # no fixed number of decimals
    cells = curve_cells(frame, curve.along)
    write_tables(frame.assign(**shares), cells, stem, curve.caption, caveats(frame))


def curve_cells(frame: pd.DataFrame, along: str) -> dict[str, pd.DataFrame]:
    """Return a table for each panel: a row for each method, a column for each share."""
    tables = {}
    for title, panel in _panels(frame, along):
        means = as_printed(panel["micro_mean"])
        ranks = means.groupby(panel[along]).rank(method="dense", ascending=False).fillna(0)
        cells = [
            NONE if pd.isna(mean) else EMPHASIS.get(int(rank), "{}").format(spread(mean, deviation))
            for mean, deviation, rank in zip(
                panel["micro_mean"], panel["micro_sd"], ranks, strict=True
            )
        ]
        table = panel.assign(cell=cells).pivot(index="label", columns=along, values="cell")
        table = table.loc[panel["label"].unique()].fillna(NONE)
        table.columns = [f"{share:g} %" for share in table.columns]
        for name, column in {"T": "samples", "seeds": "n_seeds"}.items():
            ends = panel.groupby("label")[column].agg(["min", "max"]).loc[table.index]
            table[name] = ["–".join(dict.fromkeys(map(humanise, pair))) for pair in ends.to_numpy()]
        tables[title] = table.reset_index(names=AXES[along])
    return tables


def _panels(frame: pd.DataFrame, along: str) -> Iterator[tuple[str, pd.DataFrame]]:
    (other,) = set(AXES) - {along}
    for corpus, panel in frame.groupby("corpus", sort=False):
        (share,) = panel[other].unique()
        yield str(corpus) + (f", {share:g} % {other}" if share < 100 else ""), panel


def plot_curves(
    frame: pd.DataFrame, curve: Curve, stem: Path, reference: pd.DataFrame | None = None
) -> None:
    """Draw the curves to `stem`.pdf, .svg and .png, with a panel for each corpus."""
    along = curve.along
    frame = frame[frame["micro_mean"].notna()]
    methods = dict.fromkeys([*curve.methods, *frame["method"]])
    styles = dict(zip(methods, cycle(figures.LINES), strict=False))  # the same in each curve
    if frame.empty:
        raise PteError(f"{stem.name}: there is no point to draw; run a method first")
    panels = dict(_panels(frame, along))
    labels = frame.drop_duplicates("method").set_index("method")["label"]
    marks = [
        Line2D([], [], **styles[method] | figures.SMALL, label=figures.verbatim(name))
        for method, name in labels.items()
    ]
    with figures.styled():
        figure, grid = figures.panelled(len(panels), 2.0, 0.9)
        marked = 0
        for axes, (title, panel) in zip(grid, panels.items(), strict=True):
            _draw(axes, panel, along, styles)
            if reference is not None and along == "labelled":
                reported = reference[reference["corpus"] == panel["corpus"].iloc[0]]
                marked += _mark(axes, reported, {m: styles[m] for m in panel["method"].unique()})
            axes.set_title(title, loc="left")
            axes.set_xlabel(f"{along} (%)")
        figure.supylabel("micro-F1 (%)")
        if marked:
            shape = {"color": "black", "marker": "o", "label": "reported, same mark"}
            marks.append(Line2D([], [], **OPEN | shape))
        figure.legend(handles=marks, loc="outside lower center", ncols=3)
        about = f"Micro-F1 against {AXES[along]} of {', '.join(labels)}"
        figures.save(figure, stem, curve.caption, about)


def _draw(axes: Axes, panel: pd.DataFrame, along: str, styles: Mapping[Any, Any]) -> None:
    for method, points in panel.groupby("method", sort=False):
        figures.draw_means(axes, points, along, styles[method])
    shares = sorted(panel[along].unique())
    if along == "labelled":
        axes.set_xscale("log")
        axes.xaxis.set_minor_locator(NullLocator())
    axes.set_xticks(shares, [f"{share:g}" for share in shares])


def _mark(axes: Axes, reported: pd.DataFrame, styles: Mapping[Any, Any]) -> int:
    rows = reported[reported["method"].isin(list(styles))].to_dict("records")
    for row in rows:
        axes.plot([BESIDE], [row["micro_f1"]], **styles[row["method"]] | OPEN)
    return len(rows)
