"""A claim of the paper: what it says of which methods, and on which corpora."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from pte.claims import relations
from pte.corpora.subsets import Subset
from pte.errors import PteError

PAPER = "paper"
"""The source of the claims that the registry itself holds."""


@dataclass(frozen=True)
class Claim:
    """A sentence of the paper that compares the method `left` with each method of `right`.

    `relation` is the name of one in `pte.claims.relations`, and `margin` or `factor` is its bound.
    `right_with` says what right is measured with if that is not the same as for left: a percent of
    `labelled` or `unlabelled` documents, or a part of the `samples`. `source` says who claims it:
    the paper, or the plugin of that name. The tests of a source are one family.
    """

    section: str
    quotation: str
    left: str
    right: tuple[str, ...]
    relation: str
    corpora: tuple[str, ...]
    right_with: Mapping[str, float] = field(default_factory=dict)
    margin: float | None = None
    factor: float | None = None
    source: str = PAPER
    stand_in_for: Mapping[str, str] = field(default_factory=dict)
    """The corpora that stand in for one of the paper's, and for which."""

    @classmethod
    def from_mapping(cls, entry: Mapping[str, Any], where: str, source: str = PAPER) -> "Claim":
        """Read an entry of claims.yaml. `where` is how messages begin: the file and the key.

        Raises `PteError` when its relation is unknown, or its bound is not one of the relation's.
        """
        lists = {key: tuple(entry[key]) for key in ("right", "corpora")}
        claim = cls(**{**entry, **lists}, source=source)
        try:
            relation = relations.named(claim.relation)
        except PteError as error:
            raise PteError(f"{where}.relation: {error}") from None
        for key in relations.BOUND_KEYS:
            if getattr(claim, key) is not None and key != relation.bound_key:
                raise PteError(f"{where}.{key}: {relation.name} has no {key}; remove it")
        if relation.bound_key and claim.bound is None:
            raise PteError(f"{where}: {relation.name} needs a {relation.bound_key}; add it")
        return claim

    def on_stand_ins(self, stand_ins: Mapping[str, Sequence[str]]) -> "Claim":
        """Put corpora that stand in for some of the paper's in their place."""
        corpora = [each for corpus in self.corpora for each in stand_ins.get(corpus, [corpus])]
        placed = {each: name for name in self.corpora for each in stand_ins.get(name, [])}
        return replace(self, corpora=tuple(corpora), stand_in_for=placed)

    @property
    def bound(self) -> float | None:
        """The points or the factor that the relation is about, if it has a bound."""
        relation = relations.named(self.relation)
        if relation.bound_key is None:
            return 0.0
        given: float | None = getattr(self, relation.bound_key)
        return relation.default if given is None else float(given)

    @property
    def part_of_samples(self) -> float | None:
        """The part of the longest training that is compared with its end, if the claim says so."""
        return self.right_with.get("samples")

    def views(self, corpus: str) -> tuple[str, str]:
        """Say where left and right are measured.

        Left is measured on the corpus, and right on what `right_with` makes of it. If that is a
        part of the samples, left is measured at the end of the longest training and right at that
        part of it; the names are those of `checkpoint`.
        """
        if self.part_of_samples is not None:
            return checkpoint(corpus, 1), checkpoint(corpus, self.part_of_samples)
        shares: dict[str, Any] = dict(self.right_with)
        return corpus, replace(Subset.parse(corpus), **shares).name


def checkpoint(corpus: str, part: float) -> str:
    """Name a corpus after a part of the longest training on it."""
    return f"{corpus} at {part:g} T"
