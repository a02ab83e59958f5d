"""What jobs are given, beside files: parameters of rules."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from pte.training.setup import Hyperparameters

Options = Mapping[str, Any]
"""The options of a method's entry in the registry."""

JOINT = ("ww", "wd", "wl")
"""The networks of PTE(joint), which the sensitivity experiment trains."""

DEFAULT = "default"
"""The parameter of the sensitivity trainings that changes no hyperparameter."""


@dataclass(frozen=True, kw_only=True)
class Configured:
    """What the registry and the configuration say about a fit.

    `samples` is T: a number, "auto", "validated", or "validated_or_auto", which is validated where
    enough documents have labels; what is validated is at most `samples_limit`.
    `weights` says how often each network is drawn from: "paper", "auto", or a number for each.
    `streamed` draws edges from the corpus and not from built networks. `choice` holds what
    validation would choose, or None to choose it. `forgiving` lets a method that cannot learn from
    the corpus say so.
    """

    options: Options = field(default_factory=dict)
    hyperparameters: Hyperparameters = field(default_factory=Hyperparameters)
    samples: int | str = "auto"
    samples_limit: int = 150_000_000
    weights: str | Mapping[str, float] = "paper"
    streamed: bool = False
    deterministic: bool = False
    choice: Mapping[str, Any] | None = None
    forgiving: bool = False


@dataclass(frozen=True)
class FitPlan:
    """What a job that fits or scores a method is given, beside corpus, seed and files.

    `model` is the name of the module and `yields` what it yields. `shuffled` permutes the training
    labels first. What the method does not use is not `configured`, so that its changes fit nothing
    again. `unavailable` is why the method cannot run on this corpus, if it cannot.
    """

    model: str
    yields: str
    shuffled: bool
    configured: Configured
    unavailable: str | None = None

    @property
    def to_score(self) -> "FitPlan":
        """What the score of a fit is given: it makes features, but fits nothing else."""
        return self if self.yields == "features" else replace(self, configured=Configured())


@dataclass(frozen=True)
class SensitivityPlan:
    """What a training of the sensitivity experiment is given.

    It is scored at its `checkpoints`, which are parts of its `samples`.
    """

    samples: int
    hyperparameters: Hyperparameters
    checkpoints: tuple[float, ...]


@dataclass(frozen=True)
class Size:
    """What the memory of a fit grows with: the whole corpus, the length of vectors, the threads.

    `streamed` fits draw their edges from the text, others hold them.
    """

    documents: int
    tokens: int
    words: int
    classes: int
    dim: int
    threads: int
    streamed: bool
