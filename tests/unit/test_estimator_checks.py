"""scikit-learn's checks of estimators. They give numbers, so numbers are written as text first."""

import re

import numpy as np
import pytest
from sklearn.utils.estimator_checks import estimator_checks_generator, parametrize_with_checks
from sklearn.utils.validation import validate_data

import pte


def as_texts(x):
    """Each row as a text: the number of a column, and the number that stands there, rounded.

    One more word is in all texts, so that each has two, and there are edges between words.
    """
    rows = [[f"c{i}n{round(float(v))}" for i, v in enumerate(row)] for row in np.asarray(x)]
    return [" ".join(["row", *row]) for row in rows]


class OfNumbers:
    """Turns rows of numbers into texts, behind scikit-learn's check of them."""

    def fit(self, X, y=None):
        if y is None:
            x = validate_data(self, X)
        else:
            x, y = validate_data(self, X, y, multi_output=True)
        return super().fit(as_texts(x), y)

    def transform(self, X):
        return super().transform(self._texts(X))

    def _texts(self, x):
        from sklearn.utils.validation import check_is_fitted

        check_is_fitted(self, "word_vectors_")
        return as_texts(validate_data(self, x, reset=False))

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.string, tags.input_tags.two_d_array = False, True
        return tags


class LINEOfNumbers(OfNumbers, pte.LINE):
    pass


class PTEOfNumbers(OfNumbers, pte.PTE):
    pass


class ClassifierOfNumbers(OfNumbers, pte.PTEClassifier):
    def predict_proba(self, X):  # `predict` calls it
        return super().predict_proba(self._texts(X))


class TextClassifierOfNumbers(OfNumbers, pte.TextClassifier):
    def predict_proba(self, X):
        return super().predict_proba(self._texts(X))


class AutoOfNumbers(OfNumbers, pte.PTEAuto):
    pass


SAME = {"dim": 16, "negatives": 3, "threads": 1, "random_state": 0, "learning_rate": 0.1}
EDGES = {**SAME, "samples": 20_000}


EXEMPT = {"check_classifiers_classes": "one of its classes is -1, which is no label here"}


@parametrize_with_checks(
    [
        PTEOfNumbers(**EDGES),
        ClassifierOfNumbers(**EDGES, C=100.0),
        TextClassifierOfNumbers(**EDGES, method="pte_joint"),
    ],
    expected_failed_checks=lambda estimator: EXEMPT if hasattr(estimator, "predict") else {},
)
def test_scikit_learns_checks(estimator, check):
    check(estimator)


@pytest.mark.parametrize(
    ("estimator", "check"),
    [
        (estimator, check)
        for each in (LINEOfNumbers(**EDGES), AutoOfNumbers(**SAME, samples_limit=20_000))
        for estimator, check in estimator_checks_generator(each)
        if re.search("param|init|clon|repr|overwrite", check.func.__name__)
    ],
)
def test_scikit_learns_checks_of_parameters(estimator, check):
    """Two more classes, which learn as PTE and TextClassifier do."""
    check(estimator)
