"""The README's table of scores: every method and corpus, ours beside the reported score."""

from collections.abc import Sequence

import pandas as pd

from pte.render.cells import NONE
from pte.render.markdown import markdown_table


def overview(frames: Sequence[pd.DataFrame]) -> str:
    """Write a Markdown table of mean micro-F1, with the reported value in brackets.

    `frames` are comparisons. Rows are methods, in the order of the frame that has most of them.
    Columns are corpora, from the first frame that has them. A dash is a score that was not run.
    """
    frame = pd.concat(frames, ignore_index=True).drop_duplicates(["label", "corpus"])
    frame["cell"] = [
        _cell(ours, reported)
        for ours, reported in zip(frame["micro_mean"], frame["reference_micro"], strict=True)
    ]
    table = frame.pivot(index="label", columns="corpus", values="cell")
    longest_first = sorted(frames, key=lambda each: -each["label"].nunique())
    labels = pd.concat(longest_first)["label"].unique()
    table = table.loc[labels, frame["corpus"].unique()].fillna(NONE)
    return markdown_table(table.reset_index(names="micro-F1"))


def _cell(ours: float, reported: float) -> str:
    bracket = "" if pd.isna(reported) else f" ({reported:.2f})"
    return NONE if pd.isna(ours) else f"{ours:.2f}{bracket}"
