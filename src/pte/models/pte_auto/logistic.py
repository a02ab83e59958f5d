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
from pte.models.words import log_count_ratios

TOLERANCE = 0.1  # of a gradient, as LIBLINEAR's `-e` of the dual
MOST = 1000  # passes; on 20ng with C of 100 about 30
FIRST = -20.0  # the log-odds at which α begins, near 0

LogOdds = NDArray[np.float32]  # of α, shape (documents, classes), which a later fit begins at


def fit(
    features: sparse.csr_array,
    labels: NDArray[np.int32],
    c: float,
    start: LogOdds | None = None,
    with_ratios: bool = False,
) -> tuple[LinearClassifier, LogOdds]:
    """Train a regression for each class, or one for two classes; return it and its log-odds.

    Each class may see the features times its log-count ratios, which then go into its weights.
    """
    classes, numbers = np.unique(labels, return_inverse=True)
    if classes.size < 2:
        raise PteError("classifier: the labelled documents are all of one class")
    require_memory(features.shape[1], classes.size)
    n_columns = 1 if classes.size == 2 else classes.size
    shape = features.shape[0], n_columns
    log_odds = np.full(shape, FIRST, np.float32) if start is None else start.copy()
    scales = np.ones((1, n_columns), np.float32)
    if with_ratios:
        scales = np.square(log_count_ratios(features, numbers, n_columns))
    rows = features.indptr.astype(np.int64), features.indices.astype(np.int32), features.data
    lengths, change = np.zeros(shape, np.float32), np.zeros(n_columns, np.float32)
    weights = np.zeros((features.shape[1], n_columns), np.float32)
    state = (log_odds, lengths, weights, change, np.arange(shape[0]))
    logistic.descend(rows, numbers, scales, state, float(c), TOLERANCE, MOST)
    return LinearClassifier(weights.astype(np.float64), classes.astype(np.int32)), log_odds
