"""Naive Bayes with EM (Nigam, McCallum, Thrun and Mitchell, Machine Learning 39, 2000).

Multinomial, on word counts; unlabelled documents count with λ, as the model before sees them.
"""

from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from scipy.special import logsumexp, softmax

from pte.array_file import ArrayFile
from pte.corpora.encoded import TRAIN, EncodedCorpus
from pte.corpora.features import Sparse
from pte.corpora.row import SparseRow
from pte.corpora.subsets import find_unlabelled, labelled_documents, unlabelled_mates
from pte.training.contract import Cost, Learnt, Options, Spec, Task
from pte.training.search import FOLDS, Search, Split, folds, groups_of, search

METHOD = "nb_em"
SMOOTHING = (1.0, 0.3, 0.1, 0.03, 0.01, 0.003, 0.001)
LAMBDAS = (0.0, 0.01, 0.03, 0.1, 0.3, 1.0)
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
    cost=lambda options: Cost(0.3, 1.5),
    # A token makes at most one entry of the counts. An entry takes 8 bytes in the counts of the
    # corpus, 12 plain, 12 scaled, 16 by word, and in each of five folds 12 plain and 12 scaled. A
    # word has four float64 for each class.
    memory=lambda size: (48 + 24 * FOLDS) * size.tokens + 4 * 8 * size.classes * size.words,
)


@dataclass(frozen=True)
class NaiveBayesChoice:
    """α of Lidstone smoothing, whether all documents are scaled to one length, and λ."""

    smoothing: float
    same_length: bool
    unlabelled_weight: float = 0.0


UNJUDGED = NaiveBayesChoice(0.1, same_length=True)  # where no class has two labelled documents


@dataclass(frozen=True)
class Counts:
    """Word counts of documents, float64: as they are, and scaled to one length."""

    plain: Any
    scaled: Any

    @classmethod
    def of(cls, counts: Sparse, length: float) -> "Counts":
        """Keep `counts` plain, and scale each row to the sum `length`; a row of zeros stays."""
        if isinstance(counts, SparseRow):  # in the order of scipy's product, which is backwards
            back = counts.data[::-1].astype(np.float64)
            scaled = SparseRow(
                back * (length / max(back.sum(), 1)), counts.indices[::-1], counts.width
            )
            return cls(counts, scaled)
        plain = counts.astype(np.float64)
        sizes = np.asarray(plain.sum(axis=1)).ravel()
        scale = sparse.diags_array(length / np.where(sizes > 0, sizes, 1))
        return cls(plain, sparse.csr_array(scale @ plain))

    def of_documents(self, documents: NDArray[np.int64] | NDArray[np.bool_]) -> "Counts":
        """Return the counts of some documents."""
        return Counts(self.plain[documents], self.scaled[documents])

    def chosen(self, choice: NaiveBayesChoice) -> Any:
        """Return the counts that `choice` asks for."""
        return self.scaled if choice.same_length else self.plain


@dataclass(frozen=True)
class NaiveBayes:
    """A model: log p(class), shape (classes,), and log p(word | class), shape (classes, words)."""

    priors: NDArray[np.float64]
    words: NDArray[np.float64]

    @classmethod
    def fit(
        cls, class_sizes: NDArray[np.float64], word_counts: NDArray[np.float64], alpha: float
    ) -> "NaiveBayes":
        """Estimate a model from the (expected) numbers of documents and of words in each class."""
        words = word_counts + alpha
        totals = np.log(words.sum(axis=1, keepdims=True))
        np.log(words, out=words)
        words -= totals
        priors = np.log(class_sizes + 1) - np.log(class_sizes.sum() + class_sizes.size)
        return cls(priors, words)

    def joint(self, counts: NDArray[np.float32] | Sparse) -> NDArray[np.float64]:
        """Return log p(document, class), without the term that is the same for all classes."""
        joint: NDArray[np.float64] = counts @ self.words.T + self.priors
        return joint

    def probabilities(self, counts: NDArray[np.float32] | Sparse) -> NDArray[np.float64]:
        """Return p(class | document), shape (documents, classes)."""
        return np.asarray(softmax(self.joint(counts), axis=1))


def learn(task: Task) -> Learnt:
    """Choose α and the scaling, then λ, on folds; keep `NaiveBayes` and documents' `length`."""
    corpus = task.corpus
    known, train = labelled_documents(corpus, METHOD), corpus.documents(TRAIN)
    length = float(corpus.counts[train].sum() / train.size)
    counts = Counts.of(corpus.counts, length)
    teachers = counts.of_documents(known)
    labels = np.asarray(corpus.labels[known])
    unlabelled = find_unlabelled(corpus)
    unknown = counts.of_documents(unlabelled)
    if task.choice is None:
        parts = folds(labels, task.seed, groups_of(corpus, known))
        strange = [~unlabelled_mates(corpus, known[judge])[unlabelled] for _, judge in parts]
        others = [unknown if each.all() else unknown.of_documents(each) for each in strange]
        chosen = _validate(teachers, labels, others, parts)
    else:
        chosen = Search(NaiveBayesChoice(**task.choice))
    best = chosen.best
    model, iterations = fit_model(teachers.chosen(best), labels, unknown.chosen(best), best)
    notes = {"iterations": iterations, "unlabelled": unknown.plain.shape[0]}
    facts = {"choice": asdict(best), "length": length, "notes": {**chosen.notes, **notes}}
    return Learnt({"priors": model.priors, "words": model.words}, facts)


def apply(learnt: Learnt, options: Options, corpus: EncodedCorpus) -> NDArray[np.float64]:
    """Return p(class | document), shape (documents, classes)."""
    model, facts = NaiveBayes(learnt.arrays["priors"], learnt.arrays["words"]), learnt.facts
    counts = Counts.of(corpus.rows, facts["length"])
    return model.probabilities(counts.chosen(NaiveBayesChoice(**facts["choice"])))


def check(kept: ArrayFile, options: Options) -> int:
    """Check the arrays and facts that `learn` gives."""
    kept.fact("length", float)
    kept.fact("choice", {"smoothing": float, "same_length": bool, "unlabelled_weight": float})
    kept.array("words", "float64", "classes", "words")
    return kept.array("priors", "float64", "classes").size


def fit_model(
    known: sparse.csr_array,
    labels: NDArray[np.int32],
    unknown: sparse.csr_array,
    choice: NaiveBayesChoice,
) -> tuple[NaiveBayes, int]:
    """Fit the model by EM to `chosen` counts; return it with the number of iterations."""
    given = np.eye(labels.max() + 1)[labels]
    sizes, words = given.sum(axis=0), (known.T @ given).T
    model = NaiveBayes.fit(sizes, words, choice.smoothing)
    weight = choice.unlabelled_weight
    if not (weight and unknown.shape[0]):
        return model, 0
    by_word = unknown.T.tocsr()  # each iteration goes through the counts word by word
    before = -np.inf
    iterations = 0
    while iterations < MOST_ITERATIONS:
        joint = model.joint(unknown)
        evidence = logsumexp(joint, axis=1, keepdims=True)
        likelihood = float(
            (sizes * model.priors).sum()
            + np.einsum("cw,cw->", words, model.words)
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
            sizes + believed.sum(axis=0), words + (by_word @ believed).T, choice.smoothing
        )
    return model, iterations


def _validate(
    known: Counts, labels: NDArray[np.int32], unknown: Sequence[Counts], splits: Sequence[Split]
) -> Search[NaiveBayesChoice]:
    """Find α and scaling, then λ, with the best accuracy; `unknown` teaches in each split."""
    if not splits:
        return Search(UNJUDGED)
    parts = [
        (known.of_documents(learn), labels[learn], others, known.of_documents(judge), labels[judge])
        for (learn, judge), others in zip(splits, unknown, strict=True)
    ]

    n_judges = sum(truth.size for *_, truth in parts)

    def accuracy(choice: NaiveBayesChoice) -> float:
        hits = 0
        for learnt, given, others, judged, truth in parts:
            model, _ = fit_model(learnt.chosen(choice), given, others.chosen(choice), choice)
            hits += int((model.joint(judged.chosen(choice)).argmax(axis=1) == truth).sum())
        return 100 * hits / n_judges

    plain = [NaiveBayesChoice(*pair) for pair in product(SMOOTHING, (False, True))]
    alone = search(plain, accuracy)
    if not any(others.plain.shape[0] for others in unknown):
        return alone
    weighted = search([replace(alone.best, unlabelled_weight=w) for w in LAMBDAS], accuracy)
    return Search(weighted.best, alone.tried + weighted.tried)
