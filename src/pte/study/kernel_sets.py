"""Names of the sets of kernels that are compiled ahead: a set, or a set and a protocol.

The latter is for the step of that protocol, where it is not the paper's.
"""

from typing import Any

from pte.study.config import Config
from pte.study.entries import PAPER
from pte.training.contract import KernelSet

SHAPELESS = ("encoding", "counting")
"""Sets of kernels that are the same for any number of dimensions."""

OF_PROTOCOL = "-"
"""Between the name of a set of kernels and the protocol for whose step it is compiled."""


def for_protocol(config: Config, kernels: KernelSet, protocol: str) -> str:
    """The name of a set for the step of a protocol."""
    step, paper = (config.protocols[each].step for each in (protocol, PAPER))
    return kernels if step == paper else f"{kernels}{OF_PROTOCOL}{protocol}"


def set_of(name: str) -> str:
    """The set that a name names."""
    return name.partition(OF_PROTOCOL)[0]


def shapes(config: Config, name: str) -> list[dict[str, Any]]:
    """The dimensions, negatives and steps that a set of kernels is compiled for."""
    kernels, _, protocol = name.partition(OF_PROTOCOL)
    if kernels in SHAPELESS:
        return []
    given = config.hyperparameters
    shape = {"dim": given.dim, "negatives": given.negatives}
    step = {"step": vars(config.protocols[protocol or PAPER].step)}
    if kernels != "sensitivity":
        return [shape | step]
    values = config.sensitivity.values
    return [
        shape | {key: int(value)} | step for key in shape for value in values.get(key, [shape[key]])
    ]
