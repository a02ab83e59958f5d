"""From vectors to scores: document vectors, the classifier, its predictions, their record."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, overload

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from pte.corpora.encoded import TEST, EncodedCorpus, Targets
from pte.corpora.features import Sparse, unit_rows
from pte.corpora.subsets import labelled_documents
from pte.errors import PteError
from pte.evaluation import liblinear, newton
from pte.evaluation.linear import (
    Classifier,
    Features,
    LinearClassifier,
    MultilabelClassifier,
    with_bias,
)
from pte.evaluation.metrics import score
from pte.evaluation.setting import CHOICES, NEWTON, SCORES, ClassifierChoice, Solver
from pte.files import save_array, write_json

BLOCK = 2**15  # how many documents are counted at a time; this bounds the memory


def evaluate(
    corpus: EncodedCorpus, features: Features, choice: ClassifierChoice, solver: Solver = SCORES
) -> tuple[Targets, dict[str, Any]]:
    """Train on labelled documents; predict and score test documents, or take the prior.

    Predictions are classes, int32, or for several labels bool, shape (test documents, classes).
    """
    train, test = labelled_documents(corpus, "classifier"), corpus.documents(TEST)
    ready, taught = prepared(features, choice), corpus.targets(train)
    found = fit_targets(ready[train], taught, choice.c, solver=solver).predict(ready[test])
    shares = class_shares(taught, corpus.n_classes)
    predicted = with_prior(found, without_words(corpus, test), shares)
    return predicted, score(corpus.targets(test), predicted, corpus.classes)


def document_means(corpus: EncodedCorpus, word_vectors: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return `mean_vectors` of all documents of a corpus, without counting all words at once."""
    if corpus.n_documents == 1:
        return mean_vectors(corpus.rows, word_vectors)
    means = np.empty((corpus.n_documents, word_vectors.shape[1]), np.float32)
    for first in range(0, corpus.n_documents, BLOCK):
        last = min(first + BLOCK, corpus.n_documents)
        means[first:last] = mean_vectors(corpus.counts_between(first, last), word_vectors)
    return means


def mean_vectors(counts: Sparse, word_vectors: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return the mean vector, float32, of each document's words (paper, equation 8), or 0."""
    totals = np.asarray(counts.sum(axis=1), np.float32).reshape(-1, 1)
    means = (counts @ word_vectors / np.maximum(totals, 1)).astype(np.float32, copy=False)
    if not np.isfinite(means).all():
        raise PteError("document features: the word vectors hold NaN or infinity; train them anew")
    return means


def prepared(features: Features, choice: ClassifierChoice) -> Features:
    """Scale features and add a bias as `choice` asks."""
    ready = unit_rows(features) if choice.unit_length else features
    return with_bias(ready) if choice.bias else ready


def fit_targets(
    features: Features,
    targets: Targets,
    c: float,
    start: Classifier | None = None,
    solver: Solver = CHOICES,
) -> Classifier:
    """Train by `fit`, or by `fit_each` for bool targets; Newton's method begins at `start`."""
    dense = solver == NEWTON and not sparse.issparse(features)
    if targets.ndim == 2:
        indicator = np.asarray(targets, np.bool_)
        if not dense:
            return liblinear.fit_each(features, indicator, c)
        assert start is None or isinstance(start, MultilabelClassifier)
        return newton.fit_each(np.asarray(features), indicator, c, start)
    labels = np.asarray(targets, np.int32)
    if not dense:
        return liblinear.fit(features, labels, c)
    assert start is None or isinstance(start, LinearClassifier)
    return newton.fit(np.asarray(features), labels, c, start)


# The rule for a document that tells nothing: it gets the prior of the training documents. Its class
# is the largest class, the first of equally large classes, and its probabilities are the shares of
# the classes; if documents may have several classes, it has those of more than half of the training
# documents. A document without a known word tells nothing, but its new words can tell something to
# methods that see letters, and to an encoder. The test documents of the study have no new words.

Shares = NDArray[np.float64]  # of labelled training documents in each class, (classes,)


def class_shares(targets: Targets, n_classes: int) -> Shares:
    """Return the shares of the classes among documents with these targets; 0 if there are none."""
    one_each = targets.ndim == 1
    sizes = np.bincount(targets, minlength=n_classes) if one_each else targets.sum(axis=0)
    return np.asarray(sizes / max(len(targets), 1), np.float64)


def without_words(corpus: EncodedCorpus, documents: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Return which of these documents have no word of the vocabulary, as a mask."""
    return np.asarray(corpus.offsets[documents] == corpus.offsets[documents + 1])


@overload
def with_prior(found: Shares, empty: NDArray[np.bool_], shares: Shares) -> Shares: ...
@overload
def with_prior(found: Targets, empty: NDArray[np.bool_], shares: Shares) -> Targets: ...
def with_prior(
    found: Targets | Shares, empty: NDArray[np.bool_], shares: Shares
) -> Targets | Shares:
    """Return what was `found` for some documents, with the prior for those that are `empty`."""
    prior: Any = shares if found.dtype == np.float64 else shares > 0.5
    if found.ndim == 1:
        prior = shares.argmax()
    changed = found.copy()
    changed[empty] = prior
    return changed


@dataclass(frozen=True)
class Scored:
    """The predictions and scores of `evaluate`, and the classifier's choice and seconds, if any."""

    predicted: Targets
    scores: Mapping[str, Any]
    choice: ClassifierChoice | None = None
    seconds: float | None = None


def write_score(
    stem: Path, run: Mapping[str, Any], cost: Mapping[str, Any], scored: Scored
) -> dict[str, Any]:
    """Write `stem`.npy and `stem`.json; return the content of the JSON, of `run` and `cost`."""
    found = dict(scored.scores)
    if scored.choice is not None:
        found |= {"choice": asdict(scored.choice), "seconds": scored.seconds}
    return _write(stem, {**run, **cost, **found}, scored.predicted)


def write_unavailable(stem: Path, run: Mapping[str, Any], reason: str) -> dict[str, Any]:
    """Write both files for a method that could not run: a reason, and no predictions."""
    kept = {**run, "samples": None, "train_seconds": None, "unavailable": reason}
    return _write(stem, kept, np.empty(0, np.int32))


def _write(stem: Path, kept: dict[str, Any], predicted: Targets) -> dict[str, Any]:
    save_array(stem.with_name(f"{stem.name}.npy"), predicted)
    write_json(stem.with_name(f"{stem.name}.json"), kept)
    return kept
