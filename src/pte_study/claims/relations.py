"""The relations that a claim can state between methods, with all that depends on a relation.

A plugin adds a relation as a module of the relation's name that holds a `RELATION`.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from math import inf, log
from typing import Literal

from pte import plugins
from pte.errors import PteError

MARGIN = 1.0
"""Points of F1 within which methods are level, and comparable if a claim does not give a margin."""

Region = tuple[float, float]
"""The two differences, left minus right, between which a claim holds."""


@dataclass(frozen=True)
class Relation:
    """What a claim says about the best method of left and every method of right.

    `region` returns the region in which the claim holds, from the bound. `compares` names what is
    measured: points of F1, or logarithms of right's seconds over left's seconds. `bound_key` is the
    key of claims.yaml that gives the bound, if the relation has a bound. `default` is the bound if
    a claim does not give one. `has_level` is true if a difference of 0 separates the claim from its
    contrary, so that both sides may turn out to be level. If `somewhere` is true, left must also be
    above right at one point of the claim at least.
    """

    name: str
    region: Callable[[float], Region]
    compares: Literal["scores", "seconds"] = "scores"
    bound_key: Literal["margin", "factor"] | None = None
    default: float | None = None
    has_level: bool = False
    somewhere: bool = False


ABOVE = Relation("above", lambda bound: (0.0, inf), has_level=True)
"""Left is better than right."""

CONSISTENTLY = Relation(
    "consistently",
    lambda bound: (-bound, inf),
    bound_key="margin",
    default=MARGIN,
    has_level=True,
    somewhere=True,
)
"""Left is nowhere more than the margin worse than right, and somewhere better."""

COMPARABLE = Relation(
    "comparable", lambda bound: (-bound, bound), bound_key="margin", default=MARGIN
)
"""Left and right lie within the margin of each other."""

NOT_ABOVE = Relation("not_above", lambda bound: (-inf, bound), bound_key="margin", default=MARGIN)
"""Left is less than the margin better than right."""

NOT_BELOW = Relation("not_below", lambda bound: (-bound, inf), bound_key="margin", default=MARGIN)
"""Left is less than the margin worse than right."""

FASTER = Relation("faster", lambda bound: (log(bound), inf), compares="seconds", bound_key="factor")
"""Right takes at least the factor times left's seconds of training, in the geometric mean."""

BUILT_IN = {
    each.name: each for each in (ABOVE, CONSISTENTLY, COMPARABLE, NOT_ABOVE, NOT_BELOW, FASTER)
}


def named(name: str) -> Relation:
    """Return the relation of a name, which is built in or comes from a plugin."""
    if name in BUILT_IN:
        return BUILT_IN[name]
    try:
        relation = getattr(plugins.load("pte_study.claims", name), "RELATION", None)
    except PteError:
        relation = None
    if not isinstance(relation, Relation):
        raise PteError(
            f"{name!r} is not one of {', '.join(BUILT_IN)}, nor is there a module {name}.py with "
            "a RELATION in a folder of config.yaml: plugins"
        )
    return relation


def relation_modules(names: Iterable[str]) -> list[str]:
    """Return the names of the plugin modules that hold the relations of these names, each once."""
    others = sorted({name for name in names if name not in BUILT_IN})
    return [plugins.module_name("pte_study.claims", name) for name in others]
