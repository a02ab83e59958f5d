"""How the classifier is trained: the values to choose from, and the values that were chosen.

The workflow reads settings before any job runs, so this file imports nothing that takes time.
"""

from dataclasses import dataclass
from itertools import product
from typing import Literal

Solver = Literal["liblinear", "newton"]
"""What minimises the objective of logistic regression; both solvers have the same objective.

`evaluation.newton` has the objective. Newton's method is several times faster, but takes dense
features alone: LIBLINEAR trains on sparse features.
"""

LIBLINEAR: Solver = "liblinear"
NEWTON: Solver = "newton"

SCORES: Solver = LIBLINEAR
"""The solver that trains the classifier of a score, as in the paper."""

CHOICES: Solver = NEWTON
"""The solver that trains the many classifiers that are compared in order to choose something."""


@dataclass(frozen=True)
class ClassifierChoice:
    """C, and whether documents get vectors of unit length; the defaults are the paper's values."""

    c: float = 1.0
    unit_length: bool = False


@dataclass(frozen=True)
class ClassifierSetting:
    """The choices of the classifier: every C of `costs` with every value of `unit_length`.

    `search_solver` trains the classifiers that are compared, and `solver` trains the classifier
    that is scored.
    """

    costs: tuple[float, ...] = (1.0,)
    unit_length: tuple[bool, ...] = (False,)
    solver: Solver = SCORES
    search_solver: Solver = CHOICES

    @property
    def choices(self) -> list[ClassifierChoice]:
        """All choices, in the order in which they are tried."""
        return [ClassifierChoice(c, unit) for unit, c in product(self.unit_length, self.costs)]
