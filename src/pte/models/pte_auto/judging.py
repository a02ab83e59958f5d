"""How labelled documents judge the experts of PTE(auto), which learn from none of their text.

One LINE without the text of any judge serves all folds, if enough other text is left; otherwise
each fold has its own. PTE(joint) is trained for each fold, without the text of its judges.
"""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pte.array_file import has_form
from pte.corpora.encoded import TRAIN
from pte.corpora.labelled import find_unlabelled
from pte.corpora.subsets import unlabelled_mates
from pte.evaluation.calibration import Opinion, calibrated, log_loss
from pte.evaluation.linear import Features
from pte.evaluation.metrics import Interval, wilson
from pte.models.pte_auto.experts import (
    EM,
    LETTERS,
    LINE_VECTORS,
    PTE_VECTORS,
    RARE,
    RATIOS,
    SEEING,
    WORDS,
    Expert,
    Lesson,
    Taught,
    seen,
    teach,
)
from pte.models.pte_auto.material import ENCODER, Material, WordFeatures
from pte.models.pte_auto.pool import pool_weights, pooled, prior_weights, weights_beside
from pte.models.pte_auto.trainings import sees, train_both, train_line, without
from pte.selection.parts import Split, folds, groups_of
from pte.training.contract import Task

ENOUGH = 2000
"""Folds judge the experts until so many documents have judged; each fold takes a training."""

FEW = 200
"""Fewer judges leave an interval of more than ten percentage points."""

ENOUGH_TO_CHOOSE = 1000
"""The values of experts are chosen on the first folds with so many judges."""

SHARED = 0.5
"""One LINE serves all folds if the judges are at most this share of the training documents."""

FACTOR = 10
"""The factor between two values of C or α that are tried."""

GAIN = 0.003
"""A search for C or α goes on while a step lowers the log loss by this part of itself."""

FARTHEST = 3
"""The most steps of a search for C or α, in each direction."""


ODDS = {
    PTE_VECTORS: 1.0,
    LINE_VECTORS: 1.0,
    WORDS: 2.0,
    LETTERS: 4.0,
    RATIOS: 0.5,
    EM: 0.5,
    ENCODER: 4.0,
    RARE: 0.0,
}
"""How likely each expert is the right one before a document judges.

With one to three percent of the labels of tweets and of questions of a bank, letters predict best
alone, and ratios worst. Some hundred judges outweigh the odds.
"""


class Start(NamedTuple):
    """Where the search for an expert's values begins.

    `others` are further values to try for the positions in `Expert.values` that they name.
    """

    values: tuple[float, ...]
    others: Mapping[int, float]


class Judged(NamedTuple):
    """The experts with the values that the judges choose, and their weights.

    `documents` is how many documents judged, and `loss` is the pool's mean log loss on them.
    `right` is how many of them the pool gets right, with weights that the documents of other folds
    choose.
    """

    experts: tuple[Expert, ...]
    weights: NDArray[np.float64]
    documents: int
    loss: float | None
    right: int

    @property
    def counting(self) -> NDArray[np.bool_]:
        """Which experts have a weight above 0; all experts, if no expert has such a weight."""
        some = self.weights > 0
        return some if some.any() else ~some


class Judgement(NamedTuple):
    """The `micro_f1` of the pool on the judges, in percent, its 95 % interval, and their number."""

    micro_f1: float
    interval: Interval
    documents: int

    @classmethod
    def of(cls, right: int, documents: int) -> "Judgement":
        """Return the judgement of so many documents, of which the pool gets so many right."""
        return cls(100 * right / documents, wilson(right / documents, documents), documents)

    @classmethod
    def among(cls, notes: Mapping[str, Any]) -> "Judgement | None":
        """Return the judgement that the notes of a fit hold, or None if they hold none."""
        if not has_form(notes, {"right": int, "judges": int}):
            return None
        right, judges = notes["right"], notes["judges"]
        return cls.of(right, judges) if 0 <= right <= judges > 0 else None

    def __str__(self) -> str:
        """Return the judgement in words, with a warning if few documents judged."""
        low, high = self.interval
        said = f"{self.micro_f1:.1f} % right ({low:.1f} to {high:.1f}), of {self.documents}"
        few = f"; fewer than {FEW} say little, label more" if self.documents < FEW else ""
        return said + few


class JudgedFold(NamedTuple):
    """Documents that teach, documents that judge, and what experts see of both."""

    lesson: Lesson
    judges: NDArray[np.int64]
    truth: NDArray[np.int32]
    material: Material


def starts(task: Task, letters: bool) -> dict[str, Start]:
    """Return where the search of each expert begins, by the experts' names."""
    some_unlabelled = find_unlabelled(task.corpus).size > 0
    found = {
        PTE_VECTORS: Start((10,), {}),
        LINE_VECTORS: Start((10,), {}),
        WORDS: Start((10, 0, 0), {1: 1, 2: 1} if task.options["pairs"] else {2: 1}),
        LETTERS: Start((10,), {}),
        RATIOS: Start((0.1,), {}),
        EM: Start((0.1, 0.3), {1: 0.03}) if some_unlabelled else Start((0.1, 0), {}),
        ENCODER: Start((10,), {}),
    }
    if not letters:
        del found[LETTERS]
    of_text = {n: start for n, start in found.items() if SEEING.get(n, "words") in sees(task)}
    return of_text | {RARE: Start((), {})}


def judge(task: Task, words: WordFeatures, lesson: Lesson, letters: bool) -> Judged:
    """Choose the values of each expert, and weigh the experts.

    If no class has two labelled documents, none can judge: the values are where searches begin, and
    the weights are in proportion to `ODDS`.
    """
    parts = _parts(task, lesson)
    if not parts:
        return _unjudged(task, letters)
    every = list(_folds(task, words, lesson, parts))
    truth = np.concatenate([fold.truth for fold in every])
    found, opinions, factors = [], [], []
    for name, start in starts(task, letters).items():
        best = _Search(every).run(name, start)
        found.append(best.expert)
        opinions.append(best.opinion)
        factors.append(best.factor)
    names = [expert.name for expert in found]
    sure, stacked = _Sure(factors, names), np.stack(opinions)
    weights = sure.weights(stacked, truth)
    loss = log_loss(pooled(stacked, weights), truth)
    of_fold = np.repeat(np.arange(len(every)), [fold.truth.size for fold in every])
    right = _right(sure, stacked, truth, of_fold)
    return Judged(tuple(found), weights, truth.size, loss, right)


def _unjudged(task: Task, letters: bool) -> Judged:
    found = [Expert(name, start.values) for name, start in starts(task, letters).items()]
    weights = np.array([ODDS[expert.name] for expert in found])
    return Judged(tuple(found), weights / weights.sum(), 0, None, 0)


def _parts(task: Task, lesson: Lesson) -> list[Split]:
    """Return folds until they hold at least `ENOUGH` judging documents, or there are no more."""
    found = folds(lesson.labels, task.seed, groups_of(task.corpus, lesson.known))
    judges = np.cumsum([asked.size for _, asked in found])
    return found[: int(np.searchsorted(judges, ENOUGH)) + 1]


def _folds(
    task: Task, words: WordFeatures, lesson: Lesson, parts: list[Split]
) -> Iterator[JudgedFold]:
    """Train the vectors of each fold."""
    quiet = replace(task, progress=None)
    judges = lesson.known[np.concatenate([asked for _, asked in parts])]
    line = None
    few = judges.size <= SHARED * task.corpus.documents(TRAIN).size
    if few and "vectors" in sees(task):
        line = train_line(replace(quiet, corpus=without(task.corpus, judges)))
    for learn, asked in parts:
        documents = lesson.known[asked]
        vectors = train_both(replace(quiet, corpus=without(task.corpus, documents)), line)
        material = Material.of(words, vectors)
        mates = unlabelled_mates(task.corpus, documents)
        taught = Lesson(
            known=lesson.known[learn],
            labels=lesson.labels[learn],
            unlabelled=lesson.unlabelled[~mates[lesson.unlabelled]],
            n_classes=lesson.n_classes,
        )
        yield JudgedFold(taught, documents, lesson.labels[asked], material)


class _Found(NamedTuple):
    """An expert, its opinion of judges, the factor that calibrates it, and its log loss then."""

    expert: Expert
    opinion: Opinion
    factor: float
    loss: float


class _Search:
    """The search for the values of an expert, on the first folds that have enough judges.

    An expert without values is taught once.
    """

    def __init__(self, every: list[JudgedFold]) -> None:
        judges = np.cumsum([fold.truth.size for fold in every])
        some = int(np.searchsorted(judges, ENOUGH_TO_CHOOSE)) + 1
        self._some, self._others = every[:some], every[some:]
        self._before: dict[int, Taught] = {}

    def run(self, name: str, start: Start) -> _Found:
        """Try the other values of each position, then C or α, which is the first value.

        The opinion that is found is that of the judges of all folds.
        """
        best = self._try(Expert(name, start.values))
        for position, other in start.others.items():
            found = self._try(_with(best.expert, position, other))
            best = found if found.loss < best.loss else best
        if start.values:
            up = self._climb(best, FACTOR)
            best = up if up is not best else self._climb(best, 1 / FACTOR)
        opinions = [best.opinion, *self._opinions(best.expert, self._others)]
        found = _found(best.expert, opinions, [*self._some, *self._others])
        return found if start.values else found._replace(factor=1.0)

    def _climb(self, best: _Found, factor: float) -> _Found:
        for _ in range(FARTHEST):
            first = best.expert.values[0] * factor
            found = self._try(_with(best.expert, 0, first))
            if found.loss > (1 - GAIN) * best.loss:
                break
            best = found
        return best

    def _try(self, expert: Expert) -> _Found:
        return _found(expert, self._opinions(expert, self._some), self._some)

    def _opinions(self, expert: Expert, folds: list[JudgedFold]) -> list[Opinion]:
        opinions = []
        features: Features | None = None
        for fold in folds:
            if features is None or expert.name in fold.material.vectors:
                features = seen(expert, fold.material)
            taught = teach(expert, features, fold.lesson, self._before.get(id(fold)))
            self._before[id(fold)] = taught
            opinions.append(taught.opinion(features[fold.judges]))
        return opinions


def _found(expert: Expert, opinions: list[Opinion], folds: list[JudgedFold]) -> _Found:
    opinion = np.concatenate(opinions)
    truth = np.concatenate([fold.truth for fold in folds])
    return _Found(expert, opinion, *calibrated(opinion, truth))


def _with(expert: Expert, position: int, value: float) -> Expert:
    values = list(expert.values)
    values[position] = value
    return expert._replace(values=tuple(values))


class _Sure(NamedTuple):
    """The factors that calibrate the experts, and the experts' names."""

    factors: list[float]
    names: list[str]

    def weights(
        self, opinions: NDArray[np.float64], truth: NDArray[np.int32]
    ) -> NDArray[np.float64]:
        """Return the weights of opinions that are not yet calibrated."""
        sure = np.array(self.factors)
        calibrated = sure[:, None, None] * opinions
        if ENCODER in self.names:
            found = weights_beside(self.names.index(ENCODER), calibrated, truth)
        else:
            losses = np.array([log_loss(opinion, truth) for opinion in calibrated])
            odds = np.array([ODDS[name] for name in self.names])
            found = pool_weights(calibrated, truth, prior_weights(losses, truth.size, odds))
        return np.asarray(sure * found)


def _right(
    sure: _Sure,
    opinions: NDArray[np.float64],
    truth: NDArray[np.int32],
    of_fold: NDArray[np.int64],
) -> int:
    """Return how many judges the pool gets right, with weights from the judges of other folds."""
    n_folds = int(of_fold.max()) + 1
    right = 0
    for fold in range(n_folds):
        inside = of_fold == fold
        others = ~inside if n_folds > 1 else inside
        weights = sure.weights(opinions[:, others], truth[others])
        right += int((pooled(opinions[:, inside], weights).argmax(axis=1) == truth[inside]).sum())
    return right
