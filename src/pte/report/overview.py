"""The README's tables: every method and corpus at a glance, ours beside the reported score."""

import re
from pathlib import Path

import pandas as pd

from pte.errors import PteError
from pte.files import atomic_file
from pte.report.cells import NONE
from pte.report.tables import markdown_table


def overview(frames: list[pd.DataFrame]) -> str:
    """A Markdown table from comparison frames: mean micro-F1, the reported value in brackets.

    A row a method, in the order of the frame with most of them, and a column a corpus, of the first
    frame that has it; a score that was not run is a dash.
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


def write_into(document: Path, name: str, table: str) -> None:
    """Put `table` between the two markers of that name in a Markdown file.

    Raises `PteError` when the file does not hold both markers, in order.
    """
    begin, end = f"<!-- {name}: begin -->", f"<!-- {name}: end -->"
    text = document.read_text(encoding="utf-8")
    block = re.compile(f"{re.escape(begin)}.*{re.escape(end)}", re.DOTALL)
    if not block.search(text):
        raise PteError(f"{document}: put the lines {begin} and {end} where the table belongs")
    with atomic_file(document) as temporary:
        new = block.sub(lambda _: f"{begin}\n\n{table.strip()}\n\n{end}", text)
        temporary.write_text(new, encoding="utf-8")
