"""How the classifier is trained: the values to choose from, and those that were chosen.

The workflow reads settings before any job runs, so this file imports nothing that takes time.
"""

from dataclasses import dataclass


@dataclass(frozen=True)
class ClassifierChoice:
    """LIBLINEAR's C, and whether documents get vectors of unit length; the paper's by default."""

    c: float = 1.0
    unit_length: bool = False


@dataclass(frozen=True)
class ClassifierSetting:
    """Every C of `costs` is tried with every value of `unit_length`.

    Where that makes more than one choice, cross-validation with so many `folds`, on at most
    `cv_documents` labelled training documents, finds the best.
    """

    costs: tuple[float, ...]
    unit_length: tuple[bool, ...]
    folds: int
    cv_documents: int
