"""By how much PTE(auto) is ahead of other methods, with intervals."""

from collections.abc import Collection, Iterable, Mapping
from functools import partial
from pathlib import Path
from typing import Any

import pandas as pd

from pte.training.method import CONTROL, Method
from pte_study import paths
from pte_study.claims.claim import view
from pte_study.claims.evidence import Evidence
from pte_study.claims.pairing import AllOutcomes, Kinds, difference
from pte_study.claims.points import METRICS
from pte_study.claims.significance import estimate
from pte_study.configuration.entries import CHOSEN, PAPER
from pte_study.plan.runs import Runs
from pte_study.render.cells import MINUS
from pte_study.render.text import read_csv
from pte_study.store.reading import packed
from pte_study.store.stored_runs import read_store

METHOD = "pte_auto"
OTHERS = ("bow_pairs", "bow", "svm", "pte_joint", "encoder", "pte_auto_encoder")
SHARES = (1, 100)
"""Percentages of the labels."""


def leads(runs: Runs) -> pd.DataFrame:
    """Return a row for each corpus of the README, other method, and share of labels.

    `ahead` is the micro-F1 of PTE(auto) minus that of `method`, by the protocol `chosen`, in
    points; its 95 % interval, over documents and seeds, is from `low` to `high`.
    `runs` are published runs.
    """
    corpora = runs.corpora_of(runs.in_readme)
    outcomes = _outcomes(Path(paths.PUBLISHED), corpora, runs.study.unseeded_methods)
    rows = [
        (corpus, other, share, *found)
        for share in SHARES
        for corpus in corpora
        for other in OTHERS
        if (found := _ahead(corpus, share, {METHOD: CHOSEN, other: CHOSEN}, outcomes))
    ]
    columns = ["corpus", "method", "labelled", "ahead", "low", "high"]
    return pd.DataFrame(rows, columns=columns).round(4)


def over_the_best(runs: Runs, published: Path = Path(paths.PUBLISHED)) -> pd.DataFrame:
    """Return a row for each share of the labels and a column for each corpus.

    A cell has the points of micro-F1 by which PTE(auto) is above the best other method, its 95 %
    interval, and the name of this method. Controls and variants of PTE(auto) are no others. Scores
    are from the tables of the README and the curves along labels in the folder `published`. Scores
    of tables are by the protocol `chosen`. The interval is that of docs/claims.md without
    moderation, from the published runs; it is left out where these do not tell it.
    """
    tables = pd.concat(
        [read_csv(published / f"{name}.csv") for name in runs.in_readme], ignore_index=True
    )
    tables = tables.assign(micro_mean=tables["chosen_micro_mean"], labelled=100.0, protocol=CHOSEN)
    curves = [
        read_csv(published / f"curves-{name}.csv").assign(protocol=curve.protocol)
        for name, curve in runs.study.config.curves.items()
        if curve.along == "labelled"
    ]
    points = pd.concat([*curves, tables], ignore_index=True)
    points = points.dropna(subset="micro_mean")
    others = points[points["method"].map(partial(_is_other, runs.study.registries.methods))]
    others = others.sort_values("micro_mean", ascending=False)
    best = others.drop_duplicates(["corpus", "labelled"])
    ours = points[points["method"] == METHOD].drop_duplicates(["corpus", "labelled"])
    both = ours.merge(best, on=["corpus", "labelled"], suffixes=("", "_best"), sort=False)
    outcomes = _outcomes(published, both["corpus"].unique(), runs.study.unseeded_methods)
    both = both.assign(cell=[_cell(row, outcomes) for row in both.to_dict("records")])
    table = both.pivot(index="labelled", columns="corpus", values="cell").fillna("")
    table = table[list(both["corpus"].unique())].rename_axis(columns=None)
    table.index = pd.Index([f"{share:g} %" for share in table.index], name="labels")
    return table.reset_index()


def _is_other(methods: Mapping[str, Method], name: str) -> bool:
    entry = methods[name]
    return entry.group != CONTROL and entry.model != methods[METHOD].model


def _cell(row: Mapping[Any, Any], outcomes: Mapping[str, AllOutcomes]) -> str:
    sides = {row["method"]: row["protocol"], row["method_best"]: row["protocol_best"]}
    found = _ahead(row["corpus"], row["labelled"], sides, outcomes)
    interval = f" [{found[1]:+.1f}, {found[2]:+.1f}]" if found else ""
    ahead = f"{row['micro_mean'] - row['micro_mean_best']:+.1f}{interval}"
    whole = ahead.replace("-", MINUS).replace(" ", "\N{NO-BREAK SPACE}")  # one line of a cell
    return f"{whole} {row['label_best']}"


def _outcomes(
    published: Path, corpora: Iterable[str], unseeded: Collection[str]
) -> dict[str, AllOutcomes]:
    """Return the outcomes of the published runs on some corpora, by protocol."""
    there = packed(published / "runs")
    evidence = Evidence.of([read_store(there[name]) for name in corpora if name in there])
    return {by: evidence.outcomes(by, Kinds(unseeded), METRICS[0]) for by in (PAPER, CHOSEN)}


def _ahead(
    corpus: str, share: float, sides: Mapping[str, str], outcomes: Mapping[str, AllOutcomes]
) -> tuple[float, float, float] | None:
    """Return the first method's score minus the second's, and the ends of its 95 % interval.

    `sides` has the protocol of each method, and `share` is a percentage of the labels. The value is
    None where the runs do not tell it.
    """
    there = view(corpus, "scores", {"labelled": share})
    runs = {
        (part, method): outcomes[each][part, method]
        for part in there.parts
        for method, by in sides.items()
        # Where nothing is chosen, a curve has the runs of the protocol `paper`.
        for each in (PAPER, by)
        if (part, method) in outcomes[each]
    }
    ours, theirs = ((there, method) for method in sides)
    samples = difference(ours, theirs, runs, Kinds())
    if isinstance(samples, str):
        return None
    found = estimate(samples, {})
    return found.effect, *found.interval()
