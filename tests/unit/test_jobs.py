"""What the workflow's scripts call: a fit becomes scores, a choice is made, labels are shuffled."""

from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest

from pte.corpora.document import Document
from pte.corpora.encode import encode
from pte.corpora.encoded import TEST, TRAIN
from pte.corpora.tokenise import whitespace
from pte.errors import NotInstalled
from pte.evaluation.evaluate import mean_vectors, write_score
from pte.evaluation.maps import layout, place
from pte.evaluation.setting import ClassifierSetting
from pte.files import save_array, write_json
from pte.networks.named import labelled_as
from pte.training.contract import Chosen, Task, choose_or_say_why
from pte.training.scores import read_scored
from pte.training.setup import Configured, FitPlan
from pte_study.report.pictures import make_map

SETTING = ClassifierSetting()


@pytest.fixture
def corpus():
    """Documents that hold the name of their class, and a word that says nothing."""
    documents = [
        Document(b"%s w%d" % (label, i % 5), label.decode(), TEST if i % 3 == 0 else TRAIN)
        for i in range(60)
        for label in (b"x", b"y")
    ]
    return encode(documents, whitespace)


@pytest.fixture
def saved(corpus, tmp_path):
    corpus.save(tmp_path / "corpus")
    return {"corpus": str(tmp_path / "corpus")}


def fitted(folder, array, **record):
    save_array(folder / "fit.npy", array)
    write_json(folder / "fit.json", record)
    names = {"representation": "fit.npy", "training": "fit.json"}
    return {role: str(folder / name) for role, name in names.items()}


def test_word_vectors_are_scored_with_what_their_training_took(corpus, saved, tmp_path):
    vectors = np.zeros((corpus.n_words, 2), np.float32)
    for column, word in enumerate((b"x", b"y")):
        vectors[list(corpus.words).index(word), column] = 1
    files = saved | fitted(tmp_path, vectors, samples=7, seconds=1.5)
    plan = FitPlan("controls.RandomVectors", "words", False, Configured())
    cost, scored = read_scored(plan, files, 1, SETTING)
    assert cost == {"samples": 7, "train_seconds": 1.5}
    assert scored.scores["micro_f1"] == 100


def test_what_a_pool_tells_of_its_experts_is_kept(corpus, saved, tmp_path):
    predicted = np.asarray(corpus.labels[corpus.documents(TEST)], np.int32)
    experts = [{"name": "PTE", "values": [1], "weight": 0.25004}]
    files = saved | fitted(tmp_path, predicted, experts=experts, judges=40, right=30)
    plan = FitPlan("pte_auto", "predictions", False, Configured())
    cost, scored = read_scored(plan, files, 1, SETTING)
    written = write_score(tmp_path / "seed1", {}, cost, scored)
    assert written["pool"] == {"weights": {"PTE": 0.25}, "judges": 40, "right": 30}


def test_features_are_made_where_they_are_scored(saved):
    cost, scored = read_scored(
        FitPlan("words.Bow", "features", False, Configured()), saved, 1, SETTING
    )
    assert cost == {"samples": None, "train_seconds": None}
    assert scored.scores["micro_f1"] == 100


def test_a_fit_that_could_not_run_says_why(saved, tmp_path):
    files = saved | fitted(tmp_path, np.empty(0), unavailable="no such package")
    plan = FitPlan("fasttext", "predictions", False, Configured())
    assert read_scored(plan, files, 1, SETTING) == "no such package"


def test_a_choice_without_its_package_is_a_reason_and_the_fit_goes_on(saved, tmp_path):
    def missing(task):
        raise NotInstalled("extra")

    reason = choose_or_say_why(SimpleNamespace(choose=missing), None)
    assert reason == {"unavailable": "not installed: pip install extra"}
    made = Chosen({"epochs": 3}, (), 0.5)
    chosen = choose_or_say_why(SimpleNamespace(choose=lambda task: made), None)
    plan = FitPlan("m", "words", False, Configured())
    for found, expected in ((reason, None), (chosen, {"epochs": 3})):
        write_json(tmp_path / "choice.json", found)
        task = Task.of(plan, saved | {"choice": str(tmp_path / "choice.json")}, 1)
        assert task.choice == expected


def test_a_network_has_the_labels_that_its_folder_names(corpus):
    for labels, expected in (("given", corpus), ("shuffled-3", corpus.with_shuffled_labels(3))):
        assert np.array_equal(labelled_as(corpus, labels).labels, expected.labels)
    assert not np.array_equal(corpus.labels, corpus.with_shuffled_labels(3).labels)


def test_documents_lie_where_their_words_are(corpus):
    vectors = np.random.default_rng(0).standard_normal((corpus.n_words, 4)).astype(np.float32)
    places, found = place(corpus, vectors, 1)
    assert np.array_equal(places, layout(mean_vectors(corpus.counts, vectors), 1))
    assert found.neighbours_f1 == 100


def test_maps_are_read_by_the_names_of_methods(saved, corpus, tmp_path, svg_alone):
    for i, name in enumerate("ab"):
        at = i + np.arange(2 * corpus.n_documents, dtype=np.float32).reshape(-1, 2)
        save_array(tmp_path / f"{name}.npy", at)
        write_json(tmp_path / f"{name}.json", {"neighbours_f1": 50.0 + i, "silhouette": 0.1})
    kinds = {"places": "npy", "separations": "json"}
    files = {role: [tmp_path / f"{n}.{kind}" for n in "ab"] for role, kind in kinds.items()}
    files["corpus"] = Path(saved["corpus"])
    make_map(files, {"labels": ["A", "B"]}, tmp_path / "map", tmp_path / "map")
    frame = pd.read_csv(tmp_path / "map.csv")
    assert frame.to_numpy().tolist() == [["A", 50.0, 0.1], ["B", 51.0, 0.1]]
    drawn = (tmp_path / "map.svg").read_text("utf-8")
    assert "Under A, B; classes are x, y" in drawn
