"""The scores of each class of a corpus, and which class is taken for which other class."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pandas as pd

from pte.files import read_json
from pte_study.render.cells import NONE
from pte_study.render.section import Section

MOST_CLASSES = 20
"""The largest number of classes for which a page can show the confusion matrix."""


def section(files: Mapping[str, Sequence[Path]], given: Mapping[str, Any]) -> Section:
    """Show the scores and the confusions of each class, from score files, in folded tables."""
    tables: dict[str, pd.DataFrame] = {}
    corpora: dict[str, str] = {}
    for score in map(read_json, files["scores"]):
        corpus, method = score["corpus"], given["labels"][score["method"]]
        run = f"{method}, {score['protocol']}, seed {score['seed']}"
        found = {f"{corpus}, {run}: each class": class_cells(score["per_class"])}
        names = [row["class"] for row in score["per_class"]]
        matrix = confusion_cells(score["confusion"], names) if "confusion" in score else None
        if matrix is not None:
            found[f"{corpus}, {run}: which class is taken for which"] = matrix
        tables |= found
        corpora |= dict.fromkeys(found, corpus)
    text = (
        "In percent. Of the second tables, rows are true classes and columns the predicted ones.",
    )
    return Section("Classes", text, tables, corpora=corpora, folded=True)


def class_cells(per_class: Sequence[Mapping[str, Any]]) -> pd.DataFrame:
    """Return the scores of each class as strings, the class with the best F1 first.

    A class without a test document has no scores.
    """
    return pd.DataFrame(
        {
            "class": row["class"],
            "F1": f"{row['f1']:.1f}" if row["documents"] else NONE,
            "precision": f"{row['precision']:.1f}" if row["documents"] else NONE,
            "recall": f"{row['recall']:.1f}" if row["documents"] else NONE,
            "test documents": f"{row['documents']:,}",
        }
        for row in sorted(per_class, key=lambda row: (not row["documents"], -row["f1"]))
    )


def confusion_cells(table: Sequence[Sequence[int]], classes: Sequence[str]) -> pd.DataFrame | None:
    """Return the confusion matrix as strings; None if it has too many classes for a page."""
    if len(classes) > MOST_CLASSES:
        return None
    rows = [
        [
            f"**{count:,}**" if i == j else f"{count:,}" if count else ""
            for j, count in enumerate(row)
        ]
        for i, row in enumerate(table)
    ]
    cells = pd.DataFrame(rows, columns=list(classes))
    cells.insert(0, "", list(classes))
    return cells
