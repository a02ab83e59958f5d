"""The settings of trainings: hyperparameters, seed and threads, and what trainings return."""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pte.errors import PteError
from pte.limits import MOST_DIM, MOST_NEGATIVES, MOST_WINDOW, refuse_outside

Progress = Callable[[int, int], None]  # (steps done, steps in all), from the calling thread
EDGES_OF_THREAD = 2_000_000  # each racing thread trains at least so many, or F1 suffers

KINDS: dict[str, dict[str, int]] = {
    "edge": {},
    "shared": {"negatives": 8, "share": 8},
    "grouped": {"size": 8, "negatives": 16, "share": 4},
}


@dataclass(frozen=True)
class Step:
    """Which edges share rows (`pte.core.edges`); negatives count as K for each edge.

    "edge" has K of its own; `share` edges of "shared", or groups of `size` targets, have the same.
    """

    kind: str = "edge"
    size: int = 1
    negatives: int = 1
    share: int = 1

    def __post_init__(self) -> None:
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


NOISE_POWER = 0.75  # the exponent of degrees


@dataclass(frozen=True)
class Hyperparameters:
    """The paper's hyperparameters (section 5.1): dim, K, ρ₀ and window; its `step` is an edge."""

    dim: int = 100
    negatives: int = 5
    learning_rate: float = 0.025
    window: int = 5
    step: Step = Step()

    def noise(self, degrees: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return weights by which negatives are drawn, from words' degrees (paper, section 4.1)."""
        return np.asarray(degrees**NOISE_POWER)

    def __post_init__(self) -> None:
        refuse_outside("dim", self.dim, 1, MOST_DIM)
        refuse_outside("negatives", self.negatives, 0, MOST_NEGATIVES)
        refuse_outside("window", self.window, 1, MOST_WINDOW)
        if not 0 < self.learning_rate < math.inf:
            raise PteError(f"learning_rate is {self.learning_rate}; it must be positive and finite")


class KnownWords(NamedTuple):
    """Words that have vectors before a training: `rows` of the vocabulary, int64, and `vectors`."""

    rows: NDArray[np.int64]
    vectors: NDArray[np.float32]

    def fill(self, words: NDArray[np.float32]) -> None:
        """Write the vectors into a table of words."""
        words[self.rows, : self.vectors.shape[1]] = self.vectors


@dataclass(frozen=True)
class Setup:
    """The settings of a training; `known` words of LINE and PTE begin at their vectors."""

    seed: int
    hyperparameters: Hyperparameters = field(default_factory=Hyperparameters)
    threads: int = 1
    progress: Progress | None = None
    known: KnownWords | None = None

    def __post_init__(self) -> None:
        if self.seed < 0:
            raise PteError(f"seed is {self.seed}; it must not be negative")
        if self.threads < 1:
            raise PteError(f"threads is {self.threads}; it must be positive")
        dim = self.hyperparameters.dim
        if self.known is not None and self.known.vectors.shape[1] != dim:
            known = self.known.vectors.shape[1]
            raise PteError(f"dim is {dim}, but the known vectors have {known} numbers")

    def for_edges(self, edges: int) -> "Setup":
        """Return the setup with only as many threads as train `EDGES_OF_THREAD` edges each."""
        return replace(self, threads=max(1, min(self.threads, edges // EDGES_OF_THREAD)))


Options = Mapping[str, Any]

JOINT = ("ww", "wd", "wl")  # the networks of PTE(joint), which the sensitivity experiment trains
DEFAULT = "default"  # the parameter of the sensitivity trainings that changes no hyperparameter


@dataclass(frozen=True, kw_only=True)
class Configured:
    """The settings of a fit; `samples` is T, "auto", or "chosen", at most `samples_limit`.

    A search that still rises there goes on to `samples_further`. `weights` are "paper", "auto",
    "chosen" or numbers.
    """

    options: Options = field(default_factory=dict)
    hyperparameters: Hyperparameters = field(default_factory=Hyperparameters)
    samples: int | str = "auto"
    samples_limit: int = 150_000_000
    samples_further: int = 0
    weights: str | Mapping[str, float] = "paper"
    streamed: bool = False
    choice: Mapping[str, Any] | None = None


@dataclass(frozen=True)
class FitPlan:
    """The plan of a fit or score; `configured` has used settings alone, so others refit nothing."""

    model: str
    yields: str
    shuffled: bool
    configured: Configured
    unavailable: str | None = None

    @property
    def to_score(self) -> "FitPlan":
        """The plan that scores a fit; it makes features, but fits nothing else."""
        return self if self.yields == "features" else replace(self, configured=Configured())


@dataclass(frozen=True)
class SensitivityPlan:
    """A training of the sensitivity experiment, scored at `checkpoints`: parts of `samples`."""

    samples: int
    hyperparameters: Hyperparameters
    checkpoints: tuple[float, ...]


@dataclass(frozen=True)
class Size:
    """The sizes that decide the memory of a fit; a `streamed` one holds no edges."""

    documents: int
    tokens: int
    words: int
    classes: int
    dim: int
    threads: int
    streamed: bool


@dataclass(frozen=True)
class WordVectors:
    """Vectors of all words, float32, with the edges or pairs trained on, and the seconds."""

    vectors: NDArray[np.float32]
    samples: int
    seconds: float


LOOKED_AT = 256  # last steps of a block whose rows are checked: NaN soon spreads


def refuse_divergence(rate: float, *tables: NDArray[np.float32], steps: int | None = None) -> None:
    """Refuse tables that hold NaN or infinity; `rate` is the rate at the start."""
    if not all(np.isfinite(table).all() for table in tables):
        within = "" if steps is None else f" within {steps:,} steps"
        raise PteError(f"training diverged at learning rate {rate}{within}; choose a smaller one")
