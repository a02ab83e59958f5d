"""Pictures of documents: where methods place them, and the networks of a few (figures 5 and 1)."""

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

from pte.corpora.encoded import TRAIN, UNLABELLED, EncodedCorpus
from pte.errors import PteError
from pte.files import load_array, read_json
from pte_study.configuration.config import Picture
from pte_study.render.figures import GREY, save, sized, styled, verbatim
from pte_study.render.tables import Section, write_tables
from pte_study.report.summaries import Files, Given

HUES = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#555555")
PARTS = ("training documents", "test documents")
ROUNDS = 500
MARGIN = 0.05  # pixels between names that were moved apart
Edges = Counter[tuple[int, int]]
COLOURS = {"word": "#0072B2", "document": "#009E73", "label": "#D55E00"}


# Maps: a column for a method, training documents above test documents


def make_map(files: Files, given: Given, table: Path, figure: Path) -> None:
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


def show_map(files: Files, given: Given) -> Section:
    corpus = given["name"]
    return Section(
        "Maps of documents (the paper's Figure 5)",
        (given["caption"],),
        {corpus: separation_cells(pd.read_csv(files["csv"]))},
        {f"Documents of {corpus}": files["svg"].read_bytes()},
    )


def separation_cells(frame: pd.DataFrame) -> pd.DataFrame:
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
                axes.set(xticks=[], yticks=[], box_aspect=1, xlim=limits[0], ylim=limits[1])
                axes.grid(visible=False)
                axes.spines["bottom"].set_visible(False)
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


# The network of a few real documents


def make_network_picture(files: Files, given: Given, stem: Path) -> None:
    corpus = EncodedCorpus.load(files["corpus"])
    documents = choose_documents(corpus, given["picture"])
    plot_network(corpus, documents, given["window"], stem)


def show_network_picture(files: Files, given: Given) -> Section:
    title = "The networks of a few documents (the paper's Figure 1)"
    return Section(title, (given["caption"],), pictures={title: files["svg"].read_bytes()})


def choose_documents(corpus: EncodedCorpus, picture: Picture) -> NDArray[np.int64]:
    """Choose a short labelled document of training, and those with most words in common with it."""
    least, most = picture.words
    each = picture.documents
    lengths = np.diff(corpus.offsets)
    short = (lengths >= least) & (lengths <= most)
    found = np.flatnonzero((corpus.split == TRAIN) & (corpus.labels != UNLABELLED) & short)
    if not found.size:
        raise PteError(f"network picture: no labelled document has {least} to {most} words")
    first = int(np.random.default_rng(picture.seed).choice(found))
    those = set(_words(corpus, first))
    shared = np.array([len(those & set(_words(corpus, int(d)))) for d in found])
    nearest = found[np.lexsort((found != first, -shared))]
    labels = corpus.labels[nearest]
    others = labels[labels != labels[0]]
    chosen = [nearest[labels == label][:each] for label in (labels[0], *others[:1])]
    if len(chosen) < 2 or min(map(len, chosen)) < each:
        raise PteError(f"network picture: no two classes have {each} short documents each")
    return np.concatenate(chosen).astype(np.int64)


def _words(corpus: EncodedCorpus, document: int) -> list[int]:
    begin, end = corpus.offsets[document], corpus.offsets[document + 1]
    return [int(word) for word in corpus.tokens[begin:end]]


def edges_of(
    corpus: EncodedCorpus, documents: NDArray[np.int64], window: int
) -> tuple[Edges, Edges, Edges]:
    """Return the word–word, word–document and word–label weights, by word and other end."""
    ww, wd, wl = Edges(), Edges(), Edges()
    for i, d in enumerate(documents):
        words = _words(corpus, d)
        for (a, one), (b, other) in combinations(enumerate(words), 2):
            if b - a <= window and one != other:
                ww[min(one, other), max(one, other)] += 1
        for word in words:
            wd[word, i] += 1
            wl[word, int(corpus.labels[d])] += 1
    return ww, wd, wl


def plot_network(
    corpus: EncodedCorpus, documents: NDArray[np.int64], window: int, stem: Path
) -> None:
    """Draw the three networks of `documents`; the thickness of a line is the weight of its edge."""
    ww, wd, wl = edges_of(corpus, documents, window)
    words = sorted({word for word, _ in wd}, key=lambda w: np.mean([d for v, d in wd if v == w]))
    names = {w: verbatim(corpus.words[w].decode(errors="replace")) for w in words}
    heights = dict(zip(words, np.linspace(1, 0, len(words)), strict=True))
    with styled():
        figure = sized(0.16 * len(words) + 0.6)
        panels = figure.subplots(1, 3, width_ratios=[0.7, 1.1, 1])
        _draw_words(panels[0], ww, heights)
        many = len(documents)
        places = dict(zip(range(many), np.linspace(0.92, 0.08, many), strict=True))
        shown = {i: f"document {i + 1}" for i in range(many)}
        _draw_bipartite(panels[1], wd, heights, names, places, shown, "document")
        classes = list(dict.fromkeys(int(corpus.labels[d]) for d in documents))
        places = dict(zip(classes, np.linspace(0.75, 0.25, len(classes)), strict=True))
        shown = {label: verbatim(corpus.classes[label]) for label in classes}
        _draw_bipartite(panels[2], wl, heights, names, places, shown, "label")
        for axes, title in zip(panels, ("word–word", "word–document", "word–label"), strict=True):
            axes.set_title(title, loc="left")
            axes.set_axis_off()
            axes.set_ylim(-0.04, 1.04)
        about = f"Edges between {len(words)} words, {many} documents and {len(classes)} classes"
        save(figure, stem, "The networks word–word, word–document and word–label", about)


def _draw_words(axes: Axes, edges: Edges, heights: dict[int, float]) -> None:
    farthest = 0.75
    for (one, other), weight in edges.items():
        low, high = sorted((heights[one], heights[other]))
        farthest = max(farthest, 1.25 * (high - low))
        turn = np.linspace(-np.pi / 2, np.pi / 2, 40)
        x = -1.2 * (high - low) * np.cos(turn)
        y = (low + high) / 2 + (high - low) / 2 * np.sin(turn)
        axes.plot(x, y, color=GREY, linewidth=0.5 * weight, alpha=0.6)
    for height in heights.values():
        axes.plot(0, height, marker="o", markersize=3, color=COLOURS["word"])
    axes.set_xlim(-farthest, 0.05)


def _draw_bipartite(
    axes: Axes,
    edges: Edges,
    heights: dict[int, float],
    names: dict[int, str],
    places: dict[int, float],
    shown: dict[int, str],
    kind: str,
) -> None:
    for (word, other), weight in edges.items():
        ends = (heights[word], places[other])
        axes.plot((0, 1), ends, color=GREY, linewidth=0.5 * weight, alpha=0.6)
    for word, height in heights.items():
        axes.plot(0, height, marker="o", markersize=3, color=COLOURS["word"])
        axes.text(-0.08, height, names[word], va="center", ha="right", fontsize=7)
    for other, height in places.items():
        axes.plot(1, height, marker="s", markersize=5, color=COLOURS[kind])
        axes.text(1.12, height, shown[other], va="center", fontsize=7)
    axes.set_xlim(-1.5, 2.3)
