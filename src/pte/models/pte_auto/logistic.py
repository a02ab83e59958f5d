"""Sparse logistic regressions of PTE(auto), which begin at what another C or other features gave.

The objective is that of `pte.evaluation.liblinear.fit`. LIBLINEAR reads the documents anew for each
class and cannot begin anywhere; here a visit to a document serves all classes.
"""

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from pte.core import logistic
from pte.errors import PteError
from pte.evaluation.linear import LinearClassifier, require_memory

TOLERANCE = 0.1  # of a gradient, as LIBLINEAR's `-e` of the dual
MOST = 1000  # passes; on 20ng with C of 100 about 30
FIRST = -20.0  # the log-odds at which α begins, near 0

LogOdds = NDArray[np.float32]  # of α, shape (documents, classes), which a later fit begins at


def fit(
    features: sparse.csr_array,
    labels: NDArray[np.int32],
    c: float,
    start: LogOdds | None = None,
    ratios: NDArray[np.float32] | None = None,
) -> tuple[LinearClassifier, LogOdds]:
    """Train a regression for each class, or one for two classes; return it and its log-odds.

    Each class sees the features times its column of `ratios`, which then go into its weights.
    """
    classes, numbers = np.unique(labels, return_inverse=True)
    if classes.size < 2:
        raise PteError("classifier: the labelled documents are all of one class")
    require_memory(features.shape[1], classes.size)
    n_columns = 1 if classes.size == 2 else classes.size
    shape = features.shape[0], n_columns
    log_odds = np.full(shape, FIRST, np.float32) if start is None else start.copy()
    scales = np.ones((1, n_columns), np.float32) if ratios is None else ratios * ratios
    rows = features.indptr.astype(np.int64), features.indices.astype(np.int32), features.data
    weights = np.zeros((features.shape[1], n_columns))
    found, _ = logistic.descend(rows, numbers, scales, log_odds, float(c), TOLERANCE, MOST)
    weights[: len(found)] = found
    return LinearClassifier(weights, classes.astype(np.int32)), log_odds


def log_count_ratios(present: sparse.csr_array, labels: NDArray[np.int32]) -> NDArray[np.float32]:
    """Return log(p(feature | class) / p(feature | rest)), shape (features, classes or 1).

    1 is added to each count; the last feature is the bias, whose ratio is 1.
    """
    classes, numbers = np.unique(labels, return_inverse=True)
    n, n_columns = labels.size, 1 if classes.size == 2 else classes.size
    inside = sparse.csr_array((np.ones(n), (numbers, np.arange(n))), (classes.size, n))
    counts = np.asarray((inside @ present).todense(), np.float64).T
    sides = counts[:, :n_columns] + 1, counts.sum(axis=1, keepdims=True) - counts[:, :n_columns] + 1
    shares = [np.log(side / side.sum(axis=0)) for side in sides]
    ratios = np.asarray(shares[0] - shares[1], np.float32)
    ratios[-1] = 1
    return ratios
