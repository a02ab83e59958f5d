"""Nothing that is public changes what it is given: every method of every public class."""

import inspect
from copy import deepcopy
from dataclasses import fields, is_dataclass

import numpy as np
import pytest
from scipy import sparse
from sklearn.base import BaseEstimator

import pte
from pte.evaluation import liblinear, newton

TOPICS = {"music": "song band tune loud", "money": "bank loan rate fund"}
NAMES = [list(TOPICS)[i % 2] for i in range(48)]
TEXTS = [f"{TOPICS[name]} w{i % 5} w{i % 7} w{i % 3}" for i, name in enumerate(NAMES)]
SMALL = {"threads": 1, "random_state": 1}
OF_EDGES = SMALL | {"dim": 8, "samples": 2_000}
ESTIMATORS = {
    "PTE": OF_EDGES,
    "LINE": OF_EDGES,
    "PTEClassifier": OF_EDGES,
    "TextClassifier": SMALL | {"method": "nb_svm_pairs"},
    "PTEAuto": SMALL,
}
TAKING_LONG = {"PTEAuto"}


def given():
    """What methods are given, by the names of their parameters."""
    labels = np.array(NAMES, object)
    labels[5] = None
    return {
        "raw_documents": np.array(TEXTS, object),
        "X": list(TEXTS),
        "y": labels,
        "groups": np.arange(len(TEXTS)) // 2,
        "sample_weight": np.arange(len(TEXTS), dtype=float),
        "vectors": np.random.default_rng(1).normal(size=(len(TEXTS), 4)).astype(np.float32),
        "label": "money",
        "text": TEXTS[0],
        "notes": {"a": [1, 2]},
    }


def content(value):
    """All that a value holds, as plain values that compare equal if nothing has changed."""
    if isinstance(value, np.ndarray):
        return value.dtype.str, value.shape, value.tolist()
    if sparse.issparse(value):
        return [content(each) for each in (value.data, value.indices, value.indptr)]
    if isinstance(value, dict):
        return [(key, content(each)) for key, each in value.items()]
    if isinstance(value, (list, tuple)):
        return [content(each) for each in value]
    if is_dataclass(value) and not isinstance(value, type):
        return [content(getattr(value, field.name)) for field in fields(value)]
    return value


def unchanged(call, arguments):
    """Call with arguments, and return what comes back, if the arguments stayed as they were."""
    before = content(deepcopy(arguments))
    bound = inspect.signature(call).bind(**arguments)  # scikit-learn wants `X` by its place
    found = call(*bound.args, **bound.kwargs)
    if inspect.isgenerator(found):
        found = list(found)
    assert content(arguments) == before
    return found


def methods_of(cls):
    """The public methods of this package that take something besides the object."""
    for name, method in inspect.getmembers(cls, callable):
        if name.startswith("_") or not getattr(method, "__module__", "").startswith("pte"):
            continue
        parameters = [each for each in inspect.signature(method).parameters if each != "self"]
        if parameters:
            yield name, parameters


@pytest.mark.parametrize(
    "name",
    [pytest.param(each, marks=[pytest.mark.long] * (each in TAKING_LONG)) for each in ESTIMATORS],
)
def test_no_method_of_an_estimator_changes_what_it_is_given(name, tmp_path):
    settings = dict(ESTIMATORS[name])
    estimator = unchanged(getattr(pte, name), settings)
    parameters = content(estimator.get_params())
    mine = given()
    taken = dict(methods_of(type(estimator)))
    known = {key: mine[key] for key in taken.pop("fit") if key in mine and key != "vectors"}
    unchanged(estimator.fit, known)
    assert content(estimator.get_params()) == parameters
    if name == "TextClassifier":  # NB-SVM has no vectors
        for each in ("transform", "fit_transform"):
            del taken[each]
    path = {"path": tmp_path / "model.npz"}
    for method in sorted(taken, key=lambda each: (each == "load", each)):  # what `save` has written
        arguments = {key: value for key, value in (given() | path).items() if key in taken[method]}
        arguments.pop("vectors", None)
        if method == "explain":
            arguments["label"] = None
        assert arguments, f"what does {method} take?"
        unchanged(getattr(estimator, method), arguments)


def test_all_estimators_are_tried():
    classes = {name for name in pte.__all__ if isinstance(getattr(pte, name), type)}
    estimators = {name for name in classes if issubclass(getattr(pte, name), BaseEstimator)}
    assert estimators == {*ESTIMATORS, "LabelledFolds"}  # it has parameters, too
    assert classes - estimators == {"KeyedVectors", "PteError"}


def test_folds_change_nothing():
    folds = pte.LabelledFolds(n_splits=2)
    for name, parameters in methods_of(pte.LabelledFolds):
        unchanged(getattr(folds, name), {key: given()[key] for key in parameters})


def test_no_method_of_keyed_vectors_changes_what_it_is_given(tmp_path):
    keys = ["a", "b", "c", "d"]
    table = {"keys": tuple(keys), "vectors": given()["vectors"][:4]}
    words = unchanged(pte.KeyedVectors, table)
    kept = tmp_path / "kept"
    few = {"keys": keys[:3], "positive": ["a", "b"], "negative": ["c"], "key": "a"}
    few |= {"one": "a", "other": "b", "path": kept}
    few |= {"vector": table["vectors"][0], "topn": 2, "vectors": table["vectors"]}
    before = content(words)
    for name, parameters in sorted(methods_of(pte.KeyedVectors), key=lambda each: each[0][::-1]):
        arguments = {key: value for key, value in few.items() if key in parameters}
        assert arguments or name == "to_gensim", f"what does {name} take?"
        if name == "to_gensim":
            continue
        unchanged(getattr(words, name), arguments)
        assert content(words) == before, name


@pytest.mark.parametrize("fit", [liblinear.fit, liblinear.fit_sparse, liblinear.fit_squared_hinge])
def test_no_linear_machine_sorts_the_features_that_it_is_given(fit):
    features = sparse.csr_matrix(
        (np.array([1, 2, 3], np.float32), np.array([1, 0, 0]), np.array([0, 2, 3]))
    )
    unchanged(fit, {"features": features, "labels": np.array([0, 1], np.int32), "c": 1.0})


@pytest.mark.parametrize("module", [liblinear, newton])
def test_no_machine_of_several_labels_changes_its_features(module):
    features = np.random.default_rng(1).normal(size=(6, 3)).astype(np.float32)
    indicator = np.array([[True, False, i % 2 == 0] for i in range(6)])
    if module is liblinear:
        features = sparse.csr_matrix(features)
        features.indices[:3] = [2, 1, 0]
    unchanged(module.fit_each, {"features": features, "indicator": indicator, "c": 1.0})
