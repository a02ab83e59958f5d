"""`TextClassifier`: every method of a contest as an estimator, saved, loaded and explained."""

import pickle
import subprocess
import sys
from copy import deepcopy
from functools import cache

import numpy as np
import pytest
from sklearn.base import clone

import pte
from pte.classify.errors import BadInput
from pte.classify.registry import methods
from pte.errors import PteError

ENTRANTS = [name for name, each in methods().items() if each.contest and not each.encoded]
OF_SEVERAL = [name for name in ENTRANTS if methods()[name].spec.learns_several]
UNSUPERVISED = ("skip_gram", "pvdbow", "pvdm", "line_ww_wd", "majority")
"""Methods that so few words teach little."""
SMALL = {"dim": 8, "samples": 50_000, "threads": 1, "random_state": 3}


def made(n=60, seed=0):
    """Texts of three topics, and their labels: a third of them is not known."""
    random = np.random.default_rng(seed)
    texts, labels = [], []
    for i in range(n):
        words = [f"t{i % 3}w{word}" for word in random.integers(0, 6, 3)]
        words += [f"any{word}" for word in random.integers(0, 9, 3)]
        texts.append(" ".join(words))
        labels.append(None if i % 9 < 3 else ("ape", "bee", "cat")[i % 3])
    return texts, labels


TEXTS, LABELS = made()
LISTS = [None if a is None else [a, "dog"] if i % 2 else [a] for i, a in enumerate(LABELS)]
ASKED = ["t0w1 any3 any4", "t1w2 t1w2 any1", "t2w0 any0", "t0w1 t2w2", "qwerty", ""]


def fitted(method, labels=LABELS, **more):
    return pte.TextClassifier(method=method, **SMALL | more).fit(TEXTS, labels)


@cache
def learnt(method):
    """A model that no test changes."""
    return fitted(method)


def assert_same(model, other):
    assert type(other) is type(model) and other.get_params() == model.get_params()
    assert other.classes_.tolist() == model.classes_.tolist()
    assert (other.predict_proba(ASKED) == model.predict_proba(ASKED)).all()
    assert (other.predict(ASKED) == model.predict(ASKED)).all()
    assert (other.class_shares_ == model.class_shares_).all()
    assert other.chosen_ == model.chosen_
    assert other.several_labels_ == model.several_labels_
    assert hasattr(other, "word_vectors_") == hasattr(model, "word_vectors_")
    if hasattr(model, "word_vectors_"):
        assert (other.transform(ASKED) == model.transform(ASKED)).all()
        assert list(other.label_vectors_) == list(model.label_vectors_)
        assert (other.label_vectors_.vectors == model.label_vectors_.vectors).all()


@pytest.mark.parametrize("method", [name for name in ENTRANTS if name != "cnn_pretrain"])
def test_a_saved_model_is_loaded_as_it_was(method, tmp_path):
    model = learnt(method)
    found = model.predict_proba(ASKED)
    assert found.shape == (6, 3) and found.sum(axis=1) == pytest.approx(1)
    assert (found[-2:] == model.class_shares_).all()
    model.save(tmp_path / "model.npz")
    assert_same(model, pte.load(tmp_path / "model.npz"))
    assert_same(model, pickle.loads(pickle.dumps(model)))
    assert_same(model, deepcopy(model))
    if method not in UNSUPERVISED:
        assert model.predict(ASKED[:3]).tolist() == ["ape", "bee", "cat"]


@pytest.mark.parametrize("method", ENTRANTS)
def test_a_text_alone_is_told_what_it_is_told_among_others(method):
    model = learnt(method)
    alone = np.concatenate([model.predict_proba([text]) for text in ASKED])
    np.testing.assert_allclose(alone, model.predict_proba(ASKED), rtol=0, atol=1e-6)


SLOW = ["sklearn", "scipy.stats", "scipy.optimize", "pandas", "joblib", "pte.classify.race"]
"""Packages and modules whose imports would take longer than all that predicting a line needs."""


@pytest.mark.parametrize("method", ["bow", "pte_auto"])
def test_a_line_is_predicted_without_slow_imports(method, tmp_path):
    learnt(method).save(tmp_path / "model.npz")
    code = f"""if True:
        import sys, pte.command.main
        sys.argv = ["pte", "predict", "model.npz", "-"]
        try:
            pte.command.main.main()
        finally:
            print(*({set(SLOW)} & sys.modules.keys()))
    """
    asked = {"input": f"{ASKED[0]}\n", "text": True, "capture_output": True}
    done = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, check=True, **asked)
    answer, slow = done.stdout.splitlines()
    likely = learnt(method).predict_proba(ASKED[:1])[0]
    best = learnt(method).classes_[likely.argmax()]
    assert answer == f"1\t{best}\t{likely.max():.4f}"
    assert slow == ""


@pytest.mark.parametrize("method", OF_SEVERAL)
def test_a_saved_model_of_several_labels_is_loaded_as_it_was(method, tmp_path):
    model = fitted(method, LISTS)
    assert model.classes_.tolist() == ["ape", "bee", "cat", "dog"] and model.several_labels_
    found = model.predict_proba(ASKED)
    assert found.shape == (6, 4) and (found[-2:] == model.class_shares_).all()
    assert (model.predict(ASKED) == (found > 0.5)).all()
    model.save(tmp_path / "model.npz")
    assert_same(model, pte.load(tmp_path / "model.npz"))


def test_a_seed_and_one_thread_give_the_same_bits():
    """Of the other methods, tests/methods asks it."""
    first = learnt("pte_auto")
    assert_same(first, clone(first).fit(TEXTS, LABELS))


# Explanations


def odds_of(likely):
    """The log-odds of the second class; 1 − p is 0 where a classifier is sure."""
    return np.log(likely[1]) - np.log(np.delete(likely, 1).sum())


@pytest.mark.parametrize("method", ["bow", "nb_em", "label_propagation", "pte_joint", "pte_auto"])
def test_an_explanation_is_what_changes_without_the_word(method):
    model = learnt(method)
    text = "t0w1 t1w2 any3 t1w2 any4"
    found = dict(model.explain(text, "bee"))
    assert found.keys() == set(text.split())
    odds = odds_of(model.predict_proba([text])[0])
    for word, adds in found.items():
        left = " ".join(each for each in text.split() if each != word)
        without = odds_of(model.predict_proba([left])[0])
        assert adds == pytest.approx(odds - without, abs=1e-5)
    assert list(found.values()) == sorted(found.values(), reverse=True)


def test_the_most_probable_class_is_explained_if_none_is_named():
    model = learnt("bow")
    text = "t2w0 any1 t0w1 t2w3"
    named = str(model.predict([text])[0])
    assert model.explain(text) == model.explain(text, named)
    assert model.explain(text, topn=1) == [max(model.explain(text), key=lambda p: abs(p[1]))]
    assert model.explain("qwerty") == []
    with pytest.raises(BadInput, match="no label 'dog'; there are ape, bee, cat"):
        model.explain(text, "dog")


# Vectors


def test_labels_have_vectors_among_the_words():
    model = learnt("pte_joint")
    assert list(model.label_vectors_) == ["ape", "bee", "cat"]
    assert model.label_vectors_.vectors.shape == (3, 8)
    for number, label in enumerate(model.classes_):
        vector = model.label_vectors_[label]
        nearest = [word for word, _ in model.word_vectors_.nearest(vector, 3)]
        assert all(word.startswith(f"t{number}") for word in nearest)
    assert model.transform(ASKED).shape == (6, 8)
    assert not model.transform(["qwerty"]).any()


def test_a_method_without_vectors_says_so():
    model = learnt("bow")
    with pytest.raises(BadInput, match="BOW has no vectors of documents; learn by a method"):
        model.transform(ASKED)
    with pytest.raises(BadInput, match="bow learnt no word vectors; learn by pte_joint"):
        _ = model.word_vectors_
    assert not hasattr(model, "word_vectors_") and model.label_vectors_ is None


def test_another_method_leaves_nothing_of_the_first():
    model = fitted("pte_joint").set_params(method="bow").fit(TEXTS[:30], LABELS[:30])
    assert_same(model, clone(model).fit(TEXTS[:30], LABELS[:30]))


def test_a_parameter_that_is_set_later_does_not_change_what_was_learnt(tmp_path):
    model = fitted("pte_joint")
    model.set_params(method="bow", samples=7).save(tmp_path / "model.npz")
    assert_same(model, pte.load(tmp_path / "model.npz"))


@pytest.mark.parametrize("method", ["bow", "pte_joint"])
def test_a_class_without_a_document_has_a_column_of_zeros(method, tmp_path):
    rows = np.array([[1, 0, 0], [1, 0, 0], [0, 0, 1], [1, 0, 1]] * 15)
    model = fitted(method, rows)
    likely = model.predict_proba(ASKED)
    assert model.classes_.tolist() == [0, 1, 2] and likely.shape == (6, 3)
    assert (likely[:, 1] == 0).all() and (likely[:, [0, 2]] > 0).all()
    other = fitted(method, rows[:, [0, 2]])
    assert (likely[:, [0, 2]] == other.predict_proba(ASKED)).all()
    assert model.score(TEXTS, rows) == other.score(TEXTS, rows[:, [0, 2]])
    assert model.explain(TEXTS[0], 2) == other.explain(TEXTS[0], 1)
    assert model.class_shares_.tolist() == rows.mean(axis=0).tolist()
    model.save(tmp_path / "model.npz")
    assert_same(model, pte.load(tmp_path / "model.npz"))


def test_an_explanation_of_one_of_several_labels_is_about_its_log_odds():
    model = fitted("bow", LISTS)
    text = TEXTS[1]
    words = dict(model.explain(text, "ape", topn=99))
    for word, fall in words.items():
        without = " ".join(each for each in text.split() if each != word)
        with_word, alone = model.decision_function([text, without])[:, 0]
        assert fall == pytest.approx(with_word - alone)


def test_a_document_at_a_time_is_explained():
    model = learnt("bow")
    for texts in ([], TEXTS[:2]):
        with pytest.raises(BadInput, match=f"text: {len(texts)} documents; explain one at a time"):
            model.explain(model.encode(texts))


@pytest.mark.parametrize("method", ["nb_em", "pte_joint"])
def test_each_class_may_be_of_one_group(method):
    labels = ["ape", "bee"] * 30
    model = pte.TextClassifier(method=method, **SMALL | {"samples": "chosen"})
    model.fit(TEXTS, labels, groups=labels)
    assert set(model.predict(TEXTS)) <= {"ape", "bee"}


@pytest.mark.parametrize("labels", [["x", "y", None], ["x", "y"]])
def test_a_pool_that_none_can_judge_predicts_and_is_saved(labels, tmp_path):
    texts = ["dog house", "fine bird", "car park"][: len(labels)]
    model = pte.TextClassifier(method="pte_auto_words", **SMALL).fit(texts, labels)
    assert model.predict(texts[:2]).tolist() == ["x", "y"]
    model.save(tmp_path / "model.npz")
    assert (
        pte.load(tmp_path / "model.npz").predict_proba(texts) == model.predict_proba(texts)
    ).all()


def test_a_fit_that_fails_leaves_the_model_as_it_was(monkeypatch):
    model = pte.PTEClassifier(**SMALL).fit(TEXTS, LABELS)
    before, vectors = model.predict_proba(ASKED), model.word_vectors_

    def fails(*given, solver):
        raise PteError("no minimum")

    monkeypatch.setattr("pte.classify.classifier.fit_targets", fails)
    with pytest.raises(BadInput, match="no minimum"):
        model.set_params(C=1e100).fit(TEXTS, ["u", "v"] * 30)
    assert model.word_vectors_ is vectors and model.C == 1e100
    assert (model.predict_proba(ASKED) == before).all()
    fresh = pte.TextClassifier(method="bow")
    with pytest.raises(BadInput):
        fresh.fit(TEXTS, ["u"] * 60)
    assert not hasattr(fresh, "classes_")


def lengths(texts):
    return np.array([[len(text), text.count("t0"), 1] for text in texts], float)


def test_encoded_documents_have_vectors_of_the_length_that_fit_saw():
    rows = lengths(TEXTS)
    one, other = (pte.TextClassifier(method="encoder", **SMALL) for _ in "ab")
    one.fit(TEXTS, LABELS, vectors=rows), other.fit(TEXTS, LABELS, vectors=rows[:, :2])
    with pytest.raises(BadInput, match="vectors: 3 numbers a row, and `fit` had 2"):
        other.predict(one.encode(TEXTS, vectors=rows))


# Errors


@pytest.mark.parametrize(
    ("given", "labels", "said"),
    [
        ({}, None, "y: the classifier requires y to be passed"),
        ({}, [None] * 60, "y: no document has a label; a classifier needs some of each class"),
        ({}, ["ape"] * 60, "the labelled documents are all of one class"),
        ({}, LABELS[:-1], "59 labels"),
        ({"method": "tf-idf"}, LABELS, "method 'tf-idf' is not known; there are bow .BOW., nb_em"),
        ({"method": "nb_em"}, LISTS, "y: documents have several labels, and nb_em learns one"),
        ({"samples": 0}, LABELS, "samples"),
        ({"samples": "many"}, LABELS, "samples"),
        ({"dim": 0}, LABELS, "dim"),
        ({"min_count": 99}, LABELS, "min_count is 99; no word occurs so often"),
    ],
)
def test_what_cannot_be_used_is_refused(given, labels, said):
    with pytest.raises(BadInput, match=said):
        pte.TextClassifier(**SMALL | {"method": "bow"} | given).fit(TEXTS, labels)


@pytest.mark.parametrize(
    ("groups", "said"),
    [
        (3, "groups is of type int; give a list"),
        ({"a": 1}, "groups: this is a dict; give a list"),
        (["a"] * 3, "groups has 3 groups for 60 documents"),
    ],
)
def test_groups_that_are_no_column_are_refused(groups, said):
    with pytest.raises(BadInput, match=said):
        pte.TextClassifier(method="bow").fit(TEXTS, LABELS, groups=groups)


def test_networks_have_weights_and_a_model_without_vectors_takes_none():
    for weight in ("x", -1, float("nan"), None):
        with pytest.raises(BadInput, match=r"network_weights: 'wl' has .*; give a number, 0 or"):
            pte.PTE(network_weights={"wl": weight}, **SMALL).fit(TEXTS, LABELS)

    with pytest.raises(BadInput, match="vectors: the model was learnt without vectors"):
        learnt("bow").encode(["a text"], vectors=np.ones((1, 3)))


@pytest.mark.parametrize("kind", [pte.PTEAuto, pte.PTEClassifier, pte.TextClassifier])
def test_groups_stay_together_in_what_is_chosen(kind, monkeypatch):
    from pte.training import search

    seen, divided = [], search.divided

    def recorded(labels, n, seed, groups=None):
        seen.append(groups)
        return divided(labels, n, seed, groups)

    monkeypatch.setattr(search, "divided", recorded)
    given = {"method": "nb_em"} if kind is pte.TextClassifier else {"samples_limit": 2000, "dim": 8}
    model = kind(threads=1, random_state=0, **given)
    groups = [f"author {i % 6}" if i % 9 else None for i in range(40)]
    texts = ["the team won the match", "the bank cut its rate"] * 20
    model.fit(texts, ["sport", "money"] * 20, groups=groups)
    alone = groups.count(None)
    assert seen and all(np.unique(each).size == 6 + alone for each in seen)
    with pytest.raises(BadInput, match="groups has 2 groups for 40 documents"):
        model.fit(texts, ["sport", "money"] * 20, groups=["a", "b"])
