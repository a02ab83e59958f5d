"""Trials of a contest fit the estimator that `pte fit` fits, so that scores are those of users."""

import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np
from joblib import Parallel, delayed
from numpy.typing import NDArray
from sklearn.base import clone
from threadpoolctl import threadpool_limits

from pte.classify.folds import Collection, Fold, thinned
from pte.classify.given import read_labels, tokeniser_of
from pte.classify.learning import decided
from pte.classify.registry import method_named
from pte.classify.text_classifier import TextClassifier
from pte.corpora.encoded import EncodedCorpus, Targets
from pte.corpora.texts import training_corpus
from pte.errors import PteError

ALONE = 4.0  # so many seconds trials run in this process first: to start others takes about as long


class LostProcess(PteError):
    """The error when the system ends a process of a contest."""


class Work(NamedTuple):
    """A trial to run: a method on fold number `fold`, with a share of the labels."""

    method: str
    fold: int
    share: float = 1.0


@dataclass(frozen=True)
class Tested:
    """What a method predicted for the test documents of fold number `fold`, with `share` of labels.

    `predicted` has class numbers, int32, or a bool for each document and class; `seconds` are of
    the processor; `failed` is the reason why there are no predictions.
    """

    method: str
    fold: int
    share: float
    predicted: Targets
    seconds: float
    chosen: Mapping[str, Any]
    without_known_word: int
    failed: str | None = None


@dataclass(frozen=True)
class Trials:
    """All that a trial needs to know; `model` is fitted anew in each, with the method of it."""

    collection: Collection
    folds: Sequence[Fold]
    model: TextClassifier

    def whole(self) -> EncodedCorpus:
        """Encode all documents, as for a model that learns from all of them."""
        texts, groups = self.collection.texts, self.collection.groups
        tokeniser = tokeniser_of(self.model.tokenizer)
        return training_corpus(texts, self.collection.labels, tokeniser, groups=groups)

    def run(self, work: Work) -> Tested:
        """Let a method learn and predict on one thread; one that cannot gives the reason."""
        fold, collection = self.folds[work.fold], self.collection
        if work.share < 1:
            collection = thinned(collection, fold, work.share, self.model.random_state)
        model = clone(self.model).set_params(method=work.method, threads=1)
        model._asks_held_out = False
        rows = collection.vectors if method_named(work.method).encoded else None
        began = time.process_time()
        try:
            with threadpool_limits(1):
                model.fit(**_learnt_from(collection, fold.train, rows))
                tests = [collection.texts[i] for i in fold.test]
                asked = model.encode(tests, None if rows is None else rows[fold.test])
                predicted = decided(model.predict_proba(asked), model.several_labels_)
        except (PteError, MemoryError) as error:
            why = str(error) if isinstance(error, PteError) else "not enough memory"
            seconds, nothing = time.process_time() - began, np.empty(0, np.int32)
            return Tested(*work, nothing, seconds, {}, 0, why)
        seconds = time.process_time() - began
        unknown = int((model.count_known(asked) == 0).sum())
        return Tested(*work, predicted, seconds, model.chosen_, unknown)


def _learnt_from(
    collection: Collection, train: NDArray[np.int64], rows: NDArray[np.float32] | None
) -> dict[str, Any]:
    """Return what a `fit` on the documents of a fold takes; classes are those of the whole file."""
    labels = collection.labels
    return {
        "raw_documents": [collection.texts[i] for i in train],
        "y": replace(labels, of_documents=tuple(labels.of_documents[i] for i in train)),
        "groups": [collection.groups[i] for i in train],
        "vectors": None if rows is None else rows[train],
    }


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
