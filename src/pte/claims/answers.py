"""The questions that are asked of a claim, and their p-values."""

from collections.abc import Sequence
from math import inf
from typing import NamedTuple

from pte.claims.relations import MARGIN, Region, Relation
from pte.claims.significance import Estimate

Grid = Sequence[Sequence[Estimate]]
"""The estimates of a claim: a row for each method on the left, an entry for each on the right."""


class Answers(NamedTuple):
    """One p-value for each question that is asked of a claim.

    `p` is that of the claim itself, `p_contrary` that of its contrary, and `p_level` that of both
    sides being level; the last is NaN if the claim itself is about a margin.
    """

    p: float
    p_contrary: float
    p_level: float


def answers(grid: Grid, relation: Relation, bound: float) -> Answers:
    """Test a claim, its contrary, and whether both sides are level.

    A claim about several methods of right holds if it does for each: the intersection-union test,
    whose p-value is the largest (Berger 1982). Its contrary holds if it does for one, so that the
    smallest is multiplied by their number. Left stands for the best of its methods, so that there
    it is the other way round. Level are two sides if the hardest difference of all is above -1 and
    below 1 point: two one-sided tests (Schuirmann 1987).
    """
    region = relation.region(bound)
    level = float("nan")
    if relation.has_level:
        level = max(holds(grid, (-MARGIN, inf)), fails(grid, (MARGIN, inf)))
    return Answers(holds(grid, region), fails(grid, region), level)


def holds(grid: Grid, region: Region) -> float:
    """Return the p-value of: for one row, all differences lie in the region."""
    low, high = region
    rows = [max(max(one.above(low), one.below(high)) for one in row) for row in grid]
    return min(1.0, len(rows) * min(rows))


def fails(grid: Grid, region: Region) -> float:
    """Return the p-value of: in every row, some difference lies outside the region."""
    low, high = region
    ends = sum(abs(end) < inf for end in region)
    rows = [min(min(one.below(low), one.above(high)) for one in row) for row in grid]
    return max(min(1.0, ends * len(row) * p) for row, p in zip(grid, rows, strict=True))
