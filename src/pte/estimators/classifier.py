"""PTE and a classifier together, as the paper evaluates vectors (section 5.1).

The classifier minimises the objective of LIBLINEAR, by Newton's method (`pte.evaluation.newton`).
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit
from sklearn.utils.validation import check_is_fitted

from pte.corpora.encoded import EncodedCorpus
from pte.estimators.errors import BadInput, check_positive
from pte.estimators.labels import GivenLabels
from pte.estimators.model_file import Fit
from pte.estimators.networks import PTE
from pte.estimators.scoring import TextClassifier
from pte.estimators.texts import Texts
from pte.evaluation.documents import document_means
from pte.evaluation.linear import LinearClassifier, MultilabelClassifier
from pte.evaluation.setting import NEWTON
from pte.evaluation.solvers import fit_targets


@dataclass(kw_only=True, eq=False, repr=False)
class PTEClassifier(TextClassifier, PTE):
    """PTE, and logistic regression on the vectors of the labelled documents.

    The parameters are those of `PTE`, and `C`, the inverse strength of the L2 regularisation, as in
    LIBLINEAR; the paper has C = 1. Each class is learned against the rest, without a bias. Time and
    memory are those of `PTE`; the classifier takes about 50 · dim bytes for each labelled document.

    Where labels are lists or a matrix, `predict` returns an indicator matrix, int64, shape
    (documents, classes), with the columns of `classes_`: 1 where a class is more likely than not,
    so that a row may be all 0. An empty list or a row of zeros in `y` teaches the classifier that a
    document may have none of the classes.
    """

    C: float = 1.0

    def fit(self, raw_documents: Iterable[str | bytes], y: Any = None) -> Self:
        """Learn vectors from all documents, and classes from the labelled documents.

        `y` is as in `PTE.fit`. Raises `BadInput` when no document has a label, when all labels are
        the same, and as `PTE.fit` does.
        """
        if y is None:
            raise BadInput("y: the classifier requires y to be passed, but the target y is None")
        check_positive("C", self.C)
        return super().fit(raw_documents, y)

    def predict(self, raw_documents: Texts) -> NDArray[Any]:
        """Return the class of each document; with several labels, a row with a 1 for each class."""
        check_is_fitted(self, "classifier_")
        classifier, features = self.classifier_, self._features(raw_documents)
        if isinstance(classifier, LinearClassifier) and classifier.classes.size == 2:
            # At a tie, as of the zero vector, LIBLINEAR takes another class than scikit-learn.
            best = classifier.probabilities(features).argmax(axis=1)
            return np.asarray(self.classes_[self._present[best]])
        predicted = classifier.predict(features)
        if predicted.ndim == 2:
            return np.asarray(self._in_columns(predicted.astype(np.int64)))
        return np.asarray(self.classes_[self._present[predicted]])

    def predict_proba(self, raw_documents: Texts) -> NDArray[np.float64]:
        """Return the probability of each class of `classes_`, float64, shape (documents, classes).

        The logistic functions of the classes are scaled to add up to 1, as in LIBLINEAR, unless a
        document may have several classes.
        """
        check_is_fitted(self, "classifier_")
        classifier, features = self.classifier_, self._features(raw_documents)
        if isinstance(classifier, LinearClassifier):
            return self._in_columns(classifier.probabilities(features))
        each = expit(np.asarray(features @ classifier.weights, np.float64))
        constant = ~classifier.weights.any(axis=0)
        each[:, constant] = classifier.always[constant]
        return self._in_columns(each)

    def __sklearn_tags__(self) -> Any:
        """Return tags that say: a classifier needs labels, and a document may have several."""
        tags = super().__sklearn_tags__()
        tags.classifier_tags.multi_label = True
        tags.target_tags.required = True
        return tags

    def _features(self, raw_documents: Texts) -> NDArray[np.float32]:
        """Return what `transform` computes, as an array even if `set_output` asks otherwise."""
        return self._vectors_of(self.encode(raw_documents))

    def _in_columns(self, values: NDArray[Any]) -> NDArray[Any]:
        """Put columns of classes that have a document among columns of zeros for other classes."""
        found = np.zeros((len(values), self.classes_.size), values.dtype)
        found[:, self._present] = values
        return found

    def _labels(self, y: Any, n_documents: int) -> GivenLabels:
        labels = super()._labels(y, n_documents)
        if labels is None:
            raise BadInput("y: no document has a label; a classifier needs some of each class")
        if labels.classes.size == 1 and not labels.several:
            hint = "; -1 is no label here" if labels.classes.dtype.kind in "iuf" else ""
            raise BadInput(
                f"y: the labelled documents are all of one class, {labels.classes[0]}{hint}"
            )
        return labels

    def _learn_classes(self, corpus: EncodedCorpus, labels: GivenLabels | None) -> None:
        super()._learn_classes(corpus, labels)
        assert labels is not None  # `_labels` raises otherwise
        self._present = np.unique([number for each in labels.of_documents for number in each or ()])
        known = labels.known
        features = document_means(corpus, self.word_vectors_.vectors)[known]
        self.classifier_ = fit_targets(features, corpus.targets(known), float(self.C), NEWTON)

    def _fit(self) -> Fit:
        fit, classifier = super()._fit(), self.classifier_
        arrays = {"weights": classifier.weights, "present": self._present}
        if isinstance(classifier, MultilabelClassifier):
            arrays["always"] = classifier.always
        else:
            arrays["order"] = classifier.classes
        return Fit({**fit.arrays, **arrays}, fit.facts)

    def _restore(self, fit: Fit) -> None:
        super()._restore(fit)
        arrays = fit.arrays
        self._present = arrays["present"]
        self.classifier_ = (
            MultilabelClassifier(arrays["weights"], arrays["always"])
            if "always" in arrays
            else LinearClassifier(arrays["weights"], arrays["order"])
        )
