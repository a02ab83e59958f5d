"""The CNN: its kernels against their twins, its gradients against differences, a tiny corpus."""

import naive
import numpy as np
import pytest
from made import corpus_of
from pytorch import steps
from threadpoolctl import threadpool_info

from pte.core.convolution import (
    WINDOW,
    Peaks,
    descend_rows,
    filter_gradients,
    highest_windows,
    list_peaks,
    word_gradients,
)
from pte.corpora.encoded import TEST
from pte.errors import PteError
from pte.files import save_array
from pte.models import cnn
from pte.models.cnn import CnnSettings, n_judging, train
from pte.models.cnn import network as convolution
from pte.models.cnn.network import ConvolutionalNetwork, batch_of
from pte.training.contract import Fitted, Task, most_likely
from pte.training.setup import Setup

SMALL = {"dim": 10, "maps": 8}
LENGTHS = (5, 1, 0, 2, 17, 3, 0, 9)
ALL = np.arange(len(LENGTHS))
MAPS, DIM = 7, 6
PARAMETERS = ("words", "filters", "biases", "output", "intercepts")


@pytest.fixture(autouse=True)
def short_cnns():
    """Trainings here have their own settings."""


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


@pytest.fixture
def kept():
    return np.random.default_rng(4).random((len(LENGTHS), MAPS)) < 0.5


def drawn(corpus):
    """A network whose weights are all standard normal numbers, the class weights longer than 3."""
    rng = np.random.default_rng(5)
    vectors = rng.standard_normal((corpus.n_words, DIM)).astype(np.float32)
    network = ConvolutionalNetwork(vectors, corpus.n_classes, MAPS, np.random.default_rng(1))
    weights = [rng.standard_normal(each.shape).astype(np.float32) for each in network.weights()]
    weights[0][-1] = 0
    weights[3] *= 5
    network.restore(weights)
    return network


def doubles(network):
    return [each.astype(float) for each in network.weights()]


def texts(corpus):
    return [document.tolist() for document in np.split(corpus.tokens, corpus.offsets[1:-1])]


def scratch(corpus):
    return np.full(corpus.n_words + 1, -1, np.int32)


def accuracy(corpus, fitted):
    truth = corpus.labels[corpus.documents(TEST)]
    return float((fitted.array == truth).mean())


def blas():
    """How many threads each library of matrices uses."""
    return [each["num_threads"] for each in threadpool_info() if each["user_api"] == "blas"]


# The kernels


@pytest.mark.parametrize("documents", [[3, 2, 0], [2], [4, 4, 7], list(range(8))], ids=str)
def test_a_batch_lays_documents_behind_one_another(lengths, documents):
    numbers = scratch(lengths)
    batch = batch_of(lengths, np.array(documents), numbers)
    listed = [texts(lengths)[d] for d in documents]
    words, places = naive.lay_out(listed, lengths.n_words, WINDOW)
    assert (batch.words.tolist(), batch.places.tolist()) == (words, places)
    assert np.diff(batch.bounds).tolist() == [len(text) + WINDOW - 1 for text in listed]
    assert (numbers == -1).all()


def test_the_highest_windows_are_those_of_the_twin(lengths):
    batch = batch_of(lengths, ALL, scratch(lengths))
    rng = np.random.default_rng(6)
    products = rng.standard_normal((batch.words.size, WINDOW, MAPS)).astype(np.float32)
    highest = np.empty((len(LENGTHS), MAPS), np.int32)
    values = np.empty(highest.shape, np.float32)
    highest_windows(products, batch.places, batch.bounds, highest, values)
    for d, (begin, end) in enumerate(zip(batch.bounds[:-1], batch.bounds[1:], strict=True)):
        windows = naive.convolution_windows(products, batch.places, begin, end)
        assert highest[d].tolist() == (begin + windows.argmax(axis=0)).tolist()
        np.testing.assert_allclose(values[d], windows.max(axis=0), rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize("sign", [1, -1])
def test_of_equally_high_windows_the_first_is_found(sign):
    products = np.full((2, WINDOW, 4), sign, np.float32)
    highest, values = np.zeros((2, 4), np.int32), np.zeros((2, 4), np.float32)
    highest_windows(products, np.zeros(9, np.int64), np.array([0, 3, 7]), highest, values)
    assert highest.tolist() == [[0] * 4, [3] * 4]
    assert (values == sign * WINDOW).all()


@pytest.fixture
def peaked(lengths, network, kept):
    """A batch, where its maps are highest, and a gradient of what dropout leaves of them."""
    batch = batch_of(lengths, ALL, scratch(lengths))
    rng = np.random.default_rng(7)
    highest = rng.integers(batch.bounds[:-1, None], batch.bounds[1:, None], kept.shape, np.int32)
    return batch, highest, (rng.standard_normal(kept.shape) * kept).astype(np.float32)


def peaks_of(highest, gradient):
    n = gradient.size
    peaks = Peaks(np.empty(n, np.int64), np.empty(n, np.int64), np.empty(n, np.float32))
    n = list_peaks(gradient, highest, peaks)
    return Peaks(*(each[:n] for each in peaks))


def test_gradients_are_those_of_the_twin(peaked, network):
    batch, highest, gradient = peaked
    peaks = peaks_of(highest, gradient)
    vectors, filters = network.words.value[batch.words], network.filters.value
    expected = naive.convolution_gradients(
        gradient.astype(float), highest, batch.places, vectors.astype(float), filters.astype(float)
    )
    found = np.full_like(filters, np.nan)
    filter_gradients(peaks, batch.places, vectors, found)
    np.testing.assert_allclose(found, expected[0], rtol=1e-4, atol=1e-5)
    moving, found = np.empty(batch.words.size, np.int64), np.full_like(vectors, np.nan)
    n = word_gradients(peaks, batch.places, filters, moving, found)
    spread = np.zeros_like(vectors)
    spread[moving[:n]] = found[:n]
    np.testing.assert_allclose(spread, expected[1], rtol=1e-4, atol=1e-5)
    assert moving[0] == 0
    assert sorted(moving[1:n]) == np.flatnonzero(expected[1].any(axis=1)).tolist()


def test_adadelta_of_rows_is_that_of_the_twin():
    """Rows that a step does not name stay as they are, and so do their averages."""
    rng = np.random.default_rng(8)
    tables = [np.zeros((6, 5), np.float32) for _ in range(3)]
    tables[0][:] = rng.standard_normal((6, 5))
    expected = [each.astype(float) for each in tables]
    for _ in range(20):
        rows = rng.permutation(6)[: rng.integers(1, 7)]
        gradient = rng.standard_normal((rows.size, 5)).astype(np.float32)
        descend_rows(*tables, gradient, rows)
        moved = naive.adadelta(*(each[rows] for each in expected), gradient.astype(float))
        for each, values in zip(expected, moved, strict=True):
            each[rows] = values
    for found, each in zip(tables, expected, strict=True):
        np.testing.assert_allclose(found, each, rtol=1e-5, atol=1e-7)


# The network


def test_scores_are_those_of_the_twin(lengths, network):
    found = network.scores(lengths, ALL)
    counts = np.full((len(LENGTHS), MAPS), convolution.KEEP)
    expected = naive.convolution_scores(texts(lengths), *doubles(network), WINDOW, counts)
    assert found.dtype == np.float32
    np.testing.assert_allclose(found, expected, rtol=1e-4, atol=1e-4)


def loss_of(corpus, weights, kept):
    scores = naive.convolution_scores(texts(corpus), *weights, WINDOW, kept)
    return naive.mean_cross_entropy(scores, corpus.labels)


def slope(loss, value, place, step=1e-5):
    """The derivative of a loss by one number of `value`, which it moves and puts back."""
    before, ends = value[place], []
    for moved in (before + step, before - step):
        value[place] = moved
        ends.append(loss())
    value[place] = before
    return (ends[0] - ends[1]) / (2 * step)


@pytest.mark.parametrize("name", PARAMETERS)
def test_gradients_are_the_slopes_of_the_loss(lengths, network, kept, name):
    """By central differences of the twin in 64 bits; the padding word's is not asked for."""
    loss, gradients = network.gradients(lengths, ALL, kept)
    weights = doubles(network)
    value = weights[PARAMETERS.index(name)]
    assert loss == pytest.approx(loss_of(lengths, weights, kept), rel=1e-5)
    expected = np.zeros_like(value)
    for place in np.ndindex(value[:-1].shape if name == "words" else value.shape):
        expected[place] = slope(lambda: loss_of(lengths, weights, kept), value, place)
    found = getattr(gradients, name)
    assert found.dtype == np.float32
    if name == "words":
        found, rows = np.zeros_like(value), gradients.rows
        assert np.unique(rows).size == rows.size
        found[rows] = gradients.words
    assert np.abs(expected).max() > 0.01
    np.testing.assert_allclose(found, expected, rtol=1e-3, atol=1e-5)


def test_ten_steps_are_those_of_plain_pytorch():
    texts, weights, given = steps.given()
    corpus = corpus_of(
        [([b"w%d" % word for word in text], "abc"[d % 3]) for d, text in enumerate(texts)]
    )
    numbers = [int(word[1:]) for word in corpus.words] + [steps.WORDS]  # of its rows
    network = ConvolutionalNetwork(
        weights[0][numbers[:-1]], 3, steps.MAPS, np.random.default_rng(1)
    )
    network.restore([weights[0][numbers], *weights[1:]])
    losses = [network.train(corpus, documents, kept) for documents, kept in given]
    with np.load(steps.MADE) as made:
        np.testing.assert_allclose(losses, made["losses"], rtol=1e-4)
        expected = [made["words"][numbers], *(made[name] for name in PARAMETERS[1:])]
    for name, start, found, value in zip(
        PARAMETERS, weights, network.weights(), expected, strict=True
    ):
        assert np.abs(value - start).max() > 0.01
        np.testing.assert_allclose(found, value, rtol=1e-4, atol=1e-4, err_msg=name)


def test_dropout_leaves_its_part_anew_in_every_step(lengths, network, monkeypatch):
    left, gradients = [], network.gradients
    monkeypatch.setattr(
        network, "gradients", lambda *given: left.append(given[2]) or gradients(*given)
    )
    for _ in range(50):
        network.train(lengths, ALL)
    assert np.mean(left) == pytest.approx(convolution.KEEP, abs=4 * 0.5 / np.sqrt(np.size(left)))
    assert len({each.tobytes() for each in left}) == 50


def test_class_weights_within_the_norm_are_not_scaled():
    output = np.array([[3.0, 0.6, 0.0], [4.0, 0.8, 0.0]], np.float32)
    convolution.shorten(output)
    np.testing.assert_allclose(output, [[1.8, 0.6, 0], [2.4, 0.8, 0]], rtol=1e-6)


def test_scores_far_apart_do_not_overflow():
    scores = np.array([[1000.0, 0.0], [0.0, -1000.0]], np.float32)
    loss, gradient = convolution.cross_entropy(scores, np.array([1, 0], np.int32))
    assert loss == 500
    assert gradient.tolist() == [[0.5, -0.5], [0.0, 0.0]]


# Training


def fitted(corpus, *arguments):
    """What a fit with other settings than Kim's returns."""
    learnt = train(corpus, *arguments)
    predicted = most_likely(cnn.apply(learnt, {}, Task(corpus, 1).asked))
    return Fitted(predicted, notes=learnt.facts["notes"])


def test_it_starts_from_word_vectors_and_leaves_them_alone(corpus, small_batches):
    """Vectors that give a word's topic away, and no time to learn it."""
    start = np.random.default_rng(1).normal(0, 0.01, (corpus.n_words, 3)).astype(np.float32)
    for w, word in enumerate(corpus.words):
        start[w] += [word.startswith(topic.encode()) for topic in corpus.classes]
    before = start.copy()
    found = fitted(corpus, Setup(1), CnnSettings(epochs=25, patience=25, maps=20), start)
    assert accuracy(corpus, found) > 0.8
    assert (start == before).all()


def test_one_seed_and_one_thread_give_identical_trainings(corpus, small_batches):
    state = np.random.get_state()[1].tobytes()  # noqa: NPY002
    settings = CnnSettings(epochs=6, **SMALL)
    one, two, other = (fitted(corpus, Setup(seed), settings) for seed in (4, 4, 5))
    assert one.array.tobytes() == two.array.tobytes()
    assert one.notes["curve"] == two.notes["curve"] != other.notes["curve"]
    assert np.random.get_state()[1].tobytes() == state  # noqa: NPY002


@pytest.mark.learning
def test_the_best_epoch_predicts(corpus, small_batches):
    long = fitted(corpus, Setup(1), CnnSettings(dim=20, maps=20, epochs=60, patience=15))
    curve, best = long.notes["curve"], long.notes["best_epoch"]
    merits = [(point["held_out_micro_f1"], -point["held_out_loss"]) for point in curve]
    assert merits.index(max(merits)) == best - 1
    assert long.notes["epochs"] == len(curve) == min(60, best + 15)
    short = fitted(corpus, Setup(1), CnnSettings(dim=20, maps=20, epochs=best))
    assert (long.array == short.array).all()


def test_progress_counts_epochs(corpus):
    told = []
    setup = Setup(1, progress=lambda done, whole: told.append((done, whole)))
    train(corpus, setup, CnnSettings(epochs=3, **SMALL))
    assert told == [(1, 3), (2, 3), (3, 3)]


def test_a_task_is_trained_with_kims_settings(corpus, tmp_path, monkeypatch):
    """Its own start, if there is one; the dimension of embeddings does not matter."""
    given = []
    monkeypatch.setattr(cnn, "train", lambda *arguments: given.append(arguments))
    save_array(tmp_path / "start.npy", np.ones((corpus.n_words, 4), np.float32))
    cnn.learn(Task(corpus, 3))
    cnn.learn(Task(corpus, 3, inputs={"start": tmp_path / "start.npy"}))
    assert [(setup.seed, settings) for _, setup, settings, _ in given] == [(3, CnnSettings())] * 2
    assert given[0][3] is None
    assert given[1][3].shape == (corpus.n_words, 4)


@pytest.mark.parametrize(("documents", "passes"), [(3, 1667), (3000, 2), (4985, 1), (20_000, 1)])
def test_an_epoch_of_few_documents_passes_over_them_again(monkeypatch, documents, passes):
    """And so takes about 100 steps; every pass has every document once."""
    trained = []
    split = np.arange(documents), np.arange(1)
    monkeypatch.setattr(cnn, "hold_out", lambda *_: split)
    monkeypatch.setattr(
        cnn, "_train_epoch", lambda network, corpus, order: trained.append(order) or 0.0
    )
    made = corpus_of([([b"a"], "xy"[i % 2]) for i in range(documents)])
    train(made, Setup(1), CnnSettings(epochs=1, **SMALL))
    counts = np.bincount(trained[0], minlength=documents)
    assert counts.tolist() == [passes] * documents
    assert (np.sort(trained[0][:documents]) == np.arange(documents)).all()


def test_threads_of_products_are_as_many_as_before_afterwards(corpus):
    before, inside = blas(), []

    def interrupt(done, whole):
        inside.extend(blas())
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        setup = Setup(1, threads=before[0] + 1, progress=interrupt)
        train(corpus, setup, CnnSettings(epochs=1, **SMALL))
    assert set(inside) == {before[0] + 1}
    assert blas() == before


@pytest.mark.parametrize(
    ("documents", "judging"), [(2, 1), (30, 3), (7_108, 500), (61_479, 615)], ids=str
)
def test_how_many_documents_judge(documents, judging):
    assert n_judging(documents) == judging


# Errors


@pytest.mark.parametrize(
    ("label", "message"), [(None, "no training document has a label"), ("x", "all of one class")]
)
def test_labels_that_do_not_suffice_are_an_error(label, message):
    made = corpus_of([([b"a"], label), ([b"b"], label)])
    with pytest.raises(PteError, match=f"cnn: .*{message}"):
        train(made, Setup(1))


@pytest.mark.parametrize(
    ("start", "message"),
    [
        (np.zeros((3, 5), np.float32), r"start has shape \(3, 5\)"),
        (np.zeros(5, np.float32), r"start has shape \(5,\)"),
        (np.full((51, 5), np.nan, np.float32), "not finite"),
    ],
)
def test_word_vectors_that_do_not_fit_are_refused(corpus, start, message):
    with pytest.raises(PteError, match=message):
        train(corpus, Setup(1), start=start)
