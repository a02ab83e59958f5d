"""LIBLINEAR's L2-regularised linear classifiers, one against the rest (paper, section 5.1)."""

import ctypes
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from ctypes import POINTER, c_double
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from pte.errors import PteError
from pte.evaluation.linear import Features, LinearClassifier, MultilabelClassifier, require_memory


@contextmanager
def _without_numba() -> Iterator[None]:
    """Hide numba from an import: liblinear would load numba, which takes half of a job's start.

    liblinear compiles one loop with numba, and `_problem` replaces this loop.
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

TOLERANCE = 0.01
"""LIBLINEAR's default for `-e`, which bounds the length of the gradient at the end.

The bound is relative to the length at 0 and to the share of documents on the rarer side.
"""

DUAL_TOLERANCE = 0.1
"""LIBLINEAR's default for `-e` of the dual. On tweets, it gives nearer weights than `TOLERANCE`."""

MOST_OF_DUAL = 30
"""The largest C of the dual. Seconds with the dual and without, for C of 10, 100 and 1,000: 2.4 and
7.1, 5.6 and 8.1, 21 and 9 on 20ng; for C of 10 and 100 on dblp's letters 4 and 10, 21 and 15."""


def fit(
    features: Features, labels: NDArray[np.int32], c: float, tolerance: float = TOLERANCE
) -> LinearClassifier:
    """Train with `-s 0 -c c -e tolerance`, without a bias.

    Raises `PteError` when there is one class only, when a feature is not finite, and when there is
    too little memory for the weights.
    """
    return _fit(features, labels, f"-s 0 -c {c!r} -e {tolerance!r}")


def fit_sparse(features: Features, labels: NDArray[np.int32], c: float) -> LinearClassifier:
    """Minimise the objective of `fit` by its dual, with `-s 7`, or as `fit` does for a large C.

    The dual is quicker where rows are sparse, but slows down as C grows. It takes documents in an
    order from the random numbers of the C library, whose seed is set here. Raises `PteError` as
    `fit` does.
    """
    if c > MOST_OF_DUAL:
        return fit(features, labels, c)
    ctypes.CDLL(None).srand(1)
    return _fit(features, labels, f"-s 7 -c {c!r} -e {DUAL_TOLERANCE!r}")


def fit_squared_hinge(
    features: Features, labels: NDArray[np.int32], c: float, tolerance: float = TOLERANCE
) -> LinearClassifier:
    """Train a support vector machine, with `-s 2 -c c -e tolerance`, without a bias.

    Its loss is the squared hinge. Raises `PteError` as `fit` does.
    """
    return _fit(features, labels, f"-s 2 -c {c!r} -e {tolerance!r}")


def _fit(features: Features, labels: NDArray[np.int32], options: str) -> LinearClassifier:
    n_classes = np.unique(labels).size
    if n_classes < 2:
        raise PteError("classifier: the labelled documents are all of one class")
    require_memory(features.shape[1], n_classes)
    weights, classes = _train(_problem(_rows(features), labels), options)
    return LinearClassifier(weights, classes)


def fit_each(features: Features, indicator: NDArray[np.bool_], c: float) -> MultilabelClassifier:
    """Train a classifier for each class by itself, as `fit` does, against all other documents.

    `indicator` says which classes each document has, shape (documents, classes). Raises `PteError`
    when a feature is not finite, and when there is too little memory for the weights.
    """
    require_memory(features.shape[1], indicator.shape[1])
    made = _problem(_rows(features), np.zeros(len(indicator)))
    targets = made.kept[-1]
    weights = np.zeros((made.n, indicator.shape[1]))
    for i, members in enumerate(indicator.T):
        if 0 < np.count_nonzero(members) < members.size:
            targets[:] = members
            found, order = _train(made, f"-s 0 -c {c!r} -e {TOLERANCE!r}")
            weights[:, i] = found[:, 0] if order[0] == 1 else -found[:, 0]
    return MultilabelClassifier(weights, np.asarray(indicator.all(axis=0)))


def _rows(features: Features) -> sparse.csr_matrix:
    """Return features with the columns of each row in order; what was given stays as it is."""
    rows = sparse.csr_matrix(features, dtype=np.float64)
    if not np.isfinite(rows.data).all():
        raise PteError("classifier: the document vectors hold NaN or infinity")
    # `rows` may share its columns with `features`: sorted in place, they would change there, too.
    return rows if rows.has_sorted_indices else rows.sorted_indices()


def _train(made: problem, options: str) -> tuple[NDArray[np.float64], NDArray[np.int32]]:
    """Return weights, shape (features, classes or 1), and the classes in LIBLINEAR's order."""
    model = train(made, parameter(f"{options} -q"))
    classes = np.array(model.get_labels(), np.int32)
    columns = 1 if classes.size == 2 else classes.size
    weights = np.ctypeslib.as_array(model.w, (model.nr_feature * columns,)).copy()
    return weights.reshape(model.nr_feature, columns), classes


def _problem(rows: sparse.csr_matrix, labels: NDArray[Any]) -> problem:
    """Make what `problem(labels, rows)` makes, without the loop that it compiles in each process.

    LIBLINEAR wants the nodes row by row, with two free nodes after each row. The last array of
    `kept` has the labels, which may change between two trainings.
    """
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
