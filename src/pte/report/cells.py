"""Numbers as the cells of a table, and cells as numbers again."""

import re
from typing import Any

import pandas as pd

NONE = "—"
MINUS = "\N{MINUS SIGN}"
UNITS = {"B": 1e9, "M": 1e6, "k": 1e3}
NUMBER = re.compile(r"(?:\*\*|<ins>)?([+−-]?\d[\d,]*(?:\.\d+)?)(?: ([kMB])\b)?(?=$|[\s*<%–])")


def humanise(count: Any) -> str:
    """A count in thousands, millions or billions: 300000000 is "300 M"."""
    if pd.isna(count):
        return NONE
    for unit, size in UNITS.items():
        if count >= size:
            return f"{round(count / size, 1):g} {unit}"
    return f"{count:g}"


def spread(mean: float, deviation: float) -> str:
    """A mean and, of more than one seed, its standard deviation."""
    return f"{mean:.2f}" if pd.isna(deviation) else f"{mean:.2f} ± {deviation:.2f}"


def sort_key(cell: str) -> float | None:
    """The number that a cell starts with, in ones; None for other text."""
    match = NUMBER.match(cell)
    if match is None:
        return None
    number, unit = match.groups()
    return float(number.replace(",", "").replace(MINUS, "-")) * UNITS.get(unit, 1)
