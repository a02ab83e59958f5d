"""The questions that are asked of a claim, and their p-values."""

from collections.abc import Sequence
from math import inf
from typing import NamedTuple

from pte_study.claims.relations import MARGIN, Region, Relation
from pte_study.claims.significance import Estimate

Grid = Sequence[Sequence[Sequence[Estimate]]]
"""The estimates of a claim at each point, for each opponent, for each method of left."""


class Answers(NamedTuple):
    """One p-value for each question that is asked of a claim.

    `p` is the p-value of the claim itself, `p_contrary` is the p-value of its contrary, and
    `p_level` is the p-value of the claim that both sides are level. `p_level` is NaN if the
    relation of the claim does not have `has_level`.
    """

    p: float
    p_contrary: float
    p_level: float


def answers(grid: Grid, relation: Relation, bound: float) -> Answers:
    """Test a claim, its contrary, and whether both sides are level.

    A claim about several methods of right holds if it holds for each method. This is the
    intersection-union test, whose p-value is the largest (Berger 1982). The contrary of the claim
    holds if it holds for one method, so the smallest p-value is multiplied by the number of
    methods. Left stands for the best of its methods, so for left the two rules are exchanged. Both
    sides are level if the hardest difference is above -1 and below 1 point. This takes two
    one-sided tests (Schuirmann 1987).

    If left must be above an opponent `somewhere`, one point is enough, so the smallest p-value of
    the points is multiplied by their number. Both sides are then level if all differences are.
    """
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
