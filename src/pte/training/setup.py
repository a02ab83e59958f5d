"""How a training runs."""

from collections.abc import Callable
from dataclasses import dataclass, field

from pte.errors import PteError

Progress = Callable[[int, int], None]
"""Called now and then with (steps done, steps in all), from the calling thread."""


@dataclass(frozen=True)
class Hyperparameters:
    """What the paper fixes for all corpora (section 5.1).

    `dim` is the length of a vector, `negatives` (K) the number of negative samples for each edge,
    `rate` (ρ₀) the learning rate at the start, and `window` the largest distance between
    neighbouring words.
    """

    dim: int = 100
    negatives: int = 5
    rate: float = 0.025
    window: int = 5

    def __post_init__(self) -> None:
        """Refuse values that no training could use; raises `PteError`."""
        if self.dim < 1:
            raise PteError(f"dim is {self.dim}; it must be at least 1")
        if self.negatives < 0:
            raise PteError(f"negatives is {self.negatives}; it must not be negative")
        if not self.rate > 0:
            raise PteError(f"rate is {self.rate}; it must be positive")
        if self.window < 1:
            raise PteError(f"window is {self.window}; it must be positive")


@dataclass(frozen=True)
class Setup:
    """The hyperparameters, the seed, and how the work is shared.

    One seed and one thread give bit-identical results. More threads race, unless the trainer can be
    `deterministic`.
    """

    seed: int
    hyperparameters: Hyperparameters = field(default_factory=Hyperparameters)
    threads: int = 1
    deterministic: bool = False
    progress: Progress | None = None

    def __post_init__(self) -> None:
        """Refuse a negative seed, and fewer threads than one; raises `PteError`."""
        if self.seed < 0:
            raise PteError(f"seed is {self.seed}; it must not be negative")
        if self.threads < 1:
            raise PteError(f"threads is {self.threads}; it must be positive")
