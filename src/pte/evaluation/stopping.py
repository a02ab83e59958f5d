"""How many edges to draw: as many as serve held-out training documents best (early stopping)."""

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from pte.corpora.encoded import TRAIN, UNLABELLED, EncodedCorpus
from pte.errors import PteError
from pte.evaluation import liblinear
from pte.evaluation.documents import mean_vectors
from pte.models.network_embedding import Hyperparameters, fit
from pte.networks.sampling import STREAMS, EdgeSampler

HELD_OUT = 0.2
"""The part of the labelled training documents that judges, and does not train."""

MOST_DOCUMENTS = 5000
"""Documents that judge at most, and documents that the classifier is trained on at most."""

FIRST = 1 / 100
"""The first checkpoint, as a part of the most edges that may be drawn."""

APART = 2**0.5
"""What one checkpoint is to the one before it: scores change with the logarithm of the edges."""

PATIENCE = 4
"""The search ends when the best score lies this many checkpoints back."""

TOLERANCE = 0.2
"""Percent that a score may lie below the best, if that saves edges."""


@dataclass(frozen=True)
class Choice:
    """`samples` is T, the edges to draw in each phase; `curve` is what it was chosen from.

    The curve holds pairs of a T and the micro-F1, in percent, of the held-out documents. `drawn`
    and `seconds` are what the search cost.
    """

    samples: int
    curve: tuple[tuple[int, float], ...]
    drawn: int
    seconds: float


def choose_samples(
    corpus: EncodedCorpus,
    phases: Sequence[Sequence[str]],
    window: int,
    limit: int,
    seed: int,
    hyperparameters: Hyperparameters | None = None,
    threads: int = 1,
    weights: Mapping[str, float] | None = None,
) -> Choice:
    """The T, at most `limit`, that serves held-out documents best; the other arguments as in `fit`.

    A part of the labelled training documents loses its labels: their text still trains, on the
    corpus's token streams, their labels do not. The vectors are trained once. At checkpoints a
    classifier (C = 1, mean vectors) learns from documents that kept their labels and is judged by
    those that lost them. The curve is smoothed, and the smallest T within `TOLERANCE` of its top
    is chosen. Earlier phases are trained with `limit` edges; the curve is that of the last.

    A finished training lets its rate fall to nothing over its T edges, the search lets it fall
    over `limit`. After t edges of the search the rates have summed up to what they are in a
    finished training with T = t · (2 − t / limit), and that is the T that a checkpoint speaks for.

    Raises `PteError` when fewer than two labelled documents a class can be held out, and as `fit`.
    """
    began = time.perf_counter()
    rng = np.random.default_rng(seed)
    labelled = np.flatnonzero((corpus.split == TRAIN) & (corpus.labels != UNLABELLED))
    size = min(int(HELD_OUT * labelled.size), MOST_DOCUMENTS)
    if size < 2 * corpus.n_classes:
        raise PteError(
            f"samples: {labelled.size} labelled training documents of {corpus.n_classes} classes "
            f"are too few to hold some out; give the number of samples"
        )
    held = stratified_part(corpus, labelled, size, rng)
    kept = np.setdiff1d(labelled, held)
    judged = _Judgement(
        corpus, stratified_part(corpus, kept, min(kept.size, MOST_DOCUMENTS), rng), held
    )
    before = (len(phases) - 1) * limit
    ahead = _checkpoints(limit).tolist()
    curve: list[tuple[int, float]] = []

    def watch(drawn: int, vectors: NDArray[np.float32]) -> bool:
        t = drawn - before
        if t < ahead[0]:
            return False
        while ahead and ahead[0] <= t:
            ahead.pop(0)
        curve.append((round(t * (2 - t / limit)), judged.score(vectors)))
        return _best(curve) + PATIENCE < len(curve)

    trained = fit(
        _streams(_without_labels(corpus, held), phases, window),
        *(phases, limit, seed, hyperparameters, threads),
        weights=weights,
        watch=watch,
        watch_every=max(ahead[0] // 2, 1),
    )
    return Choice(
        curve[_best(curve)][0], tuple(curve), trained.samples, time.perf_counter() - began
    )


class _Judgement:
    """Micro-F1 of word vectors: a classifier learns from some documents, others are predicted."""

    def __init__(
        self, corpus: EncodedCorpus, kept: NDArray[np.int64], held: NDArray[np.int64]
    ) -> None:
        self._counts = corpus.counts[kept], corpus.counts[held]
        self._labels = np.asarray(corpus.labels[kept]), np.asarray(corpus.labels[held])

    def score(self, word_vectors: NDArray[np.float32]) -> float:
        known, asked = (mean_vectors(counts, word_vectors) for counts in self._counts)
        predicted = liblinear.fit(known, self._labels[0], 1.0).predict(asked)
        return 100 * float((predicted == self._labels[1]).mean())


def stratified_part(
    corpus: EncodedCorpus, documents: NDArray[np.int64], size: int, rng: np.random.Generator
) -> NDArray[np.int64]:
    """`size` of the documents at random, of each class in proportion: every so-many-th by class."""
    documents = rng.permutation(documents)
    documents = documents[np.argsort(corpus.labels[documents], kind="stable")]
    return np.sort(documents[np.arange(size) * documents.size // size])


def _without_labels(corpus: EncodedCorpus, documents: NDArray[np.int64]) -> EncodedCorpus:
    labels = np.array(corpus.labels)
    labels[documents] = UNLABELLED
    return replace(corpus, labels=labels)


def _streams(
    corpus: EncodedCorpus, phases: Sequence[Sequence[str]], window: int
) -> dict[str, EdgeSampler]:
    return {
        name: STREAMS[name](corpus, *([window] if name == "ww" else []))
        for phase in phases
        for name in phase
    }


def _checkpoints(limit: int) -> NDArray[np.int64]:
    """When to look, in edges of the search: T is `APART` times the one before, the last `limit`."""
    steps = np.arange(round(np.log(1 / FIRST) / np.log(APART)), -1, -1)
    parts: NDArray[np.float64] = 1 - np.sqrt(1 - APART ** -steps.astype(float))
    return np.ceil(limit * parts).astype(np.int64)


def _best(curve: Sequence[tuple[int, float]]) -> int:
    """The first checkpoint whose smoothed score is nearly the best."""
    scores = np.array([score for _, score in curve])
    padded = np.pad(scores, 1, mode="edge")
    smooth = (padded[:-2] + padded[1:-1] + padded[2:]) / 3
    return int(np.argmax(smooth >= smooth.max() - TOLERANCE))
