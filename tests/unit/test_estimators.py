"""The estimators: the workflow's vectors, from text, with the manners of scikit-learn."""

import math
import threading
import zipfile
from collections import Counter
from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from scipy import sparse
from sklearn.exceptions import DataConversionWarning, NotFittedError
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.pipeline import make_pipeline

import pte
from pte.classify.base import shown
from pte.classify.errors import BadInput
from pte.classify.given import read_labels
from pte.corpora.encoded import TRAIN
from pte.errors import PteError
from pte.evaluation.evaluate import document_means, evaluate
from pte.evaluation.setting import ClassifierChoice
from pte.models import network_embedding, pte_auto
from pte.training.contract import Task, fit_by
from pte.training.setup import Hyperparameters, Step

DIM, SEED = 16, 5
SHAPE = Hyperparameters(dim=DIM, negatives=3, step=Step.of("grouped"))
SAME = {"dim": DIM, "negatives": 3, "threads": 1, "random_state": SEED, "tokenizer": "whitespace"}
"""Parameters under which an estimator does what the workflow does with `SHAPE` and `SEED`."""
QUICK = {**SAME, "samples": 20_000}


@pytest.fixture(scope="module")
def training(documents):
    """The texts and labels of the training documents."""
    part = [document for document in documents if document.part == TRAIN]
    return [document.text for document in part], [document.label for document in part]


@pytest.fixture(scope="module")
def tests(documents):
    part = [document for document in documents if document.part != TRAIN]
    return [document.text for document in part], [document.label for document in part]


@pytest.fixture(scope="module")
def classifier(training):
    return pte.PTEClassifier(**QUICK).fit(*training)


def task(corpus, phases, **configured):
    options = {"phases": phases}
    return Task(corpus, SEED, options=options, hyperparameters=SHAPE, **configured)


# The same core.


@pytest.mark.parametrize(
    ("phases", "weights"),
    [
        ([["ww", "wd", "wl"]], "auto"),
        ([["ww", "wd", "wl"]], {"wl": 0.25}),
        ([["ww", "wd"], ["wl"]], "paper"),
    ],
)
def test_vectors_are_the_workflows_bit_for_bit(corpus, training, phases, weights):
    of_workflow = task(corpus, phases, samples=30_000, weights=weights, streamed=True)
    expected = network_embedding.fit(of_workflow).array
    networks = tuple(map(tuple, phases))
    model = pte.PTE(**QUICK | {"samples": 30_000}, networks=networks, network_weights=weights)
    found = model.fit(*training).word_vectors_
    assert found.raw_keys == corpus.words
    assert found.vectors.tobytes() == expected.tobytes()


def test_edges_one_by_one_are_the_papers(corpus, training):
    phases = {"phases": [["ww", "wd", "wl"]]}
    shape = replace(SHAPE, step=Step())
    paper = Task(corpus, SEED, options=phases, hyperparameters=shape, samples=20_000, streamed=True)
    expected = network_embedding.fit(paper).array.tobytes()
    given = QUICK | {"network_weights": "paper"}
    one, groups = (pte.PTE(**given, step=step).fit(*training) for step in ("edge", "grouped"))
    assert one.word_vectors_.vectors.tobytes() == expected
    assert groups.word_vectors_.vectors.tobytes() != expected


def test_vectors_of_stored_edges_are_the_workflows(corpus, training, networks, tmp_path):
    for name, network in networks.items():
        network.save(tmp_path / name)
    inputs = {name: tmp_path / name for name in networks}
    of_workflow = task(corpus, [["ww", "wd", "wl"]], samples=30_000, inputs=inputs)
    expected = network_embedding.fit(of_workflow).array
    model = pte.PTE(**QUICK | {"samples": 30_000}, edges="stored", network_weights="paper")
    assert model.fit(*training).word_vectors_.vectors.tobytes() == expected.tobytes()


def test_the_chosen_t_is_the_workflows(corpus, training):
    limits = {"samples_limit": 60_000}
    of_workflow = task(corpus, [["ww", "wd", "wl"]], samples="chosen", streamed=True, **limits)
    expected = network_embedding.fit(of_workflow)
    model = pte.PTE(**SAME, **limits, network_weights="paper").fit(*training)
    assert model.samples_ == expected.samples
    assert model.samples_curve_ == expected.notes["search"]["curve"]
    assert model.word_vectors_.vectors.tobytes() == expected.array.tobytes()


def test_predictions_are_the_workflows(corpus, classifier, tests):
    texts, _ = tests
    means = document_means(corpus, classifier.word_vectors_.vectors)
    expected, _ = evaluate(corpus, means, ClassifierChoice())
    names = [corpus.classes[number] for number in expected]
    assert classifier.predict(texts).tolist() == names


# What is learned from.


def test_without_labels_pte_is_line(training):
    texts, _ = training
    line = pte.LINE(**QUICK).fit(texts)
    unlabelled = [
        pte.PTE(**QUICK, network_weights="paper").fit(texts, y) for y in (None, [-1] * 45)
    ]
    for model in unlabelled:
        assert (model.word_vectors_.vectors == line.word_vectors_.vectors).all()
        assert model.label_vectors_ is None and model.classes_.size == 0


def test_all_that_says_nothing_is_no_label():
    frame = pd.DataFrame({"text": pd.Series(["a", pd.NA, "b"], dtype="string"), "n": [1, None, 2]})
    for y, classes in (
        (["a", -1, "b"], ["a", "b"]),
        (["a", "", "b"], ["a", "b"]),
        (["a", " ", "b"], ["a", "b"]),
        (["a", float("nan"), "b"], ["a", "b"]),
        (frame["text"], ["a", "b"]),
        (frame["text"].astype("category"), ["a", "b"]),
        (frame["n"], [1, 2]),
        (frame["n"].astype("Int64"), [1, 2]),
    ):
        found = read_labels(y, 3)
        assert found.classes.tolist() == classes
        assert type(found.classes.tolist()[0]) is type(classes[0])
        assert found.of_documents == ((0,), None, (1,))


def test_the_columns_of_a_frame_are_the_classes(training, tmp_path):
    texts, labels = training
    frame = pd.get_dummies(pd.Series(labels), dtype=int).iloc[:, ::-1]
    model = pte.PTEClassifier(**QUICK).fit(texts, frame)
    assert model.classes_.tolist() == frame.columns.tolist()
    model.save(tmp_path / "model")
    again = pte.PTEClassifier.load(tmp_path / "model")
    assert again.score(texts, frame) == model.score(texts, frame)


def test_lists_and_a_matrix_of_labels_are_the_same(training):
    texts, labels = training
    names = sorted({label for label in labels if label})
    lists = [[label] if label else None for label in labels]
    lists[0], lists[1] = ["arts", "law"], []
    assert None in lists
    matrix = np.array([[-1 if each is None else name in each for name in names] for each in lists])
    of_lists = pte.PTEClassifier(**QUICK).fit(texts, lists)
    of_matrix = pte.PTEClassifier(**QUICK).fit(texts, matrix)
    assert (of_lists.word_vectors_.vectors == of_matrix.word_vectors_.vectors).all()
    predicted = of_lists.predict(texts)
    assert predicted.shape == (45, 3) and set(np.unique(predicted)) <= {0, 1}
    assert (predicted == of_matrix.predict(texts)).all()
    assert ((of_lists.predict_proba(texts) > 0.5) == predicted.astype(bool)).all()


def test_rows_of_zeros_have_no_label_and_rows_of_minus_one_or_nan_are_unlabelled():
    nan = float("nan")
    of_lists = [["a"], [], None, [None], ["b", "a"], nan]
    rows = [[1, 0], [0, 0], [-1, -1], [nan, nan], [1, 1], [nan, -1]]
    frame = pd.DataFrame([*rows[:5], [pd.NA, None]], columns=["a", "b"], dtype=object)
    expected = ((0,), (), None, None, (0, 1), None)
    for y in (of_lists, np.array(rows), frame, frame.astype("Int64")):
        assert read_labels(y, 6).of_documents == expected
    sparse_rows = sparse.csr_array(np.array([[1, 0], [0, 0]]))
    assert read_labels(sparse_rows, 2).of_documents == ((0,), ())


def test_what_has_none_of_the_labels_is_learnt(training):
    texts, labels = training
    y = [None if label is None else ["law"] * (label == "law") for label in labels]
    model = pte.PTEClassifier(**QUICK, C=100.0).fit(texts, y)
    known = [i for i, label in enumerate(labels) if label]
    assert 0 < model.predict(texts)[known].mean() < 0.5
    assert model.score(texts, y) > 0.9
    for train, test in pte.LabelledFolds(2).split(texts, y):
        assert set(test) <= set(known) and {0, 1} == {len(y[i]) for i in test}
        assert len(set(train) | set(test)) == len(texts)


def test_one_column_is_one_label(training):
    texts, labels = training
    marks = [math.nan if label is None else float(label == "law") for label in labels]
    model = pte.PTEClassifier(**QUICK, C=100.0).fit(texts, pd.DataFrame({"law": marks}))
    assert model.classes_.tolist() == ["law"] and model.predict(texts).shape == (45, 1)
    assert model.label_vectors_.keys == ("law",)
    assert model.label_vectors_["law"].any()


def test_one_column_without_a_name_has_the_labels(training):
    """As in scikit-learn, also where they are 0 and 1."""
    texts, labels = training
    marks = np.array([[-1 if label is None else int(label == "law")] for label in labels])
    with pytest.warns(DataConversionWarning):
        model = pte.PTEClassifier(**QUICK).fit(texts, marks)
    assert model.classes_.tolist() == [0, 1] and model.predict(texts).shape == (45,)


def test_a_class_without_words_has_a_zero_vector_and_moves_no_other(training):
    texts, labels = training
    model = pte.PTEClassifier(**QUICK).fit([*texts, ""], [*labels, "void"])
    found = model.label_vectors_
    assert list(found) == ["arts", "law", "sports", "void"] and not found["void"].any()
    np.testing.assert_allclose(found.vectors[:-1].sum(axis=0), 0, atol=1e-5)


def test_documents_of_a_generator_are_fitted_and_transformed(training):
    texts, labels = training
    given = pte.PTE(**QUICK).fit_transform(iter(texts), labels)
    np.testing.assert_array_equal(given, pte.PTE(**QUICK).fit_transform(texts, labels))
    assert len(given) == 45


def test_a_class_may_have_one_document_where_others_have_many():
    texts = [f"{'red' if i else 'blue'} word{i % 7} word{i % 5}" for i in range(60)]
    labels = ["one"] + ["many"] * 59
    for model in (pte.PTE(**SAME, samples_limit=20_000), pte.PTEAuto(**SAME)):
        model.fit(texts, labels)
        assert np.isfinite(model.transform(texts)).all()


def test_a_class_without_a_document_has_a_column(training):
    texts, labels = training
    matrix = np.zeros((45, 4), int)
    for row, label in zip(matrix, labels, strict=True):
        row[{"arts": 0, "law": 1, "sports": 3, None: ...}[label]] = 1 if label else -1
    model = pte.PTEClassifier(**QUICK).fit(texts, matrix)
    assert model.classes_.tolist() == [0, 1, 2, 3]
    assert not model.predict(texts)[:, 2].any() and not model.predict_proba(texts)[:, 2].any()
    assert model.label_vectors_.keys == ("0", "1", "3")


def test_more_than_ten_classes_keep_their_order():
    texts = [f"word{i} word{i}" for i in range(12)] * 2
    model = pte.PTEClassifier(**QUICK, networks=("wd", "wl"), C=100.0).fit(texts, [*range(12)] * 2)
    assert model.predict(texts[:12]).tolist() == list(range(12))


def test_a_class_of_all_documents_is_certain(training):
    texts, labels = training
    model = pte.PTEClassifier(**QUICK).fit(texts, [["all", label or "law"] for label in labels])
    assert (model.predict(texts)[:, 0] == 1).all() and (model.predict_proba(texts)[:, 0] == 1).all()


def test_a_classifier_learns(training, tests):
    parameters = QUICK | {"samples": 100_000, "learning_rate": 0.1}
    assert pte.PTEClassifier(**parameters).fit(*training).score(*tests) > 0.8


# PTE(auto).


@pytest.fixture(scope="module")
def auto(training):
    return pte.PTEAuto(**SAME).fit(*training)


def test_predictions_of_auto_are_the_workflows(corpus, auto, tests):
    """Its test documents are in its counts, where they change nothing but the number of columns."""
    options = {"labelled": ["ww", "wd", "wl"], "unlabelled": ["ww", "wd"], "pairs": True}
    asked = Task(corpus, SEED, options=options, hyperparameters=SHAPE)
    expected = fit_by(pte_auto, asked)
    classes = np.array(corpus.classes)
    assert auto.chosen_["samples"] == list(pte_auto.judging.samples(asked))
    assert auto.predict(tests[0]).tolist() == classes[expected.array].tolist()
    weights = {each["name"]: each["weight"] for each in expected.notes["experts"]}
    assert auto.chosen_["experts"] == pytest.approx(weights, abs=6e-4)


def test_auto_learns_and_says_who_counts(auto, tests):
    assert auto.score(*tests) > 0.9
    assert set(auto.chosen_["experts"]) == {
        *("PTE", "LINE", "TF-IDF", "letters", "log-count ratios", "NB+EM", "rare classes")
    }
    assert auto.judged_.documents == 36
    assert auto.judged_.interval[0] < auto.judged_.micro_f1 <= auto.judged_.interval[1] + 1e-9
    probable = auto.predict_proba(tests[0])
    assert probable.sum(axis=1) == pytest.approx(1)
    assert (auto.classes_[probable.argmax(axis=1)] == auto.predict(tests[0])).all()
    assert auto.transform(tests[0]).shape == (len(tests[0]), DIM)
    assert list(auto.label_vectors_) == list(auto.classes_)


def test_auto_is_the_text_classifier_of_its_method(auto, training, tests):
    other = pte.TextClassifier(method="pte_auto", **SAME).fit(*training)
    assert isinstance(auto, pte.TextClassifier) and other.chosen_ == auto.chosen_
    assert (other.predict_proba(tests[0]) == auto.predict_proba(tests[0])).all()


# Bad input.


@pytest.mark.parametrize(
    ("parameters", "y", "message"),
    [
        ({"dim": 0}, None, "dim is 0"),
        ({"negatives": -1}, None, "negatives is -1"),
        ({"window": 2.5}, None, "window is 2.5"),
        ({"learning_rate": 0}, None, "learning_rate is 0"),
        ({"min_count": 0}, None, "min_count is 0"),
        ({"min_count": 99}, None, "no word occurs so often"),
        ({"threads": 0}, None, "threads is 0"),
        ({"random_state": -1}, None, "random_state is -1"),
        ({"samples": "many"}, None, 'samples is \'many\'.* or "chosen" or "auto"'),
        ({"samples": 1.5}, None, "samples is 1.5; it must be a whole number, at least 1"),
        ({"threads": -1}, None, "threads is -1.* or None for all"),
        ({"tokenizer": str.lower}, None, "tokenizer returns a text; it must return a list"),
        ({"tokenizer": lambda text: None}, None, "tokenizer: .*; it must return a list of texts"),
        ({"tokenizer": lambda text: [b"a"]}, None, "tokenizer: .*; it must return a list of texts"),
        ({"samples_limit": 0}, None, "samples_limit is 0"),
        ({"edges": "drawn"}, None, "edges is 'drawn'"),
        ({"network_weights": "equal"}, None, "network_weights is 'equal'"),
        ({"networks": "ww"}, None, "networks is 'ww'"),
        ({"networks": ()}, None, "networks is "),
        ({"networks": ("ww", "ww")}, None, "networks is .* give a tuple of different names"),
        ({"networks": np.array(["ww", "wd"])}, None, "networks is .* give a tuple"),
        ({"networks": ("wl",)}, None, "needs labels"),
        ({"networks": ("xx",)}, None, "networks names 'xx'; there are ww, wd, wl"),
        ({"network_weights": {"ww": 1, "xx": 1}}, None, "network_weights names 'xx'"),
        ({"step": "pairs"}, None, "step is 'pairs'; it must be one of edge"),
        ({"step": np.array(["edge", "x"])}, None, "step is array.*; it must be one of edge"),
        ({"tokenizer": "word"}, None, "tokenizer is 'word'"),
        ({"tokenizer": lambda text: [""]}, None, "cannot be a token"),
        ({}, ["a"], "y has 1 labels for 3 documents"),
        ({}, ["a", 1, None], "Unknown label type: .*whole numbers"),
        ({}, [0.5, 1.5, 2.5], "Unknown label type: float such as"),
        ({}, np.array(["a", -1, "b"]), "numpy made text of -1"),
        ({}, np.array([[0, 2], [1, 0], [0, 1]]), "must hold 0 and 1"),
        ({}, np.array([["0", "1"], ["1", "0"], ["0", "1"]]), "must hold 0 and 1"),
        ({}, "abc", "give a label for each"),
    ],
)
def test_what_cannot_be_used_is_named(parameters, y, message):
    with pytest.raises(ValueError, match=message) as raised:
        pte.PTE(**{"dim": DIM, "samples": 100, **parameters}).fit(["a b", "b c", "c a"], y)
    assert isinstance(raised.value, PteError)


@pytest.mark.parametrize(
    ("documents", "message"),
    [
        ("a text", "give a list of texts"),
        (5, "give a list of texts"),
        ([], "no document"),
        (pd.DataFrame({"text": ["a b", "b c"]}), "give one column"),
        (["a", 5], "document 1 is of type int"),
        (["...", "!"], "no training document holds a token"),
        (["", " "], "raw_documents: all 2 texts are empty"),
    ],
)
def test_documents_that_are_none_are_named(documents, message):
    with pytest.raises(BadInput, match=message):
        pte.LINE(samples=100).fit(documents)


def test_a_classifier_needs_two_classes(training):
    texts, _ = training
    with pytest.raises(BadInput, match="all of one class"):
        pte.PTEClassifier(**QUICK).fit(texts, ["law"] * 45)
    with pytest.raises(BadInput, match="C is 0"):
        pte.PTEClassifier(**QUICK, C=0).fit(texts, ["law"] * 45)


def test_whole_numbers_may_be_floats():
    texts, options = ["a b", "b c"], SAME | {"dim": 4.0}
    model = pte.LINE(**options, samples=1e2).fit(texts)
    assert model.samples_ == 100 and type(model.samples_) is int
    assert model.word_vectors_.dim == 4


def test_no_documents_give_no_rows(classifier):
    assert classifier.transform([]).shape == (0, DIM)
    assert classifier.predict([]).shape == (0,) and classifier.predict_proba([]).shape == (0, 3)


def test_what_is_not_fitted_says_so():
    fresh = pte.TextClassifier()
    calls = [pte.LINE().transform, pte.PTEClassifier().predict, pte.LINE().save]
    for call in (*calls, fresh.predict_proba, fresh.encode, fresh.explain, fresh.save):
        with pytest.raises(NotFittedError):
            call(["a"])
    for made in (pte.PTEClassifier(), pte.PTEAuto(), pte.TextClassifier()):
        with pytest.raises(NotFittedError):
            made.score(["a"], ["x"])


# Files.


@pytest.mark.parametrize(
    ("kind", "several"),
    [
        *((kind, False) for kind in (pte.LINE, pte.PTE, pte.PTEAuto)),
        *((pte.PTEClassifier, several) for several in (False, True)),
    ],
)
def test_a_file_gives_the_same_model(training, tmp_path, kind, several):
    texts, labels = training
    given = QUICK | {"pairs": False, "random_state": np.int64(SEED)}
    model = kind(**{name: given[name] for name in given.keys() & kind().get_params().keys()})
    model.fit(texts, [label and [label] for label in labels] if several else labels)
    model.save(tmp_path / "model.npz")
    again = kind.load(tmp_path / "model.npz")
    assert again.get_params() == model.get_params()
    for name in ("chosen_", "judged_", "n_edges_", "network_weights_", "several_labels_"):
        assert getattr(again, name, None) == getattr(model, name, None)
    calls = {"transform", "predict", "predict_proba"} & set(dir(model))
    assert all((getattr(again, c)(texts) == getattr(model, c)(texts)).all() for c in calls)
    if hasattr(model, "label_vectors_"):
        assert (again.label_vectors_["law"] == model.label_vectors_["law"]).all()


def test_a_file_of_something_else_is_refused(training, tmp_path):
    path = tmp_path / "model"
    with pytest.raises(PteError, match="model: no such file"):
        pte.PTE.load(path)
    path.write_bytes(b"nothing")
    with pytest.raises(PteError, match="model: not a model file; `pte fit` or the `save` of an"):
        pte.PTE.load(path)
    pte.LINE(**QUICK).fit(training[0]).save(path)
    with pytest.raises(PteError, match="it holds a LINE, not a PTE"):
        pte.PTE.load(path)


def test_a_model_that_may_not_be_read_is_not_called_something_else(tmp_path, monkeypatch):
    (tmp_path / "model.npz").touch()

    def refuse(path, *_):
        raise PermissionError(13, "Permission denied", str(path))

    monkeypatch.setattr(Path, "open", refuse)
    with pytest.raises(PermissionError, match=r"Permission denied: .*model.npz"):
        pte.PTE.load(tmp_path / "model.npz")


def test_a_file_holds_arrays_and_json_alone(classifier, tmp_path):
    classifier.save(tmp_path / "model")
    with zipfile.ZipFile(tmp_path / "model") as archive:
        assert {name.rpartition(".")[2] for name in archive.namelist()} == {"npy", "json"}
    with np.load(tmp_path / "model", allow_pickle=False) as arrays:
        assert all(arrays[name] is not None for name in arrays.files)


def test_a_label_that_could_not_be_read_again_is_not_saved(training, tmp_path):
    labels = [f"{label}\udce9" for label in training[1]]  # as Python has names of files in Latin-1
    model = pte.TextClassifier(method="bow", threads=1).fit(training[0], labels)
    with pytest.raises(PteError, match=r"a label, .* is nothing that a model file can hold"):
        model.save(tmp_path / "model")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("note", [float("nan"), {1}, "\ud800"])
def test_what_could_not_be_read_again_is_not_saved(classifier, tmp_path, note):
    with pytest.raises(PteError, match=r"model: a label, a parameter or a note is nothing that"):
        classifier.save(tmp_path / "model", {"note": note})
    with pytest.raises(PteError, match="notes is of type list; give a dict"):
        classifier.save(tmp_path / "model", [note])
    assert list(tmp_path.iterdir()) == []


def test_a_function_has_no_place_in_a_file(training, tmp_path):
    model = pte.LINE(**QUICK | {"tokenizer": str.split}).fit(training[0])
    with pytest.raises(BadInput, match="tokenizer is a function"):
        model.save(tmp_path / "model")


def test_one_thread_at_a_time_calls_a_function_that_cuts_texts(training):
    callers = set()

    def cut(text):
        callers.add(threading.get_ident())
        return text.split()

    pte.LINE(**QUICK | {"tokenizer": cut, "threads": 4}).fit(training[0] * 9)
    assert len(callers) == 1


# scikit-learn's manners.


def test_a_pipeline_is_searched(training):
    kept = [(text, label) for text, label in zip(*training, strict=True) if label]
    texts, labels = map(list, zip(*kept, strict=True))
    model = make_pipeline(pte.PTE(**QUICK), LogisticRegression())
    search = GridSearchCV(model, {"pte__networks": [("wl",), ("ww", "wd", "wl")]}, cv=2)
    assert search.fit(texts, labels).best_score_ > 0.5
    assert cross_val_score(pte.PTEClassifier(**QUICK), texts, labels, cv=2).shape == (2,)


def test_a_search_takes_text_of_which_only_a_part_has_labels(training):
    texts, labels = training
    folds = pte.LabelledFolds(3)
    search = GridSearchCV(pte.PTEClassifier(**QUICK), {"C": [0.01, 100.0]}, cv=folds)
    search.fit(texts, labels)
    assert search.best_score_ > 0.5
    none = {i for i, label in enumerate(labels) if label is None}
    tested = []
    for train, test in folds.split(texts, labels):
        assert none <= set(train) and not set(train) & set(test)
        tested += test.tolist()
    assert sorted(tested) == [i for i, label in enumerate(labels) if label]
    scores = cross_val_score(
        pte.PTEClassifier(**QUICK), texts, np.array(labels, object), cv=folds, scoring="f1_micro"
    )
    assert scores.shape == (3,)


def test_folds_are_stratified_and_follow_their_seed():
    labels = ["a"] * 40 + ["b"] * 20 + [None] * 5

    def tested(seed):
        folds = pte.LabelledFolds(4, random_state=seed)
        return [test.tolist() for _, test in folds.split(labels, labels)]

    assert all(Counter(labels[i] for i in fold) == {"a": 10, "b": 5} for fold in tested(0))
    assert tested(1) == tested(1) != tested(2)
    n_splits = pte.LabelledFolds(2.0).get_n_splits()
    assert n_splits == 2 and isinstance(n_splits, int)
    as_rows = sparse.csr_array(np.ones((65, 3)))
    assert [test.tolist() for _, test in pte.LabelledFolds(4).split(as_rows, labels)] == tested(0)


def test_folds_refuse_what_is_no_seed_and_documents_without_a_length():
    for seed in ("a", -1, 1.5, True, np.random.default_rng(0)):
        with pytest.raises(BadInput, match="random_state is "):
            list(pte.LabelledFolds(2, random_state=seed).split([1, 2, 3, 4], list("aabb")))
    for documents in (None, (each for each in "abcd")):
        with pytest.raises(BadInput, match="X: it has no length"):
            list(pte.LabelledFolds(2).split(documents, list("aabb")))


def test_groups_are_never_on_both_sides():
    texts, labels = ["text"] * 12, ["a", "b"] * 5 + [None, None]
    groups = [0, 0, 1, 1, 2, 2, None, float("nan"), None, None, 0, 7]
    left_out = set()
    assert pte.LabelledFolds(2).get_metadata_routing().split.requests == {"groups": True}
    for train, test in pte.LabelledFolds(2).split(texts, labels, groups):
        given = [{groups[i] for i in part if groups[i] in (0, 1, 2)} for part in (train, test)]
        assert not given[0] & given[1] and 11 in train
        left_out |= {10} - set(train) - set(test)
        assert (10 in train) == (0 not in given[1])
    assert left_out == {10}  # it has no label, and its group is tested
    masked = np.ma.array([0, 1] * 6, mask=[0] * 10 + [1] * 2)
    assert all(11 in train for train, _ in pte.LabelledFolds(2.0).split(texts, labels, masked))
    for few in (["x"], ["x"] * 13):
        with pytest.raises(BadInput, match=rf"groups has {len(few)} groups"):
            list(pte.LabelledFolds(2).split(texts, labels, few))
    with pytest.raises(BadInput, match="2 groups for 3 folds"):
        list(pte.LabelledFolds(3).split(["text"] * 6, ["a", "b"] * 3, [0, 1] * 3))
    with pytest.raises(BadInput, match="no class has more than 5"):
        list(pte.LabelledFolds(6).split(texts, labels))


def test_a_score_leaves_out_what_has_no_label(classifier, training, tests):
    texts, labels = tests
    right = classifier.predict(texts) == np.array(labels)
    assert classifier.score(texts, labels) == pytest.approx(right.mean())
    hidden = [*labels[:5], *[None] * (len(labels) - 5)]
    assert classifier.score(texts, hidden) == pytest.approx(right[:5].mean())
    column = pd.Series(texts, index=range(100, 100 + len(texts)))
    assert classifier.score(column, hidden) == pytest.approx(right[:5].mean())
    weights = np.arange(len(labels))
    weighed = classifier.score(texts, hidden, weights)
    assert weighed == pytest.approx(np.average(right[:5], weights=weights[:5]))
    with pytest.raises(BadInput, match="nothing to score"):
        classifier.score(texts, [None] * len(labels))


def test_several_labels_are_scored_as_lists_and_as_a_matrix(training):
    texts, labels = training
    lists = [[label, "any"] if label else None for label in labels]
    model = pte.PTEClassifier(**QUICK).fit(texts, lists)
    known = np.array([row is not None for row in lists])
    matrix = np.array([[name in (row or ()) for name in model.classes_] for row in lists], int)
    exact = (model.predict(texts) == matrix).all(axis=1)[known].mean()
    assert model.score(texts, lists) == pytest.approx(exact)
    matrix[~known] = -1
    same = pte.PTEClassifier(**QUICK).fit(texts, matrix)
    assert same.score(texts, matrix) == pytest.approx(exact)


def test_a_frame_has_the_names_of_the_features(training):
    model = pte.LINE(**QUICK).set_output(transform="pandas").fit(training[0])
    frame = model.transform(training[0][:3])
    assert frame.columns.tolist() == [f"line{i}" for i in range(DIM)]
    assert frame.columns.tolist() == model.get_feature_names_out().tolist()


@pytest.mark.parametrize("kind", ["default", "pandas"])
def test_documents_may_be_given_by_name(training, kind):
    model = pte.LINE(**QUICK).set_output(transform=kind).fit(raw_documents=training[0])
    found = np.asarray(model.transform(raw_documents=training[0]))
    assert (found == np.asarray(model.fit_transform(raw_documents=training[0]))).all()


def test_encoded_documents_stand_for_their_texts(classifier, tests):
    encoded = classifier.encode(tests[0])
    for of in (classifier.transform, classifier.predict, classifier.predict_proba):
        assert (of(encoded) == of(tests[0])).all()
    assert (classifier.count_known(encoded) == classifier.count_known(tests[0])).all()


def test_documents_that_another_model_has_encoded_are_refused(classifier, training):
    other = pte.LINE(**QUICK).fit(training[0][:5])
    with pytest.raises(BadInput, match="another model has encoded them"):
        classifier.predict(other.encode(training[0][:2]))


def test_texts_of_one_word_each_have_no_edge():
    with pytest.raises(BadInput, match="no document has two words"):
        pte.LINE(**QUICK).fit(["goal", "penalty"])


def test_a_bar_shows_what_is_done(training, capsys):
    pte.LINE(**QUICK | {"verbose": 1}).fit(training[0])
    assert "20.0k/20.0k" in capsys.readouterr().err
    with shown("edge", 1, "PTE(auto)") as progress:
        for done in (1000, 2000, 500, 2000):
            progress(done, 2000)
    bars = capsys.readouterr().err
    assert "PTE(auto), training 1: 100%" in bars and "PTE(auto), training 2: 100%" in bars
    assert "training 3" not in bars


# Further documents.


def of_two_topics(size, seed):
    """So many documents of five words, and their topics; each topic has 60 words."""
    rng = np.random.default_rng(seed)
    topics = ["art", "law"] * (size // 2)
    texts = [" ".join(f"{topic}{word}" for word in rng.integers(0, 60, 5)) for topic in topics]
    return texts, topics


# The public face.


def test_held_out_documents_choose_weights_for_the_t_that_they_choose(monkeypatch):
    """Of the paper's weights and automatic ones, those with the better score are taken."""
    texts = [f"{'ab'[i % 2]}{i % 7} {'ab'[i % 2]}{i % 5} c{i % 3} d{i % 11}" for i in range(200)]
    labels = ["ab"[i % 2] if i < 40 else None for i in range(200)]
    given = {"dim": 8, "threads": 1, "random_state": 1, "samples_limit": 200_000}
    scored = []

    def choose(corpus, phases, samples, setup, candidates):
        scored.append((samples, candidates))
        return candidates[1]

    monkeypatch.setattr("pte.models.network_embedding.choose_weights", choose)
    chosen = pte.PTEClassifier(**given).fit(texts, labels)
    ((samples, (paper, automatic)),) = scored
    assert paper == {} and samples == chosen.samples_
    assert chosen.network_weights_ == automatic and min(automatic.values()) < 1
    monkeypatch.undo()
    few = pte.PTEClassifier(**given | {"samples": 5000}).fit(texts, labels)
    assert min(few.network_weights_.values()) < 1  # less than half have labels, nothing is held out
    most = pte.PTEClassifier(**given | {"samples": 5000}).fit(
        texts, [each or "c" for each in labels]
    )
    assert most.network_weights_ == {}
