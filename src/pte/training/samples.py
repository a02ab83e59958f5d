"""How many edges to draw: the T that serves held-out training documents best (early stopping)."""

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from pte.corpora.encoded import TEST, EncodedCorpus, micro_f1
from pte.corpora.subsets import find_labelled
from pte.errors import PteError
from pte.evaluation.evaluate import (
    class_shares,
    fit_targets,
    mean_vectors,
    with_prior,
    without_words,
)
from pte.evaluation.linear import Classifier
from pte.networks import named
from pte.training.edges import Networks, Phases, Samples, Watch, train_edges
from pte.training.search import held_out, standard_error, stratified_part
from pte.training.setup import Setup

HELD_OUT = 0.2

MOST_DOCUMENTS = 5000

FIRST = 1 / 100  # the first checkpoint, as a part of the most edges that may be drawn
APART = 2**0.5  # the factor between two checkpoints: scores change with the logarithm of the edges
PATIENCE = 4  # checkpoints after the best that end a search that is surely past
TOLERANCE = 0.2  # points that a score may lie below the best, to save edges


@dataclass(frozen=True)
class ChosenSamples:
    """The chosen T of each phase, pairs (T, micro-F1), and the seconds."""

    samples: Samples
    curve: tuple[tuple[int, float], ...]
    seconds: float

    @property
    def rises(self) -> bool:
        """Whether the last checkpoint was chosen: the score still rises where the search ends."""
        return bool(self.curve) and _best(self.curve) == len(self.curve) - 1


def can_choose(corpus: EncodedCorpus, seed: int) -> bool:
    """Return whether a corpus has two classes or more, and enough labels for `choose_samples`."""
    try:
        held_out(corpus, HELD_OUT, MOST_DOCUMENTS, "samples", seed)
    except PteError:
        return False
    return corpus.n_classes > 1


def choose_samples(
    corpus: EncodedCorpus,
    phases: Phases,
    limit: int,
    setup: Setup,
    weights: Mapping[str, float] | None = None,
) -> ChosenSamples:
    """Choose the T, at most `limit`, that serves held-out documents best, in one training.

    It is the smallest within `TOLERANCE` of the smoothed top; earlier phases keep `limit`. A score
    after t edges counts for T = t · (2 − t / limit), where finished trainings' rates sum up alike.
    """
    began = time.perf_counter()
    judged, networks, quiet = _searched(corpus, phases, setup)
    before = (len(phases) - 1) * limit
    ahead = _checkpoints(limit).tolist()
    curve: list[tuple[int, float]] = []

    def look(drawn: int, vectors: NDArray[np.float32]) -> bool:
        t = min(drawn - before, limit)
        if not ahead or t < ahead[0]:
            return False
        while ahead and ahead[0] <= t:
            ahead.pop(0)
        curve.append((round(t * (2 - t / limit)), judged.score(vectors)))
        best, last = _best(curve), curve[-1][1]
        error = standard_error(curve[best][1], judged.n_documents)
        return best + PATIENCE < len(curve) and curve[best][1] - last >= error

    watch = Watch(look, every=max(ahead[0] // 2, 1))
    train_edges(networks, phases, limit, quiet, weights, watch)
    best = curve[_best(curve)][0]
    chosen = best if len(phases) == 1 else [*[limit] * (len(phases) - 1), best]
    return ChosenSamples(chosen, tuple(curve), time.perf_counter() - began)


def choose_weights(
    corpus: EncodedCorpus,
    phases: Phases,
    samples: Samples,
    setup: Setup,
    candidates: Sequence[Mapping[str, float]],
) -> Mapping[str, float]:
    """Return the first of the weights that serve held-out documents best, with this T."""
    judged, networks, quiet = _searched(corpus, phases, setup)
    scores = [
        judged.score(train_edges(networks, phases, samples, quiet, weights).vectors)
        for weights in candidates
    ]
    return candidates[int(np.argmax(scores))]


def _searched(
    corpus: EncodedCorpus, phases: Phases, setup: Setup
) -> tuple["_Judgement", Networks, Setup]:
    searched = held_out(corpus, HELD_OUT, MOST_DOCUMENTS, "samples", setup.seed)
    names = dict.fromkeys(name for phase in phases for name in phase)
    networks = named.streams(searched, names, setup.hyperparameters.window)
    quiet = replace(setup, progress=None, known=None)
    return _Judgement(searched, setup.seed), networks, quiet


class _Judgement:
    """Micro-F1 of one training's vectors on the test documents; each fit begins at the last."""

    def __init__(self, corpus: EncodedCorpus, seed: int) -> None:
        known, asked = find_labelled(corpus), corpus.documents(TEST)
        some = min(known.size, MOST_DOCUMENTS)
        part = stratified_part(corpus, known, some, np.random.default_rng(seed))
        lacking = np.setdiff1d(corpus.labels[known], corpus.labels[part])
        firsts = [known[(corpus.labels[known] == each).argmax()] for each in lacking]
        known = np.union1d(part, firsts).astype(np.int64)
        self._counts = corpus.counts[known], corpus.counts[asked]
        self._targets = corpus.targets(known), corpus.targets(asked)
        self.n_documents = asked.size
        self._empty = without_words(corpus, asked)
        self._shares = class_shares(self._targets[0], corpus.n_classes)
        self._last: Classifier | None = None

    def score(self, word_vectors: NDArray[np.float32]) -> float:
        known, asked = (mean_vectors(counts, word_vectors) for counts in self._counts)
        self._last = fit_targets(known, self._targets[0], 1.0, self._last)
        predicted = with_prior(self._last.predict(asked), self._empty, self._shares)
        return 100 * micro_f1(self._targets[1], predicted)


def _checkpoints(limit: int) -> NDArray[np.int64]:
    steps = np.arange(round(np.log(1 / FIRST) / np.log(APART)), -1, -1)
    parts: NDArray[np.float64] = 1 - np.sqrt(1 - APART ** -steps.astype(float))
    return np.ceil(limit * parts).astype(np.int64)


def _best(curve: Sequence[tuple[int, float]]) -> int:
    """Return the position of the first checkpoint whose smoothed score is nearly the best."""
    scores = np.array([score for _, score in curve])
    padded = np.pad(scores, 1, mode="edge")
    smooth = (padded[:-2] + padded[1:-1] + padded[2:]) / 3
    return int(np.argmax(smooth >= smooth.max() - TOLERANCE))
