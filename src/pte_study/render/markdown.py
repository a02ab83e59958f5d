"""Tables as Markdown, in a file of their own or between two markers of a document."""

import re
from collections.abc import Mapping, Sequence
from pathlib import Path

import pandas as pd

from pte.errors import PteError
from pte.files import atomic_file
from pte_study.render.cells import numeric_columns, rows_of
from pte_study.render.text import write_text


def markdown_table(cells: pd.DataFrame) -> str:
    """Write a table of strings: text and the first column to the left, numbers to the right."""
    others = cells.iloc[:, 1:]
    numeric = numeric_columns(others)
    lines = [[str(name) for name in cells.columns], *rows_of(cells)]
    header, *rows = ([cell.replace("|", r"\|") for cell in line] for line in lines)
    rule = [":--", *("--:" if str(name) in numeric else ":--" for name in others.columns)]
    return "\n".join("| " + " | ".join(row) + " |" for row in [header, rule, *rows])


def write_markdown(
    tables: Mapping[str, pd.DataFrame], stem: Path, caption: str, notes: Sequence[str] = ()
) -> None:
    """Write `stem`.md: the caption, each table under its name if it has one, and the notes."""
    parts = [part for name, cells in tables.items() for part in _named(name, cells)]
    write_text(stem, "md", "\n\n".join([caption, *parts, *notes]))


def write_into(document: Path, name: str, table: str) -> None:
    """Put `table` between the two markers called `name` in a Markdown file.

    Raises `PteError` when the file does not hold both markers in order.
    """
    begin, end = f"<!-- {name}: begin -->", f"<!-- {name}: end -->"
    text = document.read_text(encoding="utf-8")
    block = re.compile(f"{re.escape(begin)}.*?{re.escape(end)}", re.DOTALL)
    if not block.search(text):
        raise PteError(f"{document}: put the lines {begin} and {end} where the table belongs")
    with atomic_file(document) as temporary:
        new = block.sub(lambda _: f"{begin}\n\n{table.strip()}\n\n{end}", text)
        temporary.write_text(new, encoding="utf-8")


def _named(name: str, cells: pd.DataFrame) -> list[str]:
    return [f"### {name}", markdown_table(cells)] if name else [markdown_table(cells)]
