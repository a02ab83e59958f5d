"""Trials of a contest fit the estimator that `pte fit` fits, so that scores are those of users."""

import sys
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

import numpy as np
from joblib import Parallel, delayed
from numpy.typing import NDArray
from sklearn.base import clone
from threadpoolctl import threadpool_limits

from pte.classify.folds import Collection, Fold, thinned
from pte.classify.given import read_labels
from pte.classify.learning import decided
from pte.classify.registry import method_named
from pte.classify.text_classifier import TextClassifier
from pte.corpora.encoded import Targets
from pte.errors import PteError

ALONE = 4.0  # so many seconds trials run in this process first: to start others takes about as long


ASKED = 1000  # documents without a label, of which a trial of the first fold tells probabilities


class LostProcess(PteError):
    """The error when the system ends a process of a contest."""


class Work(NamedTuple):
    """A trial to run: a method on fold number `fold`, with a share of the labels."""

    method: str
    fold: int
    share: float = 1.0


def _nothing() -> NDArray[np.float32]:
    return np.empty((0, 0), np.float32)


@dataclass(frozen=True)
class Tested:
    """What a method predicted for the test documents of fold number `fold`, with `share` of labels.

    `predicted` has class numbers, int32, or a bool for each document and class; `seconds` are of
    the processor; `failed` is the reason why there are no predictions. `likely` and `free`,
    float32, have probabilities of classes for the tested documents, and for some without a label.
    """

    method: str
    fold: int
    share: float
    predicted: Targets
    seconds: float
    chosen: Mapping[str, Any]
    without_known_word: int
    failed: str | None = None
    likely: NDArray[np.float32] = field(default_factory=_nothing)
    free: NDArray[np.float32] = field(default_factory=_nothing)


@dataclass(frozen=True)
class Trials:
    """All that a trial needs to know; `model` is fitted anew in each, with the method of it."""

    collection: Collection
    folds: Sequence[Fold]
    model: TextClassifier

    def run(self, work: Work) -> Tested:
        """Let a method learn and predict on one thread; one that cannot gives the reason."""
        fold, collection = self.folds[work.fold], self.collection
        if work.share < 1:
            collection = thinned(collection, fold, work.share, self.model.random_state)
        model = clone(self.model).set_params(threads=1)
        if model.method != work.method:  # of PTEAuto it is no parameter
            model.set_params(method=work.method)
        model._asks_held_out = False
        rows = collection.vectors if method_named(work.method).encoded else None
        if rows is None:
            model.set_params(encoder=None)
        texts, labels, groups = collection.texts, collection.labels, collection.groups
        known = tuple(labels.of_documents[i] for i in fold.train)  # classes stay those of the file
        began = time.process_time()
        try:
            with threadpool_limits(1):
                model.fit(
                    [texts[i] for i in fold.train],
                    replace(labels, of_documents=known),
                    None if rows is None else rows[fold.train],
                    [groups[i] for i in fold.train],
                )
                tests = [texts[i] for i in fold.test]
                asked = model.encode(tests, None if rows is None else rows[fold.test])
                likely = model.predict_proba(asked)
                seconds = time.process_time() - began
                free = self._free(model, work)
        except (PteError, MemoryError) as error:
            why = str(error) if isinstance(error, PteError) else "not enough memory"
            seconds, nothing = time.process_time() - began, np.empty(0, np.int32)
            return Tested(*work, nothing, seconds, {}, 0, why)
        unknown = int((model.count_known(asked) == 0).sum())
        predicted = decided(likely, model.several_labels_)
        return Tested(
            *(*work, predicted, seconds, model.chosen_, unknown),
            likely=likely.astype(np.float32),
            free=free,
        )

    def _free(self, model: TextClassifier, work: Work) -> NDArray[np.float32]:
        """Ask about some documents without a label; no later fold and no curve asks again."""
        if work.fold or work.share < 1 or model.several_labels_:
            return _nothing()
        of, rows = self.collection, self.collection.vectors
        free = [i for i in self.folds[0].train if of.labels.of_documents[i] is None]
        if not free:
            return _nothing()
        free = free[:: -(-len(free) // ASKED)]
        given = None if rows is None or not method_named(work.method).encoded else rows[free]
        asked = model.encode([of.texts[i] for i in free], given)
        return np.asarray(model.predict_proba(asked), np.float32)


def warm_up(model: TextClassifier, methods: Iterable[str]) -> None:
    """Let methods learn ten documents, so that no trial pays for compiling or loading kernels."""
    texts, each = [b"a goal", b"the rate"] * 5, np.arange(10)
    labels = read_labels(["sport", "money"] * 5, 10)
    assert labels is not None
    rows = np.eye(10, dtype=np.float32)
    small = clone(model).set_params(samples=1000)  # however many edges the trials will draw
    tiny = Collection(texts, labels, each.astype(str).tolist(), [None] * 10, vectors=rows)
    for name in methods:
        Trials(tiny, [Fold(0, each, each)], small).run(Work(name, 0))


def run(trials: Trials, works: Sequence[Work], jobs: int) -> Iterator[Tested]:
    """Run trials in joblib's backend, from the first on, and yield each as it ends."""
    began, rest = time.monotonic(), list(works)
    while rest and (jobs == 1 or time.monotonic() - began < ALONE):
        yield trials.run(rest.pop(0))
    if not rest:
        return
    parallel = Parallel(jobs, return_as="generator_unordered", batch_size=1)
    try:
        yield from parallel(delayed(trials.run)(work) for work in rest)
    except BrokenProcessPool:
        raise LostProcess(
            "the system ended a process of the contest, perhaps for want of memory; take fewer "
            "--jobs"
        ) from None


class Round(NamedTuple):
    """Trials to run, the seconds that one of each method is expected to take, and those after."""

    trials: Trials
    works: list[Work]
    costs: Mapping[str, float]
    further: float = 0.0
    what: str = ""


class Clock:
    """Tells the time left: what is expected, times how much longer trials so far took.

    At the beginning, this factor is held near 1.
    """

    def __init__(self, jobs: int) -> None:
        """Begin now."""
        self._jobs, self._began, self._done = jobs, time.monotonic(), 0.0

    def add(self, expected: float) -> None:
        """Add a trial that has ended."""
        self._done += expected / self._jobs

    def left(self, expected: float) -> float:
        """Return the seconds by the clock for these seconds of the processor."""
        held = max(0.1 * (self._done + expected / self._jobs), 1.0)
        factor = (time.monotonic() - self._began + held) / (self._done + held)
        return expected / self._jobs * factor


def told(of: Round, jobs: int, clock: Clock) -> Iterator[Tested]:
    """Run the trials of a round, yield each as it ends, and tell the time left."""
    n = len(of.works)
    left = sum(of.costs[work.method] * work.share for work in of.works)
    for number, tested in enumerate(run(of.trials, of.works, jobs), start=1):
        expected = of.costs[tested.method] * tested.share
        clock.add(expected)
        left -= expected
        if number % max(1, n // 10) == 0 and number < n:
            seconds = clock.left(left + of.further)
            line = f"{of.what}{number} of {n} tests, about {seconds:.0f} s left"
            print(line, file=sys.stderr, flush=True)
        yield tested
