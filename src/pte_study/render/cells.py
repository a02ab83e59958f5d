"""Numbers as the cells of a table, and cells as numbers again."""

import re
from typing import Any

import pandas as pd

from pte.classify import advice

NONE = "—"
MINUS = "\N{MINUS SIGN}"
EMPHASIS = {1: "**{}**", 2: "<ins>{}</ins>"}
"""How a cell marks the best value and the second best, by rank."""
UNITS = {"B": 1e9, "M": 1e6, "k": 1e3}
NUMBER = re.compile(r"(?:\*\*|<ins>|< )?([+−-]?\d[\d,]*(?:\.\d+)?)(?: ([kMB])\b)?(?=$|[\s*<%–]|, )")


def humanise(count: Any) -> str:
    """Write a count in thousands, millions or billions: 300000000 is "300 M"."""
    if pd.isna(count):
        return NONE
    for unit, size in UNITS.items():
        if round(1000 * count / size, 1) >= 1000:  # 999 960 is 1 M
            return f"{round(count / size, 1):g} {unit}"
    return f"{count:g}"


def spread(mean: float, deviation: float) -> str:
    """Write a mean and its standard deviation, or the mean alone: one seed has no deviation."""
    return f"{mean:.2f}" if pd.isna(deviation) else f"{mean:.2f} ± {deviation:.2f}"


def as_printed(scores: "pd.Series[float]") -> "pd.Series[float]":
    """Return scores with the two decimals of `spread`, so that equal cells have equal ranks.

    `Series.round` takes 74.605 to 74.60, and a cell shows 74.61.
    """
    return scores.map("{:.2f}".format).astype(float)


def signed(value: float) -> str:
    """Write a difference with its sign and two decimals."""
    if pd.isna(value):
        return NONE
    return f"{round(float(value), 2) + 0.0:+.2f}".replace("-", MINUS)


def seconds(value: float) -> str:
    """Write seconds as contests do."""
    return NONE if pd.isna(value) else advice.seconds(value)


def sort_key(cell: str) -> float | None:
    """Return the number that a cell starts with, in ones, or None if the cell starts with text.

    For "< 0.0001" the number is the bound.
    """
    match = NUMBER.match(cell)
    if match is None:
        return None
    number, unit = match.groups()
    return float(number.replace(",", "").replace(MINUS, "-")) * UNITS.get(unit, 1)


def numeric_columns(cells: pd.DataFrame) -> set[str]:
    """Return the columns whose cells are numbers at least as often as words."""
    numeric = set()
    for name, column in cells.items():
        numbers = column.map(sort_key).notna()
        words = ~numbers & ~column.isin(["", NONE])
        if numbers.sum() >= words.sum():
            numeric.add(str(name))
    return numeric


def rows_of(cells: pd.DataFrame) -> list[list[str]]:
    """Return the rows of a table as lists of strings."""
    return [[str(cell) for cell in row] for row in cells.itertuples(index=False)]
