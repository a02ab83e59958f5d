"""The lead of PTE(auto) over the best of the other methods, for each share of the labels."""

from pathlib import Path

import pandas as pd

from pte_study.render.text import read_csv

METHOD = "pte_auto"

TABLES = ("long", "short", "news")
"""The tables with all labels, without the tables of stand-ins."""

CURVES = ("curves-labelled", "curves-labelled_chosen")
"""The curves along labels, by the protocols `paper` and `chosen`."""


def lead(published: Path) -> pd.DataFrame:
    """Return a row for each corpus and a column for each share of its labels.

    A cell has the points of micro-F1 by which PTE(auto) is above the best other method, and the
    name of this method. Scores are from the tables and curves in the folder `published`. Scores of
    tables are by the protocol `chosen`, and scores of curves are by either protocol.
    """
    tables = pd.concat([read_csv(published / f"{name}.csv") for name in TABLES], ignore_index=True)
    tables = tables.assign(micro_mean=tables["chosen_micro_mean"], labelled=100.0)
    curves = [read_csv(published / f"{name}.csv") for name in CURVES]
    points = pd.concat([*curves, tables], ignore_index=True)
    points = points.dropna(subset="micro_mean")
    others = points[points["method"] != METHOD].sort_values("micro_mean", ascending=False)
    best = others.drop_duplicates(["corpus", "labelled"])
    ours = points[points["method"] == METHOD].drop_duplicates(["corpus", "labelled"])
    both = ours.merge(best, on=["corpus", "labelled"], suffixes=("", "_best"), sort=False)
    ahead = both["micro_mean"] - both["micro_mean_best"]
    cells = both.assign(cell=ahead.map("{:+.1f}".format) + " " + both["label_best"])
    table = cells.pivot(index="corpus", columns="labelled", values="cell").fillna("")
    table = table.loc[both["corpus"].unique()]
    table.columns = [f"{share:g} %" for share in table.columns]
    return table.reset_index(names="labels")
