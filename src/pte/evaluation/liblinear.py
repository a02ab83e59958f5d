"""LIBLINEAR's L2-regularised linear classifiers, one against the rest (paper, section 5.1).

Without liblinear-official, which must be compiled, scikit-learn's older LIBLINEAR trains; its
weights differ within the tolerance.
"""

import ctypes
import sys
import threading
import warnings
from ctypes import POINTER, c_double
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from pte.errors import PteError
from pte.evaluation.linear import Features, LinearClassifier, MultilabelClassifier, require_memory
from pte.limits import refuse_more_than_int32

# liblinear would load numba for one loop, which takes half of a job's start; `_problem` has none.
_hidden = "numba" not in sys.modules
if _hidden:
    sys.modules["numba"] = None  # type: ignore[assignment]
try:
    from liblinear.liblinear import feature_node
    from liblinear.liblinearutil import parameter, problem, train
except ModuleNotFoundError:
    train = None
finally:
    if _hidden:
        del sys.modules["numba"]

LOGISTIC, SQUARED_HINGE, LOGISTIC_DUAL = 0, 2, 7

TOLERANCE = 0.01  # LIBLINEAR's default for `-e`: the gradient's length, relative to 0's

DUAL_TOLERANCE = 0.1  # LIBLINEAR's `-e` of the dual: on tweets nearer weights

MOST_OF_DUAL = 30
"""The largest C of the dual. Seconds with the dual and without, for C of 10, 100 and 1,000: 2.4 and
7.1, 5.6 and 8.1, 21 and 9 on 20ng; for C of 10 and 100 on dblp's letters 4 and 10, 21 and 15."""


def fit(
    features: Features, labels: NDArray[np.int32], c: float, tolerance: float = TOLERANCE
) -> LinearClassifier:
    """Train logistic regression with `-s 0 -c c -e tolerance`, without a bias."""
    return _fit(features, labels, _Training(c, tolerance))


def fit_sparse(features: Features, labels: NDArray[np.int32], c: float) -> LinearClassifier:
    """Minimise the objective of `fit` by its dual, `-s 7`, quicker for a small C; seeded here."""
    if c > MOST_OF_DUAL:
        return fit(features, labels, c)
    with _RANDOM:
        ctypes.CDLL(None).srand(1)
        return _fit(features, labels, _Training(c, DUAL_TOLERANCE, LOGISTIC_DUAL))


def fit_squared_hinge(
    features: Features, labels: NDArray[np.int32], c: float, tolerance: float = TOLERANCE
) -> LinearClassifier:
    """Train a support vector machine with `-s 2 -c c -e tolerance`, without a bias."""
    return _fit(features, labels, _Training(c, tolerance, SQUARED_HINGE))


_RANDOM = threading.Lock()  # held while LIBLINEAR draws from the C library's numbers


class _Training(NamedTuple):
    c: float
    tolerance: float
    solver: int = LOGISTIC


def _fit(features: Features, labels: NDArray[np.int32], how: _Training) -> LinearClassifier:
    n_classes = np.unique(labels).size
    if n_classes < 2:
        raise PteError("classifier: the labelled documents are all of one class")
    require_memory(features.shape[1], n_classes)
    rows = _rows(features)
    if train is None:
        return _fit_by_scikit_learn(rows, labels, how)
    return LinearClassifier(*_train(_problem(rows, labels), how))


def fit_each(features: Features, indicator: NDArray[np.bool_], c: float) -> MultilabelClassifier:
    """Train as `fit` does for each column of `indicator`, shape (documents, classes), by itself."""
    require_memory(features.shape[1], indicator.shape[1])
    rows, how = _rows(features), _Training(c, TOLERANCE)
    made = None if train is None else _problem(rows, np.zeros(len(indicator)))
    weights = np.zeros((rows.shape[1], indicator.shape[1]))
    for i, members in enumerate(indicator.T):
        if not 0 < np.count_nonzero(members) < members.size:
            continue
        if made is None:
            weights[:, i] = _binary_by_scikit_learn(rows, members, how)
            continue
        made.kept[-1][:] = members
        found, order = _train(made, how)
        weights[:, i] = found[:, 0] if order[0] == 1 else -found[:, 0]
    return MultilabelClassifier(weights, np.asarray(indicator.all(axis=0)))


def _fit_by_scikit_learn(
    rows: sparse.csr_matrix, labels: NDArray[np.int32], how: _Training
) -> LinearClassifier:
    classes = np.unique(labels).astype(np.int32)
    columns = classes[:1] if classes.size == 2 else classes
    weights = [_binary_by_scikit_learn(rows, labels == each, how) for each in columns]
    return LinearClassifier(np.stack(weights, axis=1), classes)


def _binary_by_scikit_learn(
    rows: sparse.csr_matrix, members: NDArray[np.bool_], how: _Training
) -> NDArray[np.float64]:
    from sklearn.exceptions import ConvergenceWarning
    from sklearn.linear_model import LogisticRegression
    from sklearn.svm import LinearSVC

    given = {"C": how.c, "tol": how.tolerance, "fit_intercept": False, "random_state": 1}
    given |= {"max_iter": 1000}  # LIBLINEAR's limit
    model = (
        LinearSVC(dual=False, **given)
        if how.solver == SQUARED_HINGE
        else LogisticRegression(solver="liblinear", dual=how.solver == LOGISTIC_DUAL, **given)
    )
    refuse_more_than_int32(rows.nnz, "classifier: numbers that are not 0", "give fewer documents")
    places = rows.indices.astype(np.int32), rows.indptr.astype(np.int32)
    narrow = sparse.csr_matrix((rows.data.astype(np.float64), *places), rows.shape)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)  # LIBLINEAR itself says nothing either
        return np.asarray(model.fit(narrow, members).coef_[0], np.float64)


def _rows(features: Features) -> sparse.csr_matrix:
    rows = sparse.csr_matrix(features)
    if not np.isfinite(rows.data).all():
        raise PteError("classifier: the document vectors hold NaN or infinity")
    # `rows` may share its columns with `features`: sorted in place, they would change there, too.
    return rows if rows.has_sorted_indices else rows.sorted_indices()


def _train(made: Any, how: _Training) -> tuple[NDArray[np.float64], NDArray[np.int32]]:
    """Return weights, shape (features, classes or 1), and the classes in LIBLINEAR's order."""
    model = train(made, parameter(f"-s {how.solver} -c {how.c!r} -e {how.tolerance!r} -q"))
    classes = np.array(model.get_labels(), np.int32)
    columns = 1 if classes.size == 2 else classes.size
    weights = np.ctypeslib.as_array(model.w, (model.nr_feature * columns,)).copy()
    return weights.reshape(model.nr_feature, columns), classes


def _problem(rows: sparse.csr_matrix, labels: NDArray[Any]) -> Any:
    """Make what `problem(labels, rows)` makes, without a loop to compile in each process."""
    n = rows.shape[0]
    ends = rows.indptr.astype(np.int64) + 2 * np.arange(n + 1)  # two nodes end each row
    filled = np.ones(rows.nnz + 2 * n, np.bool_)
    filled[ends[1:] - 1] = filled[ends[1:] - 2] = False
    nodes = np.empty(filled.size, feature_node)
    nodes["index"] = -2
    nodes["index"][filled] = rows.indices
    nodes["index"] += 1  # LIBLINEAR counts features from 1, and -1 ends a row
    nodes["value"][filled] = rows.data
    begins = nodes.ctypes.data + nodes.itemsize * ends[:-1]
    begins, targets = begins.astype(np.uint64), np.array(labels, np.float64)

    made = problem.__new__(problem)
    made.l, made.n, made.bias = n, rows.shape[1], -1
    made.y = targets.ctypes.data_as(POINTER(c_double))
    made.x = begins.ctypes.data_as(POINTER(POINTER(feature_node)))
    made.kept = nodes, begins, targets  # ctypes holds addresses; these hold the memory
    return made
