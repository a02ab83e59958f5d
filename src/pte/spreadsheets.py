"""Cells that a spreadsheet shows as text and does not run as formulas."""

import re
import unicodedata

FORMULA = tuple("=+-@＝＋－＠\t\r\n")
"""Characters that spreadsheets take for the beginning of a formula, also those of full width."""

HARMLESS = re.compile(r"[+-]|[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?")
"""Text that a spreadsheet does not take for a formula: a sign alone, or a number."""


def spreadsheet_safe(text: str) -> str:
    """Return text that no spreadsheet takes for a formula, as `guarded` does, in one line.

    Line breaks and other control characters become spaces.
    """
    return "".join(" " if unicodedata.category(each) == "Cc" else each for each in guarded(text))


def guarded(text: str) -> str:
    """Return text with `'` before what a spreadsheet would take for the beginning of a formula.

    That is =, +, -, @, a tab or a line break at its beginning, and behind a semicolon, where
    spreadsheets of many countries begin a cell. A number, and a sign alone, stay as they are.
    """
    return ";".join(
        f"'{part}" if part[:1] in FORMULA and not HARMLESS.fullmatch(part) else part
        for part in text.split(";")
    )


def without_guard(cell: str) -> str:
    """Return the text that a reader should see of a cell that `spreadsheet_safe` wrote."""
    parts = cell.split(";")
    return ";".join(p[1:] if p[:1] == "'" and p[1:2] in FORMULA else p for p in parts)
