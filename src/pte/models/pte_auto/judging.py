"""How labelled documents judge the experts of PTE(auto), which learn from none of their text.

What sees words is judged first. One LINE without the text of any judge serves all folds, if enough
other text is left; otherwise each fold has its own. PTE(joint) is trained for each fold, without
the text of its judges. Where many documents judge, vectors may add nothing to words: one fold with
a part of the edges tells so before all trainings, and LINE alone, which never counted beside PTE
then, only begins the vectors of PTE.
"""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pte.array_file import has_form
from pte.corpora.encoded import TEST, TRAIN, EncodedCorpus
from pte.corpora.subsets import find_unlabelled, unlabelled_mates
from pte.evaluation.calibration import (
    Asked,
    HeldOut,
    Opinion,
    calibrated,
    log_loss,
    pool_weights,
    pooled,
    prior_weights,
    weights_beside,
)
from pte.evaluation.linear import Features
from pte.evaluation.metrics import Interval, wilson
from pte.models.pte_auto.experts import (
    EM,
    ENCODER,
    EXPERTS,
    LETTERS,
    LINE_VECTORS,
    PTE_VECTORS,
    WORDS,
    Expert,
    Kind,
    Lesson,
    Material,
    Taught,
    Vectors,
    WordFeatures,
    seen,
    teach,
)
from pte.networks import named
from pte.networks.named import auto_weights
from pte.networks.sampling import EdgeSampler, NoEdges
from pte.training.contract import Task
from pte.training.edges import train_edges
from pte.training.search import Split, folds, groups_of
from pte.training.setup import KnownWords

ENOUGH = 2000  # folds judge until so many documents have; each takes a training
FEW = 200  # fewer judges leave an interval of more than ten percentage points
ENOUGH_TO_CHOOSE = 1000  # the values of experts are chosen on the first folds with so many judges
SHARED = 0.5  # one LINE serves all folds if the judges are at most this share
FACTOR = 10  # the factor between two values of C or α that are tried
GAIN = 0.003  # a search for C or α goes on while a step lowers the log loss by this part of itself
FARTHEST = 3  # the most steps of a search for C or α, in each direction

EDGES_OF_A_WORD = 2000
"""T of LINE for each word, up to `samples_limit`: on mr and R8 within two points of the best T."""

FURTHER = 0.3  # t of PTE(joint), which begins at the vectors of LINE, as a part of the T of LINE

TRIAL = 0.25  # of T, by which one fold judges whether vectors are worth their training
WORTH = 0.005  # of the log loss: vectors must be able to lower it by so much
SURELY = 1.645  # standard errors: a bound that 95 % of trials stay below


class Judged(NamedTuple):
    """The experts with chosen values, their weights, and the number of judges and the pool's loss.

    `held_out` is what the pool says of them, with weights that documents of other folds choose.
    PTE begins at `line`, if there is one.
    """

    experts: tuple[Expert, ...]
    weights: NDArray[np.float64]
    documents: int
    loss: float | None
    held_out: HeldOut
    line: NDArray[np.float32] | None = None

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


def judge(task: Task, words: WordFeatures, lesson: Lesson, letters: bool) -> Judged:
    """Choose the values of each expert, and weigh the experts; by the odds if none can judge."""
    kinds, parts = kinds_of(task, letters), _parts(task, lesson)
    if not parts:
        odds = np.array([kind.odds for kind in kinds.values()])
        experts = tuple(Expert(name, kind.values) for name, kind in kinds.items())
        return Judged(experts, odds / odds.sum(), 0, None, HeldOut.of([]))
    every = _folds(task, words, lesson, parts)
    truth = np.concatenate([fold.truth for fold in every])
    search = _Search(every)
    found = {n: search.run(n, kind) for n, kind in kinds.items() if kind.sees != "vectors"}
    line = None
    if _worth_vectors(task, every, found, kinds):
        many = truth.size >= ENOUGH
        every = _with_vectors(task, every)
        search, line = _Search(every), every[0].material.line if many else None
        names = (PTE_VECTORS,) if many else (PTE_VECTORS, LINE_VECTORS)
        found = {**{name: search.run(name, kinds[name]) for name in names}, **found}
    experts = tuple(each.expert for each in found.values())
    factors = [each.factor for each in found.values()]
    opinions = np.stack([each.opinion for each in found.values()])
    weights = weigh(experts, factors, opinions, truth)
    loss = log_loss(pooled(opinions, weights), truth)
    of_fold = np.repeat(np.arange(len(every)), [fold.truth.size for fold in every])
    asked = list[Asked]()
    for fold in range(len(every)):
        inside = of_fold == fold
        others = ~inside if len(every) > 1 else inside
        apart = weigh(experts, factors, opinions[:, others], truth[others])
        asked.append(Asked(np.exp(pooled(opinions[:, inside], apart)), truth[inside]))
    return Judged(experts, weights, truth.size, loss, HeldOut.of(asked), line)


def weigh(
    experts: Sequence[Expert],
    factors: Sequence[float],
    opinions: NDArray[np.float64],
    truth: NDArray[np.int32],
) -> NDArray[np.float64]:
    """Return the weights of opinions of judges; `factors` are those that calibrate them."""
    sure, names = np.array(factors), [expert.name for expert in experts]
    calibrated = sure[:, None, None] * opinions
    if ENCODER in names:
        found = weights_beside(names.index(ENCODER), calibrated, truth)
    else:
        losses = np.array([log_loss(opinion, truth) for opinion in calibrated])
        odds = np.array([EXPERTS[name].odds for name in names], np.float64)
        found = pool_weights(calibrated, truth, prior_weights(losses, truth.size, odds))
    return np.asarray(sure * found)


def kinds_of(task: Task, letters: bool) -> dict[str, Kind]:
    """Return the experts of a task, and where the search of each begins."""
    found = {name: kind for name, kind in EXPERTS.items() if kind.sees in (*sees(task), "")}
    if not letters:
        found.pop(LETTERS, None)
    if WORDS in found and not task.options["pairs"]:
        found[WORDS] = found[WORDS]._replace(others={2: 1})
    if EM in found and not find_unlabelled(task.corpus).size:
        found[EM] = found[EM]._replace(values=(0.1, 0), others={})
    return found


def sees(task: Task) -> Sequence[str]:
    """Return what the experts see: "vectors", "words", "encoder", by the entry of the registry."""
    seen: Sequence[str] = task.options.get("sees", ("vectors", "words"))
    return seen


class _Fold(NamedTuple):
    """Documents that teach, documents that judge, and what experts see of both."""

    lesson: Lesson
    judges: NDArray[np.int64]
    truth: NDArray[np.int32]
    material: Material


def _parts(task: Task, lesson: Lesson) -> list[Split]:
    """Return folds until they hold at least `ENOUGH` judging documents, or there are no more."""
    found = folds(lesson.labels, task.seed, groups_of(task.corpus, lesson.known))
    judges = np.cumsum([asked.size for _, asked in found])
    return found[: int(np.searchsorted(judges, ENOUGH)) + 1]


def _folds(task: Task, words: WordFeatures, lesson: Lesson, parts: Sequence[Split]) -> list[_Fold]:
    material, found = Material.of(words, {}), []
    for learn, asked in parts:
        documents = lesson.known[asked]
        mates = unlabelled_mates(task.corpus, documents)
        taught = Lesson(
            known=lesson.known[learn],
            labels=lesson.labels[learn],
            unlabelled=lesson.unlabelled[~mates[lesson.unlabelled]],
            n_classes=lesson.n_classes,
        )
        found.append(_Fold(taught, documents, lesson.labels[asked], material))
    return found


def _with_vectors(task: Task, every: Sequence[_Fold], part: float = 1.0) -> list[_Fold]:
    """Train the vectors of each fold, with a part of the edges."""
    quiet, line, found = replace(task, progress=None), None, []
    judges = np.concatenate([fold.judges for fold in every])
    if judges.size <= SHARED * task.corpus.documents(TRAIN).size:
        line = train_line(replace(quiet, corpus=without(task.corpus, judges)), part)
    for fold in every:
        some = replace(quiet, corpus=without(task.corpus, fold.judges))
        words = fold.material.words
        found.append(fold._replace(material=Material.of(words, train_both(some, line, part))))
    return found


def _worth_vectors(
    task: Task, every: Sequence[_Fold], found: Mapping[str, "_Found"], kinds: Mapping[str, Kind]
) -> bool:
    """Return whether vectors may lower the log loss of the first fold's judges by `WORTH`.

    Where few judge, or nothing sees words, they are trained without a trial.
    """
    if PTE_VECTORS not in kinds:
        return False
    if sum(fold.truth.size for fold in every) < ENOUGH or WORDS not in found:
        return True
    (first,) = _with_vectors(task, every[:1], TRIAL)
    added, size = _Search([first]).run(PTE_VECTORS, kinds[PTE_VECTORS]), first.truth.size
    others = [each._replace(opinion=each.opinion[:size]) for each in found.values()]
    losses = []
    for some in (others, [added, *others]):
        opinions, factors = np.stack([each.opinion for each in some]), [e.factor for e in some]
        weights = weigh([each.expert for each in some], factors, opinions, first.truth)
        losses.append(-pooled(opinions, weights)[np.arange(size), first.truth])
    gain = losses[0] - losses[1]
    bound = gain.mean() + SURELY * gain.std() / np.sqrt(size)
    return bool(bound >= WORTH * losses[0].mean())


class _Found(NamedTuple):
    """An expert, its opinion of judges, the factor that calibrates it, and its log loss then."""

    expert: Expert
    opinion: Opinion
    factor: float
    loss: float


class _Search:
    """The search for the values of an expert, on the first folds that have enough judges."""

    def __init__(self, every: Sequence[_Fold]) -> None:
        judges = np.cumsum([fold.truth.size for fold in every])
        some = int(np.searchsorted(judges, ENOUGH_TO_CHOOSE)) + 1
        self._some, self._others = every[:some], every[some:]
        self._before: dict[tuple[int, str], Taught] = {}

    def run(self, name: str, kind: Kind) -> _Found:
        """Try the other values of each position, then C or α, the first value."""
        best = self._try(Expert(name, kind.values))
        for position, other in kind.others.items():
            found = self._try(_with(best.expert, position, other))
            best = found if found.loss < best.loss else best
        if kind.values:
            up = self._climb(best, FACTOR)
            best = up if up is not best else self._climb(best, 1 / FACTOR)
        opinions = [best.opinion, *self._opinions(best.expert, self._others)]
        found = _found(best.expert, opinions, [*self._some, *self._others])
        return found if kind.values else found._replace(factor=1.0)

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

    def _opinions(self, expert: Expert, folds: Sequence[_Fold]) -> list[Opinion]:
        opinions = []
        features: Features | None = None
        for fold in folds:
            if features is None or expert.name in fold.material.vectors:
                features = seen(expert, fold.material)
            own = id(fold), expert.name
            taught = self._before[own] = teach(expert, features, fold.lesson, self._before.get(own))
            opinions.append(taught.opinion(features[fold.judges]))
        return opinions


def _found(expert: Expert, opinions: list[Opinion], folds: Sequence[_Fold]) -> _Found:
    opinion = np.concatenate(opinions)
    truth = np.concatenate([fold.truth for fold in folds])
    return _Found(expert, opinion, *calibrated(opinion, truth))


def _with(expert: Expert, position: int, value: float) -> Expert:
    values = list(expert.values)
    values[position] = value
    return expert._replace(values=tuple(values))


# The trainings: LINE, which sees no label, and PTE(joint), which begins at the vectors of LINE.


def samples(task: Task, part: float = 1.0) -> tuple[int, int]:
    """Return T of PTE(joint) and T of LINE, or a part of them."""
    line = max(1, round(part * min(EDGES_OF_A_WORD * task.corpus.n_words, task.samples_limit)))
    return max(1, round(FURTHER * line)), line


def without(corpus: EncodedCorpus, documents: NDArray[np.int64]) -> EncodedCorpus:
    """Return the corpus with some documents, and their unlabelled mates, as test documents."""
    split = np.array(corpus.split)
    split[documents] = TEST
    split[unlabelled_mates(corpus, documents)] = TEST
    return replace(corpus, split=split)


def train_both(task: Task, line: NDArray[np.float32] | None = None, part: float = 1.0) -> Vectors:
    """Return vectors of PTE, which begin at `line` or a LINE trained here, and of LINE."""
    line = train_line(task, part) if line is None else line
    return {PTE_VECTORS: train_pte(task, line, part), LINE_VECTORS: line}


def train_line(task: Task, part: float = 1.0) -> NDArray[np.float32]:
    """Train word vectors on the networks without labels, by a part of the streamed edges."""
    streams, drawn = _streams(task, task.options["unlabelled"]), samples(task, part)[1]
    return np.asarray(train_edges(streams, [(*streams,)], drawn, task.setup).vectors)


def train_pte(task: Task, line: NDArray[np.float32], part: float = 1.0) -> NDArray[np.float32]:
    """Train word vectors on the networks with labels, with automatic weights, from LINE's."""
    streams, drawn = _streams(task, task.options["labelled"]), samples(task, part)[0]
    phases = [(*streams,)]
    weights = auto_weights(task.corpus, phases, [drawn])
    setup = replace(task.setup, known=KnownWords(np.arange(len(line)), line))
    return np.asarray(train_edges(streams, phases, drawn, setup, weights).vectors)


def _streams(task: Task, names: Sequence[str]) -> dict[str, EdgeSampler]:
    """Return samplers of those of the networks that have an edge in the documents that train."""
    found: dict[str, EdgeSampler] = {}
    for name in names:
        with suppress(NoEdges):
            found |= named.streams(task.corpus, [name], task.hyperparameters.window)
    if not found:
        raise NoEdges("pte_auto: no training document has a word")
    return found
