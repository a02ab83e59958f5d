"""The groups of methods, as the figures show them."""

from typing import Any

import pandas as pd
from matplotlib.lines import Line2D

from pte_study.render.plots import verbatim
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


def group_marks(frame: pd.DataFrame, **mark: Any) -> list[Line2D]:
    """Return the entries of a legend for the groups of the methods in a frame.

    A method that has a colour of its own in the current style has an entry of its own.
    """
    marks = []
    methods = frame.drop_duplicates("method")
    for group, (label, _) in GROUPS.items():
        entries: dict[str, str] = {}
        for row in methods[methods["group"] == group].to_dict("records"):
            shown = group_colour(group, row["method"])
            own = shown != group_colour(group)
            entries[verbatim(row["label"]) if own else label] = shown
        marks += [
            Line2D([], [], color=shown, label=each, **mark) for each, shown in entries.items()
        ]
    return marks
