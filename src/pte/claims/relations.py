"""What a claim can say of two methods. Each relation stands here with all that follows from it.

A plugin adds a relation as a module of the relation's name that holds a `RELATION`.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from math import inf, log
from typing import Literal

from pte import plugins
from pte.errors import PteError

MARGIN = 1.0
"""Points of F1 within which methods are comparable, where a claim does not say, and level."""

Region = tuple[float, float]
"""Between which differences, left minus right, a claim holds."""


@dataclass(frozen=True)
class Relation:
    """What a claim says of the best method of left and of every method of right.

    `region` gives between which differences it holds, from the bound. `compares` names what is
    measured: points of F1, or logarithms of right's seconds over left's. `bound_key` is the key of
    claims.yaml that gives the bound, if the relation has one, and `default` its value where a claim
    does not give it. If a difference of nothing separates the claim from its contrary, `has_level`,
    and both sides may turn out to be level.
    """

    name: str
    region: Callable[[float], Region]
    compares: Literal["scores", "seconds"] = "scores"
    bound_key: Literal["margin", "factor"] | None = None
    default: float | None = None
    has_level: bool = False


BOUND_KEYS: tuple[Literal["margin", "factor"], ...] = ("margin", "factor")
"""The keys of claims.yaml that can give a bound."""

ABOVE = Relation("above", lambda bound: (0.0, inf), has_level=True)
"""Left is better than right."""

COMPARABLE = Relation(
    "comparable", lambda bound: (-bound, bound), bound_key="margin", default=MARGIN
)
"""Left and right lie within the margin of each other."""

NOT_ABOVE = Relation("not_above", lambda bound: (-inf, bound), bound_key="margin", default=MARGIN)
"""Left is less than the margin better than right."""

NOT_BELOW = Relation("not_below", lambda bound: (-bound, inf), bound_key="margin", default=MARGIN)
"""Left is less than the margin worse than right."""

FASTER = Relation("faster", lambda bound: (log(bound), inf), compares="seconds", bound_key="factor")
"""Right takes at least the factor times as many seconds of training, in the geometric mean."""

BUILT_IN = {each.name: each for each in (ABOVE, COMPARABLE, NOT_ABOVE, NOT_BELOW, FASTER)}


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
