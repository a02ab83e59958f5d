"""The runs that claims are judged on, wherever these runs come from."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields
from functools import cached_property
from pathlib import Path
from typing import Protocol

import pandas as pd

from pte.corpora.targets import Targets
from pte_study.claims.claim import Claim
from pte_study.claims.judging import judge
from pte_study.claims.pairing import (
    AllOutcomes,
    Key,
    Kinds,
    collect_neighbours,
    collect_runs,
    collect_seconds,
    collect_trainings,
    collect_unavailable,
    read_truth,
)
from pte_study.claims.points import METRICS, Metric


class Evidence(Protocol):
    """The runs that claims are judged on."""

    def reasons(self) -> Mapping[Key, str]:
        """Return why methods could not be run, by corpus and method."""

    def outcomes(self, protocol: str, kinds: Kinds, metric: Metric) -> AllOutcomes:
        """Return the outcomes of the runs with a protocol."""

    def beside(self, metric: Metric) -> AllOutcomes:
        """Return the outcomes that have no protocol: of trainings, of seconds, of neighbours."""

    def answerable(self, claims: Mapping[str, Claim], metric: Metric) -> Mapping[str, Claim]:
        """Return the claims, each on the corpora whose runs tell the metric."""


@dataclass(frozen=True)
class RunFiles:
    """Evidence from the files of a run.

    `method` is the method of the sensitivity experiment. `scores` are the files of tables and
    curves, `trainings` are files of the sensitivity experiment, `seconds` are files of trainings
    with all threads, and `neighbours` hold classes by the nearest documents. `corpora` are the
    folders of the encoded corpora of all these files.
    """

    method: str
    scores: Sequence[Path] = ()
    trainings: Sequence[Path] = ()
    seconds: Sequence[Path] = ()
    neighbours: Sequence[Path] = ()
    corpora: Sequence[Path] = ()

    @classmethod
    def of(cls, method: str, files: Mapping[str, Iterable[str | Path]]) -> "RunFiles":
        """Take the files of these kinds, and leave out files of other kinds."""
        kinds = [field.name for field in fields(cls)[1:]]
        return cls(method, **{kind: [Path(path) for path in files.get(kind, ())] for kind in kinds})

    @cached_property
    def _truth(self) -> Mapping[str, Targets]:
        return read_truth(self.corpora)

    def reasons(self) -> Mapping[Key, str]:
        """Return the reasons that score files give."""
        return collect_unavailable(self.scores)

    def outcomes(self, protocol: str, kinds: Kinds, metric: Metric) -> AllOutcomes:
        """Read the score files that have the protocol."""
        return collect_runs(self.scores, self._truth, protocol, kinds.unseeded, metric)

    def beside(self, metric: Metric) -> AllOutcomes:
        """Read the files of trainings, seconds and neighbours."""
        found = collect_trainings(self.trainings, self._truth, self.method, metric)
        found |= collect_neighbours(self.neighbours, self._truth, metric)
        return found | collect_seconds(self.seconds)

    def answerable(self, claims: Mapping[str, Claim], metric: Metric) -> Mapping[str, Claim]:
        """Return all claims: the files hold predictions, which tell each metric."""
        return claims


def judge_protocols(
    claims: Mapping[str, Claim],
    evidence: Evidence,
    protocols: Sequence[str],
    unavailable: Mapping[str, str],
    kinds: Kinds,
    moderated: bool = True,
) -> dict[str, pd.DataFrame]:
    """Judge the claims with each protocol, by each metric; see `judge`.

    `unavailable` says why a corpus cannot be had. `moderated` is passed on to `judge`.
    """
    reasons: dict[str | Key, str] = dict(unavailable.items())
    reasons.update(evidence.reasons())
    found: dict[str, list[pd.DataFrame]] = {protocol: [] for protocol in protocols}
    for metric in METRICS:
        beside = evidence.beside(metric)
        for protocol in protocols:
            asked = evidence.answerable(judged_with(claims, protocol), metric)
            runs = {**evidence.outcomes(protocol, kinds, metric), **beside}
            found[protocol].append(judge(asked, runs, reasons, kinds, metric, moderated))
    return {protocol: pd.concat(frames, ignore_index=True) for protocol, frames in found.items()}


def judged_with(claims: Mapping[str, Claim], protocol: str) -> dict[str, Claim]:
    """Return the claims that are judged with a protocol."""
    return {name: claim for name, claim in claims.items() if claim.is_judged_with(protocol)}
