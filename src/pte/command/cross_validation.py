"""The comparison of methods on documents, each tested once by methods that have not seen it."""

import sys
import time
import warnings
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.stats import ttest_1samp
from sklearn.dummy import DummyClassifier
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.model_selection import StratifiedKFold

import pte
from pte.command.documents import Documents
from pte.command.flags import Training
from pte.command.shown import has_terminal
from pte.corpora.parts import TEST, TRAIN
from pte.corpora.targets import Targets, hits, micro_f1
from pte.errors import PteError
from pte.estimators import BY_NAME
from pte.estimators.folds import LabelledFolds
from pte.estimators.progress import compiler_clock
from pte.estimators.texts import tokeniser_of
from pte.evaluation.metrics import score
from pte.evaluation.setting import NEWTON
from pte.evaluation.solvers import fit_targets

COSTS = (0.1, 1.0, 10.0, 100.0)
"""The values of C to choose from."""

PARTS = 5
"""Labelled training documents are cut into so many parts; one part judges the values of C."""

MAJORITY = "majority"
"""The method that learns nothing but which class is the largest."""

Folds = list[tuple[NDArray[np.int64], NDArray[np.int64]]]
"""Pairs of the numbers of training documents and of test documents."""


@dataclass(frozen=True)
class Compared:
    """The scores of a method: micro-F1 and macro-F1 in percent, over all tested documents together.

    `behind` is the 95 % interval of the difference to the best method, in points. It is None for
    the best method, and where documents have several labels. `seconds` is the time of all folds,
    without that of the compiler.
    """

    method: str
    micro_f1: float
    macro_f1: float
    behind: tuple[float, float] | None
    seconds: float


@dataclass(frozen=True)
class Trial:
    """Documents in UTF-8, their labels as estimators and as classifiers take them, and folds.

    An item of `labels` is None for a document without a label. `targets` has a row for every
    document; the row of a document without a label means nothing.
    """

    texts: list[bytes]
    labels: list[Any]
    targets: Targets
    classes: list[str]
    folds: Folds


def trial_of(documents: Documents, n_folds: int, seed: int) -> Trial:
    """Make folds of the labelled documents; documents without a label train in each fold.

    If the file says which documents train, there is one fold. Otherwise documents of one group are
    never on both sides of a fold. The documents must have two classes or more. Raises `PteError`
    when there are too few labels.
    """
    classes, found = documents.classes, documents.found
    indicator = np.array([[name in d.labels for name in classes] for d in found])
    several = any(document.more_labels for document in found)
    targets: Targets = indicator if several else indicator.argmax(axis=1).astype(np.int32)
    folds = _given_fold(documents) if documents.is_split else _folds(documents, n_folds, seed)
    return Trial(documents.texts, documents.labels, targets, classes, folds)


def cross_validated(
    trial: Trial, methods: Sequence[str], training: Training
) -> tuple[list[Compared], dict[str, str]]:
    """Compare methods on the folds of a trial, and return their scores, the best method first.

    Also return, for each method that could not learn, the reason. Raises `PteError` when no method
    can learn.
    """
    tested = np.concatenate([test for _, test in trial.folds])
    truth = trial.targets[tested]
    predicted: dict[str, Targets] = {}
    seconds: dict[str, float] = {}
    left_out: dict[str, str] = {}
    for method in methods:
        began = time.perf_counter()
        with compiler_clock() as compiler:
            try:
                predicted[method] = _predicted(trial, method, training)[tested]
            except (PteError, ValueError) as error:  # scikit-learn raises a ValueError
                left_out[method] = str(error)
        seconds[method] = time.perf_counter() - began - compiler.seconds
    if not predicted:
        raise PteError("; ".join(f"{name}: {reason}" for name, reason in left_out.items()))
    return _compared(truth, predicted, seconds, trial.classes), left_out


def _predicted(trial: Trial, method: str, training: Training) -> Targets:
    """Return a method's predictions for test documents of all folds; other rows mean nothing."""
    predicted: Targets = np.empty_like(trial.targets)
    for number, fold in enumerate(trial.folds, start=1):
        print(f"{method}: fold {number} of {len(trial.folds)}", file=sys.stderr)
        predicted[fold[1]] = _predict(trial, method, training, fold)
    return predicted


def _compared(
    truth: Targets,
    predicted: Mapping[str, Targets],
    seconds: Mapping[str, float],
    classes: Sequence[str],
) -> list[Compared]:
    """Return the scores of each method, the best method first."""
    order = sorted(predicted, key=lambda name: -micro_f1(truth, predicted[name]))
    right = {name: hits(truth, predicted[name]) for name in order}
    scores = {name: score(truth, predicted[name], classes) for name in order}
    best = order[0]
    return [
        Compared(
            name,
            scores[name].micro_f1,
            scores[name].macro_f1,
            None if name == best or truth.ndim == 2 else interval(right[name], right[best]),
            seconds[name],
        )
        for name in order
    ]


def interval(right: NDArray[np.bool_], of_best: NDArray[np.bool_]) -> tuple[float, float]:
    """Return the 95 % interval of a difference in points, paired over documents (Student)."""
    differences = 100.0 * right - 100.0 * of_best
    found = ttest_1samp(differences, 0).confidence_interval(0.95)
    low, high = np.nan_to_num([found.low, found.high], nan=differences.mean())
    return float(low), float(high)


def _predict(
    trial: Trial, method: str, training: Training, fold: tuple[NDArray[np.int64], NDArray[np.int64]]
) -> Targets:
    """Train without the texts and labels of a fold's test documents, and predict their classes."""
    train, test = fold
    known = np.array([i for i in train if trial.labels[i]])
    given = trial.targets[known]
    if method == MAJORITY:
        dummy = DummyClassifier().fit(np.zeros((known.size, 1)), given)
        constant = dummy.predict(np.zeros((test.size, 1)))
        if given.ndim == 2:
            return np.asarray(constant, np.bool_)
        return np.asarray(constant, np.int32)
    model = METHODS[method](training)
    if hasattr(model, "predict"):
        return _predict_by(model, trial, fold)
    cost = _chosen_cost(model, trial, train)
    vectoriser = _fitted(model, trial, train)
    classifier = fit_targets(_features(vectoriser, trial, known), given, cost, NEWTON)
    return classifier.predict(_features(vectoriser, trial, test))


def _predict_by(
    model: Any, trial: Trial, fold: tuple[NDArray[np.int64], NDArray[np.int64]]
) -> NDArray[np.int32]:
    """Return predictions of an estimator that learns one label of a document.

    Raises `BadInput` where documents have several labels.
    """
    train, test = ([trial.texts[i] for i in part] for part in fold)
    given = [trial.labels[i] for i in fold[0]]
    model.fit(train, given)
    numbers = {name: number for number, name in enumerate(trial.classes)}
    return np.array([numbers[name] for name in model.predict(test)], np.int32)


def _fitted(vectoriser: Any, trial: Trial, train: NDArray[np.int64]) -> Any:
    """Fit a vectoriser, which makes features of texts, on `train` alone; return it."""
    texts, labels = [trial.texts[i] for i in train], [trial.labels[i] for i in train]
    return vectoriser.fit(texts, labels)


def _features(vectoriser: Any, trial: Trial, documents: NDArray[np.int64]) -> Any:
    return vectoriser.transform([trial.texts[i] for i in documents])


def _chosen_cost(vectoriser: Any, trial: Trial, train: NDArray[np.int64]) -> float:
    """Return the C with the best micro-F1 on a part of the labelled training documents.

    Return 1 if too few documents have labels. Vectors fit too well the documents that they were
    trained on, so they are trained here without this part.
    """
    known = np.array([i for i in train if trial.labels[i]])
    targets = trial.targets[known]
    first = targets if targets.ndim == 1 else targets.argmax(axis=1)
    if np.bincount(first).max() < PARTS:
        return 1.0
    divided = StratifiedKFold(PARTS, shuffle=True, random_state=0)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # a class may be smaller than `PARTS`
        learn, judge = next(iter(divided.split(known, first)))
    vectoriser = _fitted(vectoriser, trial, np.setdiff1d(train, known[judge]))
    given, asked = (_features(vectoriser, trial, known[part]) for part in (learn, judge))

    def judged(cost: float) -> float:
        predicted = fit_targets(given, targets[learn], cost, NEWTON).predict(asked)
        return micro_f1(targets[judge], predicted)

    return max(COSTS, key=judged)


def _folds(documents: Documents, n_folds: int, seed: int) -> Folds:
    most = max(Counter(min(found.labels) for found in documents.found if found.labels).values())
    if most < 2:
        raise PteError("each class has one document only; label more")
    groups = [document.group for document in documents.found]
    folds = LabelledFolds(min(n_folds, most), random_state=seed)
    given = groups if any(groups) else None
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # `evaluate` names small classes itself
        return list(folds.split(documents.texts, documents.labels, given))


def _given_fold(documents: Documents) -> Folds:
    parts = np.array([document.part for document in documents.found])
    train, test = np.flatnonzero(parts == TRAIN), np.flatnonzero(parts == TEST)
    if not test.size:
        raise PteError("no labelled document is for the test; check the column of the split")
    return [(train, test)]


def _tf_idf(training: Training) -> Any:
    tokeniser = tokeniser_of(training.tokenizer)

    def words(text: str) -> list[str]:
        return [token.decode("latin-1") for token in tokeniser(text.encode())]

    return TfidfVectorizer(analyzer=words, decode_error="replace", dtype=np.float32)


def _estimator(name: str, training: Training) -> Any:
    estimator = getattr(pte, name)
    given = training.of_networks() if hasattr(estimator, "samples") else training.shared()
    return estimator(**given, verbose=has_terminal())


METHODS: dict[str, Callable[[Training], Any]] = {
    "tf-idf": _tf_idf,
    **{method: partial(_estimator, name) for method, name in BY_NAME.items()},
}
"""Functions that make the vectoriser or the classifier of each method, by the names of methods."""
