"""Verdicts from published runs alone: the hits that they keep take the place of predictions."""

from collections.abc import Callable, Iterable, Mapping, Sequence

import numpy as np

from pte.claims.claim import Claim, Measure, beside, training
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
from pte.claims.points import Points
from pte.report.verdicts import Pairs
from pte.study import paths
from pte.study.entries import MAIN_METHOD
from pte.study.stored_runs import StoredRun


def judge_stored(
    claims: Mapping[str, Claim],
    runs: Sequence[StoredRun],
    protocols: Sequence[str],
    unavailable: Mapping[str, str],
    kinds: Kinds,
    moderated: bool = True,
) -> Pairs:
    """Judge the claims on published runs, as `pte.claims.evidence.judge_protocols` does on files.

    They keep hits and no predictions, so claims are judged by micro-F1 alone. `moderated` is that
    of `judge`.
    """
    beside_scores = by_seed(_trainings(runs) | _seconds(runs) | _neighbours(runs))
    reasons: dict[str | Key, str] = dict(unavailable.items())
    reasons.update({key_of(r.kept): r.kept["unavailable"] for r in runs if "unavailable" in r.kept})
    return {
        protocol: judge(
            judged_with(claims, protocol),
            _scored(runs, protocol, kinds) | beside_scores,
            reasons,
            kinds,
            moderated=moderated,
        )
        for protocol in protocols
    }


def _points(run: StoredRun) -> Points:
    """Those of the last test of a run."""
    points: Points = 100 * run.hits[-1].astype(np.float32)
    return points


def _scored(runs: Iterable[StoredRun], protocol: str, kinds: Kinds) -> dict[Key, Outcomes]:
    found: Found = {}
    for run in runs:
        if len(run.hits) and run.kept.get(PROTOCOL) == protocol:
            found.setdefault(key_of(run.kept), []).append((run.kept["seed"], _points(run)))
    return stand_for_all(by_seed(found), kinds.unseeded)


def _trainings(runs: Iterable[StoredRun]) -> Found:
    found: Found = {}
    for run in runs:
        which = paths.wildcards_of(paths.SENSITIVITY_RUN, run.name)
        if which:
            key = (training(which["corpus"], which["parameter"], which["value"]), MAIN_METHOD)
            found.setdefault(key, []).append((int(which["seed"]), _points(run)))
    return found


def _seconds(runs: Iterable[StoredRun]) -> Found:
    timed = [run for run in runs if run.kept.get("seconds")]
    return _beside(timed, "seconds", lambda run: seconds_points(run.kept["seconds"]))


def _neighbours(runs: Iterable[StoredRun]) -> Found:
    return _beside(runs, "neighbours", _points)


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
