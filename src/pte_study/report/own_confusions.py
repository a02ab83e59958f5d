"""Pairs of classes of a user's own text that are confused, with an example of each."""

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from pte.corpora.encoded import TEST, EncodedCorpus
from pte_study.report.own_excerpts import TextFile, excerpts

PAIRS = 10
"""How many pairs are shown at most."""


def confused_pairs(
    corpus: EncodedCorpus, predicted: NDArray[np.int32], file: TextFile | None
) -> pd.DataFrame:
    """Return the most frequent pairs of a true class and a wrong class, each with an example.

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
