"""Published runs as evidence for claims, without texts or predictions on this machine."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from pte_study import paths
from pte_study.claims.claim import Claim, Measure, base_of, beside, training
from pte_study.claims.pairing import (
    PROTOCOL,
    AllOutcomes,
    Found,
    Key,
    Kinds,
    by_seed,
    key_of,
    seconds_points,
    stand_for_all,
)
from pte_study.claims.points import Metric, Points, document_points
from pte_study.configuration.entries import MAIN_METHOD
from pte_study.store.stored_runs import StoredRun, corpus_of, named, read_store


@dataclass(frozen=True)
class StoredEvidence:
    """The published runs that claims are judged on.

    `truth` has the classes of the test documents, for each corpus on which all these runs keep
    their predictions.
    """

    runs: Sequence[StoredRun]
    truth: Mapping[str, NDArray[np.int32]]

    @classmethod
    def read(cls, files: Sequence[Path], names: Sequence[str]) -> "StoredEvidence":
        """Read the runs of these names.

        Raises `PteError` for a run that is not there.
        """
        held_by = {path.stem: read_store(path) for path in files}
        runs = named(held_by.values(), names)
        lacking = {corpus_of(run.name) for run in runs if run.keeps_hits_alone}
        truth = {
            corpus: store.truth
            for corpus, store in held_by.items()
            if store.truth is not None and corpus not in lacking
        }
        return cls(runs, truth)

    def reasons(self) -> Mapping[Key, str]:
        """Return the reasons that published runs give."""
        absent = [run.kept for run in self.runs if "unavailable" in run.kept]
        return {key_of(kept): kept["unavailable"] for kept in absent}

    def outcomes(self, protocol: str, kinds: Kinds, metric: Metric) -> AllOutcomes:
        """Take the points of the runs that have the protocol and tell the metric."""
        found: Found = {}
        for run in self._telling(metric):
            if run.kept.get(PROTOCOL) == protocol:
                points = self._points(metric, run)
                found.setdefault(key_of(run.kept), []).append((run.kept["seed"], points))
        return stand_for_all(by_seed(found), kinds.unseeded)

    def beside(self, metric: Metric) -> AllOutcomes:
        """Take the points of trainings and neighbours, and the seconds of timed trainings."""
        telling, points = self._telling(metric), partial(self._points, metric)
        timed = [run for run in self.runs if run.kept.get("seconds")]
        found = _trainings(telling, points) | _beside(telling, "neighbours", points)
        seconds = _beside(timed, "seconds", lambda run: seconds_points(run.kept["seconds"]))
        return by_seed(found | seconds)

    def answerable(self, claims: Mapping[str, Claim], metric: Metric) -> Mapping[str, Claim]:
        """Return the claims, by macro-F1 only on corpora whose true classes are in `truth`."""
        asked = {}
        for name, claim in claims.items():
            on = [c for c in claim.corpora if self._tells(metric, (c, *claim.beyond))]
            asked[name] = replace(claim, corpora=tuple(on))
        return asked

    def _tells(self, metric: Metric, corpora: Iterable[str]) -> bool:
        return metric == "micro_f1" or set(map(base_of, corpora)) <= set(self.truth)

    def _telling(self, metric: Metric) -> list[StoredRun]:
        """Return the runs with a test that tells the metric."""
        return [r for r in self.runs if len(r.hits) and self._tells(metric, [corpus_of(r.name)])]

    def _points(self, metric: Metric, run: StoredRun) -> Points:
        """Return the points of the documents in the last test of a run."""
        if metric == "micro_f1":
            hits: Points = 100 * run.hits[-1].astype(np.float32)
            return hits
        truth = self.truth[corpus_of(run.name)]
        return document_points(truth, run.predicted(truth)[-1], metric)


def _trainings(runs: Iterable[StoredRun], points: Callable[[StoredRun], Points]) -> Found:
    found: Found = {}
    for run in runs:
        which = paths.wildcards_of(paths.SENSITIVITY_RUN, run.name)
        if which:
            key = (training(which["corpus"], which["parameter"], which["value"]), MAIN_METHOD)
            found.setdefault(key, []).append((int(which["seed"]), points(run)))
    return found


def _beside(
    runs: Iterable[StoredRun], measure: Measure, points: Callable[[StoredRun], Points]
) -> Found:
    found: Found = {}
    for run in runs:
        which = paths.wildcards_of(paths.BESIDE[measure], run.name)
        if which:
            key = (beside(which["corpus"], measure), which["method"])
            found.setdefault(key, []).append((int(which["seed"]), points(run)))
    return found
