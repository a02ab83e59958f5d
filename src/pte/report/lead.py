"""The lead of PTE(auto) over the best of the other methods, for each share of the labels."""

from pathlib import Path

import pandas as pd

from pte.report.situations import all_labels, fewer_labels

METHOD = "pte_auto"


def lead(published: Path) -> pd.DataFrame:
    """Return a row for each corpus and a column for each share of its labels.

    A cell has the points of micro-F1 by which PTE(auto) is above the best other method, and the
    name of this method. Scores are from the tables and curves in the folder `published`. Scores of
    tables are by the protocol `chosen`, and scores of curves are by either protocol.
    """
    points = pd.concat([*fewer_labels(published), all_labels(published)], ignore_index=True)
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
