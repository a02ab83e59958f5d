"""How a training runs."""

import math
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pte.errors import PteError
from pte.limits import MOST_DIM, MOST_NEGATIVES, MOST_WINDOW, refuse_outside

Progress = Callable[[int, int], None]
"""Called now and then with (steps done, steps in all), from the calling thread."""

EDGES_OF_THREAD = 2_000_000
"""Threads that race train at least so many edges each; with fewer, racing costs micro-F1.

That is less than a second of work, so more threads would save little time.
"""

KINDS: dict[str, dict[str, int]] = {
    "edge": {},
    "shared": {"negatives": 8, "share": 8},
    "grouped": {"size": 8, "negatives": 16, "share": 4},
}
"""The kinds of steps, and their default values."""


@dataclass(frozen=True)
class Step:
    """Which edges share rows (`pte.core.edges`).

    A step of `kind` "edge" trains one edge, with K negatives of its own. A "shared" step trains one
    edge; `share` consecutive edges of a network have the same negatives, `negatives` of them. A
    "grouped" step trains a source with `size` targets; `share` consecutive groups of a network have
    the same negatives, `negatives` of them. The negatives count as K for each edge, however many
    negatives are drawn.
    """

    kind: str = "edge"
    size: int = 1
    negatives: int = 1
    share: int = 1

    def __post_init__(self) -> None:
        """Refuse values that no training could use; raises `PteError`."""
        if self.kind not in KINDS:
            raise PteError(f"step.kind is {self.kind!r}; it must be one of {', '.join(KINDS)}")
        for name in ("size", "negatives", "share"):
            refuse_outside(f"step.{name}", getattr(self, name), 1, MOST_NEGATIVES)
        if self.kind != "grouped" and self.size > 1:
            raise PteError(f"step.size is {self.size}, but only groups have a size")

    @classmethod
    def of(cls, kind: str = "edge", **given: int) -> "Step":
        """Return a step of this kind, with the values of `KINDS` where no values are given."""
        return cls(kind, **KINDS.get(kind, {}) | given)

    def drawn_negatives(self, negatives: int) -> int:
        """Return the number of negatives of a draw, where each edge has K = `negatives`."""
        return negatives if self.kind == "edge" else self.negatives


@dataclass(frozen=True)
class Hyperparameters:
    """The hyperparameters that the paper fixes for all corpora (section 5.1).

    `dim` is the length of a vector, `negatives` (K) the number of negative samples for each edge,
    `rate` (ρ₀) the learning rate at the start, and `window` the largest distance between
    neighbouring words. `step` says which edges a step trains together; in the paper it is one edge.
    """

    dim: int = 100
    negatives: int = 5
    rate: float = 0.025
    window: int = 5
    step: Step = Step()

    def __post_init__(self) -> None:
        """Refuse values that no training could use; raises `PteError`."""
        refuse_outside("dim", self.dim, 1, MOST_DIM)
        refuse_outside("negatives", self.negatives, 0, MOST_NEGATIVES)
        refuse_outside("window", self.window, 1, MOST_WINDOW)
        if not 0 < self.rate < math.inf:
            raise PteError(f"rate is {self.rate}; it must be positive and finite")


class KnownWords(NamedTuple):
    """Words that have vectors before a training: `rows` of the vocabulary, int64, and `vectors`.

    The vectors are float32, shape (rows, dim).
    """

    rows: NDArray[np.int64]
    vectors: NDArray[np.float32]

    def fill(self, words: NDArray[np.float32]) -> None:
        """Write the vectors into a table of words."""
        words[self.rows, : self.vectors.shape[1]] = self.vectors


@dataclass(frozen=True)
class Setup:
    """The hyperparameters, the seed, how threads share the work, and words known before.

    One seed and one thread give bit-identical results. Several threads race. The `known` words of
    LINE and PTE begin with their vectors, as in a later phase; the other words begin at random.
    """

    seed: int
    hyperparameters: Hyperparameters = field(default_factory=Hyperparameters)
    threads: int = 1
    progress: Progress | None = None
    known: KnownWords | None = None

    def __post_init__(self) -> None:
        """Refuse values that no training could use; raises `PteError`."""
        if self.seed < 0:
            raise PteError(f"seed is {self.seed}; it must not be negative")
        if self.threads < 1:
            raise PteError(f"threads is {self.threads}; it must be positive")
        dim = self.hyperparameters.dim
        if self.known is not None and self.known.vectors.shape[1] != dim:
            known = self.known.vectors.shape[1]
            raise PteError(f"dim is {dim}, but the known vectors have {known} numbers")

    def for_edges(self, edges: int) -> "Setup":
        """Return the setup with as many threads as can race on so many `edges` without loss.

        Each racing thread trains at least `EDGES_OF_THREAD` edges.
        """
        return replace(self, threads=max(1, min(self.threads, edges // EDGES_OF_THREAD)))
