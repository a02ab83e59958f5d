"""What jobs are given, beside files: parameters of rules."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from pte.training.setup import Hyperparameters


@dataclass(frozen=True)
class FitPlan:
    """What a job that fits or scores a method is given, beside corpus, seed and files.

    `model` is the name of the module and `yields` what it yields. `shuffled` permutes the training
    labels first. `values` are fields of `pte.training.contract.Task`.
    """

    model: str
    yields: str
    shuffled: bool
    values: Mapping[str, Any]

    @property
    def to_score(self) -> "FitPlan":
        """What the score of a fit is given: it makes features, but fits nothing else."""
        return self if self.yields == "features" else replace(self, values={})


@dataclass(frozen=True)
class SweepPlan:
    """What a training of a sweep is given; it is scored at the parts `looks` of its `samples`."""

    samples: int
    hyperparameters: Hyperparameters
    looks: tuple[float, ...]
