"""Methods that cannot run on a corpus: nothing is trained, and their row says why."""

from pathlib import Path

import numpy as np
import pytest
from made import configured, corpus_of

from pte.models import cnn, label_propagation, nb_em
from pte.models.controls import Majority
from pte.training.contract import ONE_LABEL, ORDER_LOST, Fitted, Spec, Task, fit_or_say_why
from pte_study.plan.study import Study

ROOT = Path(__file__).parents[2]
UNORDERED = {"bow", "nb_em", "label_propagation", "pvdbow", "line_wd", "pte_wl", "pte_wd_wl"}
UNORDERED |= {"majority", "random", "pte_pretrain", "pte_joint", "pte_joint_shuffled"}
UNORDERED |= {"pte_auto_words", "pte_auto_vectors"}
PREDICT_ONE = {"nb_em", "label_propagation", "cnn", "cnn_pretrain", "majority"}
PREDICT_ONE |= {"pte_auto_words", "pte_auto_vectors"}


@pytest.fixture(scope="module")
def study():
    return Study.load(configured(), ROOT / "workflow")


@pytest.fixture(scope="module")
def several():
    return corpus_of([([b"a", b"b"], ("x", "y")), ([b"b"], ("y",))], held_out=[[b"a"]])


def runnable(study, corpus):
    """The methods of the paper and the controls that run on a corpus."""
    can = (name for name in study.config.methods if study.registries.why_not(corpus, name) is None)
    return {name for name in can if study.registries.methods[name].group != "extra"}


def test_without_the_order_of_words_the_papers_methods_of_table_3_are_left(study):
    assert runnable(study, "rcv1_corporate") == UNORDERED
    assert study.registries.why_not("rcv1_corporate-labelled10-seed1", "line_ww") == ORDER_LOST
    assert study.registries.why_not("rcv1_corporate", "cnn_pretrain") == ORDER_LOST


def test_where_the_order_is_lost_a_method_has_the_networks_that_are_left(study):
    inputs = study.fit_inputs("rcv1_sample_market", "pte_joint", "paper", "1")
    assert {"wd", "wl"} < inputs.keys()
    assert "ww" not in inputs
    plan = study.plan("rcv1_sample_market", "pte_pretrain")
    assert plan.configured.options == {"phases": [["wd"], ["wl"]]}
    whole = study.plan("mr", "pte_pretrain")
    assert whole.configured.options == {"phases": [["ww", "wd"], ["wl"]]}


def test_with_several_labels_methods_that_predict_one_are_out(study):
    assert runnable(study, "rcv1_market_several") == UNORDERED - PREDICT_ONE
    assert study.registries.why_not("rcv1_market_several", "nb_em") == ONE_LABEL


def test_on_other_corpora_all_methods_run(study):
    reasons = {study.registries.why_not("20ng", name) for name in study.config.methods}
    assert reasons <= {None, "no encoder"}


@pytest.mark.parametrize("method", ["line_ww", "pte_ww_wl", "skip_gram", "cnn"])
def test_what_cannot_run_is_not_fitted_and_has_one_run(study, method):
    assert study.score_inputs("rcv1_market", method, "paper", "1") == {
        "corpus": "resources/corpora/rcv1_market"
    }
    assert study.plan("rcv1_market", method).to_score.unavailable == ORDER_LOST
    files = study.scores(["rcv1_market"], method, ["paper"], study.config.seeds)
    assert files == [f"results/scores/rcv1_market/{method}/paper/seed1"]


@pytest.mark.parametrize("model", [nb_em, label_propagation, Majority, cnn])
def test_a_method_that_predicts_one_label_says_so(several, model):
    fitted = fit_or_say_why(model, Task(several, 1))
    assert fitted.record["unavailable"] == ONE_LABEL
    assert fitted.array.size == 0


def test_a_method_may_say_that_it_learns_several(several):
    class Model:
        SPEC = Spec(yields="predictions", multilabel=True)

        @staticmethod
        def fit(task):
            return Fitted(np.ones((1, task.corpus.n_classes), bool))

    assert fit_or_say_why(Model, Task(several, 1)).array.shape == (1, 2)
    assert [Spec(yields=kind).learns_several for kind in ("words", "documents", "features")] == [
        True
    ] * 3
