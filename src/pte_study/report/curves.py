"""Micro-F1 against something: shares of labels or of text, numbers of labels, one parameter."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import cycle
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Patch
from matplotlib.ticker import FixedLocator, FuncFormatter, NullLocator

from pte.corpora.subsets import Subset
from pte.errors import PteError
from pte_study.configuration.config import Curve, Row
from pte_study.render import figures
from pte_study.render.tables import (
    EMPHASIS,
    NONE,
    Section,
    as_printed,
    humanise,
    spread,
    write_tables,
)
from pte_study.report.summaries import MEANS, Files, Given, caveats, frame_of, reference_scores
from pte_study.store import PACKED, corpus_record, read_records

POINT = ["corpus", "method", "labelled", "unlabelled"]
AXES = {"labelled": "labelled documents (%)", "unlabelled": "unlabelled documents (%)"}
BESIDE = 125.0  # where scores that others reported stand, right of the curves
OPEN: dict[str, Any] = {"fillstyle": "none", "linestyle": "none", "markersize": 6}
NAMES = {
    "samples": "edges drawn",
    "dim": "dimensions",
    "negatives": "negative samples, K",
    "window": "window",
    "learning_rate": "initial rate, ρ₀",
}
OURS = "#D55E00"
SHOWN: dict[str, tuple[str, dict[str, Any]]] = {
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


# Learning curves


def make_curve(files: Files, given: Given, table: Path, figure: Path) -> None:
    curve: Curve = given["curve"]
    frame = learning_curves(frame_of(read_records(files["runs"], given["names"])), given["methods"])
    write_curves(frame, curve, table)
    reported = (files["paper"], files["third_party"], given["stand_ins"], given["official"])
    plot_curves(frame, curve, figure, reference_scores(*reported))


def show_curve(files: Files, given: Given) -> Section:
    curve: Curve = given["curve"]
    frame = pd.read_csv(files["csv"])
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
    named = [(row.name, row.label, order) for order, row in enumerate(methods)]
    names = pd.DataFrame(named, columns=["method", "label", "order"])
    frame = names.merge(summary, on="method").sort_values(["corpus", "order", *POINT[2:]])
    frame["samples"] = frame["samples"].astype(float).round()
    frame = frame.astype({"corpus": str, "samples": "Int64"}).reset_index(drop=True)
    return frame[[*POINT[:2], "label", *summary.columns[2:]]]


def write_curves(frame: pd.DataFrame, curve: Curve, stem: Path) -> None:
    """Write `stem`.csv with every point, and `stem`.md with a table for each corpus."""
    shares = {name: frame[name].map("{:g}".format) for name in AXES}  # no fixed number of decimals
    cells = curve_cells(frame, curve.along)
    write_tables(frame.assign(**shares), cells, stem, curve.caption, caveats(frame))


def curve_cells(frame: pd.DataFrame, along: str) -> dict[str, pd.DataFrame]:
    """Return a table for each panel: a row for each method, a column for each share."""
    tables = {}
    for title, panel in _panels(frame, along):
        means = as_printed(panel["micro_mean"])
        ranks = means.groupby(panel[along]).rank(method="dense", ascending=False)
        rows = zip(panel["micro_mean"], panel["micro_sd"], ranks, strict=True)
        cells = [
            NONE if pd.isna(mean) else EMPHASIS.get(rank, "{}").format(spread(mean, deviation))
            for mean, deviation, rank in rows
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
                reported = reference.merge(panel[["corpus", "method"]].drop_duplicates())
                for row in reported.to_dict("records"):
                    axes.plot([BESIDE], [row["micro_f1"]], **styles[row["method"]] | OPEN)
                marked += len(reported)
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


# Few labels: some methods against the number of labels, narrow for phones


def make_few_labels(files: Files, given: Given, stem: Path) -> None:
    labels = {
        place.name.removesuffix(PACKED): corpus_record(place)["counts"]["labelled_train"]
        for place in files["corpora"]
    }
    plot_few_labels(with_labels(pd.read_csv(files["curve"]), labels), stem)


def show_few_labels(files: Files, given: Given) -> Section:
    title = f"How many labels it takes: {given['of']}"
    return Section(title, (given["caption"],), pictures={title: files["svg"].read_bytes()})


def with_labels(points: pd.DataFrame, labels: Mapping[str, int]) -> pd.DataFrame:
    """Return the points of the drawn methods that have at least `FIRST` labels."""
    shown = points[points["method"].isin(list(SHOWN)) & points["micro_mean"].notna()]
    number = shown["corpus"].map(dict(labels)).astype(float) * shown["labelled"] / 100
    return shown.assign(labels=number)[number >= FIRST]


def plot_few_labels(points: pd.DataFrame, stem: Path) -> None:
    """Draw micro-F1 against `labels` to `stem`.pdf, .svg and .png, a panel for each corpus."""
    corpora = list(points["corpus"].unique())
    with figures.styled():
        if not corpora:
            figure, why = Figure(figsize=(3.9, 0.8)), f"no drawn method has {FIRST} labels or more"
            figure.text(0.5, 0.5, why, ha="center", va="center")
            title = "Micro-F1 against the number of labels"
            return figures.save(figure, stem, title, f"{why.capitalize()}.")
        figure, grid = figures.panelled(len(corpora), 1.9, 0.2)
        for axes, corpus in zip(grid, corpora, strict=True):
            _draw_few_labels(axes, points[points["corpus"] == corpus])
            axes.set_title(figures.verbatim(corpus), loc="left")
        figure.supxlabel("documents with a label")
        figure.supylabel("micro-F1 (%)")
        title = f"Micro-F1 against the number of labels on {', '.join(corpora)}"
        figures.save(figure, stem, title, _told(points))


def _draw_few_labels(axes: Axes, panel: pd.DataFrame) -> None:
    ends = []
    axes.set_xscale("log")
    axes.set_xlim(FIRST, panel["labels"].max() * 25)
    for method, (name, look) in SHOWN.items():
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


# What PTE(joint) depends on


def make_sensitivity_figure(files: Files, given: Given, table: Path, figure: Path) -> None:
    defaults = given["defaults"]
    runs = [
        run | {"value": run["value"] or defaults[run["corpus"]]}  # a training as in the tables
        for training in read_records(files["runs"], given["names"])
        for run in training["runs"]
    ]
    frame = sensitivity(runs)
    write_sensitivity(frame, given["name"], table)
    plot_sensitivity(frame, given["name"], figure, defaults)


def show_sensitivity_figure(files: Files, given: Given) -> Section:
    parameter, against = given["name"], NAMES[given["name"]]
    return Section(
        "What PTE(joint) depends on",
        (given["caption"],),
        {f"Against {against}": sensitivity_cells(pd.read_csv(files["csv"]), parameter)},
        {f"PTE(joint) against {against}": files["svg"].read_bytes()},
    )


def sensitivity(runs: Iterable[Mapping[str, Any]]) -> pd.DataFrame:
    """Return a row for each corpus and value: means, deviations and the edges drawn."""
    columns = ["corpus", "value", "micro_f1", "macro_f1", "samples"]  # no confusion is kept
    means = {name: how for name, how in MEANS.items() if how[0] in columns}
    by_value = pd.DataFrame(list(runs), columns=columns).groupby(["corpus", "value"], sort=False)
    summary = by_value.agg(**means, samples=("samples", "median")).reset_index()
    return summary.astype({"samples": "Int64"})


def write_sensitivity(frame: pd.DataFrame, parameter: str, stem: Path) -> None:
    """Write `stem`.csv with every value, and `stem`.md with a column for each corpus."""
    values = frame["value"].map("{:.10g}".format)  # a rate has more than two decimals
    caption = f"Micro-F1 of PTE(joint) against {NAMES[parameter]}"
    cells = {"": sensitivity_cells(frame, parameter)}
    write_tables(frame.assign(value=values), cells, stem, caption)


def sensitivity_cells(frame: pd.DataFrame, parameter: str) -> pd.DataFrame:
    titles = _titles(frame)
    cells = frame.assign(
        cell=list(map(spread, frame["micro_mean"], frame["micro_sd"])),
        title=frame["corpus"].map(titles),
    )
    table = cells.pivot(index="value", columns="title", values="cell")[list(titles.values())]
    table.index = table.index.map(_number)
    return table.fillna(NONE).reset_index(names=NAMES[parameter])


def _titles(frame: pd.DataFrame) -> dict[str, str]:
    edges = frame.groupby("corpus", sort=False)["samples"].max()
    return {str(corpus): f"{corpus}, T = {humanise(most)}" for corpus, most in edges.items()}


def plot_sensitivity(
    frame: pd.DataFrame, parameter: str, stem: Path, defaults: Mapping[str, Any] | None = None
) -> None:
    """Draw micro-F1 to `stem`.pdf, .svg and .png, against the parameter on a logarithmic axis."""
    if frame.empty:
        raise PteError(f"{stem.name}: there is no point to draw; run PTE(joint) first")
    with figures.styled():
        titles = _titles(frame)
        corpora = list(titles)
        figure, panels = figures.panelled(len(corpora), 1.7, 0.3)
        for axes, corpus, style in zip(panels, corpora, figures.LINES, strict=False):
            points = frame[frame["corpus"] == corpus].sort_values("value")
            figures.draw_means(axes, points, "value", style)
            default = (defaults or {}).get(corpus)
            if isinstance(default, int | float):
                axes.axvline(default, color=figures.GREY, linestyle=":")
            axes.set_xscale("log")
            if parameter == "samples":
                axes.xaxis.set_major_formatter(FuncFormatter(lambda value, _: humanise(value)))
            else:
                axes.set_xticks(points["value"], [_number(value) for value in points["value"]])
            axes.xaxis.set_minor_locator(NullLocator())
            axes.set_title(titles[corpus], loc="left")
            axes.set_xlabel(NAMES[parameter])
        figure.supylabel("micro-F1 (%)")
        band: dict[str, Any] = {"alpha": 0.15, "linewidth": 0, "label": "± one deviation"}
        marks: list[Artist] = [Patch(color=figures.GREY, **band)]
        if any(isinstance(value, int | float) for value in (defaults or {}).values()):
            marks.append(
                Line2D([], [], color=figures.GREY, linestyle=":", label="the value of the tables")
            )
        figure.legend(handles=marks, loc="outside lower center", ncols=2)
        title = f"Micro-F1 of PTE(joint) against {NAMES[parameter]}"
        figures.save(figure, stem, title, f"On {', '.join(corpora)}; the table has the numbers")


def _number(value: float) -> str:
    return humanise(value) if value >= 1000 else f"{value:g}"
