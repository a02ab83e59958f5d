"""Naive Bayes with EM (Nigam, McCallum, Thrun and Mitchell, Machine Learning 39, 2000).

Multinomial naive Bayes on word counts. Unlabelled training documents count with weight λ: the model
gives their class probabilities, these give the next model, and so on.
"""

import time
from dataclasses import asdict, dataclass, replace
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from scipy.special import logsumexp

from pte.corpora.encoded import TEST, TRAIN, UNLABELLED
from pte.corpora.labelled import labelled_documents
from pte.selection.parts import folds
from pte.training.contract import Fitted, Spec, Task

METHOD = "nb_em"
SMOOTHING = (1.0, 0.3, 0.1, 0.03, 0.01, 0.003, 0.001)
LAMBDAS = (0.0, 0.01, 0.03, 0.1, 0.3, 1.0)
FOLDS = 5
TOLERANCE = 1e-5
MOST_ITERATIONS = 100

SPEC = Spec(
    yields="predictions",
    choice={
        "smoothing": {"type": "number", "exclusiveMinimum": 0},
        "same_length": {"type": "boolean"},
        "unlabelled_weight": {"type": "number", "minimum": 0},
    },
    seeded=False,
)


@dataclass(frozen=True)
class NaiveBayesChoice:
    """α of Lidstone smoothing; whether all documents are scaled to one length; and λ."""

    smoothing: float
    same_length: bool
    unlabelled_weight: float = 0.0


@dataclass(frozen=True)
class Counts:
    """Word counts of documents, float64: as they are, and scaled to one length."""

    plain: sparse.csr_array
    scaled: sparse.csr_array

    @classmethod
    def of(cls, counts: sparse.csr_array, length: float) -> "Counts":
        """Scale each row so that it sums up to `length`; a row of zeros stays."""
        plain = counts.astype(np.float64)
        sizes = np.asarray(plain.sum(axis=1)).ravel()
        scale = sparse.diags_array(length / np.where(sizes > 0, sizes, 1))
        return cls(plain, sparse.csr_array(scale @ plain))

    def of_documents(self, documents: NDArray[np.int64]) -> "Counts":
        """Take the rows of some documents."""
        return Counts(self.plain[documents], self.scaled[documents])

    def chosen(self, choice: NaiveBayesChoice) -> sparse.csr_array:
        """The counts that `choice` asks for."""
        return self.scaled if choice.same_length else self.plain


@dataclass(frozen=True)
class NaiveBayes:
    """log p(class), shape (classes,), and log p(word | class), shape (classes, words)."""

    priors: NDArray[np.float64]
    words: NDArray[np.float64]

    @classmethod
    def fit(
        cls, class_sizes: NDArray[np.float64], word_counts: NDArray[np.float64], alpha: float
    ) -> "NaiveBayes":
        """Estimate from (expected) numbers: of documents of each class, of each word in a class."""
        smoothed = word_counts + alpha
        words = np.log(smoothed) - np.log(smoothed.sum(axis=1, keepdims=True))
        priors = np.log(class_sizes + 1) - np.log(class_sizes.sum() + class_sizes.size)
        return cls(priors, words)

    def joint(self, counts: sparse.csr_array) -> NDArray[np.float64]:
        """log p(document, class), without the term that is the same for all classes."""
        joint: NDArray[np.float64] = counts @ self.words.T + self.priors
        return joint


def fit(task: Task) -> Fitted:
    """Choose α and the scaling, then λ, by cross-validation; train on all documents, and predict.

    With `task.choice`, of the fields of `NaiveBayesChoice`, nothing is validated. Without
    unlabelled documents it is naive Bayes alone, and there is no λ to choose. Raises `PteError`
    when the labels do not suffice.
    """
    began = time.perf_counter()
    corpus = task.corpus
    known, train = labelled_documents(corpus, METHOD), corpus.documents(TRAIN)
    length = float(corpus.counts[train].sum() / train.size)
    counts = Counts.of(corpus.counts, length)
    learnt = counts.of_documents(known)
    labels = np.asarray(corpus.labels[known])
    unknown = counts.of_documents(train[corpus.labels[train] == UNLABELLED])
    curve: list[dict[str, Any]] = []
    if task.choice is None:
        choice, curve = _validate(learnt, labels, unknown, task.seed)
    else:
        choice = NaiveBayesChoice(**task.choice)
    model, iterations = fit_model(learnt, labels, unknown, choice)
    asked = counts.of_documents(corpus.documents(TEST)).chosen(choice)
    predicted = model.joint(asked).argmax(axis=1).astype(np.int32)
    notes = {
        "choice": asdict(choice),
        "curve": curve,
        "iterations": iterations,
        "unlabelled": unknown.plain.shape[0],
    }
    return Fitted(predicted, seconds=time.perf_counter() - began, notes=notes)


def fit_model(
    known: Counts, labels: NDArray[np.int32], unknown: Counts, choice: NaiveBayesChoice
) -> tuple[NaiveBayes, int]:
    """Fit the model; returns it and the number of rounds of EM.

    EM ends when the penalised log likelihood rises by less than `TOLERANCE` of itself.
    """
    given = np.eye(labels.max() + 1)[labels]
    sizes, words = given.sum(axis=0), (known.chosen(choice).T @ given).T
    model = NaiveBayes.fit(sizes, words, choice.smoothing)
    counts, weight = unknown.chosen(choice), choice.unlabelled_weight
    if not (weight and counts.shape[0]):
        return model, 0
    before = -np.inf
    iterations = 0
    while iterations < MOST_ITERATIONS:
        joint = model.joint(counts)
        evidence = logsumexp(joint, axis=1, keepdims=True)
        likelihood = float(
            (sizes * model.priors).sum()
            + (words * model.words).sum()
            + weight * evidence.sum()
            + choice.smoothing * model.words.sum()
            + model.priors.sum()
        )
        if likelihood - before < TOLERANCE * abs(likelihood):
            break
        before = likelihood
        iterations += 1
        believed = weight * np.exp(joint - evidence)
        model = NaiveBayes.fit(
            sizes + believed.sum(axis=0), words + (counts.T @ believed).T, choice.smoothing
        )
    return model, iterations


def _validate(
    learnt: Counts, labels: NDArray[np.int32], unknown: Counts, seed: int
) -> tuple[NaiveBayesChoice, list[dict[str, Any]]]:
    """Find what predicts most held-out documents; returns it and the scores of all choices."""
    search = _Search(learnt, labels, unknown, seed)
    best = search.best([NaiveBayesChoice(a, same) for a, same in product(SMOOTHING, (False, True))])
    if unknown.plain.shape[0]:
        best = search.best([replace(best, unlabelled_weight=weight) for weight in LAMBDAS])
    return best, search.curve


class _Search:
    """Accuracy on the labelled documents; no model judges a document that it learnt from."""

    def __init__(
        self, known: Counts, labels: NDArray[np.int32], unknown: Counts, seed: int
    ) -> None:
        self._labels, self._unknown = labels, unknown
        self._parts = [
            (
                known.of_documents(learn),
                labels[learn],
                known.of_documents(judge),
                labels[judge],
            )
            for learn, judge in folds(labels, FOLDS, METHOD, seed)
        ]
        self.curve: list[dict[str, Any]] = []

    def best(self, choices: list[NaiveBayesChoice]) -> NaiveBayesChoice:
        """The choice with the best score, the first of equals."""
        scores = [self._score(choice) for choice in choices]
        self.curve += [asdict(c) | {"score": s} for c, s in zip(choices, scores, strict=True)]
        return choices[int(np.argmax(scores))]

    def _score(self, choice: NaiveBayesChoice) -> float:
        hits = 0
        for known, labels, judged, truth in self._parts:
            model, _ = fit_model(known, labels, self._unknown, choice)
            hits += int((model.joint(judged.chosen(choice)).argmax(axis=1) == truth).sum())
        return 100 * hits / self._labels.size
