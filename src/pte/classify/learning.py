"""Learning by a method of the registry, and reading further documents, in folds and `pte fit`.

So a score of the contest is that of the model that a user gets. Nothing that chooses something sees
a document of the test.
"""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pte.classify.lineup import most_edges
from pte.classify.registry import method_named
from pte.corpora.encoded import EncodedCorpus, Targets
from pte.corpora.features import letters_of, some_rows
from pte.corpora.subsets import labelled_documents, unlabelled_mates
from pte.errors import PteError
from pte.evaluation.calibration import LEAST, Asked, HeldOut, raised, surety
from pte.evaluation.evaluate import (
    Shares,
    class_shares,
    document_means,
    fit_targets,
    prepared,
    with_prior,
    without_words,
)
from pte.evaluation.linear import Classifier, Features, LinearClassifier
from pte.evaluation.setting import ClassifierChoice
from pte.files import save_array
from pte.training.contract import Learnt, Task, most_likely
from pte.training.method import Method
from pte.training.scores import Judging, choose
from pte.training.search import in_turn
from pte.training.setup import Hyperparameters, Progress, Step

ENOUGH = 1000  # folds judge until so many documents have; each takes a training
ENOUGH_ASKED = 200  # held-out documents that say how sure predictions of classes are
WORD_VECTORS = "word_vectors"  # the name of the array of word vectors, in what a method has learnt
LIKELY = 0.5  # a document has the labels that are more likely, where it may have several


@dataclass(frozen=True)
class Settings:
    """A training's settings; `samples` is T, "chosen" or "auto", at most `samples_limit` edges."""

    seed: int = 1
    hyperparameters: Hyperparameters = field(
        default_factory=lambda: Hyperparameters(step=Step.of("grouped"))
    )
    samples: int | str = "chosen"
    threads: int = 1
    progress: Progress | None = None
    samples_limit: int | None = None


class Trained(NamedTuple):
    """A method that has learnt; `classifier` and `choice` are None if it predicts classes itself.

    `shares`, float64, (classes,), are the shares of labelled documents that have each class.
    """

    method: Method
    learnt: Learnt
    shares: Shares
    several: bool
    classifier: Classifier | None = None
    choice: ClassifierChoice | None = None
    power: float = 1.0  # the power of the probabilities that makes them as sure as they are right
    held_out: HeldOut | None = None

    @property
    def sees_new_words(self) -> bool:
        """Whether words that training has not met tell something: by letters, or by an encoder."""
        return self.method.encoded or bool(self._letters.size)

    @property
    def _letters(self) -> NDArray[np.int64]:
        return np.asarray(self.learnt.arrays.get("letters", ()), np.int64)

    def sees_nothing(self, corpus: EncodedCorpus) -> NDArray[np.bool_]:
        """Mask documents without known words, known letters or, for encoders, words."""
        nothing = np.equal(corpus.offsets[1:], corpus.offsets[:-1])
        if corpus.unknown is None or not self.sees_new_words or not nothing.any():
            return nothing
        if self.method.encoded:
            told = np.diff(corpus.unknown.offsets)
        else:
            told = np.diff(letters_of(corpus.unknown, self._letters).indptr)
        return nothing & np.equal(told, 0)

    @property
    def chosen(self) -> dict[str, Any]:
        """What the method chose by itself, and what was chosen for its classifier, as JSON."""
        own = self.learnt.facts.get("choice") or {}
        return {**own, **(asdict(self.choice) if self.choice else {})}

    def probabilities(self, corpus: EncodedCorpus) -> NDArray[np.float64]:
        """Return probabilities, float64, (documents, classes); shares where nothing is known."""
        found = read(self.method, self.learnt, corpus)
        if self.classifier is None or self.choice is None:
            likely = np.array(found, np.float64)
        else:
            likely = self.classifier.probabilities(prepared(found, self.choice))
        if self.power != 1:
            likely = raised(likely, self.power)
        return with_prior(likely, self.sees_nothing(corpus), self.shares)


def decided(probabilities: NDArray[np.float64], several: bool) -> Targets:
    """Return the most probable class of each document, or all that are more likely than not."""
    return np.asarray(probabilities > LIKELY) if several else most_likely(probabilities)


def learn(method: Method, corpus: EncodedCorpus, settings: Settings) -> Trained:
    """Let a method, and the classifier of its vectors or features, learn from all documents."""
    known = labelled_documents(corpus, method.name)
    learner = _Learner.of(method, corpus, settings)
    method, learnt = learner.method, learner.learnt()
    shares = class_shares(corpus.targets(known), corpus.n_classes)
    trained = Trained(method, learnt, shares, corpus.is_multilabel, held_out=learnt.held_out)
    if method.predicts:
        return trained
    parts = list(learner.judging())
    choice = choose(parts).best
    asked = list(_of_classifier(parts, choice, corpus.n_classes))
    power = surety(asked)
    del parts
    features = prepared(some_rows(_taught(method, learnt, corpus), known), choice)
    classifier = fit_targets(features, corpus.targets(known), choice.c)
    return trained._replace(
        classifier=classifier, choice=choice, power=power, held_out=HeldOut.of(asked, power)
    )


def made_sure(trained: Trained, corpus: EncodedCorpus, settings: Settings) -> Trained:
    """Make probabilities as sure as held-out documents are right; no prediction changes."""
    method = trained.method
    if not method.predicts or method.spec.sure or trained.several:
        return trained
    whole = _Learner(method, corpus, settings, trained.learnt.facts["choice"])
    known = labelled_documents(corpus, method.name)
    found = list[Asked]()
    for _, judging in in_turn(corpus, known, settings.seed):
        asked = _asked(corpus, judging)
        with suppress(PteError):  # some labels may be too few, though all suffice
            learnt = whole.on(_seen(corpus, judging)).learnt()
            likely = np.asarray(read(method, learnt, asked), np.float64)
            found.append(Asked(likely, np.asarray(asked.labels)))
        if sum(part.truth.size for part in found) >= ENOUGH_ASKED:
            break
    power = surety(found)
    return trained._replace(power=power, held_out=HeldOut.of(found, power))


def read(method: Method, learnt: Learnt, corpus: EncodedCorpus) -> Features:
    """Return what a method says of documents: features, vectors, or probabilities of classes."""
    if method.spec.yields == "words":
        return document_means(corpus, learnt.arrays[WORD_VECTORS])
    found: Features = method.module.apply(learnt, method.options, corpus)
    return found


def _taught(method: Method, learnt: Learnt, corpus: EncodedCorpus) -> Features:
    """Return what a method says of the documents of `corpus`, from which it has learnt."""
    return read(method, learnt, corpus) if learnt.trained is None else learnt.trained


def _of_classifier(
    parts: Sequence[Judging], choice: ClassifierChoice, n_classes: int
) -> Iterator[Asked]:
    """Yield what a classifier says of the documents that judge; nothing for several labels."""
    for part in parts:
        if part.judged_targets.ndim == 2:
            return
        ready = prepared(part.taught, choice)
        classifier = fit_targets(ready, part.taught_targets, choice.c)
        assert isinstance(classifier, LinearClassifier)
        likely = np.full((len(part.judged_targets), n_classes), LEAST)
        said = classifier.probabilities(prepared(part.judged, choice))
        likely[:, np.sort(classifier.classes)] = said
        yield Asked(likely, np.asarray(part.judged_targets, np.int32))


class _Learner(NamedTuple):
    """A method and what it learns from; `chosen` is None if it chooses as it learns."""

    method: Method
    corpus: EncodedCorpus
    settings: Settings
    chosen: Mapping[str, Any] | None = None

    @classmethod
    def of(cls, method: Method, corpus: EncodedCorpus, settings: Settings) -> "_Learner":
        """Let a method choose its hyperparameters."""
        learner, samples = cls(method, corpus, settings), settings.samples
        if method.usual is not None:
            return learner._replace(chosen=method.usual)
        if not hasattr(method.module, "choose"):
            return learner
        if method.draws_samples and isinstance(samples, int):
            return learner._replace(chosen={"samples": samples})
        if method.draws_samples and samples == "auto" and not method.spec.automatic:
            return learner
        with learner.task() as task:
            return learner._replace(chosen=method.module.choose(task).choice)

    def on(self, seen: NDArray[np.bool_]) -> "_Learner":
        """Return a learner from a part of the documents, which shows no progress."""
        quiet = replace(self.settings, progress=None)
        return self._replace(corpus=self.corpus.of_documents(seen), settings=quiet)

    def learnt(self) -> Learnt:
        """Let the method learn, without a classifier on its vectors or features."""
        with self.task() as task:
            if self.method.spec.yields == "words":
                vectors = self.method.module.fit(task).array
                return Learnt({WORD_VECTORS: vectors}, {"choice": self.chosen})
            learnt: Learnt = self.method.module.learn(task)
            return learnt

    @contextmanager
    def task(self) -> Iterator[Task]:
        """Yield a task with files of the word vectors of other methods that the method needs."""
        method, corpus, settings = self.method, self.corpus, self.settings
        limit = settings.samples_limit or most_edges(corpus.tokens.size, corpus.n_words)
        with TemporaryDirectory() as folder:
            files = {}
            for role, name in method.needs.items():
                learnt = _Learner.of(method_named(name), corpus, settings).learnt()
                files[role] = Path(folder) / f"{role}.npy"
                save_array(files[role], learnt.arrays[WORD_VECTORS])
            yield Task(
                corpus,
                settings.seed,
                min(settings.threads, method.spec.threads),
                files,
                settings.progress,
                options=method.options,
                hyperparameters=settings.hyperparameters,
                samples=settings.samples,
                samples_limit=limit,
                weights="chosen",
                streamed=True,
                choice=self.chosen,
            )

    def judging(self) -> Iterator[Judging]:
        """Yield labelled documents, unseen by all vectors, that judge, until there are `ENOUGH`.

        Features that learn nothing from labels or from other vectors are made once, and all
        labelled documents judge them in turn.
        """
        method, corpus, seed = self.method, self.corpus, self.settings.seed
        known = labelled_documents(corpus, method.name)
        if method.spec.yields == "features" and not method.needs:
            features = read(method, self.learnt(), corpus)
            for split in in_turn(corpus, known, seed):
                yield Judging.of(corpus, features, *split)
            return
        judges = 0
        for teachers, judging in in_turn(corpus, known, seed):
            seen, asked = _seen(corpus, judging), _asked(corpus, judging)
            part = self.on(seen)
            learnt = part.learnt()
            yield Judging(
                _taught(method, learnt, part.corpus)[np.cumsum(seen)[teachers] - 1],
                corpus.targets(teachers),
                read(method, learnt, asked),
                asked.targets(np.arange(asked.n_documents)),
            )
            judges += judging.size
            if judges >= ENOUGH:
                return


def _seen(corpus: EncodedCorpus, judging: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Return which documents teach: not those that judge, nor unlabelled ones of their groups."""
    seen = ~unlabelled_mates(corpus, judging)
    seen[judging] = False
    return seen


def _asked(corpus: EncodedCorpus, judging: NDArray[np.int64]) -> EncodedCorpus:
    """Return the documents that judge and have a word."""
    asked = np.zeros(corpus.n_documents, np.bool_)
    asked[judging[~without_words(corpus, judging)]] = True
    return corpus.of_documents(asked)
