"""Tables of documents: by how much PTE(auto) leads."""

from collections.abc import Collection, Iterable, Mapping
from pathlib import Path
from typing import Any

import pandas as pd

from pte.training.method import CONTROL
from pte_study import paths
from pte_study.claims.claim import view
from pte_study.claims.judging import AllOutcomes, Evidence, Kinds, difference
from pte_study.claims.significance import JUDGED, estimate
from pte_study.configuration.config import CHOSEN, PAPER
from pte_study.plan.study import Study
from pte_study.render.tables import MINUS
from pte_study.store.stored_runs import packed, read_store

METHOD = "pte_auto"
OTHERS = ("bow_pairs", "bow", "svm_pairs", "pte_joint", "encoder", "pte_auto_encoder")
SHARES = (1, 100)  # percentages of the labels


def leads(study: Study) -> pd.DataFrame:
    """Return what PTE(auto) is `ahead` of methods, in points, and its 95 % interval."""
    corpora = study.corpora_of(study.in_readme)
    outcomes = _outcomes(Path(paths.PUBLISHED), corpora, study.unseeded_methods)
    rows = [
        (corpus, other, share, *found)
        for share in SHARES
        for corpus in corpora
        for other in OTHERS
        if (found := _ahead(corpus, share, {METHOD: CHOSEN, other: CHOSEN}, outcomes))
    ]
    columns = ["corpus", "method", "labelled", "ahead", "low", "high"]
    return pd.DataFrame(rows, columns=columns).round(4)


def over_the_best(study: Study, published: Path = Path(paths.PUBLISHED)) -> pd.DataFrame:
    """Return the points of PTE(auto) above the best other method, by share of labels and corpus."""
    tables = pd.concat(
        [pd.read_csv(published / f"{name}.csv") for name in study.in_readme], ignore_index=True
    )
    tables = tables.assign(micro_mean=tables["chosen_micro_mean"], labelled=100.0, protocol=CHOSEN)
    curves = [
        pd.read_csv(published / f"curves-{name}.csv").assign(protocol=curve.protocol)
        for name, curve in study.config.curves.items()
        if curve.along == "labelled"
    ]
    points = pd.concat([*curves, tables], ignore_index=True).dropna(subset="micro_mean")
    methods = study.registries.methods
    is_other = points["method"].map(
        lambda name: methods[name].group != CONTROL and methods[name].model != methods[METHOD].model
    )
    others = points[is_other].sort_values("micro_mean", ascending=False)
    best = others.drop_duplicates(["corpus", "labelled"])
    ours = points[points["method"] == METHOD].drop_duplicates(["corpus", "labelled"])
    both = ours.merge(best, on=["corpus", "labelled"], suffixes=("", "_best"), sort=False)
    outcomes = _outcomes(published, both["corpus"].unique(), study.unseeded_methods)
    both = both.assign(cell=[_cell(row, outcomes) for row in both.to_dict("records")])
    table = both.pivot(index="labelled", columns="corpus", values="cell").fillna("")
    table = table[list(both["corpus"].unique())].rename_axis(columns=None)
    table.index = pd.Index([f"{share:g} %" for share in table.index], name="labels")
    return table.reset_index()


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
    there = packed(published / "runs")
    evidence = Evidence.of([read_store(there[name]) for name in corpora if name in there])
    return {by: evidence.outcomes(by, Kinds(unseeded), JUDGED[0]) for by in (PAPER, CHOSEN)}


def _ahead(
    corpus: str, share: float, sides: Mapping[str, str], outcomes: Mapping[str, AllOutcomes]
) -> tuple[float, float, float] | None:
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
