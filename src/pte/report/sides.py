"""What a claim compares, by name: corpora, parts of them, and checkpoints of a training."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from pte.corpora.subsets import Subset


def views(claim: Mapping[str, Any], corpus: str) -> tuple[str, str]:
    """Where left and right are measured: on the corpus; right on what `right_with` says of it.

    If that is a part of the samples, left is measured at the end of the longest training, and right
    at that part of it: checkpoints, as `collect_checkpoints` names them.
    """
    part = part_of_samples(claim)
    if part is not None:
        return checkpoint(corpus, 1), checkpoint(corpus, part)
    return corpus, replace(Subset.parse(corpus), **claim.get("right_with", {})).name


def part_of_samples(claim: Mapping[str, Any]) -> float | None:
    """The part of the longest training that a claim compares with its end, if it is about that."""
    part: float | None = claim.get("right_with", {}).get("samples")
    return part


def checkpoint(corpus: str, part: float) -> str:
    """The name of a corpus after a part of the longest training on it."""
    return f"{corpus} at {part:g} T"
