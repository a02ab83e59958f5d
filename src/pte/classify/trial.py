"""A trial: a method learns from the training documents of a fold, and predicts its test documents.

It is what a job of the workflow does, and what a process of `pte evaluate` does.
"""

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from threadpoolctl import threadpool_limits

from pte.array_file import ArrayFile, read_array_file, write_array_file
from pte.classify.curve import thinned
from pte.classify.folds import Collection, Fold
from pte.classify.learning import Settings, learn
from pte.classify.registry import method_named
from pte.corpora.encoded import EncodedCorpus
from pte.corpora.targets import Targets
from pte.corpora.texts import further_corpus, training_corpus
from pte.corpora.tokenise import TOKENISERS, Tokeniser
from pte.errors import PteError
from pte.files import REMEDY, atomic_file

_FACTS = "trials.json"
_TRIAL = {
    **{"method": str, "fold": int, "share": float, "seconds": float, "chosen": dict},
    **{"without_known_word": int, "failed": (str, None)},
}


@dataclass(frozen=True)
class Tested:
    """What a method predicted for the test documents of fold number `fold`, with `share` of labels.

    `predicted` has the number of the class of each document, int32, or a bool for each document and
    class, where the classes are those of the whole file. `seconds` are seconds of the processor.
    `without_known_word` counts test documents. `failed` is the reason why there are no predictions,
    or None.
    """

    method: str
    fold: int
    share: float
    predicted: Targets
    seconds: float
    chosen: Mapping[str, Any]
    without_known_word: int
    failed: str | None = None


def write_tested(path: Path, tested: Sequence[Tested]) -> None:
    """Write trials into one file, which `read_tested` reads."""
    facts = [{n: value for n, value in vars(t).items() if n != "predicted"} for t in tested]
    arrays = {f"predicted{i}": each.predicted for i, each in enumerate(tested)}
    with atomic_file(path) as temporary:
        write_array_file(temporary, arrays, {"trials": facts}, _FACTS)


def read_tested(path: Path) -> list[Tested]:
    """Read what `write_tested` wrote. Raises `PteError` for a damaged file."""
    kept = read_array_file(path, _FACTS, REMEDY)
    trials = kept.fact("trials", [_TRIAL])
    return [Tested(predicted=_predicted(kept, i), **each) for i, each in enumerate(trials)]


def _predicted(kept: ArrayFile, number: int) -> Targets:
    """Return the predictions of a trial: classes, or a bool for each document and class."""
    name = f"predicted{number}"
    several = kept.arrays[name].ndim == 2 if name in kept else False
    shape = (f"documents of {number}", "classes") if several else (f"documents of {number}",)
    return kept.array(name, "bool" if several else "int32", *shape)


class Work(NamedTuple):
    """A trial to run: a method on fold number `fold`, with a share of the labels."""

    method: str
    fold: int
    share: float = 1.0


@dataclass(frozen=True)
class Trials:
    """All that a trial needs to know; `tokeniser` is the name of a tokeniser."""

    collection: Collection
    folds: Sequence[Fold]
    settings: Settings
    tokeniser: str

    def numbers(self, part: str, n_folds: int) -> list[int]:
        """Return the folds that a job tests: those of number `part` in each repeat, or all."""
        every = range(len(self.folds))
        return [i for i in every if i % n_folds == int(part)] if part.isdigit() else list(every)

    def whole(self) -> EncodedCorpus:
        """Encode all documents, as for a model that learns from all of them."""
        known = np.arange(len(self.collection.texts))
        return training_part(self.collection, known, TOKENISERS[self.tokeniser])[0]

    def run(self, work: Work) -> Tested:
        """Let a method learn and predict, on one thread.

        A method that cannot learn, or lacks memory, gives the reason, and no predictions.
        """
        fold, tokeniser = self.folds[work.fold], TOKENISERS[self.tokeniser]
        collection = self.collection
        if work.share < 1:
            collection = thinned(collection, fold, work.share, self.settings.seed)
        settings = replace(self.settings, order_lost=collection.order_lost)
        began = time.process_time()
        try:
            rows = collection.vectors
            with threadpool_limits(1):
                corpus, places = training_part(collection, fold.train, tokeniser)
                trained = learn(method_named(work.method), corpus, settings)
                numbers = {word: i for i, word in enumerate(corpus.words)}
                tests = [collection.texts[i] for i in fold.test]
                asked = further_corpus(
                    tests, tokeniser, corpus.words, numbers, trained.sees_new_words
                )
                asked = replace(asked, vectors=None if rows is None else rows[fold.test])
                n_classes = collection.labels.classes.size
                predicted = _in_all_classes(trained.predict(asked), places, n_classes)
        except (PteError, MemoryError) as error:
            why = str(error) if isinstance(error, PteError) else "not enough memory"
            seconds, nothing = time.process_time() - began, np.empty(0, np.int32)
            return Tested(*work, nothing, seconds, {}, 0, why)
        seconds = time.process_time() - began
        unknown = int((np.diff(asked.offsets) == 0).sum())
        return Tested(*work, predicted, seconds, trained.chosen, unknown)


def training_part(
    collection: Collection, train: np.ndarray, tokeniser: Tokeniser
) -> tuple[EncodedCorpus, np.ndarray]:
    """Encode some documents; return the corpus, and the numbers of its classes in the whole file.

    A class without a training document is not in the corpus.
    """
    labels, rows = collection.labels, collection.vectors
    given = replace(labels, of_documents=tuple(labels.of_documents[i] for i in train))
    texts, groups = [collection.texts[i] for i in train], [collection.groups[i] for i in train]
    corpus = training_corpus(texts, given, tokeniser, groups=groups)
    return replace(corpus, vectors=None if rows is None else rows[train]), given.present


def _in_all_classes(predicted: Targets, places: np.ndarray, n_classes: int) -> Targets:
    """Return predictions with the numbers of the classes of the whole file."""
    if predicted.ndim == 1:
        return places[predicted].astype(np.int32)
    found = np.zeros((len(predicted), n_classes), np.bool_)
    found[:, places] = predicted
    return found
