"""The base of classifiers: scores on labelled documents, and logarithms of probabilities."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import ClassifierMixin

from pte.estimators.errors import BadInput
from pte.estimators.labels import read_labels
from pte.estimators.texts import Texts


class TextClassifier(ClassifierMixin):  # type: ignore[misc]
    """A classifier with `predict_proba`, scored on the documents that have a label."""

    def predict_log_proba(self, raw_documents: Texts) -> NDArray[np.float64]:
        """Return the logarithms of `predict_proba`, shape (documents, classes); log 0 is -inf."""
        with np.errstate(divide="ignore"):
            return np.asarray(np.log(self.predict_proba(raw_documents)))

    def score(self, X: Sequence[str | bytes], y: Any, sample_weight: Any = None) -> float:
        """Return the share of the labelled documents whose class is predicted.

        `y` is as in `fit`; documents without a label do not count. Where a document may have
        several labels, all its labels must be predicted, and no other label. Raises `BadInput` when
        no document has a label.
        """
        texts = list(X)
        labels = read_labels(y, len(texts))
        if labels is None:
            raise BadInput("y: no document has a label; there is nothing to score")
        known = labels.known.tolist()
        predicted = self.predict([texts[i] for i in known])
        found = (
            [self.classes_[row == 1] for row in predicted]
            if predicted.ndim == 2
            else predicted.reshape(-1, 1)
        )
        true = [labels.classes[list(labels.of_documents[i] or ())] for i in known]
        right = [set(a.tolist()) == set(b.tolist()) for a, b in zip(found, true, strict=True)]
        weights = None if sample_weight is None else np.asarray(sample_weight)[known]
        return float(np.average(right, weights=weights))
