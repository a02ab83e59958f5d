"""The judgement of claims on runs: what was measured, pair by pair, by each protocol and metric."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from math import log
from typing import NamedTuple

import numpy as np
import pandas as pd

from pte.corpora.encoded import Targets
from pte.corpora.subsets import Subset
from pte.errors import PteError
from pte_study.claims.claim import TRAINED, Claim, Pair, Side, View, base_of, beside, training
from pte_study.claims.significance import (
    JUDGED,
    Metric,
    Points,
    Sample,
    Spreads,
    Stratum,
    document_points,
    estimate,
    priors_by_stratum,
)
from pte_study.claims.verdicts import COLUMNS, NOT_RUN, UNAVAILABLE, PairRow, in_families
from pte_study.store import Store, StoredRun, corpus_of, kind_of

Key = tuple[str, str]  # a part of a view, and a method
AllOutcomes = Mapping[Key, "Outcomes"]
Reasons = Mapping[str | Key, str]  # why a corpus, or a method on it, cannot be run


class Kinds(NamedTuple):
    """Methods that need no seed, and methods whose own classifier depends on the seed."""

    unseeded: Collection[str] = ()
    stochastic: Collection[str] = ()


NO_KINDS = Kinds()


@dataclass(frozen=True)
class Outcomes:
    """Points of runs by seed: (seeds, documents), or (seeds, 1) for logarithms of seconds.

    If `seeds` is None, one run stands for every seed."""

    seeds: tuple[int, ...] | None
    points: Points


def judge_protocols(
    claims: Mapping[str, Claim],
    stores: Iterable[Store],
    protocols: Sequence[str],
    unavailable: Mapping[str, str],
    kinds: Kinds,
) -> pd.DataFrame:
    """Return the rows of `judge` on the runs of `stores`, with each `protocol`, by each metric."""
    evidence = Evidence.of(list(stores))
    reasons: dict[str | Key, str] = dict(unavailable.items())
    reasons.update(evidence.reasons())
    frames: dict[str, pd.DataFrame] = {}
    for protocol in protocols:
        of_protocol = {n: claim for n, claim in claims.items() if claim.is_judged_with(protocol)}
        each = [
            judge(
                evidence.answerable(of_protocol, metric),
                evidence.outcomes(protocol, kinds, metric),
                reasons,
                kinds,
                metric,
            )
            for metric in JUDGED
        ]  # of which an empty frame would make objects of the columns of the other
        frames[protocol] = pd.concat([f for f in each if len(f)] or each[:1], ignore_index=True)
    frame = pd.concat(frames, names=["protocol"])
    return frame.reset_index("protocol").reset_index(drop=True)


def judge(
    claims: Mapping[str, Claim],
    runs: AllOutcomes,
    unavailable: Reasons,
    kinds: Kinds = NO_KINDS,
    metric: str = JUDGED[0],
) -> pd.DataFrame:
    """Return a row for each claim, corpus and pair, with its verdict; `Answers` names p-values.

    `effect` is left minus right in points, or the logarithm of right's seconds over left's. Its
    `error` has `df` degrees of freedom; `of_documents` is the part that documents contribute.
    `overall` rows compare means over points, and have no part in p-values. The spread over seeds of
    a sample depends on all samples of its stratum."""
    splits = {name: more for c in claims.values() for name, more in c.other_splits.items()}
    runs = _on_all_splits(runs, splits)
    rows = [
        row | {"metric": "seconds" if claim.measure == "seconds" else metric}
        for name, claim in claims.items()
        if claim.measure != "seconds" or metric == JUDGED[0]
        for corpus in claim.corpora
        for row in _rows_of(
            name, claim.on_all_splits(corpus, runs), corpus, runs, unavailable, kinds
        )
    ]
    for source in {claim.source for claim in claims.values()}:
        ours = [row for row in rows if row["source"] == source and "samples" in row]
        samples = [sample for row in ours for sample in row["samples"]]
        priors = priors_by_stratum(samples)
        for row in ours:
            found = estimate(row.pop("samples"), priors)
            low, high = found.interval()
            row |= vars(found) | {"low": low, "high": high}
    return in_families(pd.DataFrame(rows, columns=COLUMNS))


def _rows_of(
    name: str, claim: Claim, corpus: str, runs: AllOutcomes, unavailable: Reasons, kinds: Kinds
) -> list[PairRow]:
    stand_in = claim.stand_in_for.get(corpus)
    fixed: PairRow = {"source": claim.source, "claim": name, "corpus": corpus}
    fixed |= {"stand_in": stand_in, "relation": claim.relation, "bound": claim.bound}
    rows = []
    for left in claim.left:
        elsewhere = {other: claim.pairs(other, left) for other in claim.beyond}
        for i, pair in enumerate(claim.pairs(corpus, left)):
            (here, _), (there, right) = pair.left, pair.right
            said = {"left": left, "left_on": here.name, "right": right, "right_on": there.name}
            for other in claim.beyond or [None]:
                pairs = [pair] if other is None else [pair, elsewhere[other][i]]
                why = [_why_not([p.left, p.right], stand_in, unavailable) for p in pairs]
                found = _measured(pairs, why, runs, kinds)
                rows.append(fixed | said | {"beyond": other, "overall": pair.overall} | found)
    return rows


def _measured(
    pairs: Sequence[Pair], why_not: Sequence[str | None], runs: AllOutcomes, kinds: Kinds
) -> PairRow:
    """Return the samples of a pair, less those of a second one, or why there are none."""
    samples: list[Sample] = []
    for sign, (left, right, _), why in zip((1, -1), pairs, why_not, strict=False):
        if why:
            return {"verdict": UNAVAILABLE, "reason": why}
        found = difference(left, right, runs, kinds)
        if isinstance(found, str):
            return {"verdict": NOT_RUN, "reason": found}
        samples += [replace(each, sign=sign * each.sign) for each in found]
    seeds = [len(each.points) for each in samples if len(each.points) > 1]
    return {"samples": samples, "seeds": min(seeds, default=None)}


def _why_not(sides: Sequence[Side], stand_in: str | None, unavailable: Reasons) -> str | None:
    """Return why a corpus, or a method on it, cannot be run; None if all can be run."""
    base = sides[0][0].base
    if base in unavailable:
        return unavailable.get(stand_in or base) or unavailable[base]
    keys = [(part, method) for view, method in sides for part in view.parts]
    return next((unavailable[key] for key in keys if key in unavailable), None)


def difference(left: Side, right: Side, runs: AllOutcomes, kinds: Kinds) -> list[Sample] | str:
    found = [_outcomes_on(view, method, runs) for view, method in (left, right)]
    for each in found:
        if isinstance(each, str):
            return each
    ours, theirs = (each for each in found if isinstance(each, Outcomes))
    if "runs" in (_spreads(left[0]), _spreads(right[0])):
        signs = (-1, 1) if left[0].measure == "seconds" else (1, -1)
        return [
            _sample(sign, each.points, (side,), kinds)
            for sign, each, side in zip(signs, (ours, theirs), (left, right), strict=True)
        ]
    seeds, (points, others) = _in_common([ours, theirs])
    if len(seeds) < 2:
        return f"{left[1]} and {right[1]} have fewer than two seeds in common"
    if points.shape[1] != others.shape[1]:
        numbers = f"{points.shape[1]} and {others.shape[1]}"
        raise PteError(f"{left[0].name}: {left[1]} and {right[1]}: {numbers} test documents")
    return [_sample(1, points - others, (left, right), kinds)]


def _outcomes_on(view: View, method: str, runs: AllOutcomes) -> Outcomes | str:
    for part in view.parts:
        if (part, method) not in runs:
            return f"no scores of {method} on {part}"
    found = runs[view.parts[0], method]
    if len(view.parts) > 1:
        seeds, points = _in_common([runs[part, method] for part in view.parts])
        found = Outcomes(seeds, np.stack(np.broadcast_arrays(*points)).mean(axis=0))
    if found.seeds is not None and len(found.seeds) < 2:
        return f"{method} has fewer than two seeds on {view.name}"
    return found


def _on_all_splits(runs: AllOutcomes, splits: Mapping[str, Sequence[str]]) -> dict[Key, Outcomes]:
    """Return the outcomes with those on the test documents of all `splits` of a corpus."""
    found = dict(runs)
    for part, method in runs:
        names = (part, *splits.get(part, ()))
        each = [runs[name, method] for name in names if (name, method) in runs]
        if len(names) == 1 or len(each) < len(names):
            continue
        seeds, points = _in_common(each)
        alone = each[0].seeds is None
        if alone or len(seeds) >= 2:
            whole = Outcomes(None if alone else seeds, np.concatenate(points, axis=1))
            found[beside(part, "all splits"), method] = whole
    return found


def _in_common(all_outcomes: Sequence[Outcomes]) -> tuple[tuple[int, ...], list[Points]]:
    """Return the seeds that outcomes have in common, and the points of each with these."""
    known = [set(each.seeds) for each in all_outcomes if each.seeds is not None]
    seeds = tuple(sorted(set.intersection(*known))) if known else ()
    return seeds, [
        each.points if each.seeds is None else each.points[[each.seeds.index(s) for s in seeds]]
        for each in all_outcomes
    ]


def _spreads(view: View) -> Spreads:
    """Return what varies with the seed: "runs" if runs with one seed have nothing in common."""
    if view.measure == "training":
        return "trainings"
    if view.measure != "scores" or all(part == base_of(part) for part in view.parts):
        return "runs"
    return "curves" if len(view.parts) > 1 else "parts"


def _sample(sign: int, points: Points, sides: Sequence[Side], kinds: Kinds) -> Sample:
    """Return a sample of one or two sides; its name does not depend on their order."""
    view = sides[0][0]
    stochastic = any(method in kinds.stochastic for _, method in sides)
    place = view.base if view.measure in ("scores", "training") else view.parts[0]
    of_sides = [_spreads(each) for each, _ in sides]
    spreads: Spreads = "curves" if "curves" in of_sides else of_sides[0]
    stratum = Stratum(place, spreads, stochastic and "neighbours" not in view.measure)
    pairs = sorted((each.name, method) for each, method in sides)
    return Sample(sign, points, place, stratum, tuple(text for pair in pairs for text in pair))


@dataclass(frozen=True)
class Evidence:
    """The runs that claims are judged on."""

    runs: Sequence[StoredRun]
    truth: Mapping[str, Targets]

    @classmethod
    def of(cls, stores: Iterable[Store]) -> "Evidence":
        truth = {
            corpus_of(store.runs[0].name): store.truth
            for store in stores
            if store.runs and store.truth is not None
            if not any(run.keeps_hits_alone and not _in_training(run) for run in store.runs)
        }
        return cls([run for store in stores for run in store.runs], truth)

    def reasons(self) -> dict[Key, str]:
        absent = [run for run in self.runs if "unavailable" in run.kept]
        return {_place_of(run.name)[0]: run.kept["unavailable"] for run in absent}

    def outcomes(self, protocol: str, kinds: Kinds, metric: Metric) -> AllOutcomes:
        """Return the outcomes of scores by a protocol, and of all that has no protocol."""
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

        def tells(claim: Claim, corpus: str) -> bool:
            known = all(base_of(each) in self.truth for each in (corpus, *claim.beyond))
            return metric == JUDGED[0] or (known and claim.measure != "training neighbours")

        return {
            name: replace(claim, corpora=tuple(c for c in claim.corpora if tells(claim, c)))
            for name, claim in claims.items()
        }

    def _points(self, metric: Metric, run: StoredRun) -> Points | None:
        """Return the points of the last test of a run, or of its seconds; None without either."""
        if kind_of(run.name)[0] == "seconds":
            seconds = run.kept.get("seconds")
            return np.array([log(seconds)], np.float32) if seconds else None
        truth, first = self.truth.get(corpus_of(run.name)), metric == JUDGED[0]
        if not len(run.hits) or (not first and (truth is None or _in_training(run))):
            return None
        if truth is None or (first and truth.ndim == 1):
            hits: Points = 100 * run.hits[-1].astype(np.float32)
            return hits
        return document_points(truth, run.predicted(truth)[-1], metric)


def _place_of(name: str) -> tuple[Key, int, str | None]:
    kind, run = kind_of(name)
    if kind == "scores":
        part = replace(Subset.parse(run["corpus"]), seed=None).name
    elif kind == "training":
        part = training(run["corpus"], run["parameter"], run["value"])
    else:
        part = beside(run["corpus"], kind)
    return (part, run.get("method", TRAINED)), int(run["seed"]), run.get("protocol")


def _in_training(run: StoredRun) -> bool:
    return kind_of(run.name)[0] == "training neighbours"
