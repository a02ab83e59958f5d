"""A claim of the paper: which methods it compares, what it says of them, and on which corpora."""

from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import product
from math import inf, log
from typing import Any, Literal, NamedTuple

from pte.corpora.subsets import Subset

FROM_PAPER = "paper"  # the source of the registry's own claims
BESIDE_TABLES = "paper"  # the protocol of what no table shows
HoldsOn = Literal["each", "most", "one"]  # on each of its corpora, more than half, or one
TRAINED = "pte_joint"  # what trainings with other parameters train
Measure = Literal["scores", "seconds", "neighbours", "training neighbours", "all splits"]
""""All splits" are the test documents of all splits of a corpus."""
With = Mapping[str, Any]  # shares in percent, or one parameter of PTE(joint)
SHARES = ("labelled", "unlabelled")
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


class View(NamedTuple):
    """Where a side of a claim is measured: the mean over its `parts`."""

    parts: tuple[str, ...]
    measure: Measure | Literal["training"] = "scores"

    @property
    def name(self) -> str:
        return " & ".join(self.parts)

    @property
    def base(self) -> str:
        return base_of(self.parts[0])

    @property
    def in_tables(self) -> bool:
        """Whether tables show the view: it has scores on whole corpora."""
        return self.measure == "scores" and all(base_of(part) == part for part in self.parts)


Side = tuple[View, str]  # where a method is measured, and the method


class Pair(NamedTuple):
    """Two sides that are compared; if `overall`, they are means over points, and decide nothing."""

    left: Side
    right: Side
    overall: bool = False


def base_of(part: str) -> str:
    return Subset.parse(part.partition(",")[0]).base


def training(corpus: str, parameter: str, value: Any) -> str:
    return f"{corpus}, {parameter} {value}"


def training_of(view: View) -> tuple[str, str, str]:
    corpus, _, said = view.parts[0].partition(", ")
    parameter, _, value = said.partition(" ")
    return corpus, parameter, value


def beside(corpus: str, measure: str) -> str:
    return f"{corpus}, {measure}"


@dataclass(frozen=True)
class Claim:
    """A sentence of the paper: the best method of `left` against each method of `right`.

    `left_with` and `right_with` are shares of documents in percent (several stand for their mean),
    or a parameter of PTE(joint). Both sides are measured at each share of `points`. `each` makes an
    opponent of each value of a parameter. On corpora of `beyond` the difference should shrink."""

    section: str
    quotation: str
    left: tuple[str, ...]
    right: tuple[str, ...]
    relation: str
    corpora: tuple[str, ...]
    left_with: With = field(default_factory=dict)
    right_with: With = field(default_factory=dict)
    points: Mapping[str, Sequence[float]] = field(default_factory=dict)
    each: Mapping[str, Sequence[Any]] = field(default_factory=dict)
    beyond: tuple[str, ...] = ()
    measure: Measure = "scores"
    protocols: tuple[str, ...] = ()
    holds_on: HoldsOn = "each"
    margin: float | None = None
    factor: float | None = None
    source: str = FROM_PAPER
    stand_in_for: Mapping[str, str] = field(default_factory=dict)
    """The paper's corpus of each stand-in."""
    other_splits: Mapping[str, Sequence[str]] = field(default_factory=dict)
    """Same documents, other splits."""

    @classmethod
    def from_mapping(cls, entry: Mapping[str, Any], source: str = FROM_PAPER) -> "Claim":
        """Return the claim of an entry that fits into workflow/schemas/claims.schema.yaml."""
        left = entry["left"]
        several = ("right", "corpora", "beyond", "protocols")
        lists = {key: tuple(entry.get(key, ())) for key in several}
        lists["left"] = (left,) if isinstance(left, str) else tuple(left)
        kind = {"measure": "seconds"} if entry["relation"] == "faster" else {}
        return cls(**{**entry, **kind, **lists}, source=source)

    def on_corpora(
        self,
        official: Mapping[str, Sequence[str]],
        stand_ins: Mapping[str, Sequence[str]],
        other_splits: Mapping[str, Sequence[str]],
    ) -> "Claim":
        """Return the claim on the corpora that are read in the place of the paper's corpora."""
        places = {
            corpus: [*official.get(corpus, ()), *stand_ins.get(corpus, ())]
            for corpus in self.corpora
        }
        corpora = [each for corpus in self.corpora for each in places[corpus] or [corpus]]
        placed = {each: name for name in self.corpora for each in stand_ins.get(name, [])}
        splits = {each: other_splits[each] for each in corpora if each in other_splits}
        return replace(self, corpora=tuple(corpora), stand_in_for=placed, other_splits=splits)

    @property
    def bound(self) -> float | None:
        """The bound of the relation, in points or as a factor; 0 if the relation has no bound."""
        relation = RELATIONS[self.relation]
        if relation.bound_key is None:
            return 0.0
        given: float | None = getattr(self, relation.bound_key)
        return relation.default if given is None else float(given)

    def is_judged_with(self, protocol: str) -> bool:
        if self.protocols:
            return protocol in self.protocols
        views = {view for corpus in self.corpora for view, _ in self.sides(corpus)}
        return protocol == BESIDE_TABLES or all(view.in_tables for view in views)

    def splits_on(self, corpus: str) -> Sequence[str]:
        """Return the further corpora whose test documents count; none unless all of it is meant."""
        whole = all(view.in_tables and view.name == corpus for view, _ in self.sides(corpus))
        return self.other_splits.get(corpus, ()) if whole else ()

    def on_all_splits(self, corpus: str, measured: Container[tuple[str, str]]) -> "Claim":
        """Return the claim by "all splits" of a corpus if both sides are measured by these."""
        wide = replace(self, measure="all splits")
        there = ((view.name, method) in measured for view, method in wide.sides(corpus))
        return wide if self.splits_on(corpus) and all(there) else self

    def pairs(self, corpus: str, left: str) -> list[Pair]:
        """Return the pairs of a method of `left` with its opponents."""
        if self.points:
            ((share, values),) = self.points.items()
            points = [view(corpus, self.measure, {share: value}) for value in values]
            mean = view(corpus, self.measure, self.points)
            return [
                Pair((there, left), (there, right), there == mean)
                for right in self.right
                for there in (*points, mean)
            ]
        here = view(corpus, self.measure, self.left_with)
        withs = [{key: value} for key, values in self.each.items() for value in values]
        views = [view(corpus, self.measure, each) for each in withs or [dict(self.right_with)]]
        return [Pair((here, left), (there, right)) for right in self.right for there in views]

    def sides(self, corpus: str) -> list[Side]:
        found: list[Side] = []
        for place in (corpus, *self.beyond):
            pairs = [pair for method in self.left for pair in self.pairs(place, method)]
            found += [pair.left for pair in pairs] + [pair.right for pair in pairs]
        return list(dict.fromkeys(found))


def view(corpus: str, measure: Measure, given: With) -> View:
    if measure != "scores":
        return View((beside(corpus, measure),), measure)
    if not set(given) <= set(SHARES):
        ((parameter, value),) = given.items()
        return View((training(corpus, parameter, value),), "training")
    several = [value if isinstance(value, list | tuple) else [value] for value in given.values()]
    parts = [
        replace(Subset.parse(corpus), **dict(zip(given, shares, strict=True))).name
        for shares in product(*several)
    ]
    return View(tuple(parts))


def sides(claims: Iterable[Claim], measure: str) -> list[Side]:
    found = [side for claim in claims for corpus in claim.corpora for side in claim.sides(corpus)]
    return [side for side in dict.fromkeys(found) if side[0].measure == measure]
