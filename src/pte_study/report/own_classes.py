"""The scores of each class of a text, and which class is taken for which other class."""

from collections.abc import Mapping, Sequence
from typing import Any

import pandas as pd

from pte.corpora.encoded import EncodedCorpus
from pte.corpora.labelled import class_sizes
from pte_study.render.cells import NONE

MOST_CLASSES = 20
"""The largest number of classes for which a page can show the confusion matrix."""


def class_cells(
    per_class: Sequence[Mapping[str, Any]], corpus: EncodedCorpus | None = None
) -> pd.DataFrame:
    """Return the scores of each class as strings, the class with the best F1 first.

    A class without a test document has no scores. With `corpus`, a column has the number of
    labelled training documents.
    """
    cells = pd.DataFrame(
        {
            "class": row["class"],
            "F1": f"{row['f1']:.1f}" if row["documents"] else NONE,
            "precision": f"{row['precision']:.1f}" if row["documents"] else NONE,
            "recall": f"{row['recall']:.1f}" if row["documents"] else NONE,
            "test documents": f"{row['documents']:,}",
        }
        for row in sorted(per_class, key=lambda row: (not row["documents"], -row["f1"]))
    )
    if corpus is None:
        return cells
    taught = dict(zip(corpus.classes, class_sizes(corpus), strict=True))
    return cells.assign(**{"labelled for training": [f"{taught[c]:,}" for c in cells["class"]]})


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
