"""How far scores may be off, because the tested documents are a sample: 95 % intervals."""

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from pte.corpora.targets import Targets
from pte.evaluation.metrics import ERRORS, Interval, wilson

DRAWS, AT_ONCE = 2000, 100
"""The number of bootstrap samples of the tested documents, and how many are drawn at a time."""

LEVEL = 0.05
"""The level of 95 % intervals."""


class Counted(NamedTuple):
    """Counts of each document and class, over all repeats; shape (documents, classes), sparse.

    `right` counts labels that are predicted and true, `sizes` the true plus the predicted labels.
    F1 is twice the sum of `right` divided by the sum of `sizes`.
    """

    right: sparse.csr_array
    sizes: sparse.csr_array

    @property
    def hits(self) -> NDArray[np.float64]:
        """The share of the repeats in which a document of one class is predicted right."""
        right = np.asarray(self.right.sum(axis=1), np.float64).ravel()
        return 2 * right / np.maximum(np.asarray(self.sizes.sum(axis=1)).ravel(), 1)


def count_labels(truth: Targets, predicted: list[Targets], n_classes: int) -> Counted:
    """Count the labels of each document; `predicted` has an array for each repeat."""
    true = _indicator(truth, n_classes)
    each = [_indicator(found, n_classes) for found in predicted]
    right = sum((true.multiply(found) for found in each[1:]), start=true.multiply(each[0]))
    sizes = sum((true + found for found in each[1:]), start=true + each[0])
    return Counted(sparse.csr_array(right), sparse.csr_array(sizes))


def _indicator(targets: Targets, n_classes: int) -> sparse.csr_array:
    if targets.ndim == 2:
        return sparse.csr_array(targets.astype(np.float64))
    n = targets.size
    cells = (np.ones(n), (np.arange(n), np.asarray(targets, np.int64)))
    return sparse.csr_array(cells, shape=(n, n_classes))


class Intervals(NamedTuple):
    """The intervals of a method's micro-F1 and macro-F1, and of its difference to the best."""

    micro_f1: Interval
    macro_f1: Interval
    difference: Interval


def intervals(counts: Mapping[str, Counted], best: str, several: bool) -> dict[str, Intervals]:
    """Return the intervals of each method, in percent, by the bootstrap over documents.

    All methods are compared on the same samples of the documents (Efron and Tibshirani 1993,
    chapter 16). Where documents have one label, the interval of micro-F1 is that of Wilson (1927),
    which holds near 0 and 100, too.
    """
    drawn = {name: _resampled(each) for name, each in counts.items()}
    found = {}
    for name, (micro, macro) in drawn.items():
        hits = counts[name].hits
        own = _quantiles(micro) if several else wilson(float(hits.mean()), hits.size)
        found[name] = Intervals(own, _quantiles(macro), _quantiles(micro - drawn[best][0]))
    return found


def to_tell_apart(hits: NDArray[np.float64], others: NDArray[np.float64]) -> int | None:
    """Return how many tested documents it takes to tell two methods apart, about.

    `hits` and `others` have the shares of each tested document that are right. The 95 % interval of
    the mean difference d, whose standard deviation is s, leaves out 0 from (1.96 s / d)² documents
    on. None if the other method is not behind.
    """
    apart = hits - others
    mean = float(apart.mean())
    if mean <= 0:
        return None
    if apart.size == 1:
        return 2  # of one document there is no deviation
    return int(np.ceil((ERRORS * float(apart.std(ddof=1)) / mean) ** 2))


def _resampled(counts: Counted) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return micro-F1 and macro-F1 in percent on bootstrap samples of the documents."""
    random = np.random.default_rng(0)
    n = counts.right.shape[0]
    micro, macro = [], []
    for _ in range(0, DRAWS, AT_ONCE):
        times = random.multinomial(n, np.full(n, 1 / n), AT_ONCE).astype(np.float64)
        right, sizes = times @ counts.right, times @ counts.sizes
        micro.append(200 * right.sum(axis=1) / np.maximum(sizes.sum(axis=1), 1))
        macro.append((200 * right / np.maximum(sizes, 1)).mean(axis=1))
    return np.concatenate(micro), np.concatenate(macro)


def _quantiles(drawn: NDArray[np.float64]) -> Interval:
    low, high = np.quantile(drawn, [LEVEL / 2, 1 - LEVEL / 2])
    return float(low), float(high)
