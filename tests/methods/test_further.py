"""What a method has learnt reads further documents as its fit reads the test documents.

And a document without a known word gets the prior, whatever the method.
"""

import json
from dataclasses import replace
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import pytest
from made import corpus_of
from scipy import sparse
from test_methods import ALIKE, REGISTRY, model_of

from pte.corpora.document import Document
from pte.corpora.encode import encode
from pte.corpora.encoded import TEST, TRAIN, UNLABELLED
from pte.corpora.tokenise import whitespace
from pte.evaluation.setting import ClassifierChoice
from pte.files import save_array
from pte.training.contract import Learnt, Task, fit_by
from pte.training.method import Method
from pte.training.scores import score_fit
from pte.training.setup import Hyperparameters

DIM, EDGES, EPOCHS = 8, 20_000, [2]
ASKED = 12


def options_of(name):
    options = {k: v for k, v in REGISTRY[name].items() if k in model_of(name).SPEC.options}
    return options | ({"epochs": EPOCHS} if "epochs" in options else {})


READ = [name for name in REGISTRY if not model_of(name).SPEC.encoded(options_of(name))]
"""Methods that need no encoder; tests/unit/test_encoders.py has the others."""

FURTHER = [name for name in READ if Method.of(name, REGISTRY[name], "methods.yaml").keeps]
KEEPING = [n for n in FURTHER if n not in ALIKE and model_of(n).SPEC.yields != "words"]
CHOICES = {"paragraph_vector": {"epochs": 2}, "fasttext": {"learning_rate": 0.5, "epochs": 5}}
"""Choices of the models whose search would take long; the others choose."""


@cache
def made():
    """Three classes in an order of chance; some documents have no label, and some have no word.

    Two thirds of the words of a document belong to its class. The test documents stand among the
    training documents, and one of them has no word, and one has only words that nothing trained.
    """
    rng = np.random.default_rng(5)

    def text(name):
        own = [b"%s%d" % (name.encode(), i) for i in rng.integers(0, 6, 8)]
        return [*own, *(b"common%d" % i for i in rng.integers(0, 9, 4))]

    names = rng.permutation(list("xxxyyz") * 10).tolist()
    training = [(text(name), None if i % 5 == 4 else name) for i, name in enumerate(names)]
    training[3], training[9] = ([], "z"), ([], None)
    asked = [text(name) for name in "xyz" * (ASKED // 3)]
    asked[4], asked[7] = [], [b"never"]
    corpus = corpus_of(training, asked)
    order = rng.permutation(corpus.n_documents)
    return _reordered(corpus, order)


def _reordered(corpus, order):
    lengths = np.diff(corpus.offsets)[order]
    parts = [corpus.tokens[corpus.offsets[d] : corpus.offsets[d + 1]] for d in order]
    return replace(
        corpus,
        tokens=np.concatenate(parts),
        offsets=np.concatenate([[0], np.cumsum(lengths)]),
        labels=corpus.labels[order],
        split=corpus.split[order],
    )


def further(corpus):
    """The test documents as they come to a model: with no labels, and with no classes."""
    asked = corpus.of_documents(corpus.split == TEST)
    labels = np.full(asked.n_documents, UNLABELLED, np.int32)
    return replace(asked, labels=labels, classes=())


def task_of(name, corpus, folder):
    model, options = model_of(name), options_of(name)
    inputs = {}
    for role in model.SPEC.needs(options):
        inputs[role] = Path(folder) / f"{role}.npy"
        vectors = np.random.default_rng(2).standard_normal((corpus.n_words, DIM), np.float32)
        save_array(inputs[role], vectors)
    return Task(
        corpus,
        3,
        options=options,
        hyperparameters=Hyperparameters(dim=DIM),
        samples=EDGES,
        samples_limit=EDGES,
        inputs=inputs,
        choice=CHOICES.get(REGISTRY[name]["model"]),
    )


@cache
def learnt_by(name, with_asked=True):
    """What a method learns, as a model file gives it back."""
    corpus = made() if with_asked else made().of_documents(made().split == TRAIN)
    with TemporaryDirectory() as folder:
        task = task_of(name, corpus, folder)
        learnt = model_of(name).learn(task)
        np.savez(Path(folder) / "arrays.npz", **learnt.arrays)
        with np.load(Path(folder) / "arrays.npz", allow_pickle=False) as file:
            arrays = {key: file[key] for key in file.files}
    return Learnt(arrays, json.loads(json.dumps(learnt.facts)), learnt.trained)


def read(name, corpus, with_asked=True):
    found = model_of(name).apply(learnt_by(name, with_asked), options_of(name), corpus)
    return found if isinstance(found, np.ndarray) else found.toarray()


@pytest.mark.parametrize("name", KEEPING)
def test_further_documents_get_what_test_documents_got(name):
    corpus = made()
    with TemporaryDirectory() as folder:
        fitted = fit_by(model_of(name), task_of(name, corpus, folder)).array
    found = read(name, further(corpus))
    if model_of(name).SPEC.yields == "predictions":
        assert found.dtype == np.float64
        assert found.shape == (ASKED, corpus.n_classes)
        np.testing.assert_allclose(found.sum(axis=1), 1)
        assert found.min() >= 0
        found = found.argmax(axis=1)
    else:
        assert found.dtype == np.float32
        fitted = fitted[corpus.documents(TEST)]
        fitted = fitted.toarray() if sparse.issparse(fitted) else fitted
    if model_of(name).SPEC.yields == "documents":  # inferred each alone, as the first one was
        assert found.shape == fitted.shape
        found, fitted = found[:1], fitted[:1]
    np.testing.assert_array_equal(found, fitted)


@pytest.mark.parametrize("name", KEEPING)
def test_a_method_learns_the_same_without_test_documents(name):
    whole, part = learnt_by(name), learnt_by(name, with_asked=False)
    assert set(whole.arrays) == set(part.arrays)
    for key, array in whole.arrays.items():
        np.testing.assert_array_equal(array, part.arrays[key])
    asked = further(made())
    np.testing.assert_array_equal(read(name, asked), read(name, asked, with_asked=False))


@pytest.mark.parametrize("name", KEEPING)
def test_a_document_is_read_alone_and_reading_changes_nothing(name):
    asked, learnt = further(made()), learnt_by(name)
    before = {key: array.copy() for key, array in learnt.arrays.items()}
    whole = read(name, asked)
    np.testing.assert_array_equal(read(name, asked), whole)
    for key, array in before.items():
        np.testing.assert_array_equal(array, learnt.arrays[key])
    last = read(name, asked.of_documents(np.arange(ASKED) == ASKED - 1))
    np.testing.assert_allclose(last, whole[-1:], rtol=1e-5)
    none = asked.of_documents(np.zeros(ASKED, np.bool_))
    assert read(name, none).shape == (0, whole.shape[1])
    found = read(name, asked.of_documents(np.diff(asked.offsets) == 0))
    assert found.shape == (2, whole.shape[1])
    assert np.isfinite(found).all()


@pytest.mark.parametrize("name", KEEPING)
def test_what_was_chosen_is_among_the_facts(name):
    facts, chosen = learnt_by(name).facts, CHOICES.get(REGISTRY[name]["model"])
    assert set(facts["choice"]) >= set(model_of(name).SPEC.choice)
    assert chosen is None or facts["choice"] == chosen


def test_all_methods_but_one_can_read_further_documents():
    assert set(READ) - set(FURTHER) == {"fasttext_pairs"}


# The prior


BLOCKS = (([b"bad", b"awful", b"service"], "B", 20), ([b"good", b"great", b"service"], "A", 20))
BLOCKS += (([], "A", 60),)
"""Texts, their class, and how many documents have them; every fourth is a test document."""


def in_blocks(order):
    documents = [
        Document(b" ".join(BLOCKS[i][0]), BLOCKS[i][1], TEST if number % 4 == 3 else TRAIN)
        for i in order
        for number in range(BLOCKS[i][2])
    ]
    return encode(documents, whitespace)


@pytest.mark.parametrize("name", {REGISTRY[n]["model"]: n for n in FURTHER}.values())
@pytest.mark.parametrize("order", [(0, 1, 2), (2, 1, 0), (1, 2, 0)], ids=str)
def test_documents_without_words_are_of_the_largest_class_in_any_order(name, order):
    """Where blocks of rows are swapped, the solver has its classes in another order."""
    corpus, spec = in_blocks(order), model_of(name).SPEC
    with TemporaryDirectory() as folder:
        fitted = fit_by(model_of(name), task_of(name, corpus, folder)).array
    found = score_fit(corpus, fitted, spec.yields, ClassifierChoice())
    asked = corpus.documents(TEST)
    empty = corpus.offsets[asked] == corpus.offsets[asked + 1]
    assert empty.sum() == 15
    assert (found.predicted[empty] == corpus.classes.index("A")).all()
    # Two epochs teach paragraph vectors nothing, and shuffled labels teach nobody.
    if spec.yields != "documents" and REGISTRY[name].get("labels") != "shuffled":
        assert found.scores["micro_f1"] == (80 if name == "majority" else 100)
