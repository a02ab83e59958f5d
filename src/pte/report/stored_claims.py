"""Verdicts from published runs alone: the hits that they keep take the place of predictions."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from pte.claims.claim import Claim, checkpoint
from pte.claims.pairing import Outcomes, Side
from pte.claims.verdicts import judge, without_checkpoints
from pte.corpora.subsets import Subset
from pte.report.verdicts import Pairs
from pte.study.entries import MAIN_METHOD
from pte.study.stored_runs import StoredRun


def judge_stored(
    claims: Mapping[str, Claim],
    runs: Sequence[StoredRun],
    settings: Sequence[str],
    unavailable: Mapping[str, str],
    unseeded: Collection[str],
) -> Pairs:
    """Judge the claims on published runs, as `pte.claims.verdicts.judge_settings` does on files."""
    checkpoints = _outcomes(_checkpoints(runs))
    reasons: dict[str | Side, str] = dict(unavailable.items())
    reasons.update({_side(run): run.kept["unavailable"] for run in runs if not len(run.hits)})
    return {
        setting: judge(
            claims if setting == "paper" else without_checkpoints(claims),
            _scored(runs, setting, unseeded) | checkpoints,
            reasons,
        )
        for setting in settings
    }


_Found = dict[Side, list[tuple[int, Any, float]]]
"""The seed, the hits and the seconds of each run."""


def _side(run: StoredRun) -> Side:
    subset = Subset.parse(run.kept["corpus"])
    return replace(subset, seed=None).name, run.kept["method"]


def _scored(
    runs: Iterable[StoredRun], setting: str, unseeded: Collection[str]
) -> dict[Side, Outcomes]:
    found: _Found = {}
    for run in runs:
        if len(run.hits) and run.kept.get("setting") == setting:
            took = run.kept["train_seconds"]
            row = (run.kept["seed"], run.hits[0], np.nan if took is None else took)
            found.setdefault(_side(run), []).append(row)
    return {
        (view, method): replace(each, seeds=None) if alone else each
        for (view, method), each in _outcomes(found).items()
        for alone in [method in unseeded and view == Subset.parse(view).base]
    }


def _checkpoints(runs: Iterable[StoredRun]) -> _Found:
    found: _Found = {}
    for run in runs:
        for record, hits in zip(run.kept.get("runs", []), run.hits, strict=False):
            key = (checkpoint(record["corpus"], record["part"]), MAIN_METHOD)
            found.setdefault(key, []).append((record["seed"], hits, np.nan))
    return found


def _outcomes(found: _Found) -> dict[Side, Outcomes]:
    outcomes = {}
    for side, each in found.items():
        seeds, hits, seconds = zip(*sorted(each, key=lambda run: run[0]), strict=True)
        outcomes[side] = Outcomes(seeds, np.stack(hits), np.array(seconds, np.float64))
    return outcomes
