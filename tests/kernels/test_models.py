import math
import threading
import time

import naive
import numpy as np
import pytest
from made import score_of

from pte.core import arrays
from pte.core.rng import build_alias
from pte.corpora.encoded import TEST
from pte.errors import PteError
from pte.evaluation.evaluate import mean_vectors
from pte.networks import named
from pte.networks.bipartite import Network
from pte.training import edges
from pte.training.edges import AUTO_PASSES, Watch, auto_samples, train_edges
from pte.training.hot_rows import run_blocks
from pte.training.setup import Hyperparameters, KnownWords, Setup

SMALL = Hyperparameters(dim=16, negatives=3, learning_rate=0.1)
JOINT = [("ww", "wd", "wl")]
PRETRAIN = [("ww", "wd"), ("wl",)]


@pytest.fixture
def small_blocks(monkeypatch):
    """Blocks small enough for a short training to have many, on as many threads as asked for."""
    monkeypatch.setattr(edges, "BLOCK", 300)
    monkeypatch.setattr("pte.training.setup.EDGES_OF_THREAD", 1)


@pytest.fixture
def trained_blocks(monkeypatch):
    """What is said of every block, in place of the training."""
    calls = []

    def train_groups(tables, drawn, noise, state, *others):
        schedule = others[-1]
        calls.append(
            {
                **schedule._asdict(),
                "count": len(drawn.pairs),
                "stream": int(state),
                "counts": np.diff(drawn.starts).tolist(),
                "pairs": drawn.pairs.tolist(),
            }
        )

    monkeypatch.setattr(edges, "train_groups", train_groups)
    return calls


def train(networks, phases, samples, seed, shape=SMALL, weights=None, watch=None, **setup):
    return train_edges(networks, phases, samples, Setup(seed, shape, **setup), weights, watch)


def separation(corpus, vectors):
    """How much closer, in cosine, test documents are within a topic than across topics."""
    test = corpus.documents(TEST)
    means = mean_vectors(corpus.counts, vectors)[test]
    means = means - means.mean(axis=0)
    means /= np.linalg.norm(means, axis=1, keepdims=True)
    same = corpus.labels[test][:, None] == corpus.labels[test]
    cosine = means @ means.T
    return cosine[same & ~np.eye(test.size, dtype=bool)].mean() - cosine[~same].mean()


def watched(networks, phases, until=math.inf, every=500, **arguments):
    """The training, and the calls of a watch that ends it at `until` edges."""
    calls = []

    def watch(drawn, vectors):
        calls.append((drawn, vectors))
        return drawn >= until

    return train(networks, phases, 1000, 1, watch=Watch(watch, every), **arguments), calls


# Training


def test_one_seed_and_one_thread_give_identical_vectors(networks, small_blocks):
    one, two = (train(networks, JOINT, 1000, 5) for _ in range(2))
    assert one.vectors.dtype == np.float32
    assert one.vectors.shape == (networks["ww"].n_targets, 16)
    assert one.vectors.tobytes() == two.vectors.tobytes()


@pytest.mark.parametrize("phases", [JOINT, PRETRAIN])
def test_training_is_close_to_the_twin(networks, small_blocks, phases):
    """Every network has source vectors of its own, behind those of the networks before it."""
    names, rng = ("ww", "wd", "wl"), np.random.default_rng(3)
    rows = np.cumsum([0] + [networks[name].n_sources for name in names]).tolist()
    target = arrays.uniform(networks["ww"].n_targets, 16, rng).astype(float)
    source = arrays.uniform(rows[3], 16, rng).astype(float)
    ends = [np.stack([networks[name].source, networks[name].target], 1) for name in names]
    edges = [build_alias(networks[name].weight.astype(float)) for name in names]
    noise = [build_alias(networks[name].target_degrees() ** 0.75) for name in names]
    blocks = [(phase, first) for phase in phases for first in (0, 300)]
    for number, (phase, first) in enumerate(blocks):
        count, streams = min(300, 400 - first), range(4 * number, 4 * number + 4)
        turns = [names.index(name) for name in phase]
        played = [turns[t % len(turns)] for t in range(first, first + count)]
        pairs = [
            naive.draw_stored(
                *(ends[i], edges[i], networks[name].undirected),
                *(naive.stream(3, streams[i]), played.count(i)),
            )
            for i, name in enumerate(names)
        ]
        negatives = naive.stream(3, streams[3])
        drawn = list(zip(pairs, noise, rows[:3], strict=True))
        naive.train_pairs((source, target), drawn, turns, 3, (first, 400, 0.1), negatives)
    vectors = train(networks, phases, 400, 3).vectors
    np.testing.assert_allclose(vectors, target[:, :16], rtol=1e-3, atol=1e-5)


@pytest.mark.learning
def test_joint_training_learns_from_the_labels_and_from_nothing_else(corpus, networks):
    chance = 100 / corpus.n_classes  # the test part has equal classes
    assert score_of(corpus, train(networks, JOINT, 10_000, 1).vectors) > chance + 40
    shuffled = []
    for seed in (0, 1, 2):
        control = corpus.with_shuffled_labels(seed)
        without = networks | {"wl": named.build("wl", control, None)}
        shuffled.append(score_of(control, train(without, JOINT, 6000, 1).vectors))
    assert np.mean(shuffled) < chance + 25


@pytest.mark.parametrize(("edges", "threads"), [(1, 1), (3_999_999, 1), (4_000_000, 2), (10**9, 8)])
def test_each_thread_that_races_has_enough_edges(edges, threads):
    assert Setup(1, threads=8).for_edges(edges).threads == threads


@pytest.mark.learning
@pytest.mark.parametrize("threads", [2, 3])
def test_several_threads_are_close_to_one(corpus, networks, small_blocks, threads):
    one, several = (train(networks, JOINT, 30_000, 1, threads=n) for n in (1, threads))
    assert one.samples == several.samples == 30_000
    assert np.isfinite(several.vectors).all()
    assert score_of(corpus, several.vectors) == pytest.approx(score_of(corpus, one.vectors), abs=15)
    assert separation(corpus, several.vectors) == pytest.approx(
        separation(corpus, one.vectors), abs=0.2
    )


def test_any_number_of_threads_trains_the_same_blocks(networks, small_blocks, trained_blocks):
    for threads in (1, 3):
        train(networks, PRETRAIN, 2000, 1, threads=threads)
    half = len(trained_blocks) // 2
    one, three = (
        sorted(map(str, calls)) for calls in (trained_blocks[:half], trained_blocks[half:])
    )
    assert one == three


def test_networks_are_drawn_from_as_often_as_their_weights_say(networks, trained_blocks):
    train(networks, JOINT, 2000, 1, weights={"wl": 2.0})
    assert trained_blocks[-1]["counts"] == [500, 500, 1000]
    train(networks, PRETRAIN, 2000, 1, weights={"wd": 0.0})
    assert [call["counts"] for call in trained_blocks[-2:]] == [[2000, 0, 0], [0, 0, 2000]]


def test_automatic_samples_are_passes_over_the_edges_of_the_phase_with_most(networks):
    most = networks["ww"].n_edges + networks["wd"].n_edges
    assert most > networks["wl"].n_edges
    assert auto_samples(networks, PRETRAIN) == AUTO_PASSES * most


def test_known_words_begin_with_their_vectors(networks):
    """One edge moves few rows, and none far. The others begin as they do without known words."""
    rows = np.array([4, 0, 9])
    given = np.random.default_rng(1).random((3, 16), dtype=np.float32)
    known, cold = (
        train(networks, [("wd",)], 1, 5, known=words).vectors
        for words in (KnownWords(rows, given), None)
    )
    assert np.abs(known[rows] - given).max() < 0.1
    others = np.setdiff1d(np.arange(len(cold)), rows)
    assert np.abs(known[others] - cold[others]).max() < 0.1
    assert np.abs(cold[rows] - given).max() > 0.5


def test_known_words_have_the_length_of_vectors():
    known = KnownWords(np.array([0]), np.zeros((1, 8), np.float32))
    with pytest.raises(PteError, match="dim is 16, but the known vectors have 8 numbers"):
        Setup(1, SMALL, known=known)


def test_no_negatives_train_too(networks):
    settings = Hyperparameters(dim=16, negatives=0)
    vectors, first = (train(networks, JOINT, n, 1, settings).vectors for n in (100, 1))
    assert np.isfinite(vectors).all() and (vectors != first).any()


def test_progress_reaches_the_end_of_all_phases(networks, small_blocks):
    reports = []
    train(networks, PRETRAIN, 1000, 1, progress=lambda done, n: reports.append((done, n)))
    assert reports[-1] == (2000, 2000)
    assert reports == sorted(reports)
    assert (1000, 2000) in reports


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("interrupt", [KeyboardInterrupt, RuntimeError])
def test_an_interrupt_while_progress_is_told_stops_the_threads(
    networks, small_blocks, monkeypatch, interrupt, threads
):
    started = []

    def train_groups(*arguments):
        started.append(arguments)
        time.sleep(0.001)

    def progress(done, whole):
        raise interrupt

    monkeypatch.setattr(edges, "train_groups", train_groups)
    running = threading.active_count()
    with pytest.raises(interrupt):
        train(networks, JOINT, 300 * 20_000, 1, threads=threads, progress=progress)
    assert threading.active_count() == running
    assert 0 < len(started) < 20_000


# Watching


def test_a_watch_is_called_after_whole_blocks_and_at_the_end_of_each_phase(networks, small_blocks):
    trained, calls = watched(networks, PRETRAIN)
    assert [drawn for drawn, _ in calls] == [600, 1000, 1600, 2000]
    assert trained.samples == 2000


@pytest.mark.parametrize("dim", [16, 20])
def test_a_watch_sees_the_vectors_as_they_are_and_may_keep_them(networks, small_blocks, dim):
    """Whether or not the rows of the tables have columns past `dim`."""
    seen = []
    watch = Watch(lambda drawn, vectors: seen.append(vectors), every=300)
    train(networks, JOINT, 900, 1, Hyperparameters(dim=dim), watch=watch)
    assert [vectors.shape for vectors in seen] == 3 * [(networks["ww"].n_targets, dim)]
    assert (seen[0] != seen[1]).any()
    assert (seen[1] != seen[2]).any()


@pytest.mark.parametrize("threads", [1, 2])
def test_a_watch_that_is_true_ends_all_phases(networks, small_blocks, threads):
    trained, calls = watched(networks, PRETRAIN, until=600, threads=threads)
    assert [drawn for drawn, _ in calls] == [600]
    assert trained.samples == 600
    assert (trained.vectors == calls[-1][1]).all()


# Errors


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"phases": []}, "at least one network"),
        ({"phases": [("ww",), ()]}, "at least one network"),
        ({"phases": [("ww",), ("wx",)]}, "no network 'wx'"),
        ({"phases": [("ww", "other")]}, "different numbers of words"),
        ({"samples": 0}, "samples is 0"),
        ({"samples": -5}, "samples is -5"),
        ({"threads": 0}, "threads is 0"),
        ({"seed": -1}, "seed is -1"),
        ({"weights": {"ww": -1.0}}, r"weights are \[-1.0\]"),
        ({"weights": {"wx": 1.0}}, "weights: no network 'wx'"),
    ],
)
def test_what_cannot_be_trained_is_refused(networks, change, message):
    other = Network.from_edges([0], [0], [1.0], n_sources=1, n_targets=1)
    arguments = {"phases": [("ww",)], "samples": 10, "seed": 1} | change
    with pytest.raises(PteError, match=message):
        train(networks | {"other": other}, **arguments)


@pytest.mark.parametrize(
    "setting",
    [
        {"dim": 0},
        {"negatives": -1},
        {"learning_rate": 0.0},
        {"learning_rate": -1.0},
        {"learning_rate": math.nan},
        {"learning_rate": math.inf},
        {"window": 0},
    ],
    ids=str,
)
def test_hyperparameters_that_no_training_could_use_are_refused(setting):
    with pytest.raises(PteError, match=f"{next(iter(setting))} is"):
        Hyperparameters(**setting)


# Threads


@pytest.mark.parametrize("threads", [1, 2, 7])
@pytest.mark.parametrize("n", [0, 200])
def test_threads_run_every_block_once_and_one_thread_in_order(threads, n):
    done = []
    run_blocks(lambda block, thread: done.append(block), iter(range(n)), threads)
    assert (done if threads == 1 else sorted(done)) == list(range(n))


def test_blocks_run_at_the_same_time():
    together = threading.Barrier(2, timeout=60)
    run_blocks(lambda block, thread: together.wait(), range(2), 2)  # one would break the barrier


@pytest.mark.parametrize("threads", [1, 2])
def test_an_exception_in_one_thread_stops_the_others(threads):
    started = []

    def work(block, thread):
        started.append(block)
        time.sleep(0.001)
        if block == 5:
            raise ValueError("in block 5")

    with pytest.raises(ValueError, match="in block 5"):
        run_blocks(work, range(20_000), threads)
    assert len(started) < 20_000 if threads > 1 else started == [0, 1, 2, 3, 4, 5]
