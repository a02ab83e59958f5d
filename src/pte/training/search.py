"""One way to choose: score each candidate in turn, and take the first with the best score."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any, Generic, TypeVar

import numpy as np

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

Candidate = TypeVar("Candidate", bound="DataclassInstance")

Value = TypeVar("Value")

GAIN = 0.1
"""How many points a choice must gain, to be taken in place of one that was tried before."""

LEAST, MOST = 1e-6, 1e6
"""The bounds of `outwards`, which no search has met yet but those that score nothing."""


@dataclass(frozen=True)
class Search(Generic[Candidate]):
    """The `best` candidate, and those `tried` with their scores; none if `best` was given."""

    best: Candidate
    tried: tuple[tuple[Candidate, float], ...] = ()

    def curve(self, score: str = "score") -> list[dict[str, Any]]:
        """Return a point of JSON for each candidate tried; `score` is the key of its score."""
        return [asdict(candidate) | {score: value} for candidate, value in self.tried]

    @classmethod
    def of(cls, tried: Sequence[tuple[Candidate, float]]) -> "Search[Candidate]":
        """Choose the first candidate with the best score; there must be at least one candidate."""
        best = int(np.argmax([score for _, score in tried]))
        return cls(tried[best][0], tuple(tried))

    @property
    def notes(self) -> dict[str, Any]:
        """The choice and the curve, for the notes of a fit."""
        return {"choice": asdict(self.best), "curve": self.curve()}


def search(
    candidates: Iterable[Candidate],
    score: Callable[[Candidate], float],
    ended: Callable[[Sequence[float]], bool] = lambda scores: False,
) -> Search[Candidate]:
    """Score the candidates until `ended` is true of the scores; choose the first of the best."""
    tried: list[tuple[Candidate, float]] = []
    for candidate in candidates:
        tried.append((candidate, score(candidate)))
        if ended([value for _, value in tried]):
            break
    return Search.of(tried)


def outwards(
    score: Callable[[float], float], start: float = 1.0, factor: float = 10.0
) -> list[tuple[float, float]]:
    """Score `start`, and values further and further from it, by `factor`, while scores still rise.

    Up ends after two values that do not gain `GAIN`, but not while all scores are 0, as for rare
    labels; down, if nothing above is better, after one. No search ends at its best value.
    """
    found = [(start, score(start))]
    while found[-1][0] < MOST and (_highest(found) == 0 or _rises(found, 2)):
        value = _rounded(start * factor ** len(found))
        found.append((value, score(value)))
    if first_best(found) != start:
        return found
    below = found[:1]
    while below[-1][0] > LEAST and _rises(below, 1):
        value = _rounded(start / factor ** len(below))
        below.append((value, score(value)))
    return found + below[1:]


def first_best(found: Sequence[tuple[Value, float]]) -> Value:
    """Return the first value that no other value is better than by `GAIN` percentage points."""
    highest = _highest(found)
    return next(value for value, score in found if score > highest - GAIN)


def _highest(found: Sequence[tuple[Any, float]]) -> float:
    return max(score for _, score in found)


def _rises(found: Sequence[tuple[float, float]], last: int) -> bool:
    before = found[:-last]
    return not before or _highest(found[-last:]) >= _highest(before) + GAIN


def _rounded(value: float) -> float:
    return float(f"{value:.3g}")


def is_worse(scores: Sequence[float], n: int) -> bool:
    """Return whether the last score, of `n` documents, is a standard error below the best."""
    best = max(scores)
    return scores[-1] < best - standard_error(best, n)


def standard_error(percent: float, n: int) -> float:
    """Return the standard error, in percent, of the share `percent` of `n` documents."""
    return float(np.sqrt(percent * (100 - percent) / n))
