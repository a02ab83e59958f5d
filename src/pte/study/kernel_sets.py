"""Names of the sets of kernels that are compiled ahead: a set, or a set and a setting.

The latter is for the step of that setting, where it is not the paper's.
"""

from typing import Any

from pte.study.config import Config
from pte.study.entries import PAPER
from pte.training.contract import KernelSet

SHAPELESS = ("encoding", "counting")
"""Sets of kernels that are the same for any number of dimensions."""

OF_SETTING = "-"
"""Between the name of a set of kernels and the setting for whose step it is compiled."""


def for_setting(config: Config, kernels: KernelSet, setting: str) -> str:
    """The name of a set for the step of a setting."""
    step, paper = (config.settings[each].step for each in (setting, PAPER))
    return kernels if step == paper else f"{kernels}{OF_SETTING}{setting}"


def set_of(name: str) -> str:
    """The set that a name names."""
    return name.partition(OF_SETTING)[0]


def shapes(config: Config, name: str) -> list[dict[str, Any]]:
    """The dimensions, negatives and steps that a set of kernels is compiled for."""
    kernels, _, setting = name.partition(OF_SETTING)
    if kernels in SHAPELESS:
        return []
    given = config.hyperparameters
    shape = {"dim": given.dim, "negatives": given.negatives}
    step = {"step": vars(config.settings[setting or PAPER].step)}
    if kernels != "sensitivity":
        return [shape | step]
    values = config.sensitivity.values
    return [
        shape | {key: int(value)} | step for key in shape for value in values.get(key, [shape[key]])
    ]
