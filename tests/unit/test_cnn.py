"""The CNN against its formulas, against plain PyTorch, and on a tiny corpus."""

import sys

import naive
import numpy as np
import pytest
import torch
from made import corpus_of
from torch.nn import functional

from pte.core.convolution import WINDOW, highest_windows
from pte.corpora.encoded import TEST
from pte.errors import NotInstalled, PteError
from pte.models import cnn, convolution
from pte.models.cnn import fit_predict, hold_out
from pte.models.convolution import Network, Parameter, batch_of, torch_threads
from pte.models.majority import fit_predict as majority

SMALL = {"dim": 10, "maps": 8}
LENGTHS = (5, 1, 0, 2, 17, 3, 0, 9)


@pytest.fixture
def small_batches(monkeypatch):
    """Batches small enough for one pass over the tiny corpus to be an epoch of several."""
    monkeypatch.setattr(cnn, "BATCH", 4)
    monkeypatch.setattr(cnn, "STEPS", 8)


@pytest.fixture
def lengths():
    """Documents of all sorts of lengths, of three classes."""
    rng = np.random.default_rng(3)
    texts = [[b"w%d" % word for word in rng.integers(0, 12, n)] for n in LENGTHS]
    return corpus_of([(text, "abc"[i % 3]) for i, text in enumerate(texts)])


@pytest.fixture
def network(lengths):
    return drawn(lengths)


def drawn(corpus):
    """A network whose weights are all standard normal numbers, the class weights longer than 3."""
    rng = np.random.default_rng(5)
    vectors = rng.standard_normal((corpus.n_words, 6)).astype(np.float32)
    network = Network(vectors, corpus.n_classes, 7, seed=1)
    weights = [rng.standard_normal(each.shape).astype(np.float32) for each in network.weights()]
    weights[0][-1] = 0
    weights[3] *= 5
    network.restore(weights)
    return network


def texts(corpus):
    return [document.tolist() for document in np.split(corpus.tokens, corpus.offsets[1:-1])]


def accuracy(corpus, prediction):
    truth = corpus.labels[corpus.documents(TEST)]
    return float((prediction.predicted == truth).mean())


# The network


def test_scores_are_those_of_the_twin(lengths, network):
    found = network.scores(lengths, np.arange(len(LENGTHS)))
    weights = [each.astype(float) for each in network.weights()]
    expected = naive.convolution_scores(texts(lengths), *weights, WINDOW, convolution.KEEP)
    assert found.dtype == np.float32
    np.testing.assert_allclose(found, expected, rtol=1e-4, atol=1e-4)


def test_the_documents_beside_it_do_not_change_a_documents_scores(lengths, network):
    together = network.scores(lengths, np.arange(len(LENGTHS)))
    alone = [network.scores(lengths, np.array([d])) for d in range(len(LENGTHS))]
    np.testing.assert_allclose(together, np.concatenate(alone), rtol=1e-5, atol=1e-5)


def test_a_batch_lays_documents_behind_one_another(lengths):
    documents = np.array([3, 2, 0])
    batch = batch_of(lengths, documents)
    pad, listed = lengths.n_words, texts(lengths)
    expected = [pad, pad, *listed[3], pad, pad, pad, pad, *listed[0], pad, pad]
    assert batch.words[batch.places].tolist() == expected
    assert batch.bounds.tolist() == [0, 4, 6, 13]


@pytest.mark.parametrize("sign", [1, -1])
def test_of_equally_high_windows_the_first_is_found(sign):
    products = np.full((2, WINDOW, 4), sign, np.float32)
    highest = np.zeros((2, 4), np.int64)
    highest_windows(products, np.zeros(9, np.int64), np.array([0, 3, 7]), highest)
    assert highest.tolist() == [[0] * 4, [3] * 4]


def test_a_step_is_that_of_plain_pytorch(lengths, network, monkeypatch):
    """With `conv1d`, padded documents, and `torch.optim.Adadelta` on everything."""
    monkeypatch.setattr(convolution, "KEEP", 1)
    weights = [torch.tensor(each).requires_grad_() for each in network.weights()]
    vectors, filters, biases, output, intercepts = weights
    longest = max(LENGTHS) + 2 * (WINDOW - 1)
    ids = torch.full((len(LENGTHS), longest), lengths.n_words)
    valid = torch.zeros((len(LENGTHS), longest - WINDOW + 1), dtype=torch.bool)
    for d, text in enumerate(texts(lengths)):
        ids[d, WINDOW - 1 : WINDOW - 1 + len(text)] = torch.tensor(text, dtype=torch.int64)
        valid[d, : len(text) + WINDOW - 1] = True
    words = functional.embedding(ids, vectors, padding_idx=lengths.n_words).transpose(1, 2)
    kernels = filters.view(-1, WINDOW, len(biases)).permute(2, 0, 1)
    windows = functional.conv1d(words, kernels, biases).relu()
    features = windows.masked_fill(~valid[:, None], 0).amax(2)
    loss = functional.cross_entropy(
        features @ output + intercepts, torch.tensor(lengths.labels, dtype=torch.int64)
    )
    loss.backward()
    torch.optim.Adadelta(weights, lr=1, rho=0.95, eps=1e-6).step()
    norms = output.detach().norm(dim=0)
    output.data *= convolution.MAX_NORM / norms.clamp(min=convolution.MAX_NORM)
    assert network.train(lengths, np.arange(len(LENGTHS))) == pytest.approx(loss.item(), rel=1e-4)
    for found, expected in zip(network.weights(), weights, strict=True):
        np.testing.assert_allclose(found, expected.detach().numpy(), rtol=1e-4, atol=1e-5)


def test_only_the_words_of_a_batch_move_and_padding_never_does(lengths, network):
    before = network.weights()[0]
    network.train(lengths, np.array([0, 1]))
    moved = np.flatnonzero((network.weights()[0] != before).any(axis=1))
    assert moved.size > 0
    assert set(moved) <= set(texts(lengths)[0] + texts(lengths)[1])


def test_class_weights_stay_within_the_norm(lengths, network):
    for _ in range(3):
        network.train(lengths, np.arange(len(LENGTHS)))
        norms = np.linalg.norm(network.weights()[3], axis=0)
        assert (norms <= convolution.MAX_NORM * (1 + 1e-6)).all()


def test_adadelta_of_rows_is_adadelta_where_every_row_moves():
    generator = torch.Generator().manual_seed(1)
    start = torch.randn(6, 4, generator=generator)
    rows, whole, reference = Parameter(start.clone()), Parameter(start.clone()), start.clone()
    reference.requires_grad_()
    optimiser = torch.optim.Adadelta([reference], lr=1, rho=0.95, eps=1e-6)
    for _ in range(20):
        gradient = torch.randn(6, 4, generator=generator)
        order = torch.randperm(6, generator=generator)
        rows.descend_rows(gradient[order], order)
        whole.descend(gradient)
        reference.grad = gradient
        optimiser.step()
    torch.testing.assert_close(rows.value, reference.detach())
    torch.testing.assert_close(whole.value, reference.detach())


def test_rows_that_are_not_named_keep_their_averages():
    """Two steps of a row are the same whatever other rows did between them."""
    one, two = Parameter(torch.zeros(2, 3)), Parameter(torch.zeros(1, 3))
    gradient, first = torch.tensor([[0.5, -1.0, 2.0]]), torch.tensor([0])
    for parameter in (one, two):
        parameter.descend_rows(gradient, first)
    one.descend_rows(gradient, torch.tensor([1]))
    for parameter in (one, two):
        parameter.descend_rows(gradient, first)
    assert torch.equal(one.value[0], two.value[0])


# Training


def test_it_learns_the_tiny_corpus(corpus, small_batches):
    found = fit_predict(corpus, 1, 1, dim=20, maps=20, patience=50)
    assert (found.predicted.dtype, found.predicted.shape) == (np.int32, (24,))
    assert accuracy(corpus, found) > accuracy(corpus, majority(corpus, 1, 1)) + 0.3
    assert found.training["samples"] is None
    assert found.training["held_out"] == 3


def test_it_starts_from_word_vectors_and_leaves_them_alone(corpus, small_batches):
    """Vectors that give a word's topic away, and no time to learn it."""
    start = np.random.default_rng(1).normal(0, 0.01, (corpus.n_words, 3)).astype(np.float32)
    for w, word in enumerate(corpus.words):
        start[w] += [word.startswith(topic.encode()) for topic in corpus.classes]
    before = start.copy()
    found = fit_predict(corpus, 1, 1, start=start, epochs=25, patience=25, maps=20)
    assert accuracy(corpus, found) > 0.8
    assert (start == before).all()


def test_one_seed_and_one_thread_give_identical_trainings(corpus, small_batches):
    state = torch.get_rng_state()
    one, two = (fit_predict(corpus, 4, 1, epochs=6, **SMALL) for _ in range(2))
    other = fit_predict(corpus, 5, 1, epochs=6, **SMALL)
    assert one.predicted.tobytes() == two.predicted.tobytes()
    assert one.training["curve"] == two.training["curve"] != other.training["curve"]
    assert torch.equal(torch.get_rng_state(), state)


def test_the_best_epoch_predicts(corpus, small_batches):
    long = fit_predict(corpus, 1, 1, dim=20, maps=20, epochs=60, patience=15)
    curve, best = long.training["curve"], long.training["best_epoch"]
    merits = [(point["held_out_micro_f1"], -point["held_out_loss"]) for point in curve]
    assert merits.index(max(merits)) == best - 1
    assert long.training["epochs"] == len(curve) == min(60, best + 15)
    short = fit_predict(corpus, 1, 1, dim=20, maps=20, epochs=best)
    assert (long.predicted == short.predicted).all()


def test_patience_ends_a_training(corpus, monkeypatch, small_batches):
    monkeypatch.setattr(cnn, "_merit", lambda point: (0.0, 0.0))
    found = fit_predict(corpus, 1, 1, patience=3, **SMALL).training
    assert (found["best_epoch"], found["epochs"]) == (1, 4)


def test_progress_is_a_line_an_epoch(corpus):
    lines = []
    fit_predict(corpus, 1, 1, epochs=3, progress=lines.append, **SMALL)
    assert [line.split(":")[0] for line in lines] == [f"epoch {i} of at most 3" for i in (1, 2, 3)]
    assert "held-out micro-F1" in lines[0]
    assert lines[-1].endswith("at most 0 s left")


@pytest.mark.parametrize(("documents", "passes"), [(3, 1667), (3000, 2), (4985, 1), (20_000, 1)])
def test_an_epoch_of_few_documents_passes_over_them_again(monkeypatch, documents, passes):
    """And so takes about 100 steps; every pass has every document once."""
    trained = []
    monkeypatch.setattr(cnn, "hold_out", lambda labels, rng: (np.arange(documents), np.arange(1)))
    monkeypatch.setattr(cnn, "_train", lambda network, corpus, order: trained.append(order) or 0.0)
    made = corpus_of([([b"a"], "xy"[i % 2]) for i in range(documents)])
    fit_predict(made, 1, 1, epochs=1, **SMALL)
    counts = np.bincount(trained[0], minlength=documents)
    assert counts.tolist() == [passes] * documents
    assert (np.sort(trained[0][:documents]) == np.arange(documents)).all()


def test_threads_are_as_many_as_before_afterwards():
    before = torch.get_num_threads()
    with pytest.raises(KeyboardInterrupt), torch_threads(before + 1):
        assert torch.get_num_threads() == before + 1
        raise KeyboardInterrupt
    assert torch.get_num_threads() == before


@pytest.mark.parametrize(
    ("documents", "judging"), [(2, 1), (30, 3), (7_108, 500), (61_479, 615)], ids=str
)
def test_how_many_documents_judge(documents, judging):
    labels = np.arange(documents, dtype=np.int32) % 2
    training, judges = hold_out(labels, np.random.default_rng(1))
    assert judges.size == judging
    assert sorted([*training, *judges]) == list(range(documents))


def test_documents_of_all_classes_judge_in_proportion():
    labels = np.repeat(np.arange(4, dtype=np.int32), [600, 300, 99, 1])
    _, one = hold_out(labels, np.random.default_rng(1))
    _, two = hold_out(labels, np.random.default_rng(2))
    assert np.bincount(labels[one], minlength=4).tolist() == [60, 30, 10, 0]
    assert (one != two).any()


# Errors


def test_without_pytorch_it_says_what_to_install(corpus, monkeypatch):
    monkeypatch.setitem(sys.modules, "torch", None)
    monkeypatch.delitem(sys.modules, "pte.models.convolution")
    with pytest.raises(NotInstalled, match=r"pip install pte\[cnn\]"):
        fit_predict(corpus, 1, 1)


@pytest.mark.parametrize(
    ("label", "message"), [(None, "no training document has a label"), ("x", "all of one class")]
)
def test_labels_that_do_not_suffice_are_an_error(label, message):
    made = corpus_of([([b"a"], label), ([b"b"], label)])
    with pytest.raises(PteError, match=f"cnn: .*{message}"):
        fit_predict(made, 1, 1)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"start": np.zeros((3, 5), np.float32)}, r"start has shape \(3, 5\)"),
        ({"start": np.zeros(5, np.float32)}, r"start has shape \(5,\)"),
        ({"start": np.full((51, 5), np.nan, np.float32)}, "not finite"),
        ({"seed": -1}, "seed is -1"),
        ({"threads": 0}, "threads is 0"),
        ({"epochs": 0}, "epochs is 0"),
        ({"patience": 0}, "patience is 0"),
        ({"dim": 0}, "dim is 0"),
        ({"maps": 0}, "maps is 0"),
    ],
)
def test_what_cannot_be_trained_is_refused(corpus, change, message):
    with pytest.raises(PteError, match=message):
        fit_predict(corpus, **({"seed": 1, "threads": 1} | change))
