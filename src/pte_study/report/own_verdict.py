"""What a user should know first about the methods on their text, in sentences."""

from collections.abc import Mapping, Sequence
from typing import Any

import pandas as pd

from pte_study.render import cells as shown
from pte_study.report.own_contest import SHORT, Contest

MAJORITY = "majority"
WIDE = 4.0
"""The width of an interval, in points, from which the interval needs no decimals."""

INTERVAL = "The 95 % interval is in parentheses: the test documents are only a sample."


def verdict(found: Contest) -> list[str]:
    """Return what a user should know first, as sentences."""
    rows = found.rows()
    by_name = {row["method"]: row for row in rows}
    best, cheap = by_name[found.best], by_name[found.cheapest]
    use = f"Use {cheap['label']}: {_right(cheap, found)}"
    said = [f"{use}, in {shown.seconds(cheap['seconds'])} seconds.", INTERVAL]
    if found.copies:
        said.append(_copies(found.copies))
    others = [row["label"] for row in rows if row["as_good"] and row is not best]
    if not others:
        said.append("No other method comes within noise of it.")
    else:
        said += _compared(best, cheap, others)
        said.append(_why(cheap["label"], found.quick))
    scored = (row for row in rows if not pd.isna(row["micro_f1"]))
    for control in (row for row in scored if row["method"] == MAJORITY):
        said.append(f"To name the largest class every time would score {_score(control)}.")
    return said


def _compared(best: Mapping[str, Any], cheap: Mapping[str, Any], others: list[str]) -> list[str]:
    """Say what the best method scores, and which other methods are within noise of it."""
    highest = "It has the highest score."
    if best is not cheap:
        highest = (
            f"{_first_large(best['label'])} has the highest score, {_score(best)}, in "
            f"{shown.seconds(best['seconds'])} seconds."
        )
    verb = "is" if len(others) == 1 else "are"
    level = f"{_first_large(_listed(others))} {verb} within noise of it"
    return [highest, f"{level}: the test documents cannot tell them apart."]


def _why(label: str, quick: float) -> str:
    """Say why this method is recommended, of several methods that are as good."""
    twice = "" if quick == SHORT else ", twice as long as the quickest"
    return (
        f"Why {label}: of the methods that cannot be told apart, it scores best among those that "
        f"take at most {shown.seconds(quick)} seconds{twice}."
    )


def _copies(n: int) -> str:
    copies = "test document is a copy" if n == 1 else "test documents are copies"
    return (
        f"{n:,} {copies} of a training document, word for word. That makes scores too high; remove "
        "copies, or give them one group."
    )


def _score(row: Mapping[str, Any]) -> str:
    return f"{row['micro_f1']:.1f}\N{NO-BREAK SPACE}%"


def _right(row: Mapping[str, Any], found: Contest) -> str:
    """Return the score with what it counts: documents that are right, or labels of documents."""
    score, tests = f"{_score(row)} ({_bounds(row)})", f"{found.documents:,} test documents"
    if found.several:
        return f"micro-F1 is {score} over the labels of {tests}"
    return f"{score} of {tests} right"


def _bounds(row: Mapping[str, Any]) -> str:
    """Return the interval of a score, in whole numbers if it is wide."""
    low, high = row["micro_f1_low"], row["micro_f1_high"]
    decimals = 0 if high - low >= WIDE else 1
    return f"{low:.{decimals}f}\N{EN DASH}{high:.{decimals}f}"


def _first_large(text: str) -> str:
    return text[:1].upper() + text[1:]


def _listed(names: Sequence[str]) -> str:
    return " and ".join([*([", ".join(names[:-1])] if names[:-1] else []), names[-1]])
