"""The outcomes of the runs of a method, and how the outcomes of two methods are compared."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from pte.errors import PteError
from pte_study.claims.claim import Side, View, base_of, beside
from pte_study.claims.points import Points
from pte_study.claims.significance import Sample, Spreads, Stratum

Key = tuple[str, str]
"""A part of a view, and a method."""
AllOutcomes = Mapping[Key, "Outcomes"]
"""The outcomes of all methods."""


@dataclass(frozen=True)
class Outcomes:
    """The points of the runs of a method, in the order of their seeds.

    `points` are float32, shape (seeds, documents). If `seeds` is None, one run stands for every
    seed. The points of seconds are their logarithms, shape (seeds, 1).
    """

    seeds: tuple[int, ...] | None
    points: Points

    def of_seeds(self, seeds: Sequence[int]) -> "Outcomes":
        """Return the outcomes of the given seeds, in the order that is given."""
        if self.seeds is None:
            return self
        kept = [self.seeds.index(seed) for seed in seeds]
        return Outcomes(tuple(seeds), self.points[kept])

    @property
    def is_enough(self) -> bool:
        """Whether there are at least two seeds, or one run stands for every seed."""
        return self.seeds is None or len(self.seeds) >= 2


class Kinds(NamedTuple):
    """The methods of two kinds.

    The `unseeded` methods need no seed. The `stochastic` methods classify by themselves, with a
    classifier that depends on the seed.
    """

    unseeded: Collection[str] = ()
    stochastic: Collection[str] = ()


def on_all_splits(runs: AllOutcomes, splits: Mapping[str, Sequence[str]]) -> dict[Key, Outcomes]:
    """Return the outcomes with those on the test documents of all splits of a corpus.

    `splits` has the other splits by the corpus. Points of one seed follow each other, for the seeds
    that all splits have; these must be two at least.
    """
    found = dict(runs)
    for part, method in runs:
        names = (part, *splits.get(part, ()))
        each = [runs[name, method] for name in names if (name, method) in runs]
        if len(names) == 1 or len(each) < len(names):
            continue
        seeds = None if each[0].seeds is None else tuple(_in_common(each))
        if seeds is not None and len(seeds) < 2:
            continue
        points = [one.of_seeds(seeds or ()).points for one in each]
        found[beside(part, "all splits"), method] = Outcomes(seeds, np.concatenate(points, axis=1))
    return found


def outcomes_on(view: View, method: str, runs: AllOutcomes) -> Outcomes | str:
    """Return the outcomes of a method on a view, or say what is missing.

    If the view has several parts, the points of a document are the mean over the parts, for the
    seeds that all parts have.
    """
    for part in view.parts:
        if (part, method) not in runs:
            return f"no scores of {method} on {part}"
    all_parts = [runs[part, method] for part in view.parts]
    if len(all_parts) > 1:
        seeds = _in_common(all_parts)
        points = [each.of_seeds(seeds).points for each in all_parts]
        whole = np.stack(np.broadcast_arrays(*points)).mean(axis=0)
        all_parts = [Outcomes(tuple(seeds), whole)]
    if not all_parts[0].is_enough:
        return f"{method} has fewer than two seeds on {view.name}"
    return all_parts[0]


def _in_common(all_outcomes: Iterable[Outcomes]) -> list[int]:
    seeds = [set(each.seeds) for each in all_outcomes if each.seeds is not None]
    return sorted(set.intersection(*seeds)) if seeds else []


def difference(left: Side, right: Side, runs: AllOutcomes, kinds: Kinds) -> list[Sample] | str:
    """Return the samples of left minus right, or say why left and right cannot be compared.

    For seconds, the samples are of right minus left. If runs with one seed have something in
    common, there is one sample, of the differences at each seed. Otherwise each side has a sample.
    On parts of a corpus, runs with one seed see the same documents, and trainings with other
    parameters share their random numbers. Raises `PteError` when the sides of one sample have
    different numbers of test documents.
    """
    found = [outcomes_on(view, method, runs) for view, method in (left, right)]
    for each in found:
        if isinstance(each, str):
            return each
    ours, theirs = (each for each in found if isinstance(each, Outcomes))
    if "runs" in (_spreads(left[0]), _spreads(right[0])):
        signs = (-1, 1) if left[0].measure == "seconds" else (1, -1)
        return [
            _sample(sign, each.points, (side,), kinds)
            for sign, each, side in zip(signs, (ours, theirs), (left, right), strict=True)
        ]
    seeds = _in_common([ours, theirs])
    if len(seeds) < 2:
        return f"{left[1]} and {right[1]} have fewer than two seeds in common"
    ours, theirs = ours.of_seeds(seeds), theirs.of_seeds(seeds)
    if ours.points.shape[1] != theirs.points.shape[1]:
        numbers = f"{ours.points.shape[1]} and {theirs.points.shape[1]}"
        raise PteError(f"{left[0].name}: {left[1]} and {right[1]}: {numbers} test documents")
    return [_sample(1, ours.points - theirs.points, (left, right), kinds)]


def _spreads(view: View) -> Spreads:
    """Return what varies with the seed: "runs" if runs with one seed have nothing in common."""
    if view.measure == "training":
        return "trainings"
    if view.measure != "scores" or all(part == base_of(part) for part in view.parts):
        return "runs"
    return "curves" if len(view.parts) > 1 else "parts"


def _sample(sign: int, points: Points, sides: Sequence[Side], kinds: Kinds) -> Sample:
    """Return a sample of one side, or of the differences of two sides.

    The name of the sample does not depend on the order of the sides.
    """
    view = sides[0][0]
    stochastic = any(method in kinds.stochastic for _, method in sides)
    place = view.base if view.measure in ("scores", "training") else view.parts[0]
    of_sides = [_spreads(each) for each, _ in sides]
    spreads: Spreads = "curves" if "curves" in of_sides else of_sides[0]
    stratum = Stratum(place, spreads, stochastic and "neighbours" not in view.measure)
    name = tuple(
        text for pair in sorted((each.name, method) for each, method in sides) for text in pair
    )
    return Sample(sign, points, place, stratum, name)
