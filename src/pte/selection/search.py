"""One way to choose: each candidate is scored in turn, and the first of the best is taken."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any, Generic, TypeVar

import numpy as np

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

Candidate = TypeVar("Candidate", bound="DataclassInstance")
"""Values to choose from together: a frozen dataclass."""


@dataclass(frozen=True)
class Search(Generic[Candidate]):
    """`best` is what was chosen. `tried` holds the candidates in order, each with its score.

    Nothing was tried where `best` was given.
    """

    best: Candidate
    tried: tuple[tuple[Candidate, float], ...] = ()

    def curve(self, score: str = "score") -> list[dict[str, Any]]:
        """A point of JSON for each candidate that was tried; `score` is the key of its score."""
        return [asdict(candidate) | {score: value} for candidate, value in self.tried]

    @classmethod
    def of(cls, tried: Sequence[tuple[Candidate, float]]) -> "Search[Candidate]":
        """The first of the best, of at least one."""
        best = int(np.argmax([score for _, score in tried]))
        return cls(tried[best][0], tuple(tried))

    @property
    def notes(self) -> dict[str, Any]:
        """What the notes of a fit say."""
        return {"choice": asdict(self.best), "curve": self.curve()}


def search(
    candidates: Iterable[Candidate],
    score: Callable[[Candidate], float],
    ended: Callable[[Sequence[float]], bool] = lambda scores: False,
) -> Search[Candidate]:
    """Score the candidates in their order, of which there must be one; more is better.

    The search ends early when `ended` is true of the scores so far.
    """
    tried: list[tuple[Candidate, float]] = []
    for candidate in candidates:
        tried.append((candidate, score(candidate)))
        if ended([value for _, value in tried]):
            break
    return Search.of(tried)


def is_worse(scores: Sequence[float], n: int) -> bool:
    """Whether the last score is below the best by a standard error.

    The scores are shares of `n` documents, in percent.
    """
    best = max(scores)
    return scores[-1] < best - standard_error(best, n)


def standard_error(percent: float, n: int) -> float:
    """The standard error of a share of n documents, in percent."""
    return float(np.sqrt(percent * (100 - percent) / n))
