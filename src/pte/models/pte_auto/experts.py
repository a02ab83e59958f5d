"""The experts of PTE(auto): the features that each expert sees, and how it learns classes."""

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from pte.corpora.targets import Targets
from pte.evaluation import liblinear, newton
from pte.evaluation.calibration import Opinion
from pte.evaluation.linear import Features, LinearClassifier, with_bias
from pte.models.nb_em import NaiveBayes, NaiveBayesChoice, fit_model
from pte.models.pte_auto.material import ENCODER, Material

LEAST = 1e-4
"""The least probability of a class: an expert that is wrong must not outvote the other experts."""

BIAS = 0.3
"""The size of the bias of regressions.

On tweets by feeling in Thai, any bias is two points above none; on tweets by emotion with one
percent of the labels, a bias of size 1 is two points below.
"""

PTE_VECTORS, LINE_VECTORS = "PTE", "LINE"
WORDS, LETTERS, RATIOS, EM = "TF-IDF", "letters", "log-count ratios", "NB+EM"
RARE = "rare classes"
"""The names of the experts. `PTE_VECTORS` and `LINE_VECTORS` are logistic regressions on mean
vectors, from the trainings with and without labels. `WORDS`, `LETTERS` and `RATIOS` are logistic
regressions on TF-IDF of words, on TF-IDF of runs of letters, and on log-count ratios. `EM` is naive
Bayes with EM. `RATIOS` and `EM` see words and pairs of words; `WORDS` sees words alone or both.
`RARE` sees nothing of a document: p(class) is in inverse proportion to the number of its labels.
The regressions learn each class against the rest, so they lean towards large classes; this expert
gives them a counterweight. It is naive Bayes without words."""


NAMES = {
    PTE_VECTORS: 1,
    LINE_VECTORS: 1,
    WORDS: 3,
    LETTERS: 1,
    RATIOS: 1,
    EM: 2,
    ENCODER: 1,
    RARE: 0,
}
"""The names of all experts, and how many values each has. `ENCODER` is a logistic regression."""

SEEING = {PTE_VECTORS: "vectors", LINE_VECTORS: "vectors", ENCODER: "encoder"}
"""What experts see, as entries of the registry name it; the others see words."""


class Expert(NamedTuple):
    """A name, and C of its logistic regression, or α and λ of naive Bayes with EM.

    `WORDS` has two further values: 1 if it sees pairs, and 1 if it sees logarithms of counts.
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

    def opinion(self, features: Features) -> Opinion:
        """Return the expert's opinion of documents, from a row of features for each.

        A class that no document taught has the probability `LEAST`.
        """
        found = np.zeros((features.shape[0], self.n_classes))
        found[:, self.classes] = self.model.probabilities(features)
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


def seen(expert: Expert, material: Material) -> Features:
    """Return the features that the expert sees, a row for each document.

    The last column of a regression's features is for its bias.
    """
    words = material.words
    if expert.name == RARE:
        return np.empty((words.corpus.n_documents, 0), np.float32)
    if expert.name == EM:
        return words.counts.scaled
    if expert.name == RATIOS:
        return with_bias(words.present, BIAS)
    if expert.name == LETTERS:
        return with_bias(words.letters, BIAS)
    if expert.name == WORDS:
        _, pairs, logarithms = expert.values
        return with_bias(words.weighed(bool(pairs), bool(logarithms)), BIAS)
    return with_bias(material.vectors[expert.name], BIAS)


def teach(
    expert: Expert, features: Features, lesson: Lesson, before: Taught | None = None
) -> Taught:
    """Let an expert learn from the features that it has `seen`.

    Training on vectors begins at what the expert learnt `before`, with another C, from the same
    documents. A logistic regression raises `PteError` when all documents that teach have one class.
    """
    model = _learnt(expert, features, lesson, before)
    return Taught(expert, model, np.unique(lesson.labels), lesson.n_classes)


def _learnt(
    expert: Expert, features: Features, lesson: Lesson, before: Taught | None
) -> LinearClassifier | NaiveBayes:
    known, labels = features[lesson.known], lesson.labels
    if expert.name == RARE:
        sizes = np.unique(labels, return_counts=True)[1]
        return NaiveBayes(np.log(sizes.sum() / sizes), np.empty((sizes.size, 0)))
    if expert.name == EM:
        alpha, weight = expert.values
        choice = NaiveBayesChoice(alpha, same_length=True, unlabelled_weight=weight)
        numbers = np.unique(labels, return_inverse=True)[1].astype(np.int32)
        counts, unknown = map(sparse.csr_array, (known, features[lesson.unlabelled]))
        return fit_model(counts, numbers, unknown, choice)[0]
    if expert.name == RATIOS:
        return fit_ratios(known, labels, expert.values[0])
    if expert.name in (WORDS, LETTERS):
        return liblinear.fit_sparse(known, labels, expert.values[0])
    start = before.model if before else None
    assert start is None or isinstance(start, LinearClassifier)
    return newton.fit(np.asarray(known), labels, expert.values[0], start)


def fit_ratios(
    features: Features, targets: Targets, c: float, start: Any = None
) -> LinearClassifier:
    """Learn each class against the rest, from what is present times the ratios of the class.

    This is the method of Wang and Manning (ACL 2012), with logistic regression. The last column of
    `features` is that of `with_bias`; it has no ratio. The ratios become a part of the weights, so
    that all classes see the same features afterwards. `start` is not used. Raises `PteError` when
    all documents are of one class.
    """
    known = sparse.csr_array(features).sorted_indices()  # once, and not for each class
    classes = np.unique(np.asarray(targets, np.int32))
    columns = classes[:1] if classes.size == 2 else classes
    weights = np.empty((known.shape[1], columns.size))
    for column, name in enumerate(columns):
        inside = np.asarray(targets == name)
        ratios = log_count_ratios(known, inside)
        ratios[-1] = 1  # the bias
        values = known.data * ratios[known.indices]
        scaled = sparse.csr_array((values, known.indices, known.indptr), known.shape)
        learnt = liblinear.fit_sparse(scaled, inside.astype(np.int32), c)
        towards = 1 if learnt.classes[0] == 1 else -1
        weights[:, column] = towards * ratios * learnt.weights[:, 0]
    return LinearClassifier(weights, classes)


def log_count_ratios(present: sparse.csr_array, inside: NDArray[np.bool_]) -> NDArray[np.float32]:
    """Return log(p(feature | class) / p(feature | rest)), float32, with 1 added to each count."""
    sums = [np.asarray(present[part].sum(axis=0)) + 1 for part in (inside, ~inside)]
    shares = [np.log(each / each.sum()) for each in sums]
    return np.asarray(shares[0] - shares[1], np.float32)
