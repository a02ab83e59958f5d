"""The groups of methods, as the figures show them."""

from collections.abc import Collection
from typing import Any

from matplotlib.lines import Line2D

from pte_study.render.style import colour

GROUPS = {
    "baseline": ("baselines", "#009E73"),
    "unsupervised": ("unsupervised embeddings", "#0072B2"),
    "predictive": ("predictive embeddings", "#D55E00"),
    "extra": ("beyond the paper", "#E69F00"),
    "control": ("controls", "#CC79A7"),
}
"""The label and the colour of each group."""


def group_colour(group: str, method: str = "") -> str:
    """Return the colour of a group, or of one of its methods, in the current style."""
    return colour((method, group), GROUPS[group][1])


def group_marks(groups: Collection[str], **mark: Any) -> list[Line2D]:
    """Return the entries of a legend for some groups."""
    return [
        Line2D([], [], color=group_colour(group), label=label, **mark)
        for group, (label, _) in GROUPS.items()
        if group in groups
    ]
