"""One-sided tests of a difference of scores, over test documents and seeds.

Documents and seeds are both samples: other documents would give another difference, and so would
other seeds. The variance of a difference is the sum of a part from documents and a part from seeds.
Its degrees of freedom follow from the degrees of freedom of the parts (Satterthwaite 1946). For two
sides with seeds of their own, this is the test of Welch (1947). The variance over few seeds may
borrow from other runs of the same kind. It borrows more if the variances of these runs are alike
(Smyth, Statistical Applications in Genetics and Molecular Biology 3(1), 2004).

Each document adds points to a score. Micro-F1 and macro-F1 are ratios of sums over documents. To
the first order, such a ratio changes with the documents as the mean of one number for each document
does: the score itself plus n times the document's influence, where n counts the documents (Hampel
1974; the infinitesimal jackknife). The mean of these numbers is the score. If each document has one
class, the number for micro-F1 is 100 for a document that is right and 0 for one that is wrong.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import exp, inf, log
from typing import Literal, NamedTuple, get_args

import numpy as np
from numpy.typing import NDArray
from scipy import special
from scipy.optimize import brentq

from pte.corpora.encoded import Targets, check_kinds
from pte.errors import PteError
from pte_study.claims.claim import MARGIN, Region, Relation

Metric = Literal["micro_f1", "macro_f1"]
JUDGED: tuple[Metric, ...] = get_args(Metric)
Points = NDArray[np.float32]  # shape (seeds, documents); the mean of a row is a score
NORMAL = 1e6  # degrees of freedom that count as a normal distribution
LEVEL = 0.05
FEWEST = 5  # the least spreads in a stratum that tell about each
ROUNDING = 1e-12  # points squared up to which scores count as equal


@dataclass(frozen=True)
class Spread:
    """A variance of scores over seeds, in points squared, and its degrees of freedom."""

    variance: float
    df: float


NO_SPREAD = Spread(0.0, 0)


@dataclass(frozen=True)
class Prior:
    """What the spreads of a stratum tell of each of them: a variance of `df` degrees of freedom."""

    variance: float
    df: float
    most: float

    def moderates(self, own: Spread) -> Spread:
        """Return the mean of both variances, weighted by their degrees of freedom."""
        df = own.df + self.df
        variance = (own.variance * own.df + self.variance * self.df) / df
        return Spread(variance, min(df, self.most))


NO_PRIOR = Prior(0.0, 0, inf)


Spreads = Literal["runs", "parts", "curves", "trainings"]
"""What varies with the seed: whole runs, or differences of pairs (on curves, of their means)."""


class Stratum(NamedTuple):
    """A group of samples whose spreads over seeds may be alike."""

    place: str
    spreads: Spreads
    stochastic: bool


@dataclass(frozen=True)
class Sample:
    """Runs whose mean counts with `sign`, +1 or -1, in a difference."""

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
    """The estimate of a difference in points."""

    effect: float
    error: float
    df: float
    of_documents: float

    def above(self, null: float) -> float:
        return chance((self.effect - null), self.error, self.df)

    def below(self, null: float) -> float:
        return chance((null - self.effect), self.error, self.df)

    def interval(self) -> tuple[float, float]:
        reach = float(special.stdtrit(self.df, 1 - LEVEL / 2)) * self.error if self.error else 0.0
        return self.effect - reach, self.effect + reach


def chance(distance: float, error: float, df: float) -> float:
    """Return the probability that chance alone puts an estimate `distance` beyond the null."""
    if error == 0:
        return 0.0 if distance > 0 else 1.0
    return float(special.stdtr(df, -distance / error))


def estimate(samples: Sequence[Sample], priors: Mapping[Stratum, Prior]) -> Estimate:
    """Estimate the signed sum of the samples' means; `priors` has the prior of each stratum.

    The spread over seeds accounts for hits by chance, so documents' variance is without it."""
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
    """Return the prior of each stratum, from the spreads of its samples; see `prior_of`."""
    found: dict[Stratum, dict[tuple[str, ...], Spread]] = {}
    for sample in samples:
        found.setdefault(sample.stratum, {})[sample.name] = sample.spread
    return {stratum: prior_of(list(each.values())) for stratum, each in found.items()}


def prior_of(spreads: Sequence[Spread]) -> Prior:
    """Return what many spreads tell about each (Smyth 2004, 6.2), if at least `FEWEST` are not 0.

    Its degrees of freedom are `NORMAL` if spreads differ by chance alone."""
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
    """Return logarithms that have the same bits on every processor."""
    return np.array([log(value) for value in values])


def holm(p_values: Sequence[float]) -> NDArray[np.float64]:
    """Adjust p-values so that the whole family keeps its chance of a false alarm (Holm 1979)."""
    p = np.asarray(p_values, np.float64)
    order = np.argsort(p, kind="stable")
    stepped = np.maximum.accumulate(p[order] * np.arange(p.size, 0, -1))
    return np.minimum(1, stepped)[np.argsort(order)]


def document_points(truth: Targets, predicted: Targets, metric: Metric) -> Points:
    """Return the points of one run's documents, in percent; macro-F1 leaves out absent classes."""
    check_kinds(truth, predicted)
    actual, claimed = _of_classes(truth, predicted)
    marks = actual.astype(np.float64) + claimed
    if metric == "micro_f1":
        right, marks = (actual & claimed).sum(axis=1, keepdims=True), marks.sum(1, keepdims=True)
    else:
        used = marks.any(axis=0)
        right, marks = (actual & claimed)[:, used], marks[:, used]
    wholes = np.maximum(marks.sum(axis=0), 1)
    f1 = 2 * right.sum(axis=0) / wholes
    influence = ((2 * right - f1 * marks) / wholes).mean(axis=1)
    points: Points = (100 * (f1.mean() + len(truth) * influence)).astype(np.float32)
    return points


def _of_classes(truth: Targets, predicted: Targets) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """Return classes of documents, and predicted classes, shape (documents, classes)."""
    if truth.ndim == 2:
        return np.asarray(truth, bool), np.asarray(predicted, bool)
    classes = np.arange(1 + max(int(truth.max(initial=0)), int(predicted.max(initial=0))))
    return np.asarray(truth[:, None] == classes), np.asarray(predicted[:, None] == classes)


Grid = Sequence[Sequence[Sequence[Estimate]]]  # of points, opponents, methods of left


class Answers(NamedTuple):
    """One p-value for each question that is asked of a claim."""

    p: float
    p_contrary: float
    p_level: float


def answers(grid: Grid, relation: Relation, bound: float) -> Answers:
    """Test a claim, its contrary, and whether both sides are level within 1 point.

    A claim must hold for each method of right: the largest p-value (intersection-union, Berger
    1982). Its contrary needs one: the smallest, times their number. For left, which is the best of
    its methods, the rules are exchanged. Level takes two one-sided tests (Schuirmann 1987). For
    `somewhere`, one point is enough: the smallest p-value of the points, times their number."""
    region, somewhere = relation.region(bound), relation.somewhere
    level = float("nan")
    if somewhere:
        level = holds(grid, (-MARGIN, MARGIN))
    elif relation.has_level:
        level = max(holds(grid, (-MARGIN, inf)), fails(grid, (MARGIN, inf)))
    return Answers(holds(grid, region, somewhere), fails(grid, region), level)


def holds(grid: Grid, region: Region, somewhere: bool = False) -> float:
    """Return the p-value of the claim that some row has all its differences in the region."""
    rows = [max(_holds(points, region, somewhere) for points in row) for row in grid]
    return min(1.0, len(rows) * min(rows))


def _holds(points: Sequence[Estimate], region: Region, somewhere: bool) -> float:
    low, high = region
    everywhere = max(max(one.above(low), one.below(high)) for one in points)
    if not somewhere:
        return everywhere
    return max(everywhere, len(points) * min(one.above(0) for one in points))


def fails(grid: Grid, region: Region) -> float:
    """Return the p-value of the claim that every row has some difference outside the region."""
    low, high = region
    ends = sum(abs(end) < inf for end in region)
    flat = [[one for points in row for one in points] for row in grid]
    rows = [min(min(one.below(low), one.above(high)) for one in row) for row in flat]
    return max(min(1.0, ends * len(row) * p) for row, p in zip(flat, rows, strict=True))
