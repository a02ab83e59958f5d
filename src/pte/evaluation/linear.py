"""Linear classifiers, one class against the rest, whichever solver trained their weights."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from scipy.special import expit, softmax

from pte.array_file import ArrayFile
from pte.corpora.row import SparseRow, beside
from pte.machine import require

Features = NDArray[np.float32] | sparse.csr_array  # a row for each document, dense or sparse
_COPIES = 3  # how many arrays of all weights training has at once


def require_memory(features: int, classes: int) -> None:
    """Refuse to train the weights of so many classes with too little memory."""
    columns = 1 if classes == 2 else classes
    what = f"{columns:,} classes × {features:,} features × 8 bytes × {_COPIES} copies"
    require(8 * _COPIES * features * columns, "classifier", what)


def with_bias(features: Features | SparseRow, size: float = 1.0) -> Any:
    """Return features with a column of `size`; the smaller, the nearer to 0 a bias stays."""
    n, columns = features.shape
    if isinstance(features, np.ndarray):
        return np.hstack([features, np.full((n, 1), size, np.float32)])
    if isinstance(features, SparseRow):
        one = SparseRow(np.full(1, size, np.float32), np.zeros(1, np.int64), 1)
        return beside([features, one])
    data = np.insert(features.data, features.indptr[1:], np.float32(size))
    indices = np.insert(features.indices, features.indptr[1:], columns)
    return sparse.csr_array((data, indices, features.indptr + np.arange(n + 1)), (n, columns + 1))


@dataclass(frozen=True)
class LinearClassifier:
    """A classifier: `weights`, float64, shape (features, classes), one column for two `classes`."""

    weights: NDArray[np.float64]
    classes: NDArray[np.int32]

    def predict(self, features: Features | SparseRow) -> NDArray[np.int32]:
        """Return the class with the largest decision value for each row; of several, the first."""
        best = self.decisions(features).argmax(axis=1)
        return np.asarray(np.sort(self.classes)[best], np.int32)

    def decisions(self, features: Features | SparseRow) -> NDArray[np.float64]:
        """Return decision values, shape (documents, classes); those of two classes add up to 0."""
        decision = np.asarray(features @ self.weights)
        if self.weights.shape[1] == 1:
            decision = np.concatenate([decision, -decision], axis=1)
        return np.asarray(decision[:, np.argsort(self.classes)])

    def probabilities(self, features: Features | SparseRow) -> NDArray[np.float64]:
        """Return probabilities, shape (documents, classes), scaled to 1 as in LIBLINEAR."""
        decision = np.asarray(features @ self.weights, np.float64)
        each = expit(decision)
        if each.shape[1] == 1:
            each = np.concatenate([each, 1 - each], axis=1)
        else:
            # Where all logistic functions underflow, they are exponentials in proportion.
            none = each.sum(axis=1) == 0
            each[none] = softmax(decision[none], axis=1)
            each /= each.sum(axis=1, keepdims=True)
        return np.asarray(each[:, np.argsort(self.classes)])


@dataclass(frozen=True)
class MultilabelClassifier:
    """A classifier for each class; if all documents have it (`always`), or none, weights are 0."""

    weights: NDArray[np.float64]
    always: NDArray[np.bool_]

    def predict(self, features: Features | SparseRow) -> NDArray[np.bool_]:
        """Return which classes have a positive decision value, bool, shape (documents, classes)."""
        predicted: NDArray[np.bool_] = (np.asarray(features @ self.weights) > 0) | self.always
        return predicted

    def probabilities(self, features: Features | SparseRow) -> NDArray[np.float64]:
        """Return the probability of each class, float64, shape (documents, classes)."""
        each = np.asarray(expit(np.asarray(features @ self.weights, np.float64)))
        constant = ~self.weights.any(axis=0)
        each[:, constant] = self.always[constant]
        return each


Classifier = LinearClassifier | MultilabelClassifier


def classifier_of(
    kept: ArrayFile, features: int | str, n: int, order: str = "classes"
) -> Classifier:
    """Return a file's classifier of `n` classes, or raise; `order` names the array of classes."""
    if "always" in kept:
        weights = kept.array("weights", "float64", features, n)
        return MultilabelClassifier(weights, kept.array("always", "bool", n))
    if n < 2:
        raise kept.fault("it has fewer than two classes")
    weights = kept.array("weights", "float64", features, 1 if n == 2 else n)
    return LinearClassifier(weights, kept.distinct(order, n, n))
