"""The files that claims are judged on."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields
from pathlib import Path

import pandas as pd

from pte.claims.claim import Claim
from pte.claims.judging import judge
from pte.claims.pairing import (
    Key,
    Kinds,
    collect_neighbours,
    collect_runs,
    collect_seconds,
    collect_trainings,
    collect_unavailable,
    read_truth,
)
from pte.claims.points import METRICS


@dataclass(frozen=True)
class Evidence:
    """The files that claims are judged on.

    `scores` are those of tables and curves, `trainings` are of the sensitivity experiment,
    `seconds` are of trainings with all threads, and `neighbours` hold classes by the nearest
    documents. `corpora` are the folders of the encoded corpora that all of these are of.
    """

    scores: Sequence[Path] = ()
    trainings: Sequence[Path] = ()
    seconds: Sequence[Path] = ()
    neighbours: Sequence[Path] = ()
    corpora: Sequence[Path] = ()

    @classmethod
    def of(cls, files: Mapping[str, Iterable[str | Path]]) -> "Evidence":
        """Take the files by these names; others are left out."""
        return cls(**{f.name: [Path(path) for path in files.get(f.name, ())] for f in fields(cls)})


def judge_protocols(
    claims: Mapping[str, Claim],
    evidence: Evidence,
    protocols: Sequence[str],
    unavailable: Mapping[str, str],
    kinds: Kinds,
    method: str,
) -> dict[str, pd.DataFrame]:
    """Judge the claims with each protocol, by each metric, on files; see `judge`.

    `unavailable` says why a corpus cannot be had, and `method` is the one that has trainings.
    """
    truth = read_truth(evidence.corpora)
    reasons: dict[str | Key, str] = dict(unavailable.items())
    reasons.update(collect_unavailable(evidence.scores))
    found: dict[str, list[pd.DataFrame]] = {protocol: [] for protocol in protocols}
    for metric in METRICS:
        beside = collect_trainings(evidence.trainings, truth, method, metric)
        beside |= collect_neighbours(evidence.neighbours, truth, metric)
        beside |= collect_seconds(evidence.seconds)
        for protocol in protocols:
            scores = collect_runs(evidence.scores, truth, protocol, kinds.unseeded, metric)
            ours = judged_with(claims, protocol)
            found[protocol].append(judge(ours, scores | beside, reasons, kinds, metric))
    return {protocol: pd.concat(frames, ignore_index=True) for protocol, frames in found.items()}


def judged_with(claims: Mapping[str, Claim], protocol: str) -> dict[str, Claim]:
    """Keep the claims that are judged with a protocol."""
    return {name: claim for name, claim in claims.items() if claim.is_judged_with(protocol)}
