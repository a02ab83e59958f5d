"""LIBLINEAR's L2-regularised logistic regression, one against the rest (paper, section 5.1)."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from ctypes import POINTER, c_double
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from pte.corpora.targets import Targets
from pte.errors import PteError


@contextmanager
def _without_numba() -> Iterator[None]:
    """Hide numba from an import: liblinear would load it, which takes half of a job's start.

    liblinear compiles one loop with it, which `_problem` replaces.
    """
    if "numba" in sys.modules:
        yield
        return
    sys.modules["numba"] = None  # type: ignore[assignment]
    try:
        yield
    finally:
        del sys.modules["numba"]


with _without_numba():
    from liblinear.liblinear import feature_node
    from liblinear.liblinearutil import parameter, problem, train

Features = NDArray[np.float32] | sparse.csr_array
"""A row for each document, dense or sparse."""


@dataclass(frozen=True)
class LinearClassifier:
    """`weights` is float64, shape (features, classes) or (features, 1) for two classes."""

    weights: NDArray[np.float64]
    classes: NDArray[np.int32]

    def predict(self, features: Features) -> NDArray[np.int32]:
        """The class with the largest decision value for each row, int32."""
        decision = np.asarray(features @ self.weights)
        if self.weights.shape[1] == 1:
            best = (decision[:, 0] <= 0).astype(int)
        else:
            best = decision.argmax(axis=1)
        predicted: NDArray[np.int32] = self.classes[best]
        return predicted


@dataclass(frozen=True)
class MultilabelClassifier:
    """A classifier for each class: `weights` is float64, shape (features, classes).

    Training documents that all have a class, or all lack it, teach nothing about it: its weights
    are 0, and `always` (bool, shape (classes,)) is whether they all have it.
    """

    weights: NDArray[np.float64]
    always: NDArray[np.bool_]

    def predict(self, features: Features) -> NDArray[np.bool_]:
        """The classes whose decision value is positive, bool, shape (documents, classes)."""
        predicted: NDArray[np.bool_] = (np.asarray(features @ self.weights) > 0) | self.always
        return predicted


Classifier = LinearClassifier | MultilabelClassifier


def fit_targets(features: Features, targets: Targets, c: float) -> Classifier:
    """Train on what `EncodedCorpus.targets` gives: by `fit`, or by `fit_each` where it is bool."""
    if targets.ndim == 2:
        return fit_each(features, np.asarray(targets, np.bool_), c)
    return fit(features, np.asarray(targets, np.int32), c)


def fit(features: Features, labels: NDArray[np.int32], c: float) -> LinearClassifier:
    """Train with `-s 0 -c c` and no bias. Raises `PteError` on one class only or on NaN."""
    if np.unique(labels).size < 2:
        raise PteError("classifier: the labelled documents are all of one class")
    made = _problem(_rows(features), labels)
    weights, classes = _train(made, c)
    return LinearClassifier(weights, classes)


def fit_each(features: Features, indicator: NDArray[np.bool_], c: float) -> MultilabelClassifier:
    """Train a classifier for each class by itself, as `fit` does, against all other documents.

    `indicator` says which classes each document has, shape (documents, classes). Raises `PteError`
    on NaN.
    """
    made = _problem(_rows(features), np.zeros(len(indicator)))
    targets = made.kept[-1]
    weights = np.zeros((made.n, indicator.shape[1]))
    for i, members in enumerate(indicator.T):
        if 0 < np.count_nonzero(members) < members.size:
            targets[:] = members
            found, order = _train(made, c)
            weights[:, i] = found[:, 0] if order[0] == 1 else -found[:, 0]
    return MultilabelClassifier(weights, np.asarray(indicator.all(axis=0)))


def _rows(features: Features) -> sparse.csr_matrix:
    rows = sparse.csr_matrix(features, dtype=np.float64)
    if not np.isfinite(rows.data).all():
        raise PteError("classifier: the document vectors hold NaN or infinity")
    return rows


def _train(made: problem, c: float) -> tuple[NDArray[np.float64], NDArray[np.int32]]:
    """The weights, shape (features, classes) or (features, 1), and LIBLINEAR's order of classes."""
    model = train(made, parameter(f"-s 0 -c {c!r} -q"))
    classes = np.array(model.get_labels(), np.int32)
    columns = 1 if classes.size == 2 else classes.size
    weights = np.ctypeslib.as_array(model.w, (model.nr_feature * columns,)).copy()
    return weights.reshape(model.nr_feature, columns), classes


def _problem(rows: sparse.csr_matrix, labels: NDArray[Any]) -> problem:
    """Make what `problem(labels, rows)` makes, without the loop that it compiles in each process.

    LIBLINEAR wants the nodes row by row, with two free ones after each row. The last of `kept` is
    the array of labels; it may change between two trainings.
    """
    rows.sort_indices()
    n = rows.shape[0]
    numbers = np.repeat(np.arange(n), np.diff(rows.indptr))
    places = np.arange(rows.nnz) + 2 * numbers
    nodes = np.empty(rows.nnz + 2 * n, feature_node)
    nodes["index"] = -1
    nodes["index"][places] = rows.indices + 1
    nodes["value"][places] = rows.data
    begins = nodes.ctypes.data + nodes.itemsize * (rows.indptr[:-1] + 2 * np.arange(n))
    begins, targets = begins.astype(np.uint64), np.array(labels, np.float64)

    made = problem.__new__(problem)
    made.l, made.n, made.bias = n, rows.shape[1], -1
    made.y = targets.ctypes.data_as(POINTER(c_double))
    made.x = begins.ctypes.data_as(POINTER(POINTER(feature_node)))
    made.kept = nodes, begins, targets  # ctypes holds addresses; these hold the memory
    return made
