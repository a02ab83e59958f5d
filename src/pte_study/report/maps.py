"""Maps of documents as figures: a column for a method, training documents above test documents."""

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import combinations, cycle
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.colors import to_rgba
from numpy.typing import NDArray

from pte.corpora.encoded import EncodedCorpus
from pte.files import load_array, read_json
from pte_study.render.figures import save, sized, styled, verbatim
from pte_study.render.html import Section
from pte_study.render.tables import read_csv, write_tables

HUES = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#555555")
PARTS = ("training documents", "test documents")
ROUNDS = 500
MARGIN = 0.05  # pixels between names that were moved apart


def make(files: Mapping[str, Any], given: Mapping[str, Any], table: Path, figure: Path) -> None:
    """Draw the documents of a corpus where methods place them."""
    corpus = EncodedCorpus.load(files["corpus"])
    labels, split = np.asarray(corpus.labels), np.asarray(corpus.split)
    found = zip(given["labels"], files["places"], strict=True)
    places = {method: load_array(path) for method, path in found}
    separations = pd.DataFrame([read_json(path) for path in files["separations"]])
    separations.insert(0, "method", list(places))
    caption = (
        f"How far classes of {table.name} lie apart: test documents of the class of most of their "
        "ten nearest training documents, and their silhouette, both by cosine of the vectors"
    )
    write_tables(separations, {"": separation_cells(separations)}, table, caption)
    plot_maps(places, labels, split, corpus.classes, figure)


def section(files: Mapping[str, Path], given: Mapping[str, Any]) -> Section:
    """Show the maps of a corpus: how far classes lie apart, and a figure."""
    corpus = given["name"]
    return Section(
        "Maps of documents (the paper's Figure 5)",
        (given["caption"],),
        {corpus: separation_cells(read_csv(files["csv"]))},
        {f"Documents of {corpus}": files["svg"].read_bytes()},
    )


def separation_cells(frame: pd.DataFrame) -> pd.DataFrame:
    """Return a table of strings with a row for each method."""
    names = {"neighbours_f1": "10 nearest neighbours (%)"}
    cells = {name: frame[name].map("{:.2f}".format) for name in ("neighbours_f1", "silhouette")}
    return frame.assign(**cells).rename(columns=names).astype(str)


def plot_maps(
    places: Mapping[str, NDArray[np.float32]],
    labels: NDArray[np.int32],
    split: NDArray[np.uint8],
    classes: Sequence[str],
    stem: Path,
) -> None:
    """Draw the places (documents, 2) under each method to `stem`.pdf, .svg and .png."""
    with styled():
        colours = class_colours(classes)
        figure = sized(0.3, 2 / len(places))
        grid = figure.subplots(len(PARTS), len(places), squeeze=False, sharex="col", sharey="col")
        for column, (method, points) in enumerate(places.items()):
            limits = square(points)
            for part, name in enumerate(PARTS):
                axes = grid[part, column]
                shown = np.flatnonzero((split == part) & (labels >= 0))
                axes.scatter(
                    *points[shown].T, c=colours[labels[shown]], s=0.6, linewidths=0, rasterized=True
                )
                _name_classes(axes, points[shown], labels[shown], classes)
                axes.set_title(verbatim(f"{method}, {name}"), loc="left")
                axes.set_xticks([])
                axes.set_yticks([])
                axes.grid(visible=False)
                axes.spines["bottom"].set_visible(False)
                axes.set_box_aspect(1)
                axes.set_xlim(*limits[0])
                axes.set_ylim(*limits[1])
        figure.draw_without_rendering()
        for axes in figure.axes:
            _part(axes)
        title = f"Documents of {len(classes)} classes as t-SNE places them"
        save(figure, stem, title, f"Under {', '.join(places)}; classes are {', '.join(classes)}")


def square(points: NDArray[np.float32]) -> NDArray[np.float64]:
    """Return the limits of x and of y, as a square that holds all points; shape (2, 2)."""
    low, high = points.min(axis=0).astype(float), points.max(axis=0).astype(float)
    reach = 0.52 * (high - low).max()
    limits: NDArray[np.float64] = ((low + high) / 2)[:, None] + [-reach, reach]
    return limits


def class_colours(classes: Sequence[str]) -> NDArray[np.float64]:
    """Return a colour for each class, shape (classes, 4)."""
    groups: dict[str, list[int]] = {}
    for i, name in enumerate(classes):
        groups.setdefault(name.split(".")[0], []).append(i)
    colours = np.empty((len(classes), 4))
    for hue, members in zip(cycle(HUES), groups.values(), strict=False):
        for i, paler in zip(members, np.linspace(0, 0.5, len(members)), strict=True):
            colours[i] = to_rgba(hue)
            colours[i, :3] += paler * (1 - colours[i, :3])
    return colours


def short_names(classes: Sequence[str]) -> list[str]:
    """Return the last part of each name, or as many parts as tell it from the other names."""
    parts = [name.split(".") for name in classes]
    ends = [[".".join(each[i:]) for i in reversed(range(len(each)))] for each in parts]
    times = Counter(end for each in ends for end in each)
    return [next((end for end in each if times[end] == 1), each[-1]) for each in ends]


def _name_classes(
    axes: Axes, points: NDArray[np.float32], labels: NDArray[np.int32], classes: Sequence[str]
) -> None:
    names = short_names(classes)
    look: dict[str, Any] = {"fontsize": 7, "ha": "center", "va": "center", "in_layout": False}
    box = {"boxstyle": "round,pad=0.1", "facecolor": "white", "alpha": 0.7, "linewidth": 0}
    for label in np.unique(labels):
        x, y = np.median(points[labels == label], axis=0)
        axes.text(x, y, verbatim(names[label]), bbox=box, **look)


def _part(axes: Axes) -> None:
    frame = axes.get_window_extent()
    boxes = np.array([name.get_window_extent().extents for name in axes.texts]).reshape(-1, 4)
    moves = (apart(boxes, frame.x0, frame.x1) - boxes)[:, :2]
    for name, move in zip(axes.texts, moves, strict=True):
        if move.any():
            place = axes.transData.transform(name.get_position()) + move
            x, y = axes.transData.inverted().transform(place).tolist()
            name.set_position((x, y))


def apart(boxes: NDArray[np.float64], left: float, right: float) -> NDArray[np.float64]:
    """Return boxes (left, lower, right, upper), moved until none covers another, or `ROUNDS`."""
    boxes = boxes.copy()
    boxes[:, ::2] += np.maximum(0, left - boxes[:, :1]) - np.maximum(0, boxes[:, 2:3] - right)
    for _ in range(ROUNDS):
        covered = False
        for pair in combinations(boxes, 2):
            lower, upper = sorted(pair, key=lambda box: float(box[1]))
            across = min(lower[2], upper[2]) - max(lower[0], upper[0])
            over = min(lower[3], upper[3]) - upper[1]
            if across > 0 and over > 0:
                lower[1::2] -= over / 2 + MARGIN
                upper[1::2] += over / 2 + MARGIN
                covered = True
        if not covered:
            break
    return boxes
