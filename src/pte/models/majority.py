"""A control: every test document gets the class that most training documents have."""

import numpy as np
from numpy.typing import NDArray

from pte.array_file import ArrayFile
from pte.corpora.encoded import EncodedCorpus
from pte.corpora.labelled import find_labelled
from pte.errors import PteError
from pte.evaluation.evaluate import class_shares
from pte.training.contract import Cost, Learnt, Options, Spec, Task

SPEC = Spec(
    yields="predictions",
    seeded=False,
    sure=True,
    cost=lambda options: Cost(0.05, 0.5),
    memory=lambda size: 4 * 8 * size.documents,  # labels, their positions, and predictions
)


def learn(task: Task) -> Learnt:
    """Learn the `shares` of the classes, float64, shape (classes,).

    Raises `PteError` when no training document has a label.
    """
    labels = np.asarray(task.corpus.labels[find_labelled(task.corpus)])
    if not labels.size:
        raise PteError("majority: no training document has a label")
    shares = class_shares(labels, task.corpus.n_classes)
    return Learnt({"shares": shares}, {"choice": {}, "notes": {}})


def apply(learnt: Learnt, options: Options, corpus: EncodedCorpus) -> NDArray[np.float64]:
    """Return the shares of the classes for every document."""
    return np.tile(learnt.arrays["shares"], (corpus.n_documents, 1))


def check(kept: ArrayFile, options: Options) -> int:
    """Check the array that `learn` gives; raises `PteError`."""
    return kept.array("shares", "float64", "classes").size
