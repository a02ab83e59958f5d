"""The result of a contest as JSON, which `pte evaluate` prints and keeps, and a page shows."""

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import numpy as np

from pte.classify.advice import Advice, advise
from pte.classify.curve import CURVE_SHARES, LearningCurve, no_forecast
from pte.classify.folds import Collection, Fold, n_labels, tested_documents, thinned
from pte.classify.lineup import Lineup
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
        row = next(row for row in found.rows if row["method"] == advice.method)
        curve = self._curve(row)
        ahead = curve.told(row, int(labels.known.size))
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
            **ahead,
            "no_forecast": None
            if ahead["forecast"]
            else no_forecast(curve, lineup.minutes, interrupted),
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
            "chosen": 0 if self.collection.chosen is None else int(self.collection.chosen.sum()),
            "tested": int(tested_documents(self.folds).size),
            "empty": sum(not text.strip() for text in self.collection.texts),
            "without_known_word": self.complete[0].without_known_word,
        }

    def _curve(self, row: Mapping[str, Any]) -> LearningCurve:
        firsts = [fold for fold in self.folds if fold.repeat == 0]
        labels = self.collection.labels
        whole = float(np.mean([n_labels(labels, fold) for fold in firsts]))
        points: list[tuple[float, float]] = []
        for share, found in sorted(self._parts.items()):
            if len(found) == len(firsts) and not any(each.failed for each in found):
                parts = [thinned(self.collection, fold, share, 0).labels for fold in firsts]
                n = float(np.mean(list(map(n_labels, parts, firsts))))
                if (points[-1][0] if points else 0) < n < whole:  # each class keeps a label
                    points.append((n, self._micro(found)))
        if not points:
            return LearningCurve()
        found = [t for t in self.whole[row["method"]] if self.folds[t.fold].repeat == 0]
        points.append((whole, self._micro(found)))  # all points are of the first repeat
        ns, scores = zip(*points, strict=True)
        return LearningCurve(ns, scores).through(row["micro_f1"])

    def _micro(self, found: Sequence[Tested]) -> float:
        true: list[Any] = [self.collection.targets(self.folds[i.fold].test) for i in found]
        said: list[Any] = [each.predicted for each in found]
        return 100 * micro_f1(np.concatenate(true), np.concatenate(said))


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
