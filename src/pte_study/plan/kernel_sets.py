"""Names of the sets of kernels that are compiled ahead: a set, or a set and a protocol.

A name with a protocol is for the step of this protocol, if it differs from the paper's step.
"""

from typing import Any

from pte.training.contract import KernelSet
from pte_study.configuration.config import Config
from pte_study.configuration.entries import PAPER

SHAPELESS = ("encoding", "counting")
"""Sets of kernels that are the same for any number of dimensions."""

OF_PROTOCOL = "-"
"""The text between the name of a set and the protocol for whose step the set is compiled."""


def for_protocol(config: Config, kernels: KernelSet, protocol: str) -> str:
    """Return the name of a set of kernels for the step of a protocol."""
    step, paper = (config.protocols[each].step for each in (protocol, PAPER))
    return kernels if step == paper else f"{kernels}{OF_PROTOCOL}{protocol}"


def set_of(name: str) -> str:
    """Return the set of kernels that a name stands for."""
    return name.partition(OF_PROTOCOL)[0]


def shapes(config: Config, name: str) -> list[dict[str, Any]]:
    """Return the dimensions, negatives and steps for which a set of kernels is compiled."""
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
