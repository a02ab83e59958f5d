"""Where a search for T ended at a bound, so that more edges might score higher."""

from collections.abc import Iterable
from pathlib import Path

import pandas as pd

from pte_study.render.text import read_csv

COLUMNS = ["corpus", "T at a bound", "of"]


def bounds(tables: Iterable[Path], bounds: Iterable[int]) -> pd.DataFrame:
    """Return a row of strings for each corpus whose chosen T is one of the `bounds` in some row.

    `tables` are files of published tables. A row names methods, and counts those that search.
    """
    frames = [read_csv(path) for path in tables]
    found = pd.concat([frame for frame in frames if "chosen_samples" in frame], ignore_index=True)
    searched = found[
        found["chosen_samples"].notna() & (found["chosen_samples"] != found["samples"])
    ]
    searched = searched.drop_duplicates(["corpus", "method"])
    met = searched["chosen_samples"].isin(list(bounds))
    rows = [
        (corpus, "; ".join(labels), str((searched["corpus"] == corpus).sum()))
        for corpus, labels in searched[met].groupby("corpus", sort=False)["label"]
    ]
    return pd.DataFrame(rows, columns=COLUMNS)
