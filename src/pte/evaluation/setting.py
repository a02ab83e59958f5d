"""How the classifier is trained; read before any job runs, so nothing here imports slowly."""

from dataclasses import dataclass
from typing import Literal

Solver = Literal["liblinear", "newton"]  # of one objective; Newton's is faster, for dense features

LIBLINEAR: Solver = "liblinear"
NEWTON: Solver = "newton"

SCORES: Solver = LIBLINEAR  # the solver that trains the classifier of a score, as in the paper
CHOICES: Solver = NEWTON  # trains the many classifiers that are compared to choose


@dataclass(frozen=True)
class ClassifierChoice:
    """C, whether documents get vectors of unit length, and a bias; by default as in the paper."""

    c: float = 1.0
    unit_length: bool = False
    bias: bool = False


UNJUDGED = ClassifierChoice(1.0, unit_length=True, bias=True)
"""What a search takes where no document can judge."""


@dataclass(frozen=True)
class ClassifierSetting:
    """A score's classifier by its protocol; a "chosen" `c` has all chosen on held-out documents."""

    c: float | Literal["chosen"] = 1.0
    unit_length: bool = False
    solver: Solver = SCORES

    @property
    def is_chosen(self) -> bool:
        return self.c == "chosen"

    @property
    def choice(self) -> ClassifierChoice:
        """The classifier where none is chosen; C is 1 where the setting asks for a choice."""
        return ClassifierChoice(1.0 if self.c == "chosen" else self.c, self.unit_length)
