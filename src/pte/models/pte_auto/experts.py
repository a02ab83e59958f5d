"""The experts of PTE(auto): what each makes of documents, and how it learns their classes."""

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from scipy.special import softmax

from pte.evaluation import liblinear, newton
from pte.models.nb_em import Counts, NaiveBayesChoice, fit_model
from pte.models.pte_auto.pool import Opinion

LEAST = 1e-4
"""The least probability of a class: one expert that is wrong must not outvote the others."""

PTE, LINE, WORDS, RATIOS, EM = "PTE", "LINE", "TF-IDF", "log-count ratios", "NB+EM"
"""Logistic regression on mean vectors from trainings with labels and without, on TF-IDF, and on
log-count ratios; and naive Bayes with EM. The last two see words and pairs of words, and TF-IDF
words alone or both."""


class Expert(NamedTuple):
    """A name, and C of its logistic regression, or α and λ of naive Bayes with EM.

    That of TF-IDF has a second value: 1 where it sees pairs, and else 0.
    """

    name: str
    values: tuple[float, ...]


class Lesson(NamedTuple):
    """Documents that teach, with their labels (int32) or without, and those that are asked about.

    Classes are numbers below `n_classes`.
    """

    known: NDArray[np.int64]
    labels: NDArray[np.int32]
    unlabelled: NDArray[np.int64]
    asked: NDArray[np.int64]
    n_classes: int


class Material(NamedTuple):
    """What experts see, a row for each document of the corpus.

    `vectors` are of unit length, float32, by the names of their experts. `counts` are of words and,
    if order is known, pairs; `present` is 1 where a document has one of them. `weighed` is TF-IDF
    of words alone and, if there are pairs, of both.
    """

    vectors: Mapping[str, NDArray[np.float32]]
    counts: sparse.csr_array
    present: sparse.csr_array
    weighed: tuple[sparse.csr_array, ...]


def candidates(some_unlabelled: bool, pairs: bool) -> list[Expert]:
    """Each expert with all values that are tried; EM is naive Bayes where all have labels."""
    lambdas = (0.03, 0.3) if some_unlabelled else (0.0,)
    tried: dict[str, Sequence[tuple[float, ...]]] = {
        PTE: [(1,), (10,), (100,), (1000,)],
        LINE: [(1,), (10,), (100,), (1000,)],
        WORDS: [(c, seen) for seen in range(1 + pairs) for c in (1, 10, 100)],
        RATIOS: [(0.01,), (0.1,), (1,)],
        EM: [(alpha, weight) for alpha in (0.01, 0.1, 1) for weight in lambdas],
    }
    return [Expert(name, values) for name in tried for values in tried[name]]


def opinion(expert: Expert, material: Material, lesson: Lesson) -> Opinion:
    """What an expert thinks of the documents that are asked about.

    A class that no document teaches has the `LEAST` probability. Raises `PteError` when all
    documents that teach have one class.
    """
    found = np.zeros((lesson.asked.size, lesson.n_classes))
    found[:, np.unique(lesson.labels)] = _LEARN[expert.name](expert, material, lesson)
    found = np.maximum(found, LEAST)
    return np.asarray(np.log(found / found.sum(axis=1, keepdims=True)))


def _by_vectors(expert: Expert, material: Material, lesson: Lesson) -> NDArray[np.float64]:
    vectors, (c,) = material.vectors[expert.name], expert.values
    classifier = newton.fit(vectors[lesson.known], lesson.labels, c)
    return classifier.probabilities(vectors[lesson.asked])


def _by_words(expert: Expert, material: Material, lesson: Lesson) -> NDArray[np.float64]:
    c, pairs = expert.values
    weighed = material.weighed[int(pairs)]
    classifier = liblinear.fit(weighed[lesson.known], lesson.labels, c)
    return classifier.probabilities(weighed[lesson.asked])


def _by_ratios(expert: Expert, material: Material, lesson: Lesson) -> NDArray[np.float64]:
    """One class against the rest: each classifier sees what is present, times its own ratios.

    This is Wang and Manning's (ACL 2012), with logistic regression.
    """
    known, asked = material.present[lesson.known], material.present[lesson.asked]
    classes = np.unique(lesson.labels)
    inside = lesson.labels[:, None] == (classes[1:] if classes.size == 2 else classes)
    each = np.empty((lesson.asked.size, inside.shape[1]))
    for column, members in enumerate(inside.T):
        scale = sparse.diags_array(log_count_ratios(known, members))
        learnt = liblinear.fit(known @ scale, members.astype(np.int32), *expert.values)
        each[:, column] = learnt.probabilities(asked @ scale)[:, 1]
    if classes.size == 2:
        return np.concatenate([1 - each, each], axis=1)
    return np.asarray(each / each.sum(axis=1, keepdims=True))


def log_count_ratios(present: sparse.csr_array, inside: NDArray[np.bool_]) -> NDArray[np.float32]:
    """log p(feature | class) / p(feature | rest), float32, with one more of each feature."""
    sums = [np.asarray(present[part].sum(axis=0)) + 1 for part in (inside, ~inside)]
    shares = [np.log(each / each.sum()) for each in sums]
    return np.asarray(shares[0] - shares[1], np.float32)


def _by_em(expert: Expert, material: Material, lesson: Lesson) -> NDArray[np.float64]:
    alpha, weight = expert.values
    train = np.concatenate([lesson.known, lesson.unlabelled])
    counts = Counts.of(material.counts, material.counts[train].sum() / train.size)
    choice = NaiveBayesChoice(alpha, same_length=True, unlabelled_weight=weight)
    known, unlabelled = (counts.of_documents(each) for each in (lesson.known, lesson.unlabelled))
    labels = np.unique(lesson.labels, return_inverse=True)[1].astype(np.int32)
    learnt, _ = fit_model(known, labels, unlabelled, choice)
    joint = learnt.joint(counts.of_documents(lesson.asked).chosen(choice))
    return np.asarray(softmax(joint, axis=1))


_LEARN: Mapping[str, Callable[[Expert, Material, Lesson], NDArray[np.float64]]] = {
    PTE: _by_vectors,
    LINE: _by_vectors,
    WORDS: _by_words,
    RATIOS: _by_ratios,
    EM: _by_em,
}
