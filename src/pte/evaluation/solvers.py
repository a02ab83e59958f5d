"""One function for both solvers of logistic regression: the caller says which solver trains."""

import numpy as np
from scipy import sparse

from pte.corpora.targets import Targets
from pte.evaluation import liblinear, newton
from pte.evaluation.linear import Classifier, Features, LinearClassifier, MultilabelClassifier
from pte.evaluation.setting import CHOICES, NEWTON, Solver


def fit_targets(
    features: Features,
    targets: Targets,
    c: float,
    start: Classifier | None = None,
    solver: Solver = CHOICES,
) -> Classifier:
    """Train on targets from `EncodedCorpus.targets`: by `fit`, or by `fit_each` if they are bool.

    Newton's method takes dense features alone; LIBLINEAR trains on sparse features, whatever
    `solver` says. Newton's method begins at `start`, which was trained on the same classes;
    LIBLINEAR always begins at 0. Raises `PteError` as the solver does.
    """
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
