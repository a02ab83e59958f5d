"""Every method of the registry, from a corpus to the classes of its test documents.

A new entry is tested as it is, and so is a new model: its `SPEC` says what it needs and gives.
"""

import json
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

import jsonschema
import numpy as np
import pytest
import yaml

from pte import plugins
from pte.corpora.document import Document
from pte.corpora.encode import encode
from pte.corpora.encoded import TEST, TRAIN, UNLABELLED
from pte.corpora.tokenise import whitespace
from pte.errors import PteError
from pte.evaluation.evaluate import evaluate, mean_vectors
from pte.evaluation.setting import ClassifierChoice
from pte.files import save_array
from pte.models.controls import DocumentFeatures
from pte.training.contract import Spec, Task, fit_by
from pte.training.setup import Hyperparameters

ROOT = Path(__file__).parents[2]
REGISTRY = yaml.safe_load((ROOT / "workflow/registry/methods.yaml").read_text("utf-8"))
CLASSIFIER = ClassifierChoice(c=100.0)
SHARES = {"arts": 0.5, "law": 0.25, "sports": 0.25}
DIM, EDGES, SEEDS = 16, 200_000, range(8)


def model_of(name):
    return plugins.load("pte.models", REGISTRY[name]["model"])


CHOOSING_EPOCHS = ("skip_gram", "paragraph_vector")
"""Models that are trained again and again until they learn this corpus: too slow for here."""

ALIKE = ("cnn_pretrain_wd", "cnn_pretrain_wd_wl", "fasttext_pairs")
"""Rows that differ from another in the vectors they start from, or in an option whose two million
buckets take seconds; tests/unit/test_classifiers.py has that option."""

METHODS = [
    name
    for name in REGISTRY
    if REGISTRY[name]["model"] not in CHOOSING_EPOCHS
    and name not in ALIKE
    and not model_of(name).SPEC.encoded(REGISTRY[name])  # tests/unit/test_encoders.py has these
]
LEARNING = [n for n in METHODS if n != "majority" and "labels" not in REGISTRY[n]]
ONE_EACH = {REGISTRY[name]["model"]: name for name in METHODS}.values()
PREDICTING = [n for n in METHODS if model_of(n).SPEC.yields == "predictions"]
ASKING = [n for n in PREDICTING if n != "majority" and not model_of(n).SPEC.needs(REGISTRY[n])]
"""Methods that see the corpus first; word vectors to start from would complain before them."""


def fit(name, corpus, seed):
    """Fit a method of the registry, after the method whose word vectors it needs."""
    method, model = REGISTRY[name], model_of(name)
    options = {key: value for key, value in method.items() if key in model.SPEC.options}
    with TemporaryDirectory() as folder:
        inputs = {}
        for role, other in model.SPEC.needs(options).items():
            inputs[role] = Path(folder) / f"{role}.npy"
            save_array(inputs[role], fit(other, corpus, seed).array)
        settings = Hyperparameters(dim=DIM)
        return fit_by(
            model,
            Task(
                corpus,
                seed,
                options=options,
                hyperparameters=settings,
                samples=EDGES,
                streamed=True,
                inputs=inputs,
            ),
        )


def predict(name, corpus, seed):
    """The predicted classes of the test documents."""
    return classes(name, corpus, fit(name, corpus, seed).array)


def classes(name, corpus, found):
    """What a method found, as classes of the test documents."""
    if name in PREDICTING:
        return found
    if model_of(name).SPEC.yields == "words":
        found = mean_vectors(corpus.counts, found)
    return evaluate(corpus, found, CLASSIFIER)[0]


def accuracy(corpus, predicted):
    return float((predicted == corpus.labels[corpus.documents(TEST)]).mean())


def topics(train, test, unlabelled=0):
    """Documents of three classes, one of them half of all; a third of their words tell which."""
    rng = np.random.default_rng(3)

    def document(topic, label, part):
        own = [b"%s%d" % (topic.encode(), i) for i in rng.integers(0, 10, 4)]
        common = [b"common%d" % i for i in rng.integers(0, 20, 8)]
        return Document(b" ".join(rng.permutation([*own, *common]).tolist()), label, part)

    return encode(
        [
            document(topic, None if kind == "unlabelled" else topic, part)
            for kind, size, part in (
                ("labelled", train, TRAIN),
                ("unlabelled", unlabelled, TRAIN),
                ("test", test, TEST),
            )
            for topic, share in SHARES.items()
            for _ in range(int(share * size))
        ],
        whitespace,
    )


@pytest.fixture(scope="module")
def corpus():
    return topics(120, 200, 40)


@pytest.mark.parametrize("name", REGISTRY)
def test_a_method_has_what_its_entry_asks_for(name):
    method, spec = REGISTRY[name], model_of(name).SPEC
    assert isinstance(spec, Spec)
    assert set(spec.required) <= spec.options.keys() & method.keys()
    for option in spec.options.keys() & method.keys():
        jsonschema.validate(method[option], spec.options[option])
    for other in spec.needs(method).values():
        assert model_of(other).SPEC.yields == "words"


@pytest.mark.parametrize("name", METHODS)
def test_a_method_gives_what_its_spec_says_learns_and_repeats_itself(corpus, name):
    found, spec = fit(name, corpus, 1), model_of(name).SPEC
    dtype = np.int32 if spec.yields == "predictions" else np.float32
    rows = {"predictions": corpus.documents(TEST).size, "words": corpus.n_words}
    assert found.array.dtype == dtype
    assert found.array.shape[0] == rows.get(spec.yields, corpus.n_documents)
    assert found.array.ndim == (1 if spec.yields == "predictions" else 2)
    json.dumps(found.notes)
    assert {"samples", "seconds"}.isdisjoint(found.notes)
    predicted = classes(name, corpus, found.array)
    assert (predicted.shape, predicted.dtype) == ((200,), np.int32)
    if name in LEARNING:
        majority = accuracy(corpus, predict("majority", corpus, 1))
        assert majority == max(SHARES.values())
        assert accuracy(corpus, predicted) > majority + 0.2
    if name in ONE_EACH:
        np.testing.assert_array_equal(predicted, predict(name, corpus, 1))


@pytest.mark.long
@pytest.mark.parametrize("name", {REGISTRY[name]["model"]: name for name in LEARNING}.values())
def test_with_shuffled_labels_no_model_beats_chance(corpus, name):
    """Chance is at most the share of the largest class.

    A topic as a whole may by chance be taken for its own class, so that the documents of one seed
    do not err independently: three topics of eight seeds do. Half of them lie in the largest.
    """
    found = [accuracy(corpus, predict(name, corpus.with_shuffled_labels(s), s)) for s in SEEDS]
    assert np.mean(found) < max(SHARES.values()) + 0.08


def with_labels(corpus, change):
    """The labels of the training documents as `change` makes them of what they were."""
    labels = np.array(corpus.labels)
    train = corpus.documents(TRAIN)
    labels[train] = change(labels[train])
    return replace(corpus, labels=labels)


def without_words(corpus):
    offsets = np.zeros_like(corpus.offsets)
    return replace(corpus, words=(), tokens=np.empty(0, np.int32), offsets=offsets)


BAD = {
    "one class": (
        lambda c: with_labels(c, np.zeros_like),
        "the labelled documents are all of one class",
    ),
    "no labelled document of a class": (
        lambda c: with_labels(c, lambda labels: np.where(labels == 1, UNLABELLED, labels)),
        "no training document is labelled 'law'",
    ),
    "no label at all": (
        lambda c: with_labels(c, lambda labels: np.full_like(labels, UNLABELLED)),
        "no training document",
    ),
    "no words": (without_words, "the vocabulary is empty"),
}


@pytest.mark.parametrize("bad", BAD)
@pytest.mark.parametrize("name", ASKING)
def test_bad_input_is_one_error_that_names_the_method(corpus, name, bad):
    spoil, message = BAD[bad]
    model = {"words.Svm": "SVM", "words.NbSvm": "NB-SVM"}.get(*[REGISTRY[name]["model"]] * 2)
    with pytest.raises(PteError, match=f"^{model}: {message}"):
        predict(name, spoil(corpus), 1)


@pytest.mark.parametrize("bad", BAD)
def test_bad_input_of_the_classifier_is_one_error(corpus, bad):
    spoil, message = BAD[bad]
    with pytest.raises(PteError, match=f"^classifier: {message}"):
        evaluate(spoil(corpus), np.ones((corpus.n_documents, 2), np.float32), CLASSIFIER)


def test_vectors_that_are_no_numbers_are_one_error(corpus, tmp_path):
    path = tmp_path / "vectors.npy"
    save_array(path, np.full((corpus.n_words, 2), np.nan, np.float32))
    for options in ({}, {"unit_length": True}, {"unit_length": True, "beside_bow": True}):
        with pytest.raises(PteError, match="NaN"):
            fit_by(DocumentFeatures, Task(corpus, 1, options=options, inputs={"vectors": path}))


def test_the_majority_class_needs_a_label(corpus):
    with pytest.raises(PteError, match=r"^majority: no training document has a label"):
        predict("majority", BAD["no label at all"][0](corpus), 1)


def test_fewer_documents_than_neighbours_are_one_error():
    few = topics(4, 8)
    with pytest.raises(PteError, match=r"^label_propagation: 4 training documents are too few"):
        predict("label_propagation", few, 1)


@pytest.mark.parametrize("labelled", [3, 4, 8])
@pytest.mark.parametrize("name", ["nb_em", "label_propagation", "fasttext", "pte_auto"])
def test_one_label_for_a_class_is_enough_to_learn(name, labelled):
    """4 labelled documents have 2, 1 and 1 of the classes, and 8 have 4, 2 and 2.

    Where each class has one label, no document judges.
    """
    corpus = topics(max(4, labelled), 200, unlabelled=200)
    if labelled == 3:
        corpus.labels[1] = UNLABELLED
    found = predict(name, corpus, 1)
    assert accuracy(corpus, found) > 0.4
