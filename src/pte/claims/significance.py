"""How sure is a difference of scores? One-sided tests over test documents and seeds.

Both are samples: other documents would give another difference, and so would other seeds. The
variance of a difference is the sum of what documents and what seeds contribute, and its degrees of
freedom follow from those of the parts (Satterthwaite 1946; for two sides with seeds of their own it
is the test of Welch 1947). The variance over few seeds may borrow from other runs of the same kind;
it borrows more if their variances are alike (Smyth, Statistical Applications in Genetics and
Molecular Biology 3(1), 2004).
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import exp, inf, log
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import special
from scipy.optimize import brentq

from pte.claims.points import Points
from pte.errors import PteError

NORMAL = 1e6
"""Degrees of freedom at which Student's t is a normal distribution."""
LEVEL = 0.05
FEWEST = 5
"""So many spreads of a stratum tell something about another."""
ROUNDING = 1e-12
"""A variance below this, in points squared, is that of equal scores."""


@dataclass(frozen=True)
class Spread:
    """A variance of scores over seeds, in points squared, and its degrees of freedom."""

    variance: float
    df: float


NO_SPREAD = Spread(0.0, 0)


@dataclass(frozen=True)
class Prior:
    """What the spreads of a stratum tell about each of them: a variance of `df` degrees of freedom.

    `most` is how many degrees of freedom all of them have together.
    """

    variance: float
    df: float
    most: float

    def moderates(self, own: Spread) -> Spread:
        """Weight both variances by their degrees of freedom, and add these up, to `most` of them.

        The variance of a stratum cannot be known better than all its spreads tell it.
        """
        df = own.df + self.df
        variance = (own.variance * own.df + self.variance * self.df) / df
        return Spread(variance, min(df, self.most))


NO_PRIOR = Prior(0.0, 0, inf)


Spreads = Literal["runs", "parts", "trainings"]
"""What varies with the seed: runs on all labels, or the differences of pairs of runs, which are on
parts of the labels or are trainings with other parameters."""


class Stratum(NamedTuple):
    """What may have like spreads over seeds.

    `place` is a corpus, or what else is measured on it. `stochastic` tells runs whose classifier
    itself depends on the seed.
    """

    place: str
    spreads: Spreads
    stochastic: bool


@dataclass(frozen=True)
class Sample:
    """Runs whose mean counts with `sign`, +1 or -1, in a difference.

    Samples with the same `documents` have the same test documents. `name` tells samples apart.
    """

    sign: int
    points: Points
    documents: str
    stratum: Stratum
    name: tuple[str, ...]

    @property
    def spread(self) -> Spread:
        """The variance of the means of seeds, whether documents explain it or not."""
        if len(self.points) == 1:
            return NO_SPREAD
        means = self.points.mean(axis=1, dtype=np.float64)
        return Spread(float(means.var(ddof=1)), len(means) - 1)


@dataclass(frozen=True)
class Estimate:
    """A difference in points, its standard error with `df` degrees of freedom, and the part of
    the error that documents alone contribute."""

    effect: float
    error: float
    df: float
    of_documents: float

    def above(self, null: float) -> float:
        """Return the p-value of the claim that the difference is above `null`."""
        return chance((self.effect - null), self.error, self.df)

    def below(self, null: float) -> float:
        """Return the p-value of the claim that the difference is below `null`."""
        return chance((null - self.effect), self.error, self.df)

    def interval(self) -> tuple[float, float]:
        """Return the two-sided interval of 95 %."""
        reach = float(special.stdtrit(self.df, 1 - LEVEL / 2)) * self.error if self.error else 0.0
        return self.effect - reach, self.effect + reach


def chance(distance: float, error: float, df: float) -> float:
    """Return the probability that chance alone puts an estimate so far beyond the null."""
    if error == 0:
        return 0.0 if distance > 0 else 1.0
    return float(special.stdtr(df, -distance / error))


def estimate(samples: Sequence[Sample], priors: Mapping[Stratum, Prior]) -> Estimate:
    """Estimate the signed sum of the samples' means; `priors` tell of spreads by stratum.

    Some of what a run gets right is chance, which varies with the seed. The spread over seeds
    accounts for that, so the variance over documents is taken without this part. Raises `PteError`
    when samples of the same documents differ in their number, or have none.
    """
    effect, variances, dfs = 0.0, [], []
    for documents in dict.fromkeys(sample.documents for sample in samples):
        same = [sample for sample in samples if sample.documents == documents]
        effect += float(_of_documents(same).mean())
        variances.append(_documents_variance(same))
        dfs.append(max(1.0, same[0].points.shape[1] - 1))
    of_documents = float(np.sqrt(sum(variances)))
    for sample in samples:
        if len(sample.points) > 1:
            spread = priors.get(sample.stratum, NO_PRIOR).moderates(sample.spread)
            variances.append(spread.variance / len(sample.points))
            dfs.append(spread.df)
    total = sum(variances)
    parts = sum(v**2 / df for v, df in zip(variances, dfs, strict=True))
    df = min(NORMAL, total**2 / parts) if parts > 0 else NORMAL
    return Estimate(effect, float(np.sqrt(total)), df, of_documents)


def _of_documents(samples: Sequence[Sample]) -> NDArray[np.float64]:
    """The signed sum of each document's means over seeds."""
    shapes = {sample.points.shape[1] for sample in samples}
    if len(shapes) > 1 or not all(sample.points.size for sample in samples):
        raise PteError(f"compare: predictions of {sorted(shapes)} test documents")
    means = [sample.sign * sample.points.mean(axis=0, dtype=np.float64) for sample in samples]
    return np.asarray(np.sum(means, axis=0))


def _documents_variance(samples: Sequence[Sample]) -> float:
    found = _of_documents(samples)
    if found.size < 2:
        return 0.0
    by_chance = sum(
        float(sample.points.var(axis=0, ddof=1, dtype=np.float64).mean()) / len(sample.points)
        for sample in samples
        if len(sample.points) > 1
    )
    return max(0.0, float(found.var(ddof=1)) - by_chance) / found.size


def priors_by_stratum(samples: Sequence[Sample]) -> dict[Stratum, Prior]:
    """Return what the samples of each stratum tell about the spread of each; see `prior_of`.

    Samples of the same name count once.
    """
    found: dict[Stratum, dict[tuple[str, ...], Spread]] = {}
    for sample in samples:
        found.setdefault(sample.stratum, {})[sample.name] = sample.spread
    return {stratum: prior_of(list(each.values())) for stratum, each in found.items()}


def prior_of(spreads: Sequence[Spread]) -> Prior:
    """Return what the spreads of many samples tell about each (Smyth 2004, section 6.2).

    It has more degrees of freedom if they are alike, and `NORMAL` if they differ by chance alone.
    Spreads of equal scores are left out; fewer than `FEWEST` others tell nothing.
    """
    known = [spread for spread in spreads if spread.df > 0 and spread.variance > ROUNDING]
    if len(known) < FEWEST:
        return NO_PRIOR
    most = sum(spread.df for spread in known)
    half = np.array([spread.df for spread in known]) / 2
    logs = _log([spread.variance for spread in known]) - special.digamma(half) + _log(half)
    excess = float(logs.var(ddof=1) - special.polygamma(1, half).mean())
    if excess <= 0:
        return Prior(exp(logs.mean()), NORMAL, most)
    half_own = exp(brentq(lambda at: float(special.polygamma(1, exp(at))) - excess, -20, 20))
    variance = exp(logs.mean() + special.digamma(half_own) - log(half_own))
    return Prior(variance, 2 * half_own, most)


def _log(values: Iterable[float]) -> NDArray[np.float64]:
    """The same bits on every processor: numpy's own depend on which vectors it has."""
    return np.array([log(value) for value in values])


def holm(p_values: Sequence[float]) -> NDArray[np.float64]:
    """Adjust p-values, so that the whole family keeps its chance of a false alarm (Holm 1979)."""
    p = np.asarray(p_values, np.float64)
    order = np.argsort(p, kind="stable")
    stepped = np.maximum.accumulate(p[order] * np.arange(p.size, 0, -1))
    adjusted = np.empty_like(p)
    adjusted[order] = np.minimum(1, stepped)
    return adjusted
