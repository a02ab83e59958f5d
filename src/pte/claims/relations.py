"""What a claim can say of two methods. Each relation stands here with all that follows from it.

A plugin adds a relation as a module of the relation's name that holds a `RELATION`.
"""

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Literal, NamedTuple

from pte import plugins
from pte.errors import PteError


class Measured(NamedTuple):
    """What was measured of a pair: left minus right in points, or right's seconds over left's.

    `low` and `high` are the ends of the interval, or the extremes over the seeds. `differs` tells
    whether the test finds a difference from the relation's null difference.
    """

    effect: float
    low: float
    high: float
    bound: float
    differs: bool


def _no_difference(effect: float, bound: float) -> float:
    return 0.0


def _the_effect(effect: float) -> float:
    return effect


@dataclass(frozen=True)
class Relation:
    """What a claim says of left and right, and how it is judged.

    `compares` names what is measured. `bound_key` is the key of claims.yaml that gives the bound,
    if the relation has one, and `default` its value where a claim does not give it. `holds` and
    `fails` decide; where neither does, the pair is inconclusive. `null` gives the difference that
    the test is against, from the effect and the bound. `ease` gives how easy a pair is for the
    claim, from its effect; the hardest pair of a claim decides, and tables show it.
    """

    name: str
    holds: Callable[[Measured], bool]
    fails: Callable[[Measured], bool]
    compares: Literal["scores", "seconds"] = "scores"
    bound_key: Literal["margin", "factor"] | None = None
    default: float | None = None
    null: Callable[[float, float], float] = _no_difference
    ease: Callable[[float], float] = _the_effect


BOUND_KEYS: tuple[Literal["margin", "factor"], ...] = ("margin", "factor")
"""The keys of claims.yaml that can give a bound."""
MARGIN = 1.0
"""Points of micro-F1 within which methods are comparable, where a claim does not say."""

ABOVE = Relation(
    "above",
    holds=lambda pair: pair.differs and pair.effect > 0,
    fails=lambda pair: pair.differs and pair.effect <= 0,
)
"""Left is better than right."""

COMPARABLE = Relation(
    "comparable",
    holds=lambda pair: pair.differs and abs(pair.effect) < pair.bound,
    fails=lambda pair: pair.differs and abs(pair.effect) >= pair.bound,
    bound_key="margin",
    default=MARGIN,
    null=lambda effect, bound: math.copysign(bound, effect),
    ease=lambda effect: -abs(effect),
)
"""Left and right lie within the margin of each other."""

NOT_ABOVE = Relation(
    "not_above",
    holds=lambda pair: pair.differs and pair.effect < pair.bound,
    fails=lambda pair: pair.differs and pair.effect >= pair.bound,
    bound_key="margin",
    default=MARGIN,
    null=lambda effect, bound: bound,
    ease=lambda effect: -effect,
)
"""Left is less than the margin better than right."""

FASTER = Relation(
    "faster",
    holds=lambda pair: pair.low >= pair.bound,
    fails=lambda pair: pair.high < pair.bound,
    compares="seconds",
    bound_key="factor",
)
"""Right takes at least the factor times as many seconds of training, with every seed."""

BUILT_IN = {relation.name: relation for relation in (ABOVE, COMPARABLE, NOT_ABOVE, FASTER)}


def named(name: str) -> Relation:
    """Return the relation of that name: one of ours, or that of a plugin.

    Raises `PteError` when there is neither.
    """
    if name in BUILT_IN:
        return BUILT_IN[name]
    try:
        relation = getattr(plugins.load("claims", name), "RELATION", None)
    except PteError:
        relation = None
    if not isinstance(relation, Relation):
        raise PteError(
            f"{name!r} is not one of {', '.join(BUILT_IN)}, nor is there a module {name}.py with "
            "a RELATION in a folder of config.yaml: plugins"
        )
    return relation


def relation_modules(names: Iterable[str]) -> list[str]:
    """Return the modules of plugins that hold the relations of these names, each once."""
    others = sorted({name for name in names if name not in BUILT_IN})
    return [plugins.module_name("claims", name) for name in others]
