"""One way to choose: score each candidate in turn, and take the first with the best score."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any, Generic, TypeVar

import numpy as np

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

Candidate = TypeVar("Candidate", bound="DataclassInstance")
"""Values that are chosen together, as a frozen dataclass."""


@dataclass(frozen=True)
class Search(Generic[Candidate]):
    """The candidate that was chosen, as `best`, and the candidates `tried`, each with its score.

    `tried` is in the order of the search; it is empty if `best` was given without a search.
    """

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
    """Score the candidates in their order, and choose the first with the highest score.

    There must be a candidate. The search ends early when `ended` is true of the scores so far.
    """
    tried: list[tuple[Candidate, float]] = []
    for candidate in candidates:
        tried.append((candidate, score(candidate)))
        if ended([value for _, value in tried]):
            break
    return Search.of(tried)


def is_worse(scores: Sequence[float], n: int) -> bool:
    """Return whether the last score is below the best score by more than a standard error.

    The scores are shares of `n` documents, in percent.
    """
    best = max(scores)
    return scores[-1] < best - standard_error(best, n)


def standard_error(percent: float, n: int) -> float:
    """Return the standard error, in percent, of the share `percent` of `n` documents."""
    return float(np.sqrt(percent * (100 - percent) / n))
