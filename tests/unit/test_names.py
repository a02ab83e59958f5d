"""Names of classes teach every method, and never judge one."""

import numpy as np
import pytest

import pte
from pte.classify.names import words_of_label
from pte.training.search import NAMES, folds

TEXTS = ["the team won the match", "the bank cut its rate", "a late goal", "shares fell"] * 6
NAMED = {"sport": ["team match", "goal"], "money": "bank rate shares"}


@pytest.mark.parametrize(
    "label, words",
    [
        ("card_payment-fee/x", "card payment fee x"),
        ("comp.sys.macHardware", "comp sys mac Hardware"),
        ("ÜberMut", "Über Mut"),
        ("HTMLPage", "HTMLPage"),
        ("体育", "体育"),
        ("__", ""),
    ],
)
def test_a_label_is_cut_at_signs_and_before_capitals(label, words):
    assert words_of_label(label) == words


def learnt(method, y, names):
    if method == "PTE":
        return pte.PTEClassifier(names=names, dim=8, samples=20_000, threads=1, random_state=1)
    return pte.TextClassifier(method=method, names=names, samples=20_000, threads=1, random_state=1)


@pytest.mark.parametrize("method", ["PTE", "bow", "nb_em", "svm_pairs", "nb_svm_pairs", "pte_auto"])
def test_names_alone_teach(method):
    model = learnt(method, None, NAMED).fit(TEXTS)
    assert model.classes_.tolist() == ["money", "sport"]
    found = model.predict(["team match goal", "bank rate shares"])
    assert found.tolist() == ["sport", "money"]


def test_names_never_judge_and_need_no_place_among_documents():
    model = learnt("pte_auto", None, "labels").fit(TEXTS, ["sport", "money", None, None] * 6)
    assert model.judged_.documents == 12
    assert model.predict(TEXTS[:2]).tolist() == ["sport", "money"]


def test_names_train_in_each_fold():
    labels = np.array([0, 0, 0, 1, 1, 1, 0, 1], np.int32)
    groups = np.array([-1] * 6 + [NAMES] * 2)
    found = folds(labels, 1, groups)
    assert sorted(np.concatenate([judges for _, judges in found])) == [0, 1, 2, 3, 4, 5]
    assert all({6, 7} <= {*some.tolist()} for some, _ in found)
    same = folds(labels[:6], 1)
    assert [judges.tolist() for _, judges in found] == [judges.tolist() for _, judges in same]


def test_labels_are_numbered_anew_where_names_add_classes():
    names = {"apart": "late", "money": "bank", "sport": "team"}
    with pytest.warns(UserWarning, match="names: 1 class has no labelled document: 'apart'"):
        model = learnt("bow", None, names).fit(TEXTS, ["sport", "money", "sport", None] * 6)
    assert model.classes_.tolist() == ["apart", "money", "sport"]
    assert model.predict(TEXTS[:2]).tolist() == ["sport", "money"]


def test_names_of_numbers_are_those_of_the_labels():
    model = learnt("bow", None, {0: "bank", 1: "team"}).fit(TEXTS, [1, 0, -1, -1] * 6)
    assert model.classes_.tolist() == [0, 1]


def test_an_encoder_reads_the_names():
    def encoder(texts):
        return np.array([[text.count("goal"), text.count("bank"), 0.1] for text in texts])

    rows = encoder(TEXTS)
    model = pte.TextClassifier(method="encoder", names=NAMED, random_state=1)
    with pytest.raises(pte.PteError, match="give the encoder"):
        model.fit(TEXTS, vectors=rows)
    model.set_params(encoder=encoder).fit(TEXTS, vectors=rows)
    assert model.predict(["a goal", "a bank"]).tolist() == ["sport", "money"]
    again = pte.TextClassifier(method="encoder", names=NAMED, encoder=encoder, random_state=1)
    again.fit(TEXTS)
    assert np.array_equal(again.predict_proba(TEXTS), model.predict_proba(TEXTS))


@pytest.mark.parametrize(
    "names, message",
    [
        ("labels", "there is no label"),
        ({}, "give a dict"),
        (["sport"], "give a dict"),
        ({"sport": 3, "money": "x"}, "'sport' has 3"),
        ({"sport": "goal"}, "all of one class"),
    ],
)
def test_names_that_cannot_teach_are_refused(names, message):
    with pytest.raises(pte.PteError, match=message):
        learnt("bow", None, names).fit(TEXTS)


def test_a_file_keeps_the_names(tmp_path):
    model = learnt("bow", None, NAMED).fit(TEXTS)
    model.save(tmp_path / "model.npz")
    again = pte.load(tmp_path / "model.npz")
    assert {key: list(np.atleast_1d(each)) for key, each in again.names.items()} == {
        key: list(np.atleast_1d(each)) for key, each in NAMED.items()
    }
    assert np.array_equal(again.predict_proba(TEXTS), model.predict_proba(TEXTS))
