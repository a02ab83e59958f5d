"""By how much PTE(auto) is ahead of other methods, with intervals: the numbers of the README."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pandas as pd

from pte_study.claims.claim import Claim
from pte_study.claims.evidence import judge_protocols
from pte_study.claims.pairing import Kinds
from pte_study.claims.points import METRICS
from pte_study.configuration.entries import CHOSEN, PAPER
from pte_study.plan.runs import Runs
from pte_study.report.lead import METHOD
from pte_study.store.reading import corpus_of, packed, read_stores
from pte_study.store.stored_runs import StoredRun

OTHERS = ("bow_pairs", "bow", "pte_joint")
SHARES = (1, 100)
"""Percentages of the labels."""


def leads(runs: Runs) -> pd.DataFrame:
    """Return a row for each corpus of the README, other method, and share of labels.

    `ahead` is the micro-F1 of PTE(auto) minus that of `method`, by the protocol `chosen`, in
    points; its 95 % interval, over documents and seeds, is from `low` to `high`.
    `runs` are published runs.
    """
    study, there = runs.study, packed()
    corpora = [corpus for corpus in runs.corpora_of(runs.in_readme) if corpus in there]
    methods = [METHOD, *OTHERS]
    names = runs.scores(corpora, methods, [*study.config.protocols], study.config.seeds)
    points = [name for curve in runs.curves for name in runs.of_curve(curve)]
    names += [name for name in points if corpus_of(name) in corpora]
    stores = read_stores(map(Path, runs.places(corpora)), runs.had(dict.fromkeys(names)))
    stores = [replace(store, runs=_as_chosen(store.runs)) for store in stores]
    claims = {}
    for share in SHARES:
        of = {"labelled": share} if share < 100 else {}
        claims[str(share)] = Claim(
            *("", "", (METHOD,), OTHERS, "above", tuple(corpora)),
            left_with=of,
            right_with=of,
            protocols=(CHOSEN,),
        )
    kinds = Kinds(study.unseeded_methods, study.stochastic_methods)
    found = judge_protocols(claims, stores, [CHOSEN], {}, kinds, False)[CHOSEN]
    found = found[(found["metric"] == METRICS[0]) & found["effect"].notna()]
    names_of = {"right": "method", "claim": "labelled", "effect": "ahead"}
    return found.rename(columns=names_of)[
        ["corpus", "method", "labelled", "ahead", "low", "high"]
    ].round(4)


def _as_chosen(runs: Sequence[StoredRun]) -> tuple[StoredRun, ...]:
    """Return the runs; those of PTE(auto), which are alike by both protocols, are by `chosen`."""
    here = {run.name for run in runs}
    names = [run.name.replace(f"/{METHOD}/{PAPER}/", f"/{METHOD}/{CHOSEN}/") for run in runs]
    pairs = zip(runs, names, strict=True)
    return tuple(run if name in here else replace(run, name=name) for run, name in pairs)
