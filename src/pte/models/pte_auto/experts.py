"""The experts of PTE(auto): the features that each expert sees, and how it learns classes."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from pte.corpora.encoded import TRAIN, EncodedCorpus
from pte.corpora.features import (
    Pairs,
    counts_with,
    dampened,
    holding,
    letters_of,
    rarity,
    unit_rows,
    weigh,
)
from pte.evaluation import newton
from pte.evaluation.calibration import Opinion
from pte.evaluation.evaluate import document_means
from pte.evaluation.linear import Features, LinearClassifier, with_bias
from pte.models.nb_em import Counts, NaiveBayes, NaiveBayesChoice, fit_model
from pte.models.pte_auto import logistic
from pte.models.pte_auto.logistic import LogOdds

LEAST = 1e-4  # of a class's probability: a wrong expert must not outvote the others

BIAS = 0.3
"""The size of the bias of regressions: on Thai tweets none, on few labels 1, costs two points."""

FEWEST = 2  # a run of letters counts if so many training documents have it

PTE_VECTORS, LINE_VECTORS, ENCODER = "PTE", "LINE", "encoder"
WORDS, LETTERS, RATIOS, EM = "TF-IDF", "letters", "log-count ratios", "NB+EM"
RARE = "rare classes"


class Kind(NamedTuple):
    """What an expert `sees`, its `odds` before a document judges, and where its search begins.

    The odds are of tweets and questions of a bank with few labels; some hundred judges outweigh
    them. `others` are further values to try, by their positions in `values`.
    """

    sees: str
    odds: float
    values: tuple[float, ...]
    others: Mapping[int, float] = {}


EXPERTS = {
    PTE_VECTORS: Kind("vectors", 1, (10,)),
    LINE_VECTORS: Kind("vectors", 1, (10,)),
    WORDS: Kind("words", 2, (10, 0, 0), {1: 1, 2: 1}),
    LETTERS: Kind("words", 4, (10,)),
    RATIOS: Kind("words", 0.5, (0.1,)),
    EM: Kind("words", 0.5, (0.1, 0.3), {1: 0.03}),
    ENCODER: Kind("encoder", 4, (10,)),
    RARE: Kind("", 0, ()),
}
"""All experts. `EM` is naive Bayes with EM; `RATIOS` and `EM` see words and pairs of words, `WORDS`
sees words alone or both. `RARE` sees nothing of a document: p(class) is in inverse proportion to
the number of its labels. All others are logistic regressions, which learn each class against the
rest, so they lean towards large classes; `RARE`, naive Bayes without words, is a counterweight."""


class Expert(NamedTuple):
    """A name, and C of its regression, or α and λ of EM; `WORDS` has pairs, logs: 0 or 1."""

    name: str
    values: tuple[float, ...]


class Lesson(NamedTuple):
    """Documents that teach: `known`, whose `labels` are below `n_classes`, and `unlabelled`."""

    known: NDArray[np.int64]
    labels: NDArray[np.int32]
    unlabelled: NDArray[np.int64]
    n_classes: int


class Taught(NamedTuple):
    """An expert that has learnt, and the classes, ascending, that its model tells apart.

    `log_odds` are those of a sparse regression, where it may begin with another C.
    """

    expert: Expert
    model: LinearClassifier | NaiveBayes
    classes: NDArray[np.int32]
    n_classes: int
    log_odds: LogOdds | None = None

    def opinion(self, features: Features) -> Opinion:
        """Return an opinion of each row of features; an untaught class has `LEAST` probability."""
        found = np.zeros((features.shape[0], self.n_classes))
        found[:, self.classes] = self.model.probabilities(features)
        found = np.maximum(found, LEAST)
        return np.asarray(np.log(found / found.sum(axis=1, keepdims=True)))


def teach(
    expert: Expert, features: Features, lesson: Lesson, before: Taught | None = None
) -> Taught:
    """Let an expert learn from what it has `seen`; regressions begin at what it learnt `before`."""
    known, labels = features[lesson.known], lesson.labels
    classes = np.unique(labels)
    if expert.name in (RATIOS, WORDS, LETTERS):
        rows = sparse.csr_array(known)
        start = before.log_odds if before else None
        has_ratios = expert.name == RATIOS
        sparsely = logistic.fit(rows, labels, expert.values[0], start, has_ratios)
        return Taught(expert, sparsely[0], classes, lesson.n_classes, sparsely[1])
    model: LinearClassifier | NaiveBayes
    if expert.name == RARE:
        sizes = np.unique(labels, return_counts=True)[1]
        model = NaiveBayes(np.log(sizes.sum() / sizes), np.empty((sizes.size, 0)))
    elif expert.name == EM:
        alpha, weight = expert.values
        choice = NaiveBayesChoice(alpha, same_length=True, unlabelled_weight=weight)
        numbers = np.unique(labels, return_inverse=True)[1].astype(np.int32)
        counts, unknown = map(sparse.csr_array, (known, features[lesson.unlabelled]))
        model = fit_model(counts, numbers, unknown, choice)[0]
    else:
        first = before.model if before else None
        assert first is None or isinstance(first, LinearClassifier)
        model = newton.fit(np.asarray(known), labels, expert.values[0], first)
    return Taught(expert, model, classes, lesson.n_classes)


class Reading(NamedTuple):
    """How words are counted: `rarity` is TF-IDF's; `letters` are hashes of runs, ascending."""

    pairs: Pairs | None
    rarity: NDArray[np.float32]
    letters: NDArray[np.int64]
    letters_rarity: NDArray[np.float32]
    length: float

    @classmethod
    def of(
        cls, corpus: EncodedCorpus, pairs: Pairs | None, letters: sparse.csr_array | None
    ) -> Self:
        """Make a reading from the training documents of a corpus, perhaps with runs of letters."""
        trains = counts_with(corpus, pairs)[corpus.documents(TRAIN)]
        kept, rare = np.empty(0, np.int64), np.empty(0, np.float32)
        if letters is not None:
            runs = letters[corpus.documents(TRAIN)]
            kept = np.flatnonzero(np.bincount(runs.indices) >= FEWEST)
            rare = rarity(sparse.csr_array(runs[:, kept]))
        length = float(trains.sum()) / trains.shape[0]
        return cls(pairs, rarity(trains), kept, rare, length)


@dataclass(frozen=True, eq=False)
class WordFeatures:
    """What experts see of the words of a corpus, those of the reading, a row for each document.

    `runs` are all runs of letters, if they have been counted already.
    """

    corpus: EncodedCorpus
    reading: Reading
    runs: sparse.csr_array | None = None

    @cached_property
    def counts(self) -> Counts:
        """Counts of words and, if there are pairs, of pairs."""
        return Counts.of(self._counts, self.reading.length)

    @cached_property
    def present(self) -> Any:
        """1 where a document has a word or a pair, float32."""
        return holding(self._counts, np.ones(self._counts.data.size, np.float32))

    @cached_property
    def letters(self) -> Any:
        """TF-IDF of runs of letters, float32, with logarithms of counts."""
        kept = self.reading.letters
        runs = letters_of(self.corpus, kept) if self.runs is None else self.runs[:, kept]
        return weigh(dampened(runs), self.reading.letters_rarity)

    def weighed(self, pairs: bool, logarithms: bool) -> Any:
        """Return TF-IDF of words and perhaps of pairs, with counts or 1 + log(count), float32."""
        counts = self._counts if pairs else self.corpus.rows
        rare = self.reading.rarity[: counts.shape[1]]
        return weigh(dampened(counts) if logarithms else counts, rare)

    @cached_property
    def _counts(self) -> Any:
        return counts_with(self.corpus, self.reading.pairs)


Vectors = Mapping[str, NDArray[np.float32]]  # of words or documents, by their experts


class Material(NamedTuple):
    """The words of documents, and vectors of unit length of the same documents."""

    words: WordFeatures
    vectors: Vectors
    line: NDArray[np.float32] | None = None  # of words, where PTE's vectors began

    @classmethod
    def of(cls, words: WordFeatures, word_vectors: Vectors) -> "Material":
        """Give each document the mean of the vectors of its words; an encoder's come from there."""
        means = {
            name: unit_rows(document_means(words.corpus, vectors))
            for name, vectors in word_vectors.items()
        }
        rows = words.corpus.vectors
        means |= {} if rows is None else {ENCODER: unit_rows(rows)}
        return cls(words, means, word_vectors.get(LINE_VECTORS))


def seen(expert: Expert, material: Material) -> Any:
    """Return what the expert sees, a row for each document; a regression's last column is 1."""
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
