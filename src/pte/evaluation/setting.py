"""How the classifier is trained: the values to choose from, and those that were chosen.

The workflow reads settings before any job runs, so this file imports nothing that takes time.
"""

from dataclasses import dataclass
from itertools import product
from typing import Literal

Solver = Literal["liblinear", "newton"]
"""What minimises the objective of logistic regression; both have the same (`evaluation.newton`).

Newton's method is several times faster, on dense features alone: LIBLINEAR trains on sparse ones.
"""

LIBLINEAR: Solver = "liblinear"
NEWTON: Solver = "newton"

SCORES: Solver = LIBLINEAR
"""What trains the classifier of a score, as the paper did."""

CHOICES: Solver = NEWTON
"""What trains the many classifiers that are compared in order to choose something."""


@dataclass(frozen=True)
class ClassifierChoice:
    """C, and whether documents get vectors of unit length; the paper's by default."""

    c: float = 1.0
    unit_length: bool = False


@dataclass(frozen=True)
class ClassifierSetting:
    """Every C of `costs` with every value of `unit_length`, to choose from where there are several.

    `search_solver` trains the classifiers that are compared, and `solver` the one that is scored.
    """

    costs: tuple[float, ...] = (1.0,)
    unit_length: tuple[bool, ...] = (False,)
    solver: Solver = SCORES
    search_solver: Solver = CHOICES

    @property
    def choices(self) -> list[ClassifierChoice]:
        """What there is to choose from, in the order in which it is tried."""
        return [ClassifierChoice(c, unit) for unit, c in product(self.unit_length, self.costs)]
