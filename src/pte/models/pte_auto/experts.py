"""The experts of PTE(auto): the features that each expert sees, and how it learns classes."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from pte.evaluation import liblinear, newton
from pte.evaluation.linear import Features, LinearClassifier
from pte.models.nb_em import NaiveBayes, NaiveBayesChoice, fit_model
from pte.models.pte_auto.material import Material
from pte.models.pte_auto.pool import Opinion

LEAST = 1e-4
"""The least probability of a class: an expert that is wrong must not outvote the other experts."""

PTE_VECTORS, LINE_VECTORS = "PTE", "LINE"
WORDS, RATIOS, EM = "TF-IDF", "log-count ratios", "NB+EM"
"""The names of the experts. `PTE_VECTORS` and `LINE_VECTORS` are logistic regressions on mean
vectors, from the trainings with and without labels. `WORDS` and `RATIOS` are logistic regressions
on TF-IDF and on log-count ratios, and `EM` is naive Bayes with EM. `RATIOS` and `EM` see words and
pairs of words; `WORDS` sees words alone or both."""


NAMES = frozenset({PTE_VECTORS, LINE_VECTORS, WORDS, RATIOS, EM})


class Expert(NamedTuple):
    """A name, and C of its logistic regression, or α and λ of naive Bayes with EM.

    The expert on TF-IDF has a second value: 1 if it sees pairs, and 0 if it does not.
    """

    name: str
    values: tuple[float, ...]


class Lesson(NamedTuple):
    """Documents that teach: `known` with their `labels` (int32), and `unlabelled`.

    Classes are numbers below `n_classes`.
    """

    known: NDArray[np.int64]
    labels: NDArray[np.int32]
    unlabelled: NDArray[np.int64]
    n_classes: int


class Taught(NamedTuple):
    """An expert that has learnt, and the classes of the documents that taught it (int32).

    `classes` is ascending. The model gives the probabilities of `classes` alone, even if
    `n_classes` is larger.
    """

    expert: Expert
    model: LinearClassifier | NaiveBayes
    classes: NDArray[np.int32]
    n_classes: int

    def opinion(self, material: Material, asked: NDArray[np.int64]) -> Opinion:
        """Return the expert's opinion of the documents that are asked about.

        A class that no document taught has the probability `LEAST`.
        """
        found = np.zeros((asked.size, self.n_classes))
        found[:, self.classes] = self.model.probabilities(_seen(self.expert, material)[asked])
        found = np.maximum(found, LEAST)
        return np.asarray(np.log(found / found.sum(axis=1, keepdims=True)))

    @property
    def arrays(self) -> dict[str, NDArray[Any]]:
        """What the expert has learnt, by the names that `of` reads."""
        model, n_classes = self.model, np.array(self.n_classes)
        shared: dict[str, NDArray[Any]] = {"classes": self.classes, "n_classes": n_classes}
        if isinstance(model, NaiveBayes):
            return shared | {"priors": model.priors, "words": model.words}
        return shared | {"weights": model.weights, "order": model.classes}

    @classmethod
    def of(cls, expert: Expert, arrays: Mapping[str, NDArray[Any]]) -> "Taught":
        """Return the expert that has learnt these arrays."""
        model = (
            NaiveBayes(arrays["priors"], arrays["words"])
            if "priors" in arrays
            else LinearClassifier(arrays["weights"], arrays["order"])
        )
        return cls(expert, model, arrays["classes"], int(arrays["n_classes"]))


def candidates(some_unlabelled: bool, pairs: bool) -> list[Expert]:
    """Return each expert with all values to try; without unlabelled documents, λ of EM is 0."""
    lambdas = (0.03, 0.3) if some_unlabelled else (0.0,)
    tried: dict[str, Sequence[tuple[float, ...]]] = {
        PTE_VECTORS: [(1,), (10,), (100,), (1000,)],
        LINE_VECTORS: [(1,), (10,), (100,), (1000,)],
        WORDS: [(c, seen) for seen in range(1 + pairs) for c in (1, 10, 100)],
        RATIOS: [(0.01,), (0.1,), (1,)],
        EM: [(alpha, weight) for alpha in (0.01, 0.1, 1) for weight in lambdas],
    }
    return [Expert(name, values) for name in tried for values in tried[name]]


def teach(expert: Expert, material: Material, lesson: Lesson) -> Taught:
    """Let an expert learn.

    A logistic regression raises `PteError` when all documents that teach have one class.
    """
    model = _LEARN[expert.name](expert, material, lesson)
    return Taught(expert, model, np.unique(lesson.labels), lesson.n_classes)


def _seen(expert: Expert, material: Material) -> Features:
    """Return the features of all documents that the expert sees."""
    if expert.name == RATIOS:
        return material.present
    if expert.name == EM:
        return material.counts.scaled
    if expert.name == WORDS:
        return material.weighed[int(expert.values[1])]
    return material.vectors[expert.name]


def _by_vectors(expert: Expert, material: Material, lesson: Lesson) -> LinearClassifier:
    vectors = material.vectors[expert.name][lesson.known]
    return newton.fit(vectors, lesson.labels, expert.values[0])


def _by_words(expert: Expert, material: Material, lesson: Lesson) -> LinearClassifier:
    words = _seen(expert, material)[lesson.known]
    return liblinear.fit(words, lesson.labels, expert.values[0])


def _by_ratios(expert: Expert, material: Material, lesson: Lesson) -> LinearClassifier:
    """Learn each class against the rest, from the features present times the ratios of the class.

    This is the method of Wang and Manning (ACL 2012), with logistic regression. The ratios become a
    part of the weights, so that all classes see the same features afterwards.
    """
    known = material.present[lesson.known]
    classes = np.unique(lesson.labels)
    columns = classes[:1] if classes.size == 2 else classes
    weights = np.empty((known.shape[1], columns.size))
    for column, name in enumerate(columns):
        inside = lesson.labels == name
        ratios = log_count_ratios(known, inside)
        scaled = known @ sparse.diags_array(ratios)
        learnt = liblinear.fit(scaled, inside.astype(np.int32), *expert.values)
        towards = 1 if learnt.classes[0] == 1 else -1
        weights[:, column] = towards * ratios * learnt.weights[:, 0]
    return LinearClassifier(weights, classes)


def log_count_ratios(present: sparse.csr_array, inside: NDArray[np.bool_]) -> NDArray[np.float32]:
    """Return log(p(feature | class) / p(feature | rest)), float32, with 1 added to each count."""
    sums = [np.asarray(present[part].sum(axis=0)) + 1 for part in (inside, ~inside)]
    shares = [np.log(each / each.sum()) for each in sums]
    return np.asarray(shares[0] - shares[1], np.float32)


def _by_em(expert: Expert, material: Material, lesson: Lesson) -> NaiveBayes:
    alpha, weight = expert.values
    choice = NaiveBayesChoice(alpha, same_length=True, unlabelled_weight=weight)
    known = material.counts.of_documents(lesson.known)
    unlabelled = material.counts.of_documents(lesson.unlabelled)
    labels = np.unique(lesson.labels, return_inverse=True)[1].astype(np.int32)
    return fit_model(known, labels, unlabelled, choice)[0]


_LEARN: Mapping[str, Callable[[Expert, Material, Lesson], LinearClassifier | NaiveBayes]] = {
    PTE_VECTORS: _by_vectors,
    LINE_VECTORS: _by_vectors,
    WORDS: _by_words,
    RATIOS: _by_ratios,
    EM: _by_em,
}
