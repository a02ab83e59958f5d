"""Cells that a spreadsheet shows as text and does not run as formulas."""

import re
import unicodedata

FORMULA = tuple("=+-@\t\r\n")
"""Characters that spreadsheets take for the beginning of a formula."""

NUMBER = re.compile(r"[+-]?[0-9]+(\.[0-9]+)?")
"""Text that a spreadsheet takes for a number, and not for a formula."""


def spreadsheet_safe(text: str) -> str:
    """Return text that no spreadsheet takes for a formula.

    `'` is put before text that begins with =, +, -, @, a tab or a line break, also behind a
    semicolon, where spreadsheets of many countries begin a cell. A number stays as it is. Line
    breaks and other control characters become spaces, so that a row stays one line.
    """
    return ";".join(map(_guarded, text.split(";")))


def _guarded(text: str) -> str:
    if NUMBER.fullmatch(text):
        return text
    line = "".join(" " if unicodedata.category(each) == "Cc" else each for each in text)
    return f"'{line}" if text[:1] in FORMULA else line


def without_guard(cell: str) -> str:
    """Return the text that a reader should see of a cell that `spreadsheet_safe` wrote."""
    parts = cell.split(";")
    return ";".join(p[1:] if p[:1] == "'" and p[1:2] in FORMULA else p for p in parts)
