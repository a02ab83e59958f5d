"""One-sided tests of a difference of scores, over test documents and seeds.

Documents and seeds are both samples: other documents would give another difference, and so would
other seeds. The variance of a difference is the sum of a part from documents and a part from seeds.
Its degrees of freedom follow from the degrees of freedom of the parts (Satterthwaite 1946). For two
sides with seeds of their own, this is the test of Welch (1947). The variance over few seeds may
borrow from other runs of the same kind. It borrows more if the variances of these runs are alike
(Smyth, Statistical Applications in Genetics and Molecular Biology 3(1), 2004).
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import exp, inf, log
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import special
from scipy.optimize import brentq

from pte.errors import PteError
from pte_study.claims.points import Points

NORMAL = 1e6
"""Degrees of freedom at which Student's t counts as a normal distribution."""
LEVEL = 0.05
FEWEST = 5
"""The least number of spreads in a stratum that tell something about each spread."""
ROUNDING = 1e-12
"""A variance of at most this many points squared counts as the variance of equal scores."""


@dataclass(frozen=True)
class Spread:
    """A variance of scores over seeds, in points squared, and its degrees of freedom."""

    variance: float
    df: float


NO_SPREAD = Spread(0.0, 0)


@dataclass(frozen=True)
class Prior:
    """What the spreads of a stratum tell about each spread: a variance of `df` degrees of freedom.

    `most` is how many degrees of freedom all these spreads have together.
    """

    variance: float
    df: float
    most: float

    def moderates(self, own: Spread) -> Spread:
        """Return the mean of both variances, weighted by their degrees of freedom.

        The degrees of freedom are added up, but not above `most`. The variance of a stratum cannot
        be known better than all its spreads tell it.
        """
        df = own.df + self.df
        variance = (own.variance * own.df + self.variance * self.df) / df
        return Spread(variance, min(df, self.most))


NO_PRIOR = Prior(0.0, 0, inf)


Spreads = Literal["runs", "parts", "curves", "trainings"]
"""What varies with the seed: runs on whole corpora, or the differences of pairs of runs.

Pairs of runs are on parts of the labels or of the text, or are trainings with other parameters. On
curves, the difference is a mean over several parts.
"""


class Stratum(NamedTuple):
    """A group of samples whose spreads over seeds may be alike.

    `place` is a corpus, or the name that `pte_study.claims.claim.beside` gives what is measured on
    it beside scores. `stochastic` tells whether the classifier of a run itself depends on the seed.
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
        """The variance over seeds of the mean score, whether documents explain it or not."""
        if len(self.points) == 1:
            return NO_SPREAD
        means = self.points.mean(axis=1, dtype=np.float64)
        return Spread(float(means.var(ddof=1)), len(means) - 1)


@dataclass(frozen=True)
class Estimate:
    """The estimate of a difference in points.

    `error` is its standard error with `df` degrees of freedom, and `of_documents` is the part of
    the error that documents alone contribute.
    """

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
        """Return the two-sided 95 % interval."""
        reach = float(special.stdtrit(self.df, 1 - LEVEL / 2)) * self.error if self.error else 0.0
        return self.effect - reach, self.effect + reach


def chance(distance: float, error: float, df: float) -> float:
    """Return the probability that chance alone puts an estimate `distance` beyond the null."""
    if error == 0:
        return 0.0 if distance > 0 else 1.0
    return float(special.stdtr(df, -distance / error))


def estimate(samples: Sequence[Sample], priors: Mapping[Stratum, Prior]) -> Estimate:
    """Estimate the signed sum of the samples' means; `priors` has the prior of each stratum.

    A run gets some documents right by chance, which varies with the seed. The spread over seeds
    accounts for this chance, so the variance over documents is taken without it. Raises `PteError`
    when samples of the same documents differ in the number of documents, or have no points.
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
    """Return, for each document, the signed sum of the samples' means over seeds."""
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
    """Return the prior of each stratum, from the spreads of its samples; see `prior_of`.

    Samples of the same name count once.
    """
    found: dict[Stratum, dict[tuple[str, ...], Spread]] = {}
    for sample in samples:
        found.setdefault(sample.stratum, {})[sample.name] = sample.spread
    return {stratum: prior_of(list(each.values())) for stratum, each in found.items()}


def prior_of(spreads: Sequence[Spread]) -> Prior:
    """Return what the spreads of many samples tell about each spread (Smyth 2004, section 6.2).

    The prior has more degrees of freedom if the spreads are alike, and `NORMAL` if they differ by
    chance alone. Spreads of equal scores are left out. If fewer than `FEWEST` spreads are left, the
    prior tells nothing.
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
    """Return logarithms that have the same bits on every processor.

    The bits of numpy's logarithms depend on the vector instructions of the processor.
    """
    return np.array([log(value) for value in values])


def holm(p_values: Sequence[float]) -> NDArray[np.float64]:
    """Adjust p-values so that the whole family keeps its chance of a false alarm (Holm 1979)."""
    p = np.asarray(p_values, np.float64)
    order = np.argsort(p, kind="stable")
    stepped = np.maximum.accumulate(p[order] * np.arange(p.size, 0, -1))
    adjusted = np.empty_like(p)
    adjusted[order] = np.minimum(1, stepped)
    return adjusted
