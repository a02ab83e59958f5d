"""Is one method better than another? Paired over test documents and seeds.

Both are samples: other documents would give another difference, and so would other seeds. The
documents are bootstrapped (Efron and Tibshirani 1993, chapter 16; in text classification Berg-
Kirkpatrick, Burkett and Klein, EMNLP 2012). Three or five seeds are too few for that, so what they
contribute is drawn from Student's t. Its variance may borrow from the other pairs of a family. It
borrows more if the variances of these are alike (Smyth, Statistical Applications in Genetics and
Molecular Biology 3(1), 2004).
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import special
from scipy.optimize import brentq

from pte.errors import PteError

DRAWS = 20_000
NORMAL = 1e6
"""Degrees of freedom at which Student's t is a normal distribution."""
LEVEL = 0.05

Hits = NDArray[np.bool_]
"""Which test documents each run got right, shape (seeds, documents)."""


@dataclass(frozen=True)
class Spread:
    """A variance of scores over seeds, in points squared, and its degrees of freedom."""

    variance: float
    df: float

    def joined(self, other: "Spread") -> "Spread":
        """Weight both variances by their degrees of freedom, and add these up."""
        df = self.df + other.df
        return Spread((self.variance * self.df + other.variance * other.df) / df, df)


NO_SPREAD = Spread(0.0, 0)


@dataclass(frozen=True)
class Difference:
    """Left minus right in points of micro-F1, with its 95 % interval.

    `p` is the two-sided p-value of the hypothesis that the difference is the null difference.
    """

    effect: float
    low: float
    high: float
    p: float


def differences(left: Hits, right: Hits) -> NDArray[np.float64]:
    """Return the points that left has more than right: -100, 0 or 100, shape (seeds, documents).

    Rows of left and right with the same index have the same seed, and with it the same labelled
    documents. A method that needs no seed has one row, which stands for all. Raises `PteError` when
    the two differ in the number of documents or seeds, or have none.
    """
    if left.shape[1] != right.shape[1] or not left.size or not right.size:
        raise PteError(f"compare: predictions of shapes {left.shape} and {right.shape}")
    if 1 not in (len(left), len(right)) and len(left) != len(right):
        raise PteError(f"compare: {len(left)} seeds and {len(right)}; run the same seeds of both")
    points: NDArray[np.float64] = 100.0 * left.astype(np.float64) - 100.0 * right
    return points


def compare(
    wins: NDArray[np.float64],
    null: float = 0.0,
    others: Spread = NO_SPREAD,
    seed: int = 0,
    draws: int = DRAWS,
) -> Difference:
    """Estimate the mean of `differences`, and test whether it is `null`.

    With one row, only documents vary. `others` is what other pairs tell about the spread over
    seeds.
    """
    random = np.random.default_rng(seed)
    effect = float(wins.mean())
    moved = effect + documents_resampled(wins, draws, random)
    spread = seed_spread(wins).joined(others) if len(wins) > 1 else NO_SPREAD
    error = np.sqrt(spread.variance / len(wins))
    if error > 0:
        below = special.stdtr(spread.df, (null - moved) / error).mean()
        above = 1 - below
        moved = moved + error * random.standard_t(spread.df, draws)
    else:
        below, above = (moved <= null).mean(), (moved >= null).mean()
    low, high = np.quantile(moved, [LEVEL / 2, 1 - LEVEL / 2])
    p = min(1.0, 2 * (1 + draws * min(below, above)) / (1 + draws))
    return Difference(effect, float(low), float(high), float(p))


def documents_resampled(
    wins: NDArray[np.float64], draws: int, random: np.random.Generator
) -> NDArray[np.float64]:
    """Return how far the means of `draws` bootstrap samples lie from the mean of all documents.

    Some of what a run gets right is chance, which varies with the seed. `seed_spread` accounts for
    that, so the deviations are scaled down to those of documents without this part. Only few values
    occur, so it is enough to draw their counts.
    """
    of_documents = wins.mean(axis=0)
    values, counts = np.unique(of_documents, return_counts=True)
    n, variance = of_documents.size, of_documents.var()
    if variance == 0:
        return np.zeros(draws)
    by_chance = wins.var(axis=0, ddof=1).mean() / len(wins) if len(wins) > 1 else 0.0
    resampled = random.multinomial(n, counts / n, draws)
    left = np.sqrt(max(0.0, 1 - by_chance / variance))
    deviations: NDArray[np.float64] = left * (resampled @ values / n - of_documents.mean())
    return deviations


def seed_spread(wins: NDArray[np.float64]) -> Spread:
    """Return the variance of the means of seeds, whether documents explain it or not."""
    if len(wins) == 1:
        return NO_SPREAD
    return Spread(float(wins.mean(axis=1).var(ddof=1)), len(wins) - 1)


def common_spread(spreads: Sequence[Spread]) -> Spread:
    """Return what the spreads of many pairs tell about that of another (Smyth 2004, section 6.2).

    It has more degrees of freedom if they are alike, and `NORMAL` if they differ by chance alone.
    Fewer than two spreads above 0 tell nothing.
    """
    known = [spread for spread in spreads if spread.df > 0 and spread.variance > 0]
    if len(known) < 2:
        return NO_SPREAD
    half = np.array([spread.df for spread in known]) / 2
    logs = np.log([spread.variance for spread in known]) - special.digamma(half) + np.log(half)
    excess = float(logs.var(ddof=1) - special.polygamma(1, half).mean())
    if excess <= 0:
        return Spread(float(np.exp(logs.mean())), NORMAL)
    own = brentq(lambda log: float(special.polygamma(1, np.exp(log))) - excess, -20, 20)
    half_own = float(np.exp(own))
    variance = np.exp(logs.mean() + special.digamma(half_own) - np.log(half_own))
    return Spread(float(variance), 2 * half_own)


def holm(p_values: Sequence[float]) -> NDArray[np.float64]:
    """Adjust p-values, so that the whole family keeps its chance of a false alarm (Holm 1979)."""
    p = np.asarray(p_values, np.float64)
    order = np.argsort(p, kind="stable")
    stepped = np.maximum.accumulate(p[order] * np.arange(p.size, 0, -1))
    adjusted = np.empty_like(p)
    adjusted[order] = np.minimum(1, stepped)
    return adjusted
