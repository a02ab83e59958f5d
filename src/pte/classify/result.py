"""The result of a contest as JSON, which `pte evaluate` prints and keeps, and a page shows."""

import math
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import numpy as np

from pte.classify.advice import Advice, advise
from pte.classify.folds import Collection, Fold, n_labels, tested_documents, thinned
from pte.classify.lineup import Lineup, in_minutes
from pte.classify.registry import method_named
from pte.classify.scores import Comparison, Predictions, compared, is_skewed, joined
from pte.classify.sure import how_sure, shifted
from pte.classify.trial import Tested, Work
from pte.corpora.encoded import Targets, micro_f1
from pte.errors import PteError
from pte.machine import code_and_machine
from pte.training.contract import ONE_LABEL
from pte.training.method import CONTROL

WORDS = {ONE_LABEL: "it learns only one label for each document"}
"""Reasons why methods do not run, in the words of people."""

CURVE_SHARES = (0.25, 0.5)  # shares of labels that a learning curve measures, beside all
FURTHER = 2  # the forecast is for so many times the labels that there are


class Contest:
    """The trials of a contest, as they come in, and the result that they give."""

    def __init__(self, collection: Collection, folds: Sequence[Fold]) -> None:
        """Begin without trials."""
        self.collection, self.folds = collection, folds
        self.whole: dict[str, list[Tested]] = defaultdict(list)
        self._parts: dict[float, list[Tested]] = defaultdict(list)
        self.failed: dict[str, str] = {}
        self.dropped: list[dict[str, Any]] = []
        self._compared: Comparison | None = None

    def add(self, tested: Tested) -> None:
        """Add a trial."""
        if tested.share < 1:
            self._parts[tested.share].append(tested)
            return
        self._compared = None
        self.whole[tested.method].append(tested)
        if tested.failed:
            self.failed.setdefault(tested.method, tested.failed)

    @property
    def complete(self) -> list[Predictions]:
        """The methods that have predicted all tested documents."""
        found = [
            joined(self.folds, each)
            for name, each in self.whole.items()
            if len(each) == len(self.folds) and name not in self.failed
        ]
        return sorted(found, key=lambda each: each.method)

    def unfinished(self, methods: Sequence[str]) -> list[str]:
        """Return the methods that are neither complete nor dropped, and have not failed."""
        ended = self.failed.keys() | {each["method"] for each in self.dropped}
        n_folds = len(self.folds)
        return [n for n in methods if n not in ended and len(self.whole[n]) < n_folds]

    def give_up(self, methods: Sequence[str], why: str) -> None:
        """Let those of the methods that are not finished fail, for this reason."""
        self.failed |= dict.fromkeys(self.unfinished(methods), why)

    def scored(self) -> list[str]:
        """Return the methods that are complete, without the control."""
        names = [each.method for each in self.complete]
        return [name for name in names if method_named(name).group != CONTROL]

    def compared(self) -> Comparison:
        """Compare the methods. Raises `PteError` when no method but the control is complete."""
        if self._compared is not None:
            return self._compared
        complete = self.complete
        found = compared(self.collection, self.folds, complete) if complete else None
        if found is None or all(row["control"] for row in found.rows):
            told = {name: why.removeprefix(f"{name}: ") for name, why in self.failed.items()}
            reasons = "; ".join(f"{name}: {why}" for name, why in told.items())
            raise PteError(f"no method has a score: {reasons or 'none has met all folds'}")
        self._compared = found
        return found

    @property
    def _truth(self) -> Targets:
        return self.collection.targets(tested_documents(self.folds))

    @property
    def advice(self) -> Advice:
        """What the methods that are complete advise. Raises `PteError` as `compared` does."""
        found, n_tested = self.compared(), tested_documents(self.folds).size
        several, skewed = self.collection.labels.several, is_skewed(self._truth)
        return advise(found.rows, found.hits, n_tested, several, skewed)

    def has(self, work: Work) -> bool:
        """Return whether a trial with all labels is there already."""
        return any(each.fold == work.fold for each in self.whole[work.method])

    def take(self, name: str, other: "Contest") -> None:
        """Take the trials of a method from another contest, whose folds are the first of these."""
        for tested in other.whole[name]:
            self.add(tested)

    def curve_works(self) -> list[Work]:
        """Return the trials of the learning curve of the advised method."""
        numbers = [i for i, fold in enumerate(self.folds) if fold.repeat == 0]
        return [Work(self.advice.method, i, share) for share in CURVE_SHARES for i in numbers]

    def predictions(self) -> Iterator[tuple[str, ...]]:
        """Yield a header, then id, label and predictions of documents, of the first repeat."""
        names = [str(name) for name in self.collection.labels.classes.tolist()]
        tested, complete = tested_documents(self.folds), self.complete
        columns = [
            [_named(names, target) for target in targets]
            for targets in (
                self.collection.targets(tested),
                *(each.predicted[0] for each in complete),
            )
        ]
        yield "document", "label", *(each.method for each in complete)
        for i, row in zip(tested.tolist(), zip(*columns, strict=True), strict=True):
            yield self.collection.ids[i], *row

    def result(self, lineup: Lineup, interrupted: bool = False) -> dict[str, Any]:
        """Return the result as JSON."""
        found, advice, labels = self.compared(), self.advice, self.collection.labels
        if unfinished := self.unfinished(lineup.methods):
            advice = advice.interrupted(len(unfinished))
        sure, warning = (None, None) if labels.several else self._sure(advice.method)
        if warning:
            advice.sentences.append(warning)
        not_run = {**lineup.not_run, **dict.fromkeys(unfinished, "interrupted"), **self.failed}
        points, ahead = self._curve(found.rows, advice.method)
        sizes = Counter(number for row in labels.of_documents for number in row or ())
        return {
            "date": datetime.now(UTC).isoformat(timespec="seconds"),
            "documents": self._documents(),
            "several_labels": labels.several,
            "classes": [
                {"class": str(name), "documents": sizes[i]}
                for i, name in enumerate(labels.classes.tolist())
            ],
            "folds": {
                "kind": self.collection.kind,
                "folds": sum(fold.repeat == 0 for fold in self.folds),
                "repeats": 1 + max(fold.repeat for fold in self.folds),
            },
            "methods": found.rows,
            "not_run": [
                {"method": name, "label": method_named(name).label, "why": WORDS.get(why, why)}
                for name, why in not_run.items()
            ],
            "dropped": self.dropped,
            "not_asked": [method_named(name).label for name in lineup.not_asked],
            "interrupted": interrupted,
            "advice": advice._asdict(),
            "sure": sure,
            "curve": points,
            "forecast": ahead,
            "no_forecast": None if ahead else _no_forecast(points, lineup.minutes, interrupted),
            "made": _made(),
        }

    def _sure(self, method: str) -> tuple[dict[str, Any], str | None]:
        """Return how sure the method is, and a warning if labels were not picked at random."""
        found = [each for each in self.whole[method] if self.folds[each.fold].repeat == 0]
        truths = [self.collection.targets(self.folds[t.fold].test) for t in found]
        names = [str(name) for name in self.collection.labels.classes.tolist()]
        sure = how_sure(found, truths, self._documents()["unlabelled"])
        return sure, shifted(found, names)

    def _documents(self) -> dict[str, int]:
        labels = self.collection.labels
        return {
            "all": len(self.collection.texts),
            "labelled": int(labels.known.size),
            "unlabelled": len(self.collection.texts) - int(labels.known.size),
            "tested": int(tested_documents(self.folds).size),
            "empty": sum(not text.strip() for text in self.collection.texts),
            "without_known_word": self.complete[0].without_known_word,
        }

    def _curve(
        self, rows: Sequence[Mapping[str, Any]], advised: str
    ) -> tuple[list[dict[str, Any]], dict[str, Any] | None]:
        firsts = [fold for fold in self.folds if fold.repeat == 0]
        labels = self.collection.labels
        whole = float(np.mean([n_labels(labels, fold) for fold in firsts]))
        score_now = next(row["micro_f1"] for row in rows if row["method"] == advised)
        points: list[tuple[float, float]] = []
        for share, found in sorted(self._parts.items()):
            if len(found) == len(firsts) and not any(each.failed for each in found):
                parts = [thinned(self.collection, fold, share, 0).labels for fold in firsts]
                n = float(np.mean(list(map(n_labels, parts, firsts))))
                if (points[-1][0] if points else 0) < n < whole:  # each class keeps a label
                    points.append((n, self._micro(found)))
        if points:  # all points are of the first repeat
            found = [each for each in self.whole[advised] if self.folds[each.fold].repeat == 0]
            points.append((whole, self._micro(found)))
        cells = [{"labels": round(n), "micro_f1": score} for n, score in points]
        ahead = forecast(points)
        if ahead is None:
            return cells, None
        # The points are of the first repeat, and the score is of all.
        error = (100 - score_now) * (100 - ahead[1]) / (100 - points[-1][1])
        score = 100 - error
        sentence = (
            f"With twice the labels, {method_named(advised).label} would have about "
            f"{score:.1f}\N{NO-BREAK SPACE}%, {score - score_now:.1f} points more, if its "
            "errors go on to fall as they do up to now."
        )
        return cells, {"labels": ahead[0], "micro_f1": score, "sentence": sentence}

    def _micro(self, found: Sequence[Tested]) -> float:
        true: list[Any] = [self.collection.targets(self.folds[i.fold].test) for i in found]
        said: list[Any] = [each.predicted for each in found]
        return 100 * micro_f1(np.concatenate(true), np.concatenate(said))


def _no_forecast(points: Sequence[Any], minutes: float, interrupted: bool) -> str:
    if interrupted:
        return "There is no learning curve, because the contest was interrupted."
    if not points:
        more = max(1, math.ceil(2 * minutes))
        return f"The learning curve did not fit into {in_minutes(minutes)}; give {more} or more."
    return (
        "There is no forecast for more labels: the learning curve does not rise, or has a point "
        "without errors."
    )


def _named(names: Sequence[str], target: Any) -> str:
    """Return the class of a number, or the classes that a row of bools marks."""
    if np.ndim(target) == 0:
        return names[int(target)]
    return ";".join(names[i] for i in np.flatnonzero(target).tolist())


def _made() -> dict[str, str | None]:
    facts = code_and_machine(Path(__file__).parent, ("pte",))
    commit = facts["commit"]
    return {
        "version": facts["pte"],
        "commit": None if commit == "unknown" else commit,
        "machine": f"{facts['processor']}, {facts['cores']} cores",
        "python": facts["Python"],
    }


def forecast(points: Sequence[tuple[float, float]]) -> tuple[int, float] | None:
    """Return a further number of labels, and micro-F1 in percent there, or None.

    The error is taken to fall as a power of the number of labels: least squares on logarithms.
    """
    labels = np.array([n for n, _ in points])
    errors = np.array([100 - score for _, score in points])
    if len(points) < 2 or (errors <= 0).any():
        return None
    slope, height = np.polyfit(np.log(labels), np.log(errors), 1)
    if slope > -1e-9:  # rounding alone may make a slope a little negative
        return None
    ahead = FURTHER * labels[-1]
    # The line is moved to the last point, which all labels and most documents measured.
    at_last = errors[-1] / np.exp(height + slope * np.log(labels[-1]))
    error = at_last * np.exp(height + slope * np.log(ahead))
    return round(float(ahead)), float(100 - error)
