"""How well each class of a user's own text is found, and which classes are confused."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from pte.corpora.encoded import TEST, EncodedCorpus
from pte.corpora.labelled import class_sizes
from pte.render.cells import NONE
from pte.report.own_excerpts import TextFile, excerpts

MOST_CLASSES, PAIRS = 20, 10
"""The most classes of a matrix that a page can show, and how many confused pairs it shows."""


def class_cells(
    per_class: Sequence[Mapping[str, Any]], corpus: EncodedCorpus | None = None
) -> pd.DataFrame:
    """Scores of each class as strings; the best first. A class without a test document has none.

    With `corpus` there is a column of the labelled training documents.
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
    """The confusion matrix as strings; None where it has too many classes for a page."""
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


def confused_pairs(
    corpus: EncodedCorpus, predicted: NDArray[np.int32], file: TextFile | None
) -> pd.DataFrame:
    """The pairs of a true class and another one that most test documents have, with an example.

    `file` is as for `excerpts`.
    """
    tests = corpus.documents(TEST)
    truth = np.asarray(corpus.labels[tests])
    wrong = np.flatnonzero(truth != predicted)
    pairs = pd.DataFrame({"true": truth[wrong], "said": predicted[wrong], "document": tests[wrong]})
    found = pairs.groupby(["true", "said"], as_index=False).agg(
        documents=("document", "size"), example=("document", "first")
    )
    found = found.sort_values("documents", ascending=False, kind="stable").head(PAIRS)
    return pd.DataFrame(
        {
            "true class": [corpus.classes[i] for i in found["true"]],
            "taken for": [corpus.classes[i] for i in found["said"]],
            "documents": [f"{n:,}" for n in found["documents"]],
            "one has these words" if file is None else "one begins": excerpts(
                corpus, found["example"].to_numpy(np.int64), file
            ),
        }
    )
