"""What PTE(joint) depends on: micro-F1 against one parameter, with a panel for each corpus."""

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import pandas as pd
from matplotlib.artist import Artist
from matplotlib.lines import Line2D
from matplotlib.patches import Patch
from matplotlib.ticker import FuncFormatter, NullLocator

from pte.errors import PteError
from pte_study.render import figures
from pte_study.render.html import Section
from pte_study.render.tables import NONE, humanise, read_csv, spread, write_tables
from pte_study.report.summaries import MEANS, METRICS
from pte_study.store.reading import read_records

NAMES = {
    "samples": "edges drawn",
    "dim": "dimensions",
    "negatives": "negative samples, K",
    "window": "window",
    "learning_rate": "initial rate, ρ₀",
}


def make(files: Mapping[str, Any], given: Mapping[str, Any], table: Path, figure: Path) -> None:
    """Write and draw the trainings for the values of a parameter."""
    defaults = given["defaults"]
    runs = [
        run | {"value": run["value"] or defaults[run["corpus"]]}  # a training as in the tables
        for training in read_records(files["runs"], given["names"])
        for run in training["runs"]
    ]
    frame = sensitivity(runs)
    write_sensitivity(frame, given["name"], table)
    plot_sensitivity(frame, given["name"], figure, defaults)


def section(files: Mapping[str, Path], given: Mapping[str, Any]) -> Section:
    """Show how PTE(joint) depends on a parameter."""
    parameter, against = given["name"], NAMES[given["name"]]
    return Section(
        "What PTE(joint) depends on",
        (given["caption"],),
        {f"Against {against}": sensitivity_cells(read_csv(files["csv"]), parameter)},
        {f"PTE(joint) against {against}": files["svg"].read_bytes()},
    )


def sensitivity(runs: Iterable[Mapping[str, Any]]) -> pd.DataFrame:
    """Return a row for each corpus and value: means, deviations and the edges drawn."""
    columns = ["corpus", "value", *(f"{metric}_f1" for metric in METRICS), "samples"]
    by_value = pd.DataFrame(list(runs), columns=columns).groupby(["corpus", "value"], sort=False)
    summary = by_value.agg(**MEANS, samples=("samples", "median")).reset_index()
    return summary.astype({"samples": "Int64"})


def write_sensitivity(frame: pd.DataFrame, parameter: str, stem: Path) -> None:
    """Write `stem`.csv with every value, and `stem`.md and .tex with a column for each corpus."""
    values = frame["value"].map("{:.10g}".format)  # a rate has more than two decimals
    caption = f"Micro-F1 of PTE(joint) against {NAMES[parameter]}"
    cells = {"": sensitivity_cells(frame, parameter)}
    write_tables(frame.assign(value=values), cells, stem, caption)


def sensitivity_cells(frame: pd.DataFrame, parameter: str) -> pd.DataFrame:
    """Return a table of strings: rows are values, columns are corpora."""
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
        marks: list[Artist] = [
            Patch(color=figures.GREY, alpha=0.15, linewidth=0, label="± one deviation")
        ]
        if any(isinstance(value, int | float) for value in (defaults or {}).values()):
            marks.append(
                Line2D([], [], color=figures.GREY, linestyle=":", label="the value of the tables")
            )
        figure.legend(handles=marks, loc="outside lower center", ncols=2)
        title = f"Micro-F1 of PTE(joint) against {NAMES[parameter]}"
        figures.save(figure, stem, title, f"On {', '.join(corpora)}; the table has the numbers")


def _number(value: float) -> str:
    return humanise(value) if value >= 1000 else f"{value:g}"
