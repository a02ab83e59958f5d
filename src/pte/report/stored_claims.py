"""Verdicts from published runs alone."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from pte.claims.claim import Claim, Measure, base_of, beside, training
from pte.claims.evidence import judged_with
from pte.claims.judging import judge
from pte.claims.pairing import (
    PROTOCOL,
    Found,
    Key,
    Kinds,
    Outcomes,
    by_seed,
    key_of,
    seconds_points,
    stand_for_all,
)
from pte.claims.points import METRICS, Metric, Points, document_points
from pte.report.verdicts import Pairs
from pte.study import paths
from pte.study.entries import MAIN_METHOD
from pte.study.stored_runs import StoredRun, corpus_of, named, read_store


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


def judge_stored(
    claims: Mapping[str, Claim],
    evidence: StoredEvidence,
    protocols: Sequence[str],
    unavailable: Mapping[str, str],
    kinds: Kinds,
    moderated: bool = True,
) -> Pairs:
    """Judge the claims on published runs, as `pte.claims.evidence.judge_protocols` does on files.

    Macro-F1 is judged only on corpora whose true classes are in `evidence.truth`. `moderated` is
    passed on to `judge`.
    """
    runs = evidence.runs
    reasons: dict[str | Key, str] = dict(unavailable.items())
    reasons.update({key_of(r.kept): r.kept["unavailable"] for r in runs if "unavailable" in r.kept})
    found: dict[str, list[pd.DataFrame]] = {protocol: [] for protocol in protocols}
    for metric in METRICS:
        by_metric = _Points(metric, evidence.truth)
        there = [run for run in runs if by_metric.has(run)]
        beside_scores = by_seed(
            _trainings(there, by_metric) | _seconds(runs) | _neighbours(there, by_metric)
        )
        for protocol in protocols:
            asked = by_metric.asked(judged_with(claims, protocol))
            compared = _scored(there, protocol, kinds, by_metric) | beside_scores
            found[protocol].append(judge(asked, compared, reasons, kinds, metric, moderated))
    return {protocol: pd.concat(frames, ignore_index=True) for protocol, frames in found.items()}


@dataclass(frozen=True)
class _Points:
    """The points of the documents in the last test of a run, by one metric."""

    metric: Metric
    truth: Mapping[str, NDArray[np.int32]]

    def can_be_had(self, corpora: Iterable[str]) -> bool:
        """Return whether runs on these corpora have the points; macro-F1 needs predictions."""
        return self.metric == "micro_f1" or set(corpora) <= set(self.truth)

    def has(self, run: StoredRun) -> bool:
        """Return whether a run has a test from which the points can be had."""
        return len(run.hits) > 0 and self.can_be_had([corpus_of(run.name)])

    def asked(self, claims: Mapping[str, Claim]) -> dict[str, Claim]:
        """Return the claims, each on the corpora where the points can be had."""
        asked = {}
        for name, claim in claims.items():
            on = [c for c in claim.corpora if self.can_be_had(map(base_of, (c, *claim.beyond)))]
            asked[name] = replace(claim, corpora=tuple(on))
        return asked

    def __call__(self, run: StoredRun) -> Points:
        if self.metric == "micro_f1":
            hits: Points = 100 * run.hits[-1].astype(np.float32)
            return hits
        truth = self.truth[corpus_of(run.name)]
        return document_points(truth, run.predicted(truth)[-1], self.metric)


def _scored(
    runs: Iterable[StoredRun], protocol: str, kinds: Kinds, points: _Points
) -> dict[Key, Outcomes]:
    found: Found = {}
    for run in runs:
        if run.kept.get(PROTOCOL) == protocol:
            found.setdefault(key_of(run.kept), []).append((run.kept["seed"], points(run)))
    return stand_for_all(by_seed(found), kinds.unseeded)


def _trainings(runs: Iterable[StoredRun], points: _Points) -> Found:
    found: Found = {}
    for run in runs:
        which = paths.wildcards_of(paths.SENSITIVITY_RUN, run.name)
        if which:
            key = (training(which["corpus"], which["parameter"], which["value"]), MAIN_METHOD)
            found.setdefault(key, []).append((int(which["seed"]), points(run)))
    return found


def _seconds(runs: Iterable[StoredRun]) -> Found:
    timed = [run for run in runs if run.kept.get("seconds")]
    return _beside(timed, "seconds", lambda run: seconds_points(run.kept["seconds"]))


def _neighbours(runs: Iterable[StoredRun], points: _Points) -> Found:
    return _beside(runs, "neighbours", points)


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
