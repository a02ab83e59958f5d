"""Draws what the other benchmarks wrote: results/benchmarks/*.jsonl → *.pdf, *.svg, *.png.

python -m benchmarks.plots
"""

from collections.abc import Callable, Sequence
from typing import Any

import matplotlib.style
import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import FuncFormatter, LogLocator, NullFormatter

from benchmarks.common import METHODS, RESULTS, lines
from pte.files import atomic_file
from pte_study.render.plots import METADATA

OURS, STREAMED, THEIRS, GREY = "#D55E00", "#E69F00", "#0072B2", "#999999"
THREADS = {
    "one thread": "#56B4E9",
    "two threads": "#D55E00",
    "four threads": "#E69F00",
    "eight threads": "#F0C36D",
}
LABELS = {"joint": "PTE(joint)", "ww": "LINE(ww)", "wd": "LINE(wd)", "wl": "PTE(wl)"}
CASES = {"ww stored": "ww network, stored", "joint streamed": "PTE(joint), streamed, 10 M edges"}
CASES |= {"encode": "encoding"}
SPAN = 8
"""Points of micro-F1 below the best that a panel shows."""
PLAIN = FuncFormatter(lambda value, _: f"{value:g}")

Line = dict[str, Any]


def main() -> None:
    with matplotlib.style.context("pte_study.render.plots", after_reset=True):
        for name, draw in FIGURES.items():
            if found := lines(name):
                figure = draw(found)
                for extension, metadata in METADATA.items():
                    with atomic_file(RESULTS / f"{name}.{extension}") as temporary:
                        figure.savefig(temporary, metadata=metadata)


def speed(found: Sequence[Line]) -> Figure:
    """Million pairs a second of one thread, a panel a corpus."""
    figure, panels = panels_of([line["corpus"] for line in found if "corpus" in line], 2.6)
    for corpus, axes in panels.items():
        bars = [line for line in found if line.get("corpus") == corpus]
        names = [f"{LABELS.get(bar['method'], bar['method'])}{kind(bar)}" for bar in bars]
        colours = [
            THEIRS if bar["system"] == "gensim" else STREAMED if kind(bar) else OURS for bar in bars
        ]
        rates = [bar["million_pairs_per_second"] for bar in bars]
        drawn = axes.barh(names, rates, 0.7, color=colours)
        axes.bar_label(drawn, [f"{rate:.2f}" for rate in rates], padding=2, fontsize=7)
        axes.set_xlim(0, 1.15 * max(rates))
        axes.invert_yaxis()
        axes.grid(False, axis="y")
        axes.set_xlabel("million pairs a second, one thread")
    return figure


def kind(bar: Line) -> str:
    if bar["system"] == "gensim":
        return " (gensim)"
    return ", streamed" if bar["edges"] == "streamed" else ""


def threads(found: Sequence[Line]) -> Figure:
    """Speed against one thread, and the ceiling of two threads with tables of their own."""
    medians = [line for line in found if line.get("kind") == "median"]
    figure, panels = panels_of([line["corpus"] for line in medians], 2.3, width=4.6)
    step, width = len(THREADS) + 1, 0.85
    for corpus, axes in panels.items():
        by_case = {
            (line["method"], line["case"]): line["against_one_thread"]
            for line in medians
            if line["corpus"] == corpus
        }
        for i, (case, colour) in enumerate(THREADS.items()):
            places = np.arange(len(METHODS)) * step + i
            heights = [by_case[method, case] for method in METHODS]
            bars = axes.bar(places, heights, width, color=colour, label=case)
            axes.bar_label(bars, fmt="%.2f", fontsize=5.5, label_type="center")
        middle = (len(THREADS) - 1) / 2
        for i, method in enumerate(METHODS):
            ceiling = by_case[method, "own tables"]
            ends = i * step - width / 2, i * step + len(THREADS) - 1 + width / 2
            label = "two threads, tables of their own" if i == 0 else "_"
            axes.hlines(ceiling, *ends, colors="black", linestyles="--", label=label)
        axes.set_xticks(
            np.arange(len(METHODS)) * step + middle, [LABELS[method] for method in METHODS]
        )
        axes.grid(False, axis="x")
        axes.set_ylim(0, 1.12 * max(by_case.values()))
        axes.set_ylabel("speed against one thread")
        if not all(line["calm"] for line in medians if line["corpus"] == corpus):
            axes.set_title(f"{corpus}: other programs had the cores, no fair scaling", loc="left")
    figure.legend(*axes.get_legend_handles_labels(), loc="outside lower center", ncols=3)
    return figure


def quality(found: Sequence[Line]) -> Figure:
    """Micro-F1 against seconds of training, a panel a corpus and number of threads."""
    runs = [line for line in found if line.get("kind") == "run"]
    keys = [f"{line['corpus']}, {count(line['threads'])}" for line in runs]
    figure, panels = panels_of(keys, 2.3)
    for key, axes in panels.items():
        mine = [line for line, each in zip(runs, keys, strict=True) if each == key]
        pte = [line for line in mine if line["system"] == "pte"]
        scores = [line["micro_f1"] for line in pte]
        style: dict[str, Any] = {"color": OURS, "marker": "o", "markersize": 3}
        axes.plot([line["seconds"] for line in pte], scores, label="PTE(joint), one run", **style)
        ready = [
            line["seconds"] + line["preparation_seconds"] + line["classifier_seconds"]
            for line in pte
        ]
        style |= {"alpha": 0.4, "linestyle": ":"}
        axes.plot(ready, scores, label="the same with networks and LIBLINEAR", **style)
        for rate, marker in ((0.1, "s"), (0.5, "^")):
            peers = [line for line in mine if line.get("rate") == rate]
            axes.plot(
                [line["seconds"] for line in peers],
                [line["micro_f1"] for line in peers],
                color=THEIRS,
                marker=marker,
                markersize=3.5,
                linestyle="none",
                label=f"fastText, rate {rate}, 1 … 25 epochs",
            )
        every = [line["micro_f1"] for line in mine]
        axes.set_ylim(max(min(every) - 0.5, max(every) - SPAN), max(every) + 0.5)
        axes.set_xscale("log")
        axes.xaxis.set_major_formatter(PLAIN)
        axes.set_xlabel("seconds")
        axes.set_ylabel("micro-F1 (%)")
    figure.legend(*axes.get_legend_handles_labels(), loc="outside lower center", ncols=2)
    return figure


def count(n: int) -> str:
    return "1 thread" if n == 1 else f"{n} threads"


def scaling(found: Sequence[Line]) -> Figure:
    """Seconds and peak memory against tokens."""
    points = [line for line in found if "case" in line]
    figure = Figure(figsize=(7.0, 2.6), layout="constrained")
    left, right = figure.subplots(1, 2)
    for (case, label), colour in zip(CASES.items(), (OURS, THEIRS, GREY), strict=True):
        mine = [line for line in points if line["case"] == case]
        if mine:
            tokens = [line["tokens"] for line in mine]
            style: dict[str, Any] = {"color": colour, "marker": "o", "markersize": 3}
            left.plot(tokens, [line["processor_seconds"] for line in mine], label=label, **style)
            if case != "encode":  # its process has read all texts before
                right.plot(tokens, [line["peak_mb"] for line in mine], **style)
    left.set_ylabel("seconds of a processor")
    right.set_ylabel("peak memory (MB)")
    for axes in (left, right):
        axes.set_xscale("log")
        axes.set_yscale("log")
        axes.yaxis.set_major_locator(LogLocator(subs=(1, 2, 5)))
        axes.yaxis.set_major_formatter(PLAIN)
        axes.yaxis.set_minor_formatter(NullFormatter())
        axes.set_xlabel("tokens")
    figure.legend(loc="outside lower center", ncols=3)
    return figure


def panels_of(
    keys: Sequence[str], height: float, width: float = 3.5
) -> tuple[Figure, dict[str, Axes]]:
    """A panel for each different key, two a row."""
    names = list(dict.fromkeys(keys))
    columns = min(len(names), 2)
    rows = -(-len(names) // columns)
    figure = Figure(figsize=(columns * width, rows * height + 0.3), layout="constrained")
    grid = figure.subplots(rows, columns, squeeze=False)
    for axes in grid.flat[len(names) :]:
        axes.remove()
    panels = dict(zip(names, grid.flat, strict=False))
    for name, axes in panels.items():
        axes.set_title(name, loc="left")
    return figure, panels


FIGURES: dict[str, Callable[[Sequence[Line]], Figure]] = {
    "speed": speed,
    "threads": threads,
    "quality": quality,
    "scaling": scaling,
}

if __name__ == "__main__":
    main()
