"""What the protocols `paper` and `chosen` fit, and what chooses T and the classifier."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from made import configured

from pte.corpora.encoded import TEST, TRAIN
from pte.corpora.subsets import Subset, find_labelled
from pte.evaluation.setting import UNJUDGED
from pte.files import save_array, write_json
from pte.models import network_embedding
from pte.training.contract import Chosen, Task
from pte.training.scores import read_chosen, read_scored
from pte.training.setup import Configured, FitPlan, Hyperparameters
from pte_study.configuration.config import CHOSEN, PAPER
from pte_study.plan.study import Study

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def study():
    return Study.load(configured(), ROOT / "workflow")


def fit(corpus, method, protocol, seed=1):
    return f"results/representations/{corpus}/{method}/{protocol}/seed{seed}"


@pytest.mark.parametrize("method", ["pte_joint", "line_ww", "pte_pretrain"])
def test_each_protocol_has_its_own_t(study, method):
    assert study.fit("mr", method, PAPER, 1) == fit("mr", method, PAPER)
    assert study.fit("mr", method, CHOSEN, 1) == fit("mr", method, CHOSEN)
    paper = study.fit_inputs("mr", method, PAPER, "1")
    chosen = study.fit_inputs("mr", method, CHOSEN, "1")
    assert "choice" not in paper
    assert chosen["choice"] == f"results/choices/mr/{method}.json"
    plans = [study.plan("mr", method, protocol).configured for protocol in (PAPER, CHOSEN)]
    assert [plan.samples for plan in plans] == [study.config.samples["mr"], "auto"]


@pytest.mark.parametrize("method", ["skip_gram", "pvdm", "nb_em", "cnn_pretrain"])
def test_what_the_paper_does_not_fix_has_one_fit(study, method):
    assert study.fit("mr", method, CHOSEN, 1) == fit("mr", method, PAPER)


def test_features_are_made_of_the_vectors_of_their_protocol(study):
    for protocol in (PAPER, CHOSEN):
        inputs = study.score_inputs("mr", "pte_joint_bow", protocol, "3")
        assert inputs["vectors"] == f"{fit('mr', 'pte_joint', protocol, 3)}.npy"


def test_a_classifier_is_chosen_on_vectors_that_have_not_seen_the_documents_that_judge(study):
    inputs = study.classifier_inputs("mr", "pte_joint", CHOSEN)
    assert inputs["corpus"] == "resources/corpora/mr-hidden-seed1"
    assert inputs["representation"] == f"{fit('mr-hidden-seed1', 'pte_joint', CHOSEN)}.npy"
    blind = study.classifier_inputs("mr", "skip_gram", CHOSEN)
    assert blind["representation"] == f"{fit('mr-hidden-seed1', 'skip_gram', PAPER)}.npy"


def test_labels_are_hidden_of_a_subset_too(study):
    view = "mr-labelled10-seed3"
    inputs = study.classifier_inputs(view, "pte_joint", CHOSEN)
    assert inputs["corpus"] == "resources/corpora/mr-labelled10-hidden-seed3"
    hidden = study.fit_inputs("mr-labelled10-hidden-seed3", "pte_joint", CHOSEN, "3")
    whole = study.fit_inputs(view, "pte_joint", CHOSEN, "3")
    assert hidden["choice"] == whole["choice"] == f"results/choices/{view}/pte_joint.json"
    blind = study.fit_inputs("mr-labelled10-hidden-seed3", "line_ww", CHOSEN, "3")
    assert blind["choice"] == "results/choices/mr/line_ww.json"


@pytest.mark.parametrize(
    ("method", "seen"), [("fasttext", "mr-labelled10-seed3"), ("skip_gram", "mr")]
)
def test_what_depends_on_labels_is_chosen_for_each_share_of_them(study, method, seen):
    inputs = study.fit_inputs("mr-labelled10-seed3", method, PAPER, "3")
    assert inputs["choice"] == f"results/choices/{seen}/{method}.json"


@pytest.mark.parametrize("method", ["fasttext", "pte_joint_shuffled"])
def test_some_methods_choose_no_classifier(study, method):
    assert "classifier" not in study.score_inputs("mr", method, CHOSEN, "1")


def test_the_paper_fixes_the_classifier(study):
    assert "classifier" not in study.score_inputs("mr", "pte_joint", PAPER, "1")
    assert study.classifier_of("pte_joint", PAPER)["solver"] == "liblinear"
    assert study.classifier_of("pte_joint", CHOSEN)["solver"] == "newton"


def test_the_paper_trains_edge_by_edge_and_what_is_chosen_by_groups(study):
    steps = {
        protocol: study.plan("r8", "pte_joint", protocol).configured.hyperparameters.step
        for protocol in (PAPER, CHOSEN)
    }
    assert {protocol: step.kind for protocol, step in steps.items()} == {
        PAPER: "edge",
        CHOSEN: "grouped",
    }
    choice = study.plan("r8", "pte_joint", "chosen")
    assert choice.configured.hyperparameters.step.kind == "grouped"
    control = study.plan("r8", "pte_joint_shuffled", CHOSEN)
    assert control.configured.hyperparameters.step.kind == "edge"


def test_a_configured_t_of_a_method_is_chosen_for_good(study):
    fixed = {"mr": {"pte_joint": {"samples": 5000}}}
    other = replace(study, config=replace(study.config, choices=fixed))
    assert "choice" not in other.fit_inputs("mr", "pte_joint", CHOSEN, "1")
    assert other.plan("mr", "pte_joint", CHOSEN).configured.choice == {"samples": 5000}
    assert other.plan("mr", "pte_joint", PAPER).configured.choice is None


def test_a_fifth_of_the_labelled_documents_that_a_subset_has_judge(corpus):
    for labelled in (100, 50):
        whole = Subset("", labelled, seed=2).of(corpus)
        hidden = Subset("", labelled, seed=2, hidden=True).of(corpus)
        n = find_labelled(whole).size
        assert find_labelled(hidden).size == pytest.approx(0.8 * n, abs=corpus.n_classes)
        assert find_labelled(hidden).size + hidden.documents(TEST).size == n
        assert hidden.n_documents == whole.documents(TRAIN).size


def test_t_is_chosen_on_hidden_documents_and_then_trained(corpus):
    task = Task(
        corpus,
        1,
        options={"phases": [["wd", "wl"]]},
        hyperparameters=Hyperparameters(dim=8),
        samples_limit=20_000,
        streamed=True,
    )
    chosen = network_embedding.choose(task)
    assert 0 < chosen.choice["samples"] <= 20_000
    assert chosen.curve and set(chosen.curve[0]) == {"samples", "micro_f1"}
    fitted = network_embedding.fit(replace(task, choice=chosen.choice))
    assert fitted.samples == chosen.choice["samples"]
    assert fitted.notes["search"] is None


def test_without_labels_to_hide_t_follows_the_edges(corpus):
    few = Subset("", 1).of(corpus)
    task = Task(few, 1, options={"phases": [["wd"]]}, samples_limit=10**9, streamed=True)
    chosen = network_embedding.choose(task)
    assert chosen.curve == ()
    assert chosen.choice["samples"] > 0


def test_a_score_has_the_classifier_that_was_chosen(corpus, study, tmp_path):
    """The choice and the score are files of jobs."""
    hidden = Subset("", seed=1, hidden=True).of(corpus)
    corpus.save(tmp_path / "whole")
    hidden.save(tmp_path / "hidden")
    vectors = np.random.default_rng(1).normal(size=(corpus.n_words, 6)).astype(np.float32)
    save_array(tmp_path / "fit.npy", vectors)
    write_json(tmp_path / "fit.json", {"samples": 3, "seconds": 0.5})
    plan = FitPlan("controls.RandomVectors", "words", False, Configured())
    names = {"representation": "fit.npy", "training": "fit.json"}
    files = {role: str(tmp_path / name) for role, name in names.items()}
    setting = study.config.protocols[CHOSEN].classifier
    assert setting.is_chosen
    asked = files | {"corpus": str(tmp_path / "hidden")}
    chosen = read_chosen(plan, asked, 1)
    best = max(point["micro_f1"] for point in chosen["curve"])
    assert any(
        chosen["choice"].items() <= p.items() and p["micro_f1"] > best - 0.1
        for p in chosen["curve"]
    )
    write_json(tmp_path / "classifier.json", chosen)
    given = {"corpus": str(tmp_path / "whole"), "classifier": str(tmp_path / "classifier.json")}
    _, scored = read_scored(plan, files | given, 1, setting)
    assert vars(scored.choice) == chosen["choice"]
    write_json(tmp_path / "fit.json", {"unavailable": "no package"})
    assert read_chosen(plan, asked, 1) == {"choice": vars(UNJUDGED)}


@pytest.mark.parametrize(
    ("model", "options", "turn"),
    [
        ("words.Bow", {}, 7),
        ("controls.DocumentFeatures", {"vectors": "pte_joint", "beside_bow": True}, None),
    ],
)
def test_all_documents_judge_what_was_not_trained(
    corpus, study, tmp_path, monkeypatch, model, options, turn
):
    Subset("", seed=1, hidden=True).of(corpus).save(tmp_path / "hidden")
    vectors = np.random.default_rng(1).normal(size=(corpus.n_words, 6)).astype(np.float32)
    save_array(tmp_path / "vectors.npy", vectors)
    files = {"corpus": str(tmp_path / "hidden"), "vectors": str(tmp_path / "vectors.npy")}
    asked = []
    monkeypatch.setattr(
        "pte.training.scores.choose_classifier",
        lambda corpus, features, seed: asked.append(seed) or Chosen({}, (), 0.0),
    )
    plan = FitPlan(model, "features", False, Configured(options=options))
    read_chosen(plan, files, 7)
    assert asked == [turn]
