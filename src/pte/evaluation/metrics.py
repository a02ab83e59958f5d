"""Scores of predictions, in percent."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.metrics import confusion_matrix, f1_score, precision_recall_fscore_support


def score(
    truth: NDArray[np.int32], predicted: NDArray[np.int32], classes: Sequence[str]
) -> dict[str, Any]:
    """Micro- and macro-F1, per-class scores, and the confusion matrix (rows are the truth).

    A class that is never predicted has an F1 of zero, and counts in the macro average.
    """
    ids = np.arange(len(classes))
    precision, recall, f1, support = precision_recall_fscore_support(
        truth, predicted, labels=ids, zero_division=0
    )
    return {
        "micro_f1": 100 * float(f1_score(truth, predicted, labels=ids, average="micro")),
        "macro_f1": 100 * float(np.mean(f1)),
        "per_class": [
            {
                "class": name,
                "precision": 100 * float(precision[i]),
                "recall": 100 * float(recall[i]),
                "f1": 100 * float(f1[i]),
                "documents": int(support[i]),
            }
            for i, name in enumerate(classes)
        ],
        "confusion": confusion_matrix(truth, predicted, labels=ids).tolist(),
    }
