"""Text files, CSV, and tables in aligned columns for the terminal."""

from collections.abc import Callable
from pathlib import Path

import pandas as pd

from pte.files import atomic_file
from pte.spreadsheets import spreadsheet_safe, without_guard
from pte_study.render.cells import rows_of


def write_text(stem: Path, extension: str, text: str) -> None:
    """Write `text` to `stem`.`extension`, atomically; the file ends with one newline."""
    with atomic_file(stem.with_name(f"{stem.name}.{extension}")) as temporary:
        temporary.write_text(text.rstrip("\n") + "\n", encoding="utf-8")


def write_csv(frame: pd.DataFrame, stem: Path) -> None:
    """Write `stem`.csv, with all digits of a float, and with texts `spreadsheet_safe`."""
    safe = _with_texts(frame, spreadsheet_safe)
    safe = safe.rename(columns=lambda name: spreadsheet_safe(str(name)))
    write_text(stem, "csv", safe.to_csv(index=False, lineterminator="\n"))


def read_csv(path: Path) -> pd.DataFrame:
    """Read what `write_csv` wrote, without the guards of `spreadsheet_safe`."""
    return _with_texts(pd.read_csv(path), without_guard)


def _with_texts(frame: pd.DataFrame, change: Callable[[str], str]) -> pd.DataFrame:
    """Return `frame` with changed texts; number columns keep their kind (pandas' `map` may not)."""
    changed = frame.copy()
    for i, kind in enumerate(frame.dtypes):
        if not pd.api.types.is_numeric_dtype(kind):
            cells = frame.iloc[:, i]
            texts = cells.map(lambda cell: change(cell) if isinstance(cell, str) else cell)
            changed.isetitem(i, texts.array)
    return changed


def aligned_table(cells: pd.DataFrame) -> str:
    """Align a table of strings: the first column to the left, the others to the right."""
    rows = [[str(name) for name in cells.columns], *rows_of(cells)]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    rows.insert(1, ["-" * width for width in widths])
    return "\n".join(
        "  ".join(
            cell.ljust(width) if index == 0 else cell.rjust(width)
            for index, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in rows
    )
