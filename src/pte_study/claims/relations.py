"""The relations of claims between methods."""

from collections.abc import Callable
from dataclasses import dataclass
from math import inf, log
from typing import Literal

MARGIN = 1.0  # points of F1 within which methods are level, by default
Region = tuple[float, float]  # the differences, left minus right, between which a claim holds


@dataclass(frozen=True)
class Relation:
    """What a claim says about the best method of left and every method of right.

    `region` makes the differences where it holds, from the bound, whose key in claims.yaml is
    `bound_key`. `has_level`: a difference of 0 separates the claim from its contrary.
    `somewhere`: left must also be above right at one point at least."""

    name: str
    region: Callable[[float], Region]
    bound_key: Literal["margin", "factor"] | None = None
    default: float | None = None
    has_level: bool = False
    somewhere: bool = False


ABOVE = Relation("above", lambda bound: (0.0, inf), has_level=True)
CONSISTENTLY = Relation(
    "consistently",
    lambda bound: (-bound, inf),
    bound_key="margin",
    default=MARGIN,
    has_level=True,
    somewhere=True,
)  # nowhere more than the margin worse, somewhere better
COMPARABLE = Relation(
    "comparable", lambda bound: (-bound, bound), bound_key="margin", default=MARGIN
)
NOT_ABOVE = Relation("not_above", lambda bound: (-inf, bound), bound_key="margin", default=MARGIN)
"""Left is less than the margin better."""

NOT_BELOW = Relation("not_below", lambda bound: (-bound, inf), bound_key="margin", default=MARGIN)
"""Left is less than the margin worse."""

FASTER = Relation("faster", lambda bound: (log(bound), inf), bound_key="factor")
"""By the factor, in the geometric mean of seconds."""

RELATIONS = {
    each.name: each for each in (ABOVE, CONSISTENTLY, COMPARABLE, NOT_ABOVE, NOT_BELOW, FASTER)
}
