"""The step by hand against the same in PyTorch, and against a plain convolution of PyTorch."""

import numpy as np
import pytest
import reference
import torch
from made import corpus_of
from torch.nn import functional

from pte.core.convolution import WINDOW
from pte.corpora.encoded import EncodedCorpus
from pte.corpora.labelled import labelled_documents
from pte.models.cnn.network import MAX_NORM, ConvolutionalNetwork, Gradients, Parameter

LENGTHS = (12, 1, 0, 2, 40, 3, 0, 9, 25, 7, 5, 18)
ALL = np.arange(len(LENGTHS))
MAPS, DIM, BATCH = 17, 11, 5
NAMES = ("words", "filters", "biases", "output", "intercepts")


@pytest.fixture(scope="module")
def corpus():
    """Documents of all sorts of lengths, of three classes, with rare words and common ones."""
    rng = np.random.default_rng(1)
    texts = [[b"w%d" % word for word in rng.zipf(1.3, n) % 40] for n in LENGTHS]
    return corpus_of([(text, "abc"[i % 3]) for i, text in enumerate(texts)])


@pytest.fixture
def networks(corpus):
    """By hand and in PyTorch, of the same weights: standard normal numbers, classes' too long."""
    rng = np.random.default_rng(2)
    vectors = rng.standard_normal((corpus.n_words, DIM)).astype(np.float32)
    both = [
        kind(vectors, corpus.n_classes, MAPS, np.random.default_rng(3))
        for kind in (ConvolutionalNetwork, reference.ConvolutionalNetwork)
    ]
    weights = [rng.standard_normal(each.shape).astype(np.float32) for each in both[0].weights()]
    weights[0][-1] = 0
    weights[3] *= 5
    for network in both:
        network.restore(weights)
    return both


@pytest.fixture
def kept():
    return np.random.default_rng(4).random((len(LENGTHS), MAPS)) < 0.5


def test_both_start_from_the_same_random_numbers(corpus):
    vectors = np.zeros((corpus.n_words, DIM), np.float32)
    one, two = (
        kind(vectors, corpus.n_classes, MAPS, np.random.default_rng(3)).weights()
        for kind in (ConvolutionalNetwork, reference.ConvolutionalNetwork)
    )
    assert [each.tobytes() for each in one] == [each.tobytes() for each in two]


def test_scores_are_the_same(corpus, networks):
    found, expected = (network.scores(corpus, ALL) for network in networks)
    np.testing.assert_allclose(found, expected, rtol=1e-5, atol=1e-4)


def test_loss_and_gradients_are_the_same(corpus, networks, kept):
    (loss, found), (other, expected) = (each.gradients(corpus, ALL, kept) for each in networks)
    assert loss == pytest.approx(other, rel=1e-5)
    assert sorted(found.rows) == sorted(expected.rows)
    order = np.argsort(found.rows), np.argsort(expected.rows)
    np.testing.assert_allclose(
        found.words[order[0]], expected.words[order[1]], rtol=1e-4, atol=1e-6
    )
    for name in Gradients._fields[2:]:
        one, two = getattr(found, name), getattr(expected, name)
        np.testing.assert_allclose(one, two, rtol=1e-4, atol=1e-6, err_msg=name)


@pytest.mark.parametrize("drawn", [True, False], ids=["drawn", "given"])
def test_a_hundred_steps_lead_to_the_same_weights(corpus, networks, drawn):
    """With what dropout leaves given, and with each network drawing the same."""
    rng = np.random.default_rng(5)
    begun = networks[0].weights()
    for _ in range(100):
        documents = rng.permutation(ALL)[:BATCH]
        left = None if drawn else rng.random((BATCH, MAPS)) < 0.5
        losses = [network.train(corpus, documents, left) for network in networks]
        assert losses[0] == pytest.approx(losses[1], rel=1e-3, abs=1e-4)
    for name, start, one, two in zip(
        NAMES, begun, *(network.weights() for network in networks), strict=True
    ):
        assert np.abs(one - start).max() > 0.1
        np.testing.assert_allclose(one, two, rtol=1e-4, atol=1e-4, err_msg=name)


def test_along_a_training_a_step_from_the_same_state_is_the_same(folders):
    """Weights that follow each other for thousands of steps part by rounding; one step does not."""
    mr, rng = EncodedCorpus.load(folders["mr"]), np.random.default_rng(7)
    start = rng.uniform(-0.25, 0.25, (mr.n_words, 100)).astype(np.float32)
    network, other = (
        kind(start, mr.n_classes, 100, np.random.default_rng(8))
        for kind in (ConvolutionalNetwork, reference.ConvolutionalNetwork)
    )
    labelled = labelled_documents(mr, "cnn")
    for step in range(1, 601):
        documents, left = rng.choice(labelled, 50), rng.random((50, 100)) < 0.5
        if step % 30 == 0:
            other.take_over(network)
            before = network.weights()
            assert other.train(mr, documents, left) == pytest.approx(
                network.train(mr, documents, left), rel=1e-5
            )
            for name, was, one, two in zip(
                NAMES, before, network.weights(), other.weights(), strict=True
            ):
                apart, moved = np.linalg.norm(one - two), np.linalg.norm(two - was)
                assert apart < 1e-3 * moved, (step, name)
        else:
            network.train(mr, documents, left)


def test_a_step_is_that_of_plain_pytorch(corpus, networks):
    """With `conv1d`, padded documents, and `torch.optim.Adadelta` on everything; none dropped."""
    network = networks[0]
    weights = [torch.tensor(each).requires_grad_() for each in network.weights()]
    vectors, filters, biases, output, intercepts = weights
    texts = [document.tolist() for document in np.split(corpus.tokens, corpus.offsets[1:-1])]
    longest = max(LENGTHS) + 2 * (WINDOW - 1)
    ids = torch.full((len(LENGTHS), longest), corpus.n_words)
    valid = torch.zeros((len(LENGTHS), longest - WINDOW + 1), dtype=torch.bool)
    for d, text in enumerate(texts):
        ids[d, WINDOW - 1 : WINDOW - 1 + len(text)] = torch.tensor(text, dtype=torch.int64)
        valid[d, : len(text) + WINDOW - 1] = True
    words = functional.embedding(ids, vectors, padding_idx=corpus.n_words).transpose(1, 2)
    kernels = filters.view(WINDOW, MAPS, DIM).permute(1, 2, 0)
    windows = functional.conv1d(words, kernels, biases).relu()
    features = windows.masked_fill(~valid[:, None], 0).amax(2)
    labels = torch.tensor(corpus.labels, dtype=torch.int64)
    loss = functional.cross_entropy(features @ output + intercepts, labels)
    loss.backward()
    torch.optim.Adadelta(weights, lr=1, rho=0.95, eps=1e-6).step()
    norms = output.detach().norm(dim=0)
    output.data *= MAX_NORM / norms.clamp(min=MAX_NORM)
    kept = np.ones((len(LENGTHS), MAPS), np.bool_)
    assert network.train(corpus, ALL, kept) == pytest.approx(loss.item(), rel=1e-4)
    for found, expected in zip(network.weights(), weights, strict=True):
        np.testing.assert_allclose(found, expected.detach().numpy(), rtol=1e-4, atol=1e-5)


def test_adadelta_is_that_of_pytorch_where_every_row_moves():
    rng = np.random.default_rng(6)
    start = rng.standard_normal((6, 4)).astype(np.float32)
    rows, whole = Parameter(start.copy()), Parameter(start.copy())
    expected = torch.tensor(start, requires_grad=True)
    optimiser = torch.optim.Adadelta([expected], lr=1, rho=0.95, eps=1e-6)
    for _ in range(20):
        gradient, order = rng.standard_normal((6, 4)).astype(np.float32), rng.permutation(6)
        rows.descend_rows(gradient[order], order)
        whole.descend(gradient)
        expected.grad = torch.tensor(gradient)
        optimiser.step()
    for found in (rows.value, whole.value):
        np.testing.assert_allclose(found, expected.detach().numpy(), rtol=1e-5, atol=1e-6)
