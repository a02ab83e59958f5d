from dataclasses import replace
from itertools import groupby

import naive
import numpy as np
import pytest
from made import score_of

from pte.core import arrays
from pte.core.rng import build_alias
from pte.corpora.encoded import TRAIN
from pte.errors import PteError
from pte.models import skip_gram
from pte.training import passes
from pte.training.passes import Passes
from pte.training.setup import Hyperparameters, Setup

SMALL = Hyperparameters(dim=16, negatives=3, learning_rate=0.1)


@pytest.fixture
def small_blocks(monkeypatch):
    """Blocks small enough for a tiny corpus to have many."""
    monkeypatch.setattr(passes, "BLOCK", 50)


@pytest.fixture
def trained(monkeypatch):
    """The pairs that are trained on, and the rate of each, in place of the training."""
    calls = []

    def train_groups(tables, drawn, *others):
        first, total, rate = others[-1]
        rates = [naive.learning_rate(first + i, total, rate) for i in range(len(drawn.pairs))]
        calls.extend(zip(map(tuple, drawn.pairs.tolist()), rates, strict=True))

    monkeypatch.setattr(skip_gram, "train_groups", train_groups)
    return calls


def train(corpus, epochs, seed, shape=SMALL, **setup):
    return skip_gram.train(corpus, epochs, Setup(seed, shape, **setup))


def test_one_seed_and_one_thread_give_identical_vectors(corpus, small_blocks):
    one, two = (train(corpus, 3, 5) for _ in range(2))
    assert one.vectors.dtype == np.float32
    assert one.vectors.shape == (corpus.n_words, 16)
    assert one.vectors.tobytes() == two.vectors.tobytes()
    assert (one.vectors != train(corpus, 3, 6).vectors).any()


def test_training_is_close_to_the_twin(corpus, small_blocks):
    """Blocks draw windows from their own streams, and the vectors of neighbours are kept."""
    plan = Passes.of(corpus, 2, 3)
    source = 2 * arrays.uniform(plan.n_words, 16, np.random.default_rng(3)).astype(float)
    target = np.zeros((plan.n_words, 16))
    noise = build_alias(plan.counts**0.75)
    texts = np.split(plan.tokens, plan.offsets[1:-1])
    samples = 0
    for block in plan.blocks(plan.whole):
        documents = [text.tolist() for text in texts[block.first : block.last]]
        state, pairs = naive.draw_windows(documents, 5, naive.stream(3, block.number))
        _, negatives = naive.next_random(state)
        density = len(pairs) / block.size
        first, total = round(block.before * density), round(plan.total * density)
        naive.train_pairs(
            (source, target), [(pairs, noise, 0)], [0], 3, (first, total, 0.1), negatives
        )
        samples += len(pairs)
    found = train(corpus, 2, 3)
    assert found.samples == samples
    np.testing.assert_allclose(found.vectors, source, rtol=1e-3, atol=1e-5)


@pytest.mark.parametrize("at_a_time", [1, 7, 1000])
def test_the_seed_shuffles_the_documents(corpus, monkeypatch, at_a_time):
    monkeypatch.setattr(passes, "COPIED", at_a_time)
    training = corpus.of_documents(corpus.split == TRAIN)
    tokens, offsets, labels = training.tokens, training.offsets, training.labels
    plan = Passes.of(corpus, 1, 1)
    assert sorted(plan.order) == list(range(labels.size))
    for d, text in zip(plan.order, np.split(plan.tokens, plan.offsets[1:-1]), strict=True):
        assert text.tolist() == tokens[offsets[d] : offsets[d + 1]].tolist()
    assert plan.order.tolist() != Passes.of(corpus, 1, 2).order.tolist()
    # In a corpus that is sorted by class, a document has one of its class behind it no more often.
    together = [np.mean(y[1:] == y[:-1]) for y in (np.sort(labels), labels[plan.order])]
    assert together[0] > 0.9 and together[1] < 0.6


@pytest.mark.parametrize("room", [30, skip_gram.PAIRS])
def test_each_token_has_pairs_once_however_many_are_drawn_at_a_time(
    corpus, trained, monkeypatch, room
):
    monkeypatch.setattr(skip_gram, "PAIRS", room)
    train(corpus, 1, 1)
    plan = Passes.of(corpus, 1, 1)
    texts = [text.tolist() for text in np.split(plan.tokens, plan.offsets[1:-1])]
    centres = [word for text in texts if len(text) > 1 for word in text]
    found = (pair[1] for pair, _ in trained)
    assert [word for word, _ in groupby(found)] == [word for word, _ in groupby(centres)]


def test_a_word_of_test_documents_alone_is_the_zero_vector(corpus):
    words = (*corpus.words, b"new")
    vectors = train(replace(corpus, words=words), 2, 1).vectors
    assert (vectors == 0).all(axis=1).tolist() == [word == b"new" for word in words]


@pytest.mark.learning
@pytest.mark.parametrize("threads", [1, 2])
def test_vectors_tell_the_topics_apart(corpus, small_blocks, threads):
    vectors = train(corpus, 30, 1, threads=threads).vectors
    assert score_of(corpus, vectors) > 100 / corpus.n_classes + 30


def test_threads_train_on_as_many_pairs(corpus, small_blocks):
    assert train(corpus, 3, 1).samples == train(corpus, 3, 1, threads=3).samples


def test_progress_reaches_the_end(corpus, small_blocks):
    reports = []
    train(corpus, 2, 1, progress=lambda done, whole: reports.append((done, whole)))
    tokens = 2 * corpus.n_training_tokens
    assert reports[-1] == (tokens, tokens)


@pytest.mark.parametrize("threads", [1, 2])
def test_an_interrupt_stops_the_training(corpus, small_blocks, threads):
    def progress(done, whole):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        train(corpus, 1000, 1, threads=threads, progress=progress)


def test_what_cannot_be_trained_is_refused(corpus):
    with pytest.raises(PteError, match="epochs is 0"):
        train(corpus, 0, 1)
    empty = replace(corpus, tokens=corpus.tokens[:0], offsets=np.zeros_like(corpus.offsets))
    with pytest.raises(PteError, match="training documents have no words"):
        train(empty, 1, 1)
