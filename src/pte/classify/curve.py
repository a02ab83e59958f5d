"""The learning curve of the advised method, and what all labels and twice the labels bring."""

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from pte.classify.advice import bounds, percent
from pte.classify.lineup import in_minutes

CURVE_SHARES = (0.25, 0.5)  # shares of labels that a learning curve measures, beside all
FURTHER = 2  # the forecast is for so many times the labels that there are


@dataclass(frozen=True)
class LearningCurve:
    """Micro-F1 in percent by numbers of labels, which rise.

    Errors are taken to fall as a power of the number of labels: least squares on logarithms, and
    through the last point, which all labels of a fold and most documents measured.
    """

    labels: tuple[float, ...] = ()
    scores: tuple[float, ...] = ()

    def through(self, score: float) -> "LearningCurve":
        """Scale the errors so that the last point has this score, the method's of all repeats."""
        if not self.scores or self.scores[-1] == 100:
            return self
        ratio = (100 - score) / (100 - self.scores[-1])
        return replace(self, scores=tuple(100 - ratio * (100 - each) for each in self.scores))

    def errors_left(self, labels: float) -> float | None:
        """Return the share of the last point's errors that so many labels leave, or None."""
        errors = 100 - np.array(self.scores)
        if errors.size < 2 or (errors <= 0).any():
            return None
        slope, _ = np.polyfit(np.log(self.labels), np.log(errors), 1)
        if slope > -1e-9:  # rounding alone may make a slope a little negative
            return None
        return float((labels / self.labels[-1]) ** slope)

    def told(self, row: Mapping[str, Any], n_labels: int) -> dict[str, Any]:
        """Return the curve, and the scores of the method of `row` with all labels and with twice.

        The two are None where the curve does not fall.
        """
        name, (low, high) = row["label"], row["micro_f1_interval"]
        points = zip(self.labels, self.scores, strict=True)
        cells = [{"labels": round(n), "micro_f1": score} for n, score in points]
        left, after = self.errors_left(n_labels), self.errors_left(FURTHER * n_labels)
        if left is None or after is None:
            return {"curve": cells, "expected": None, "forecast": None}
        now, low, high = (100 - left * (100 - each) for each in (row["micro_f1"], low, high))
        ahead = 100 - after * (100 - row["micro_f1"])
        expected = (
            f"Tested models learnt from about {self.labels[-1]:,.0f} labels. `pte fit` learns from "
            f"all {n_labels:,}: expect about {percent(now)} ({bounds((low, high))})."
        )
        further = (
            f"With twice the labels, {name} would have about {percent(ahead)}, "
            f"{round(ahead, 1) - round(now, 1):.1f} points more, if its errors go on to fall as "
            "they do up to now."
        )
        all_labels = {"labels": n_labels, "micro_f1": now, "micro_f1_interval": [low, high]}
        twice = {"labels": FURTHER * n_labels, "micro_f1": ahead}
        return {
            "curve": cells,
            "expected": all_labels | {"sentence": expected},
            "forecast": twice | {"sentence": further},
        }


def no_forecast(curve: LearningCurve, minutes: float, interrupted: bool) -> str:
    """Say why there is no forecast."""
    if curve.labels:
        return (
            "There is no forecast for more labels: the learning curve does not rise, or has a "
            "point without errors."
        )
    if interrupted:
        return "There is no learning curve, because the contest was interrupted."
    more = max(1, math.ceil(2 * minutes))
    return f"The learning curve did not fit into {in_minutes(minutes)}; give {more} or more."
