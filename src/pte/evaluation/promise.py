"""Thresholds of probability that keep a promise: so many of the labels above them are right.

Held-out documents prove it, by a lower bound of Clopper and Pearson (Biometrika 26, 1934).
"""

import numpy as np
from numpy.typing import NDArray

from pte.evaluation.calibration import HeldOut

CONFIDENCE = 0.95
ENOUGH = 100  # held-out documents of a predicted class that give it a threshold of its own
STEP = 1.2  # the factor between two numbers of documents above a threshold that are tried


def thresholds(held: HeldOut, precision: float, n_classes: int) -> NDArray[np.float64]:
    """Return the least probability of each predicted class, float64; infinity: no promise.

    Classes with fewer than `ENOUGH` held-out documents share a threshold.

    Examples
    --------
    >>> import numpy as np
    >>> sure, right = np.linspace(0.5, 1, 200, dtype=np.float32), np.arange(200) > 60
    >>> thresholds(HeldOut(sure, np.zeros(200, np.int32), right), 0.9, 2).round(2).tolist()
    [0.69, inf]
    """
    sizes = np.bincount(held.predicted, minlength=n_classes)
    found = np.full(n_classes, np.inf)
    few = np.flatnonzero(sizes < ENOUGH)
    for classes in [few, *np.flatnonzero(sizes >= ENOUGH)[:, None]]:
        own = np.isin(held.predicted, classes)
        found[classes] = threshold(held.probability[own], held.right[own], precision)
    return found


def threshold(
    probability: NDArray[np.floating], right: NDArray[np.bool_], precision: float
) -> float:
    """Return the least probability above which so many are right, by the bound; or infinity.

    Numbers of documents are tried from few to many, until one fails after one that held.
    """
    order = np.argsort(-probability, kind="stable")
    sure, hits = probability[order], np.cumsum(right[order])
    found, n = np.inf, float(fewest(precision))
    while round(n) <= sure.size:
        k = round(n)
        if lower_bound(int(hits[k - 1]), k) >= precision:
            found = float(sure[k - 1])
        elif np.isfinite(found):
            break
        n = max(n * STEP, n + 1)
    return found


def fewest(precision: float) -> int:
    """Return how many documents, all of them right, the bound needs at least."""
    return int(np.ceil(np.log(1 - CONFIDENCE) / np.log(precision)))


def lower_bound(right: int, n: int) -> float:
    """Return the share that is right at least, at `CONFIDENCE`, if `right` of `n` are right."""
    from scipy.special import betaincinv

    return float(betaincinv(right, n - right + 1, 1 - CONFIDENCE)) if right else 0.0
