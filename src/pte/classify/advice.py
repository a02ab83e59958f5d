"""The advice of a contest: the cheapest of the methods that may be as good as the best."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pte.classify.scores import to_tell_apart
from pte.errors import counted, listed

QUICK, SLOWER = 60.0, 2.0
"""Methods that learn in so many processor seconds, or in so many times the seconds of the quickest,
count as equally cheap: a user would not notice."""

WIDE = 4.0
"""The width of an interval, in points, from which it needs no decimals."""

MOST_NAMED = 4
"""How many methods that may be as good are named."""

ROUND = 10
"""The number of labels to add is rounded up to tens."""

ALONE = "It leads all other methods that were tested by more than chance explains."

MAJORITY = "majority"
"""The control that names the largest class every time."""

Row = Mapping[str, Any]


class Advice(NamedTuple):
    """The method to use, the best, and how many `more_labels`, about, tell it from a control."""

    method: str
    label: str
    best: str
    sure: bool
    more_labels: int | None
    lead: str
    sentences: list[str]

    def interrupted(self, untested: int) -> "Advice":
        """Return the advice of a contest that ended before all methods were tested."""
        how_many = counted(untested, "method was", "methods were")
        lead = f"Interrupted: {how_many} not tested. So far: {self.lead[:1].lower()}{self.lead[1:]}"
        sentences = [each for each in self.sentences if each != ALONE]
        return self._replace(lead=lead, sure=False, sentences=sentences)


FEWEST = 10
"""Of fewer tested documents, the bootstrap's intervals are too narrow to be believed."""


def advise(
    rows: Sequence[Row], hits: Mapping[str, NDArray[np.float64]], n_tested: int, several: bool
) -> Advice:
    """Advise a method, never the control, by the `rows` and `hits` of `scores.compared`."""
    rivals = [row for row in rows if not row["control"]]
    best = rivals[0]
    use = cheapest([row for row in rivals if row["as_good"]])
    control = next((row for row in rows if row["method"] == MAJORITY), None)
    beats = control is None or (n_tested >= FEWEST and control["difference_interval"][1] < 0)
    if control is not None and not beats:
        return _unsure(best, control, hits, n_tested)
    sentences = _compared(rivals, best, use)
    if control is not None:
        sentences.append(
            f"Naming the largest class every time would have {_percent(control['micro_f1'])}."
        )
    score = f"{_percent(use['micro_f1'])} ({_bounds(use['micro_f1_interval'])})"
    what = "micro-F1 over the labels" if several else "micro-F1"
    lead = f"Use {use['label']}: {what} {score} of {n_tested:,} test documents."
    return Advice(use["method"], use["label"], best["method"], True, None, lead, sentences)


def cheapest(level: Sequence[Row]) -> Row:
    """Return the best of the methods that count as cheap, of methods that may be equally good."""
    cheap = max(QUICK, SLOWER * min(row["seconds"] for row in level))
    return min(level, key=lambda row: (max(row["seconds"], cheap), -row["micro_f1"]))


def _unsure(
    best: Row, control: Row, hits: Mapping[str, NDArray[np.float64]], n_tested: int
) -> Advice:
    """Say that no method is surely better than naming the largest class, and what would tell."""
    ahead = best["micro_f1"] - control["micro_f1"]
    low, high = (-each for each in reversed(control["difference_interval"]))
    found = to_tell_apart(hits[best["method"]], hits[control["method"]])
    if found is not None:
        found = max(found, FEWEST)
    more = None if found is None else max(1, -(-(found - n_tested) // ROUND)) * ROUND
    said = [
        f"{first_large(best['label'])} is best so far, with {_percent(best['micro_f1'])}; naming "
        f"the largest class every time has {_percent(control['micro_f1'])}."
    ]
    if more is None or found is None:
        lead = "No method is better than naming the largest class every time."
        said.append("Are these the labels, and do the texts tell them?")
    else:
        lead = f"Too few labels to tell: label about {more:,} more."
        said.append(_why_unsure(ahead, (low, high), n_tested, n_tested + more))
    if best["macro_f1_interval"][0] > control["macro_f1_interval"][1]:
        said.append(
            f"By macro-F1, which counts all classes alike, it is ahead: {best['macro_f1']:.1f} "
            f"against {control['macro_f1']:.1f}."
        )
    return Advice(best["method"], best["label"], best["method"], False, more, lead, said)


def _why_unsure(ahead: float, interval: tuple[float, float], n_tested: int, needed: int) -> str:
    """Say what the tested documents tell of a lead, and how many would tell more."""
    if n_tested < FEWEST:
        return f"Only {counted(n_tested, 'document was', 'documents were')} tested."
    low, high = interval
    return (
        f"The 95 % interval of its lead of {ahead:.1f} points, {low:.1f} to {high:.1f}, holds 0. "
        f"It would leave out 0 with about {needed:,} test documents, if the lead stays the same; "
        f"there are {n_tested:,}."
    )


def _compared(rivals: Sequence[Row], best: Row, use: Row) -> list[str]:
    """Say which other methods may be as good as the best, and why the advice is this one."""
    others = [row["label"] for row in rivals if row["as_good"] and row is not use]
    if not others:
        return [ALONE] if len(rivals) > 1 else []
    more = len(others) - MOST_NAMED
    names = listed([*others[:MOST_NAMED], f"{more} others"] if more > 1 else others)
    if use is best:
        return [f"It has the highest score; {names} may be as good: the difference may be chance."]
    name = first_large(best["label"])
    return [
        f"{name} has {_percent(best['micro_f1'])}, and the difference may be chance; "
        f"{use['label']} learns in {seconds(use['seconds'])} in place of "
        f"{seconds(best['seconds'])} seconds of a processor."
    ]


def seconds(value: float) -> str:
    """Return seconds as text, with a decimal below 10 and two below a tenth."""
    decimals = 2 if value < 0.1 else 1 if value < 10 else 0
    return f"{value:,.{decimals}f}"


def _percent(value: float) -> str:
    return f"{value:.1f}\N{NO-BREAK SPACE}%"


def _bounds(interval: tuple[float, float]) -> str:
    low, high = interval
    decimals = 0 if high - low >= WIDE else 1
    return f"{low:.{decimals}f}\N{EN DASH}{high:.{decimals}f}"


def first_large(text: str) -> str:
    """Return a text that begins with a large letter."""
    return text[:1].upper() + text[1:]
