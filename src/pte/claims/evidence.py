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

    `scores` are files of tables and curves, `trainings` are files of the sensitivity experiment,
    and `seconds` are files of trainings with all threads. `neighbours` are files of the classes
    that the nearest documents predict. `corpora` are the folders of the encoded corpora that all
    these files are about.
    """

    scores: Sequence[Path] = ()
    trainings: Sequence[Path] = ()
    seconds: Sequence[Path] = ()
    neighbours: Sequence[Path] = ()
    corpora: Sequence[Path] = ()

    @classmethod
    def of(cls, files: Mapping[str, Iterable[str | Path]]) -> "Evidence":
        """Take the files of each field by the name of the field; leave out files of other names."""
        return cls(**{f.name: [Path(path) for path in files.get(f.name, ())] for f in fields(cls)})


def judge_protocols(
    claims: Mapping[str, Claim],
    evidence: Evidence,
    protocols: Sequence[str],
    unavailable: Mapping[str, str],
    kinds: Kinds,
    method: str,
) -> dict[str, pd.DataFrame]:
    """Judge the claims on files, with each protocol and by each metric; see `judge`.

    `unavailable` says why a corpus cannot be had, and `method` is the method of the trainings.
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
    """Return the claims that are judged with a protocol."""
    return {name: claim for name, claim in claims.items() if claim.is_judged_with(protocol)}
