from dataclasses import replace

import numpy as np
import pytest

from pte.corpora.encoded import TEST, TRAIN
from pte.errors import PteError
from pte.evaluation.evaluate import evaluate
from pte.evaluation.setting import ClassifierChoice
from pte.models import paragraph_vector
from pte.models.paragraph_vector import VARIANTS, document_vectors
from pte.training import passes
from pte.training.setup import Hyperparameters, Setup

SMALL = Hyperparameters(dim=16, negatives=3, learning_rate=0.1)

variants = pytest.mark.parametrize("variant", VARIANTS)


@pytest.fixture
def small_blocks(monkeypatch):
    """Blocks small enough for a tiny corpus to have many."""
    monkeypatch.setattr(passes, "BLOCK", 50)
    monkeypatch.setattr(paragraph_vector, "BATCH", 5)


def train(corpus, variant, epochs, seed, shape=SMALL, **setup):
    return paragraph_vector.train(corpus, variant, epochs, Setup(seed, shape, **setup))


def held_out(corpus):
    tokens = [corpus.tokens[slice(*corpus.offsets[d : d + 2])] for d in corpus.documents(TEST)]
    return np.concatenate(tokens), np.cumsum([0] + [each.size for each in tokens])


@variants
def test_one_seed_and_one_thread_give_identical_vectors(corpus, small_blocks, variant):
    one, two = (train(corpus, variant, 3, 5) for _ in range(2))
    assert one.documents.dtype == np.float32
    assert one.documents.shape == (corpus.documents(TRAIN).size, 16)
    assert one.documents.tobytes() == two.documents.tobytes()
    assert (one.documents != train(corpus, variant, 3, 6).documents).any()
    assert one.samples == 3 * corpus.n_training_tokens


@variants
def test_a_document_without_words_is_the_zero_vector(corpus, variant):
    vectors = train(corpus, variant, 2, 1).documents
    empty = np.diff(corpus.offsets)[corpus.documents(TRAIN)] == 0
    assert empty.sum() == 1
    assert ((vectors == 0).all(axis=1) == empty).all()


@pytest.mark.learning
@pytest.mark.parametrize("threads", [1, 2])
@variants
def test_vectors_of_unseen_documents_tell_the_topics_apart(corpus, small_blocks, variant, threads):
    trained = train(corpus, variant, 60, 1, threads=threads)
    features = document_vectors(trained, corpus, 1, threads)
    score = evaluate(corpus, features, ClassifierChoice())[1]["micro_f1"]
    assert score > 100 / corpus.n_classes + 15


def test_all_documents_are_trained_or_inferred_in_their_order(corpus):
    trained = train(corpus, "dbow", 3, 1)
    vectors = document_vectors(trained, corpus, 7)
    assert vectors.shape == (corpus.n_documents, 16)
    assert (vectors[corpus.documents(TRAIN)] == trained.documents).all()
    assert (vectors[corpus.documents(TEST)] == trained.infer(*held_out(corpus), 7)).all()


# Inference


@variants
def test_threads_do_not_change_what_is_inferred(corpus, small_blocks, variant):
    trained = train(corpus, variant, 2, 1)
    one, three = (trained.infer(*held_out(corpus), 3, threads=n) for n in (1, 3))
    assert one.tobytes() == three.tobytes()
    assert (one != trained.infer(*held_out(corpus), 4)).any()


@variants
def test_empty_documents_and_none_at_all_are_inferred(corpus, variant):
    trained = train(corpus, variant, 2, 1)
    found = trained.infer(np.array([1, 2], np.int32), np.array([0, 0, 2, 2]), 1)
    assert (found == 0).all(axis=1).tolist() == [True, False, True]
    assert trained.infer(np.array([], np.int32), np.array([0]), 1).shape == (0, 16)


def test_inference_has_as_many_epochs_as_training(corpus):
    trained = train(corpus, "dbow", 3, 1)
    found, longer = (replace(trained, epochs=n).infer(*held_out(corpus), 1) for n in (3, 4))
    assert (trained.infer(*held_out(corpus), 1) == found).all()
    assert (found != longer).any()


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"tokens": np.array([10**6], np.int32)}, "tokens: they must be word numbers"),
        ({"tokens": np.array([-1], np.int32)}, "tokens: they must be word numbers"),
        ({"threads": 0}, "threads is 0"),
        ({"seed": -1}, "seed is -1"),
    ],
    ids=str,
)
def test_what_cannot_be_inferred_is_refused(corpus, change, message):
    arguments = {"tokens": np.array([0], np.int32), "offsets": np.array([0, 1]), "seed": 1}
    with pytest.raises(PteError, match=message):
        train(corpus, "dbow", 1, 1).infer(**(arguments | change))


# Errors


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"variant": "pvdm"}, "variant is 'pvdm'; it must be one of dbow, dm$"),
        ({"epochs": 0}, "epochs is 0"),
    ],
    ids=str,
)
def test_what_cannot_be_trained_is_refused(corpus, change, message):
    with pytest.raises(PteError, match=message):
        train(corpus, **({"variant": "dm", "epochs": 3, "seed": 1} | change))
