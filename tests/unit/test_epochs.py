from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest

from pte.corpora.encoded import TEST, TRAIN
from pte.corpora.subsets import find_labelled
from pte.errors import PteError
from pte.models import paragraph_vector, skip_gram
from pte.training.passes import COOLING, HELD_OUT, MOST_DOCUMENTS, choose_epochs, train_grid
from pte.training.search import held_out, standard_error
from pte.training.setup import Hyperparameters, Setup


@pytest.fixture
def many(corpus):
    """The corpus with its training documents three times, so that a tenth is enough."""
    training = corpus.of_documents(corpus.split == TRAIN)
    tokens, offsets, labels = training.tokens, training.offsets, training.labels
    lengths = np.tile(np.diff(offsets), 3)
    train, test = corpus.documents(TRAIN), corpus.documents(TEST)
    rest = corpus.tokens[corpus.offsets[test[0]] :]
    return replace(
        corpus,
        tokens=np.concatenate([np.tile(tokens, 3), rest]),
        offsets=np.concatenate(
            [[0], np.cumsum(np.concatenate([lengths, np.diff(corpus.offsets)[test]]))]
        ),
        labels=np.concatenate([np.tile(labels, 3), corpus.labels[test]]),
        split=np.repeat([TRAIN, TEST], [3 * train.size, test.size]).astype(np.uint8),
    )


def test_the_best_of_the_grid_is_chosen_and_the_first_of_equals(many, capsys):
    """Vectors that show a part of the labels, as large as is said here for each of the epochs."""
    shown = {1: 0.3, 5: 1.0, 9: 1.0, 20: 0.5}

    def train(corpus, grid):
        for epochs in grid:
            vectors = np.eye(corpus.n_classes, dtype=np.float32)[corpus.labels]
            hidden = np.random.default_rng(0).random(corpus.n_documents) > shown[epochs]
            vectors[hidden] = 0
            yield 10 * vectors

    chosen = choose_epochs(many, train, list(shown)[::-1], 1)
    assert chosen.choice == {"epochs": 5}
    assert [point["epochs"] for point in chosen.curve] == list(shown)
    scores = [point["micro_f1"] for point in chosen.curve]
    assert scores[1] == scores[2] == 100
    assert max(scores[0], scores[3]) < 100
    told = [f"{n} epochs: micro-F1 {score:.2f}" for n, score in zip(shown, scores, strict=True)]
    assert [line.split(" on ")[0] for line in capsys.readouterr().out.splitlines()] == told


@pytest.mark.parametrize(
    ("scores", "tried", "best"),
    [
        # worse by less than a standard error, better, worse by more
        ({5: 60.0, 10: 50.0, 20: 70.0, 40: 40.0, 100: 99.0}, 4, 20),
        # worse, better, two in a row no better
        ({5: 60.0, 10: 59.0, 20: 61.0, 40: 61.0, 80: 60.0, 160: 99.0}, 5, 20),
        # always better
        ({5: 60.0, 10: 61.0, 20: 62.0}, 3, 20),
        # nothing is learnt
        ({5: 0.0, 10: 0.0, 20: 0.0, 40: 99.0}, 3, 5),
    ],
)
def test_the_search_ends_when_more_epochs_are_no_better(many, monkeypatch, scores, tried, best):
    n_judges = held_out(many, HELD_OUT, MOST_DOCUMENTS, "epochs", 1).documents(TEST).size
    assert standard_error(60, n_judges) > 60 - 50 and standard_error(70, n_judges) < 70 - 40

    def evaluate(corpus, epochs, choice, solver):
        return None, {"micro_f1": scores[epochs]}

    monkeypatch.setattr("pte.training.passes.evaluate", evaluate)
    chosen = choose_epochs(many, lambda corpus, grid: iter(grid), list(scores), 1)
    curve = [(point["epochs"], point["micro_f1"]) for point in chosen.curve]
    assert curve == list(scores.items())[:tried]
    assert chosen.choice == {"epochs": best}


def test_the_standard_error_of_a_share():
    hits = np.random.default_rng(0).random((20_000, 50)) < 0.8
    assert standard_error(80, 50) == pytest.approx(100 * hits.mean(axis=1).std(), rel=0.02)


class Rates:
    """A training that learns which rates its tokens had."""

    def __init__(self, tokens):
        self.passes = SimpleNamespace(tokens=np.zeros(tokens))
        self.learnt = (np.zeros(tokens * 100),)

    def train(self, leg):
        tokens = np.arange(leg.end - leg.begin)
        self.learnt[0][leg.begin : leg.end] = 1 - tokens / leg.total


def test_each_training_of_the_search_has_the_rates_of_a_finished_one():
    training = Rates(tokens=1000)
    for epochs in train_grid(training, [1, 5, 10, 80]):
        (rates,) = training.learnt
        done = np.flatnonzero(rates).max() + 1
        assert rates.sum() == pytest.approx(epochs * 1000 / 2, rel=0.01)
        assert done == pytest.approx(epochs * 1000 * (1 + COOLING) / 2, abs=2)
        falling = round(epochs * 1000 * COOLING)
        np.testing.assert_allclose(rates[: done - falling], 1)
        assert (np.diff(rates[done - falling : done]) < 0).all()


def test_a_search_that_ends_trains_no_further():
    training = Rates(tokens=10)
    next(train_grid(training, [5, 1000]))  # there is no room for 1000 epochs


@pytest.mark.parametrize("variant", [None, "dbow", "dm"])
def test_a_search_whose_rate_falls_all_the_time_has_the_finished_vectors(
    corpus, monkeypatch, variant
):
    monkeypatch.setattr("pte.training.passes.COOLING", 1)
    grid, setup = [1, 3, 4], Setup(1, Hyperparameters(dim=8))
    if variant is None:
        along = skip_gram.train_along(corpus, grid, setup)
        finished = [skip_gram.train(corpus, epochs, setup).vectors for epochs in grid]
    else:
        found = paragraph_vector.train_along(corpus, variant, grid, setup)
        along = (paragraph_vector.document_vectors(each, corpus, 1) for each in found)
        trained = [paragraph_vector.train(corpus, variant, epochs, setup) for epochs in grid]
        finished = [paragraph_vector.document_vectors(each, corpus, 1) for each in trained]
    for vectors, expected in zip(along, finished, strict=True):
        np.testing.assert_array_equal(vectors, expected)


def test_threads_share_a_search(corpus):
    """Each leg gathers what the threads have learnt."""
    grid, setup = [5, 10], Setup(1, Hyperparameters(dim=8), threads=2)
    for vectors in skip_gram.train_along(corpus, grid, setup):
        assert np.isfinite(vectors).all()
        assert vectors.any(axis=1).all()


def test_test_documents_do_not_matter(many):
    seen = []

    def train(corpus, grid):
        seen.append(corpus)
        yield np.zeros((corpus.n_documents, 2), np.float32)

    choose_epochs(many, train, [1], 1)
    assert seen[0].n_documents == (many.split == TRAIN).sum()
    assert seen[0].documents(TEST).size == find_labelled(many).size // 10


def test_an_empty_grid_is_an_error(many):
    with pytest.raises(PteError, match="grid: give the numbers of epochs"):
        choose_epochs(many, lambda corpus, epochs: None, [], 1)
