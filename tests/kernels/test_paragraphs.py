"""Paragraph vectors are trained closely as by the twin, and along the gradient."""

import naive
import numpy as np
import pytest
from made import compiled, normal_table
from test_gradient import numerical_gradient

from pte.core import arrays
from pte.core.draws import Noise
from pte.core.edges import CHUNK, Embedding, Schedule, negative_sampling_step
from pte.core.paragraphs import (
    Model,
    Paragraphs,
    Scratch,
    Span,
    Text,
    gather_mean,
    infer,
    spread_mean,
    train_paragraphs,
)
from pte.core.rng import build_alias
from pte.training.hot_rows import HotRows

N_WORDS, DIM, NEGATIVES = 6, 20, 3
SLOTS = tuple(range(NEGATIVES + 1))
LINES = (0, 1)
DOCUMENTS = [[], [0, 3, 1, 0, 5, 2, 2], [4], [], [1, 1], [3, 0, 2] * 40, []]
WINDOWS = {"dbow": 0, "dm": 3}


@pytest.fixture(scope="module")
def noise():
    table = build_alias(np.random.default_rng(6).random(N_WORDS) ** 2)
    return Noise(table, np.array([0, N_WORDS]))


@pytest.fixture(params=WINDOWS)
def kind(request):
    return request.param


def text_of(documents):
    tokens = np.array([word for document in documents for word in document], np.int32)
    return Text(tokens, np.cumsum([0] + [len(document) for document in documents]))


def made(kind, noise, spare=(0, 0)):
    """A model and scratch space; `spare` rows of words and of targets."""
    words, target = arrays.zeros(N_WORDS + spare[0], DIM), arrays.zeros(N_WORDS + spare[1], DIM)
    words[:N_WORDS] = normal_table(N_WORDS, DIM, 11)
    target[:N_WORDS] = normal_table(N_WORDS, DIM, 12)
    given = Paragraphs(normal_table(len(DOCUMENTS), DIM, 10), words, target)
    return (
        Model(given, WINDOWS[kind], False, noise, SLOTS, LINES),
        Scratch(arrays.zeros(2, DIM), arrays.zeros(1, NEGATIVES + 1)),
    )


def places(threads=1, hot=0):
    return HotRows((N_WORDS,), (hot,), N_WORDS, hot, threads)


def train(kind, made, copies, before=0, total=500, frozen=False, seed=9):
    model, scratch = made
    model = model._replace(frozen=frozen)
    train_paragraphs(
        *(model, text_of(DOCUMENTS), Span(0, len(DOCUMENTS), 2), copies, scratch),
        *(Schedule(before, total, 0.1), np.uint64(naive.stream(seed, 0))),
    )
    return model.tables


def close(found, expected):
    np.testing.assert_allclose(found, expected, rtol=1e-4, atol=1e-4)


@pytest.mark.parametrize("frozen", [False, True])
@pytest.mark.parametrize("before", [0, 37])
def test_training_is_close_to_the_twin(noise, kind, before, frozen):
    expected = [table.astype(float) for table in made(kind, noise)[0].tables]
    found = train(kind, made(kind, noise), places().copies(0), before, frozen=frozen)
    of_twin = naive.Kind(WINDOWS[kind], NEGATIVES, CHUNK, frozen)
    state = naive.stream(9, 0)
    naive.train_paragraphs(DOCUMENTS, 2, expected, noise.table, of_twin, (before, 500, 0.1), state)
    for table, twin in zip(found, expected, strict=True):
        close(table, twin)


def test_copies_of_hot_words_that_are_gathered_train_as_well_as_none(noise, kind):
    """One thread alone with copies, if what it learns counts in full: it learns the same."""
    hot = places(threads=2, hot=4)
    given = made(kind, noise, spare=(hot.source_copies, hot.word_copies))
    shared = given[0].tables.words, given[0].tables.target
    hot.start(*shared)
    whole = np.float32(1)
    alone = hot.copies(1)._replace(weight=whole)
    found = train(kind, given, alone)
    expected = train(kind, made(kind, noise), places().copies(0))
    starts, behind = (alone.own_sources[0], alone.own_words), (alone.behind, alone.hot_words)
    for table, start, step in zip(shared, starts, behind, strict=True):
        for word in range(4):
            compiled("trade")(table, word, start + word, start + word + step, whole)
    close(found.documents, expected.documents)
    close(found.words[:N_WORDS], expected.words)
    close(found.target[:N_WORDS], expected.target)


def test_hot_words_are_exchanged_while_training(noise, kind):
    hot = places(threads=2, hot=4)
    given = made(kind, noise, spare=(hot.source_copies, hot.word_copies))
    words, target = given[0].tables.words, given[0].tables.target
    hot.start(words, target)
    before = words[:4].copy(), target[:4].copy()
    train(kind, given, hot.copies(1)._replace(period=2))
    assert (target[:4] != before[1]).any(axis=1).all()
    assert (words[:4] != before[0]).any(axis=1).all() == (kind == "dm")


def test_inference_is_frozen_training_of_each_document_on_a_stream_of_its_own(noise, kind):
    model, scratch = made(kind, noise)
    model = model._replace(frozen=True)
    copies, text = places().copies(0), text_of(DOCUMENTS)
    infer(model, text, Span(1, 6, 4), copies, scratch, 0.1, 7)
    expected = made(kind, noise)[0]._replace(frozen=True)
    for d in range(1, 6):
        schedule = Schedule(0, 4 * len(DOCUMENTS[d]), 0.1)
        train_paragraphs(
            *(expected, text, Span(d, d + 1, 4), copies, scratch),
            *(schedule, np.uint64(naive.stream(7, d))),
        )
    assert (model.tables.documents == expected.tables.documents).all()


# The gradient


def objective(source, words):
    """log σ(u·w₀) + Σ log σ(−u·w_k)."""
    signs = np.array([1] + [-1] * NEGATIVES)
    return -np.logaddexp(0, -signs * (words @ source)).sum()


def test_a_step_follows_the_gradient(noise):
    """Every member of a mean by the gradient of the mean: n + 1 times its own, as in word2vec."""
    rows, context = np.array([[3, 0, 5, 1]], np.int32), np.array([2, 4, 1, 0])
    model, scratch = made("dm", noise)
    given = model.tables
    before = [table.astype(float) for table in given]
    listed = (given.documents, 1, given.words, context, 4, scratch.mean, LINES)
    gather_mean(*listed)
    both, rates = Embedding(scratch.mean, given.target), (np.float32(0.01), np.float32(0.01))
    negative_sampling_step(both, 0, rows, 0, rates, scratch.steps, SLOTS, (0,))
    spread_mean(model, 1, context, 4, scratch.mean)

    members = np.stack([before[0][1], *before[1][context]])
    words = before[2][rows[0]]
    gradient = numerical_gradient(lambda m: objective(m.mean(axis=0), words), members)
    gradient *= len(members)
    moved = np.stack([given.documents[1], *given.words[context]]) - members
    np.testing.assert_allclose(moved / 0.01, gradient, rtol=1e-3, atol=1e-4)
    gradient = numerical_gradient(lambda words: objective(members.mean(axis=0), words), words)
    moved = given.target[rows[0]] - words
    np.testing.assert_allclose(moved / 0.01, gradient, rtol=1e-3, atol=1e-4)
