"""Habits of scikit-learn: pipelines, calibration, self-training, names of parameters, routing."""

import numpy as np
import pandas as pd
import pytest
import sklearn
from sklearn.calibration import CalibratedClassifierCV
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.semi_supervised import SelfTrainingClassifier

import pte

SEED = {"threads": 1, "random_state": 0}
QUICK = {"dim": 8, "samples": 20_000, **SEED}
TEXTS = [
    *("the team won the match", "the striker scored a goal"),
    *("the bank cut its rate", "the price of shares fell"),
] * 10
SPORT = np.array([1, 1, 0, 0] * 10)
BOW = pte.TextClassifier(method="bow", **SEED)


@pytest.mark.parametrize("model", [pte.PTEClassifier(**QUICK), BOW])
def test_decisions_agree_with_probabilities_and_predictions(model):
    fitted = model.fit(TEXTS, SPORT)
    likely, decided = fitted.predict_proba(TEXTS), fitted.decision_function(TEXTS)
    np.testing.assert_allclose(decided, np.log(likely[:, 1] / likely[:, 0]))
    assert (fitted.classes_[(decided > 0).astype(int)] == fitted.predict(TEXTS)).all()
    fitted = model.fit(TEXTS, SPORT + [0, 0, 0, 2] * 10)
    decided = fitted.decision_function(TEXTS)
    np.testing.assert_allclose(decided, np.log(fitted.predict_proba(TEXTS)))
    assert (fitted.classes_[decided.argmax(axis=1)] == fitted.predict(TEXTS)).all()


@pytest.mark.parametrize("model", [pte.PTEClassifier(**QUICK), BOW])
def test_decisions_about_several_labels_are_log_odds(model):
    fitted = model.fit(TEXTS, [["sport"] if each else ["money", "bank"] for each in SPORT])
    decided = fitted.decision_function(TEXTS)
    assert decided.shape == (40, 3) and ((decided > 0) == fitted.predict(TEXTS)).all()


def test_a_ranking_can_be_scored():
    scored = cross_val_score(pte.PTEClassifier(**QUICK), TEXTS, SPORT, scoring="roc_auc", cv=2)
    assert scored.tolist() == [1, 1]


@pytest.mark.parametrize(
    "model", [pte.PTEClassifier(**QUICK), make_pipeline(pte.PTE(**QUICK), LogisticRegression())]
)
def test_classifiers_and_pipelines_can_be_calibrated(model):
    calibrated = CalibratedClassifierCV(model, cv=2).fit(TEXTS, SPORT)
    assert (calibrated.predict(TEXTS) == SPORT).all()
    assert not hasattr(calibrated, "n_features_in_")  # as with TfidfVectorizer


@pytest.mark.filterwarnings("ignore:y. -1 means no label")
def test_a_pipeline_can_train_itself():
    marks = np.where(np.arange(40) < 8, SPORT, -1)
    pipeline = make_pipeline(pte.PTE(**QUICK), SelfTrainingClassifier(LogisticRegression()))
    assert (pipeline.fit(TEXTS, marks).predict(TEXTS) == SPORT).all()


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("n_jobs", "it is called threads here"),
        ("negative", "it is called negatives"),
        ("deterministic", "threads=1 gives the same bits"),
        ("class_weight", "give the vectors of pte.PTE"),
        ("warm_start", "learn from all documents together"),
    ],
)
def test_names_of_others_and_of_before_are_refused_with_the_right_name(name, said):
    for kind in (pte.PTE, pte.TextClassifier):
        with pytest.raises(pte.PteError, match=f"{name}: {kind.__name__}: .*{said}"):
            kind(**{name: 1})


def test_scores_have_a_weight_for_each_document():
    model = BOW.fit(TEXTS, SPORT)
    wrong = np.where(np.arange(40) < 4, 1 - SPORT, SPORT)
    assert model.score(TEXTS, wrong, sample_weight=np.repeat([9, 1], [4, 36])) == 0.5
    assert model.score(np.ma.array(TEXTS), wrong) == 0.9
    for n in (10, 100):
        with pytest.raises(pte.PteError, match=rf"sample_weight: shape \({n},\) for 40 documents"):
            model.score(TEXTS, wrong, sample_weight=np.ones(n))


@pytest.mark.parametrize(
    ("y", "weights", "said"),
    [
        (SPORT, np.zeros(40), "sample_weight: all labelled documents have 0"),
        (SPORT, [np.nan] * 40, "sample_weight: give finite numbers, 0 or more"),
        (SPORT, ["a"] * 40, "sample_weight: give finite numbers, 0 or more"),
        (SPORT.astype(str), None, "y: labels such as .*, and `fit` had .*; give texts for texts"),
    ],
)
def test_what_cannot_be_scored_is_refused(y, weights, said):
    with pytest.raises(pte.PteError, match=said):
        BOW.fit(TEXTS, SPORT).score(TEXTS, y, sample_weight=weights)


@pytest.mark.parametrize("kind", [np.float16, np.float32, np.float64])
def test_whole_numbers_that_are_floats_are_whole_numbers(kind, tmp_path):
    model = BOW.fit(TEXTS, SPORT.astype(kind))
    assert model.classes_.tolist() == [0, 1] and model.classes_.dtype.kind == "i"
    model.save(tmp_path / "model.npz")


@pytest.mark.parametrize("names", [[("a", "x"), ("a", "y")], ["a", "a"], [1, "1"], [1.5, 2]])
def test_columns_of_labels_have_names_of_their_own(names):
    table = pd.DataFrame(np.eye(2, dtype=int)[SPORT], columns=pd.Index(names))
    with pytest.raises(pte.PteError, match=r"y: columns are named .*; give each a name of"):
        BOW.fit(TEXTS, table)


def test_a_pipeline_passes_groups_on(monkeypatch):
    given = []
    learn = pte.PTE._learn
    monkeypatch.setattr(pte.PTE, "_learn", lambda *all: given.append(all[1].groups) or learn(*all))
    groups = [i // 4 for i in range(40)]
    pipeline = make_pipeline(pte.PTE(**QUICK), LogisticRegression())
    pipeline.fit(TEXTS, SPORT, pte__groups=groups)
    assert given == [[str(group) for group in groups]]


def test_the_names_of_columns_are_no_documents_and_no_groups():
    table = pd.DataFrame({"text": ["a"]})
    with pytest.raises(pte.PteError, match="X: this is a table; give one column of it"):
        BOW.fit(TEXTS, SPORT).score(table, [1])
    with pytest.raises(pte.PteError, match="groups: this is a table; give one column of it"):
        BOW.fit(["a"], [1], groups=table)


def test_documents_are_no_metadata():
    model = pte.PTEClassifier(**QUICK)
    with sklearn.config_context(enable_metadata_routing=True):
        assert model.get_metadata_routing().fit.requests == {"groups": None}
        assert not hasattr(model, "set_predict_request")
        pipeline = make_pipeline(pte.PTE(**QUICK), LogisticRegression())
        assert (pipeline.fit(TEXTS, SPORT).predict(TEXTS) == SPORT).all()
