"""The runs that claims are judged on, and the verdicts by each protocol and metric."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from math import log

import numpy as np
import pandas as pd

from pte.corpora.subsets import Subset
from pte.corpora.targets import Targets
from pte_study import paths
from pte_study.claims.claim import TRAINED, Claim, base_of, beside, training
from pte_study.claims.judging import judge
from pte_study.claims.pairing import AllOutcomes, Key, Kinds, Outcomes
from pte_study.claims.points import METRICS, Metric, Points, document_points
from pte_study.store.reading import corpus_of
from pte_study.store.stored_runs import Store, StoredRun


@dataclass(frozen=True)
class Evidence:
    """The runs that claims are judged on.

    `truth` has the classes of the test documents, for each corpus on which it is known what all
    these runs predicted.
    """

    runs: Sequence[StoredRun]
    truth: Mapping[str, Targets]

    @classmethod
    def of(cls, stores: Iterable[Store]) -> "Evidence":
        """Take all runs of these stores."""
        truth = {
            corpus_of(store.runs[0].name): store.truth
            for store in stores
            if store.runs and store.truth is not None
            if not any(run.keeps_hits_alone and not _in_training(run) for run in store.runs)
        }
        return cls([run for store in stores for run in store.runs], truth)

    def reasons(self) -> dict[Key, str]:
        """Return why methods could not be run, by corpus and method."""
        absent = [run for run in self.runs if "unavailable" in run.kept]
        return {_place_of(run.name)[0]: run.kept["unavailable"] for run in absent}

    def outcomes(self, protocol: str, kinds: Kinds, metric: Metric) -> AllOutcomes:
        """Return the outcomes of scores by a protocol, and of all that has no protocol.

        The subsets of all seeds are one corpus, which has their name without a seed. Runs without a
        score are left out, and so are runs that do not tell the metric. One run of a method that
        needs no seed stands for every seed of a whole corpus.
        """
        found: dict[Key, list[tuple[int, Points]]] = {}
        for run in self.runs:
            key, seed, by = _place_of(run.name)
            points = self._points(metric, run) if by in (None, protocol) else None
            if points is not None:
                found.setdefault(key, []).append((seed, points))
        outcomes = {}
        for (part, method), runs in found.items():
            seeds, of_seeds = zip(*sorted(runs, key=lambda run: run[0]), strict=True)
            alone = method in kinds.unseeded and part == base_of(part)
            outcomes[part, method] = Outcomes(None if alone else seeds, np.stack(of_seeds))
        return outcomes

    def answerable(self, claims: Mapping[str, Claim], metric: Metric) -> Mapping[str, Claim]:
        """Return the claims, by macro-F1 only where it is known what was predicted."""
        return {
            name: replace(
                claim,
                corpora=tuple(
                    corpus
                    for corpus in claim.corpora
                    if metric == METRICS[0] or claim.measure != "training neighbours"
                    if all(self._tells(metric, base_of(c)) for c in (corpus, *claim.beyond))
                ),
            )
            for name, claim in claims.items()
        }

    def _tells(self, metric: Metric, corpus: str) -> bool:
        return metric == "micro_f1" or corpus in self.truth

    def _points(self, metric: Metric, run: StoredRun) -> Points | None:
        """Return the points of the last test of a run, or of its seconds; None without either."""
        corpus = corpus_of(run.name)
        if paths.wildcards_of(paths.TIMED, run.name):
            seconds = run.kept.get("seconds")
            return np.array([log(seconds)], np.float32) if seconds else None
        if not len(run.hits) or not self._tells(metric, corpus):
            return None
        if _in_training(run) and metric != METRICS[0]:
            return None
        truth = self.truth.get(corpus)
        if truth is None or (metric == "micro_f1" and truth.ndim == 1):
            hits: Points = 100 * run.hits[-1].astype(np.float32)
            return hits
        return document_points(truth, run.predicted(truth)[-1], metric)


def _place_of(name: str) -> tuple[Key, int, str | None]:
    """Return where a run is measured, its seed, and its protocol if it has one."""
    if run := paths.wildcards_of(paths.SCORES, name):
        part = replace(Subset.parse(run["corpus"]), seed=None).name
        return (part, run["method"]), int(run["seed"]), run["protocol"]
    if run := paths.wildcards_of(paths.SENSITIVITY_RUN, name):
        part = training(run["corpus"], run["parameter"], run["value"])
        return (part, TRAINED), int(run["seed"]), None
    measure, run = next(
        (measure, run)
        for measure, pattern in paths.BESIDE.items()
        if (run := paths.wildcards_of(pattern, name))
    )
    return (beside(run["corpus"], measure), run["method"]), int(run["seed"]), None


def _in_training(run: StoredRun) -> bool:
    """Return whether a run is about training documents, of which hits alone are kept."""
    return paths.wildcards_of(paths.IN_TRAINING, run.name) is not None


def judge_protocols(
    claims: Mapping[str, Claim],
    stores: Iterable[Store],
    protocols: Sequence[str],
    unavailable: Mapping[str, str],
    kinds: Kinds,
    moderated: bool = True,
) -> dict[str, pd.DataFrame]:
    """Judge the claims on the runs of `stores`, with each protocol, by each metric; see `judge`.

    `unavailable` says why a corpus cannot be had. `moderated` is passed on to `judge`.
    """
    evidence = Evidence.of(list(stores))
    reasons: dict[str | Key, str] = dict(unavailable.items())
    reasons.update(evidence.reasons())
    frames = {
        protocol: [
            judge(
                evidence.answerable(judged_with(claims, protocol), metric),
                evidence.outcomes(protocol, kinds, metric),
                reasons,
                kinds,
                metric,
                moderated,
            )
            for metric in METRICS
        ]
        for protocol in protocols
    }
    return {  # an empty frame would make objects of the columns of the other
        protocol: pd.concat(
            [each for each in several if len(each)] or several[:1], ignore_index=True
        )
        for protocol, several in frames.items()
    }


def judged_with(claims: Mapping[str, Claim], protocol: str) -> dict[str, Claim]:
    """Return the claims that are judged with a protocol."""
    return {name: claim for name, claim in claims.items() if claim.is_judged_with(protocol)}
