"""Forest plots in one line of characters: a difference, its interval, 0 and the margins."""

import math
from collections.abc import Iterable, Mapping
from typing import Any

import pandas as pd

from pte_study.claims import relations
from pte_study.claims.relations import MARGIN
from pte_study.render.cells import MINUS

HALF = 15
"""How many characters a plot has on each side of 0."""
SCALES = (2.0, 5.0, 10.0, 20.0, 50.0)
"""The differences at the ends of a plot, in points or in logarithms of seconds."""
REST, ZERO, BOUND, LINE, HERE, MEAN = "·│┊─●◆"
ENDS, BEYOND = "├┤", "◂▸"


def scale_of(rows: Iterable[Mapping[Any, Any]]) -> float:
    """Return the smallest scale that holds the differences of all rows."""
    effects = [abs(row["effect"]) for row in rows if not pd.isna(row["effect"])]
    return next((scale for scale in SCALES if scale >= max(effects, default=0.0)), SCALES[-1])


def axis(scale: float, seconds: bool) -> str:
    """Name the two ends of a plot and its middle."""
    low, middle, high = f"{MINUS}{scale:g}", "0", f"+{scale:g}"
    if seconds:
        low, middle, high = f"÷{math.exp(scale):.0f}", "×1", f"×{math.exp(scale):.0f}"
    left = REST * (HALF - len(low))
    return f"`{low}{left}{middle}{REST * (2 * HALF + 1 - len(low + left + middle + high))}{high}`"


def forest(row: Mapping[Any, Any], scale: float) -> str:
    """Draw the difference of a row, its 95 % interval, 0, and the margins of its relation."""
    line = [REST] * (2 * HALF + 1)
    for bound in _bounds(row):
        if abs(bound) <= scale:
            line[_place(bound, scale)] = BOUND
    line[HALF] = ZERO
    if pd.isna(row["effect"]):
        return f"`{''.join(line)}`"
    low, high = (_place(row[name], scale) for name in ("low", "high"))
    for place in range(max(low, 0), min(high, 2 * HALF) + 1):
        line[place] = LINE if line[place] == REST else "┼"
    for place, end, beyond, edge in zip((low, high), ENDS, BEYOND, (0, 2 * HALF), strict=True):
        inside = 0 <= place <= 2 * HALF
        line[place if inside else edge] = end if inside else beyond
    line[min(max(_place(row["effect"], scale), 0), 2 * HALF)] = MEAN if row["overall"] else HERE
    return f"`{''.join(line)}`"


def _bounds(row: Mapping[Any, Any]) -> list[float]:
    """Return the ends of the relation's region, and the margin if both sides may be level."""
    relation = relations.named(row["relation"])
    ends = {end for end in relation.region(float(row["bound"])) if math.isfinite(end)}
    return sorted(ends | ({-MARGIN, MARGIN} if relation.has_level else set()))


def _place(difference: float, scale: float) -> int:
    return HALF + round(difference / scale * HALF)
