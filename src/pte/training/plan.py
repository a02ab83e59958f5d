"""The parameters of rules, which jobs are given besides files."""

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
    """The settings of a fit from the registry and the configuration.

    `samples` is T: a number; "auto", in proportion to the number of edges; or "chosen", on labelled
    documents that are held out. Where too few documents have labels, a T to choose is in proportion
    to the number of edges, too. It is at most `samples_limit`; where the score of a method of one
    phase still rises there, a second search goes up to `samples_further`, if that is more.
    `weights` says how often each network is drawn from: "paper", "auto", "chosen" of these two, or
    a number for each network. If `streamed`, edges are drawn from the corpus and not from built
    networks. `choice` holds what validation would choose; if it is None, validation chooses.
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
    """The plan that a job that fits or scores a method is given besides corpus, seed and files.

    `model` is the name of the module, and `yields` is `yields` of its `SPEC`. If `shuffled`, the
    training labels are permuted first. `configured` has only settings that the method uses, so that
    a change of another setting fits nothing again. `unavailable` is the reason why the method
    cannot run on this corpus, or None.
    """

    model: str
    yields: str
    shuffled: bool
    configured: Configured
    unavailable: str | None = None

    @property
    def to_score(self) -> "FitPlan":
        """The plan of a job that scores a fit; such a job makes features, but fits nothing else."""
        return self if self.yields == "features" else replace(self, configured=Configured())


@dataclass(frozen=True)
class SensitivityPlan:
    """The plan of a training of the sensitivity experiment.

    The training is scored at its `checkpoints`, which are parts of its `samples`.
    """

    samples: int
    hyperparameters: Hyperparameters
    checkpoints: tuple[float, ...]


@dataclass(frozen=True)
class Size:
    """The sizes that decide the memory of a fit: whole corpus, length of vectors, threads.

    A `streamed` fit draws its edges from the text. Other fits hold their edges in memory.
    """

    documents: int
    tokens: int
    words: int
    classes: int
    dim: int
    threads: int
    streamed: bool
