"""The heterogeneous text network of a few real documents, as a figure (paper, figure 1)."""

from collections import Counter
from collections.abc import Mapping
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from numpy.typing import NDArray

from pte.corpora.encoded import TRAIN, UNLABELLED, EncodedCorpus
from pte.errors import PteError
from pte_study.configuration.config import Picture
from pte_study.render.figures import GREY, save, sized, styled, verbatim
from pte_study.render.html import Section

Edges = dict[tuple[int, int], int]
COLOURS = {"word": "#0072B2", "document": "#009E73", "label": "#D55E00"}


def make(files: Mapping[str, Path], given: Mapping[str, Any], stem: Path) -> None:
    """Draw the networks of a few documents of a corpus."""
    corpus = EncodedCorpus.load(files["corpus"])
    documents = choose_documents(corpus, given["picture"])
    plot_network(corpus, documents, given["window"], stem)


def section(files: Mapping[str, Path], given: Mapping[str, Any]) -> Section:
    """Show the picture."""
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
    ww: Counter[tuple[int, int]] = Counter()
    wd: Counter[tuple[int, int]] = Counter()
    wl: Counter[tuple[int, int]] = Counter()
    for i, d in enumerate(documents):
        words = _words(corpus, d)
        for (a, one), (b, other) in combinations(enumerate(words), 2):
            if b - a <= window and one != other:
                ww[min(one, other), max(one, other)] += 1
        for word in words:
            wd[word, i] += 1
            wl[word, int(corpus.labels[d])] += 1
    return dict(ww), dict(wd), dict(wl)


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
