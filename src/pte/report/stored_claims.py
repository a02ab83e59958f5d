"""Verdicts from published runs alone: the hits that they keep take the place of predictions."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace

import numpy as np

from pte.claims.claim import Claim, checkpoint
from pte.claims.pairing import Found, Outcomes, Side, by_seed, stand_for_all
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
    checkpoints = by_seed(_checkpoints(runs))
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


def _side(run: StoredRun) -> Side:
    subset = Subset.parse(run.kept["corpus"])
    return replace(subset, seed=None).name, run.kept["method"]


def _scored(
    runs: Iterable[StoredRun], setting: str, unseeded: Collection[str]
) -> dict[Side, Outcomes]:
    found: Found = {}
    for run in runs:
        if len(run.hits) and run.kept.get("setting") == setting:
            took = run.kept["train_seconds"]
            row = (run.kept["seed"], run.hits[0], np.nan if took is None else took)
            found.setdefault(_side(run), []).append(row)
    return stand_for_all(by_seed(found), unseeded)


def _checkpoints(runs: Iterable[StoredRun]) -> Found:
    found: Found = {}
    for run in runs:
        for record, hits in zip(run.kept.get("runs", []), run.hits, strict=False):
            key = (checkpoint(record["corpus"], record["part"]), MAIN_METHOD)
            found.setdefault(key, []).append((record["seed"], hits, np.nan))
    return found
