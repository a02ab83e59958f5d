"""Is one method better than another? Paired over test documents and seeds.

Both are samples: other documents would give another difference, and so would other seeds. The
documents are bootstrapped (Efron and Tibshirani 1993, chapter 16; in text classification Berg-
Kirkpatrick, Burkett and Klein, EMNLP 2012). Seeds are too few for that, three or five, so what they
contribute beyond the documents is estimated from its variance and drawn from Student's t.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pte.errors import PteError

DRAWS = 20_000
LEVEL = 0.05

Hits = NDArray[np.bool_]
"""Which test documents each run got right, shape (seeds, documents)."""


@dataclass(frozen=True)
class Difference:
    """Left minus right in points of micro-F1, with its 95 % interval and a two-sided p-value."""

    effect: float
    low: float
    high: float
    p: float


def compare(left: Hits, right: Hits, seed: int = 0, draws: int = DRAWS) -> Difference:
    """The difference of two methods on the same test documents.

    Row s of both is of one seed, and so of one choice of labelled documents; a method that needs no
    seed has one row, which stands for all. With one row in both, only documents vary.

    Raises `PteError` when documents or seeds of the two differ in number, or there are none.
    """
    if left.shape[1] != right.shape[1] or not left.size or not right.size:
        raise PteError(f"compare: predictions of shapes {left.shape} and {right.shape}")
    if 1 not in (len(left), len(right)) and len(left) != len(right):
        raise PteError(f"compare: {len(left)} seeds and {len(right)}; run the same seeds of both")
    wins = 100.0 * left.astype(np.float64) - 100.0 * right  # (seeds, documents)
    random = np.random.default_rng(seed)
    moved = documents_resampled(wins.mean(axis=0), draws, random)
    moved += seed_spread(wins) * random.standard_t(max(1, len(wins) - 1), draws)
    low, high = np.quantile(moved, [LEVEL / 2, 1 - LEVEL / 2])
    tail = 1 + min((moved <= 0).sum(), (moved >= 0).sum())
    p = min(1.0, 2 * tail / (1 + draws))
    return Difference(float(wins.mean()), float(low), float(high), float(p))


def documents_resampled(
    wins: NDArray[np.float64], draws: int, random: np.random.Generator
) -> NDArray[np.float64]:
    """Means of `draws` bootstrap samples; few values occur, so their counts are drawn."""
    values, counts = np.unique(wins, return_counts=True)
    resampled = random.multinomial(wins.size, counts / wins.size, draws)
    means: NDArray[np.float64] = resampled @ values / wins.size
    return means


def seed_spread(wins: NDArray[np.float64]) -> float:
    """Standard error of the mean that is due to seeds: what documents do not explain.

    The means of seeds vary even if no seed is better than another, since each gets other documents
    right; the bootstrap of documents holds that part already.
    """
    n_seeds, n_documents = wins.shape
    if n_seeds == 1:
        return 0.0
    of_documents = wins.var(axis=0, ddof=1).mean() / n_documents
    return float(np.sqrt(max(0.0, wins.mean(axis=1).var(ddof=1) - of_documents) / n_seeds))


def holm(p_values: Sequence[float]) -> NDArray[np.float64]:
    """p-values adjusted so that the chance of one false alarm in the family is kept (Holm 1979)."""
    p = np.asarray(p_values, np.float64)
    order = np.argsort(p, kind="stable")
    stepped = np.maximum.accumulate(p[order] * np.arange(p.size, 0, -1))
    adjusted = np.empty_like(p)
    adjusted[order] = np.minimum(1, stepped)
    return adjusted
