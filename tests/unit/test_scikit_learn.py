"""Habits of scikit-learn: pipelines, calibration, self-training, names of parameters, routing."""

import numpy as np
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


def test_the_other_name_of_threads_is_refused_with_the_right_name():
    with pytest.raises(pte.PteError, match="n_jobs: PTE calls it threads"):
        pte.PTE(n_jobs=2)


def test_documents_are_no_metadata():
    model = pte.PTEClassifier(**QUICK)
    with sklearn.config_context(enable_metadata_routing=True):
        assert model.get_metadata_routing().fit.requests == {"groups": None}
        assert not hasattr(model, "set_predict_request")
        pipeline = make_pipeline(pte.PTE(**QUICK), LogisticRegression())
        assert (pipeline.fit(TEXTS, SPORT).predict(TEXTS) == SPORT).all()
