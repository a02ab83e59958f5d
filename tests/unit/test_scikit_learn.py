"""Habits of scikit-learn: pipelines, calibration, self-training, names of parameters, routing."""

import numpy as np
import pandas as pd
import pytest
import sklearn
from sklearn.base import clone
from sklearn.calibration import CalibratedClassifierCV
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.semi_supervised import SelfTrainingClassifier
from sklearn.utils.class_weight import compute_sample_weight

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
        ("class_weight", "PTEClassifier has it"),
    ],
)
def test_names_of_others_and_of_before_are_refused_with_the_right_name(name, said):
    for kind in (pte.PTE, pte.TextClassifier):
        with pytest.raises(pte.PteError, match=f"{name}: {kind.__name__}: .*{said}"):
            kind(**{name: 1})


UNEVEN = [*TEXTS[:12], *(text for text in TEXTS if "bank" in text)]


@pytest.mark.parametrize("weights", ["balanced", {"sport": 3, "money": 0.5}])
def test_classes_may_have_weights(weights, tmp_path):
    """The classifier is that of scikit-learn, whose documents have the weights of their classes."""
    y = np.array(["sport", "sport", "money", "shares"] * 3 + ["money"] * 10)
    model = pte.PTEClassifier(class_weight=weights, **QUICK).fit(UNEVEN, y)
    each = compute_sample_weight(weights if weights == "balanced" else {"shares": 1, **weights}, y)
    exact = {"fit_intercept": False, "tol": 1e-9, "max_iter": 9999}
    vectors = model.transform(UNEVEN)
    for column, name in enumerate(model.classes_[model.classifier_.classes]):
        other = LogisticRegression(**exact).fit(vectors, y == name, sample_weight=each)
        np.testing.assert_allclose(
            model.classifier_.weights[:, column], other.coef_[0], rtol=0.01, atol=0.005
        )
    model.save(tmp_path / "m.npz")
    assert pte.load(tmp_path / "m.npz").class_weight == weights


def test_equal_weights_change_nothing():
    plain = pte.PTEClassifier(**QUICK).fit(TEXTS, SPORT).predict_proba(TEXTS)
    weighted = pte.PTEClassifier(class_weight={0: 1, 1: 1}, **QUICK).fit(TEXTS, SPORT)
    np.testing.assert_allclose(weighted.predict_proba(TEXTS), plain, rtol=1e-5)
    balanced = clone(weighted).set_params(class_weight="balanced").fit(TEXTS, SPORT)
    np.testing.assert_allclose(balanced.predict_proba(TEXTS), plain, rtol=1e-5)


@pytest.mark.parametrize(
    ("weights", "y", "said"),
    [
        ("even", SPORT, "class_weight is 'even'; it must be \"balanced\", a dict, or None"),
        ({2: 1}, SPORT, "class_weight: no class '2'; there are 0, 1"),
        ({1: -1}, SPORT, "class_weight is -1; it must be a positive number"),
        ("balanced", [["a"], ["b"], [], ["a", "b"]] * 10, "class_weight: .* several labels"),
    ],
)
def test_weights_that_cannot_be_are_refused(weights, y, said):
    with pytest.raises(pte.PteError, match=said):
        pte.PTEClassifier(class_weight=weights, **QUICK).fit(TEXTS, y)


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
