import math
import threading
import time

import naive
import numpy as np
import pytest

from pte.core import tables
from pte.core.alias import build_alias
from pte.core.edges import AHEAD
from pte.corpora.encoded import TEST, TRAIN, UNLABELLED
from pte.errors import PteError
from pte.evaluation.documents import mean_vectors
from pte.evaluation.evaluate import evaluate
from pte.models import bow, network_embedding, random_vectors
from pte.models.hogwild import run_blocks
from pte.models.network_embedding import AUTO_PASSES, Hyperparameters, fit
from pte.networks.bipartite import Network
from pte.networks.build import word_label

SMALL = Hyperparameters(dim=16, negatives=3, rate=0.1)
JOINT = [("ww", "wd", "wl")]
PRETRAIN = [("ww", "wd"), ("wl",)]
SETTING = {"costs": [1.0], "unit_length": [True], "folds": 3, "cv_documents": 1000}


@pytest.fixture
def small_blocks(monkeypatch):
    """Blocks small enough for a short training to have many."""
    monkeypatch.setattr(network_embedding, "BLOCK", 300)


@pytest.fixture
def trained_blocks(monkeypatch):
    """The arguments of every block, in place of the training."""
    calls = []
    names = ("negatives", "first", "count", "total", "start_rate", "seed", "block")
    monkeypatch.setattr(
        network_embedding,
        "train_block",
        lambda *args: calls.append(dict(zip(names, args[-7:], strict=True))),
    )
    return calls


def score_of(corpus, vectors):
    return evaluate(corpus, mean_vectors(corpus.counts, vectors), SETTING, 0)[1]["micro_f1"]


def separation(corpus, vectors):
    """How much closer, in cosine, test documents are within a topic than across topics."""
    test = corpus.documents(TEST)
    means = mean_vectors(corpus.counts, vectors)[test]
    means = means - means.mean(axis=0)
    means /= np.linalg.norm(means, axis=1, keepdims=True)
    same = corpus.labels[test][:, None] == corpus.labels[test]
    cosine = means @ means.T
    return cosine[same & ~np.eye(test.size, dtype=bool)].mean() - cosine[~same].mean()


# Training


def test_one_seed_and_one_thread_give_identical_vectors(networks, small_blocks):
    one, two = (fit(networks, JOINT, 1000, 5, SMALL) for _ in range(2))
    assert one.vectors.dtype == np.float32
    assert one.vectors.shape == (networks["ww"].n_targets, 16)
    assert one.vectors.tobytes() == two.vectors.tobytes()


@pytest.mark.parametrize("phases", [JOINT, PRETRAIN])
def test_training_is_close_to_the_twin(networks, small_blocks, phases):
    """Every network has source vectors of its own, behind those of the networks before it."""
    rng = np.random.default_rng(3)
    rows = np.cumsum([0] + [networks[name].n_sources for name in ("ww", "wd", "wl")])
    target = tables.uniform(networks["ww"].n_targets, 16, rng).astype(float)
    source = tables.uniform(rows[3], 16, rng).astype(float)
    directed = {name: network.directed() for name, network in networks.items()}
    parts = {
        name: (
            np.stack([directed[name].source + row, directed[name].target], axis=1),
            build_alias(directed[name].weight.astype(float)),
            build_alias(directed[name].target_degrees() ** 0.75),
        )
        for name, row in zip(("ww", "wd", "wl"), rows, strict=False)
    }
    for phase, names in enumerate(phases):
        for block in (0, 1):
            naive.train_block(
                *(source, target, [parts[name] for name in names], 3),
                *(300 * block, (300, 100)[block], 400, 0.1, 3, 2 * phase + block, AHEAD),
            )
    vectors = fit(networks, phases, 400, 3, SMALL).vectors
    np.testing.assert_allclose(vectors, target[:, :16], rtol=1e-3, atol=1e-5)


def test_another_seed_gives_other_vectors(networks):
    one, two = (fit(networks, JOINT, 200, seed, SMALL) for seed in (5, 6))
    assert (one.vectors != two.vectors).all()


@pytest.mark.parametrize("name", ["ww", "wd"])
def test_line_separates_the_topics_better_than_random_vectors(corpus, networks, name):
    trained = fit(networks, [(name,)], 10_000, 1, SMALL).vectors
    control = random_vectors.fit(corpus.n_words, 16, 1)
    assert separation(corpus, trained) > separation(corpus, control) + 0.4


def test_joint_training_learns_from_the_labels_and_from_nothing_else(corpus, networks):
    chance = 100 / corpus.n_classes  # the test part has equal classes
    assert score_of(corpus, fit(networks, JOINT, 10_000, 1, SMALL).vectors) > chance + 40
    shuffled = []
    for seed in (0, 1, 2):
        control = corpus.with_shuffled_labels(seed)
        without = networks | {"wl": word_label(control)}
        shuffled.append(score_of(control, fit(without, JOINT, 6000, 1, SMALL).vectors))
    assert np.mean(shuffled) < chance + 25


def test_the_label_network_alone_classifies(corpus, networks):
    vectors = fit(networks, [("wl",)], 5000, 1, SMALL).vectors
    assert score_of(corpus, vectors) > 100 / corpus.n_classes + 40


def test_two_threads_are_close_to_one(corpus, networks, small_blocks):
    one = fit(networks, JOINT, 10_000, 1, SMALL, threads=1)
    two = fit(networks, JOINT, 10_000, 1, SMALL, threads=2)
    assert one.samples == two.samples == 10_000
    assert score_of(corpus, two.vectors) == pytest.approx(score_of(corpus, one.vectors), abs=15)
    assert separation(corpus, two.vectors) == pytest.approx(
        separation(corpus, one.vectors), abs=0.2
    )


def test_any_number_of_threads_trains_the_same_blocks(networks, small_blocks, trained_blocks):
    for threads in (1, 3):
        fit(networks, PRETRAIN, 2000, 1, SMALL, threads)
    half = len(trained_blocks) // 2
    one, three = (
        sorted(map(str, calls)) for calls in (trained_blocks[:half], trained_blocks[half:])
    )
    assert one == three


def test_every_draw_belongs_to_one_block_and_every_block_to_one_stream(
    networks, small_blocks, trained_blocks
):
    fit(networks, PRETRAIN, 1000, 9, SMALL)
    blocks = [call for call in trained_blocks if call["count"]]
    assert [(call["first"], call["count"]) for call in blocks] == 2 * [
        (0, 300),
        (300, 300),
        (600, 300),
        (900, 100),
    ]
    assert [call["block"] for call in blocks] == list(range(8))
    assert {(call["total"], call["seed"], call["negatives"]) for call in blocks} == {(1000, 9, 3)}


def test_automatic_samples_are_passes_over_the_edges_of_each_phase(networks, trained_blocks):
    trained = fit(networks, PRETRAIN, None, 1, SMALL)
    first = AUTO_PASSES * (networks["ww"].n_edges + networks["wd"].n_edges)
    second = AUTO_PASSES * networks["wl"].n_edges
    assert [call["total"] for call in trained_blocks if call["count"]] == [first, second]
    assert trained.samples == first + second


def test_pretraining_goes_on_from_the_vectors_of_the_first_phase(corpus, networks):
    first = fit(networks, PRETRAIN[:1], 1000, 1, SMALL)
    both = fit(networks, PRETRAIN, 1000, 1, SMALL)
    assert both.samples == 2000
    # A word that is only in unlabelled documents is in no edge and no noise of the second phase.
    unlabelled = corpus.words.index(b"rumour")
    moved = (first.vectors != both.vectors).any(axis=1)
    assert not moved[unlabelled]
    assert np.delete(moved, unlabelled).all()


def test_no_negatives_train_too(networks):
    settings = Hyperparameters(dim=16, negatives=0)
    assert np.isfinite(fit(networks, JOINT, 100, 1, settings).vectors).all()


def test_networks_that_no_phase_names_do_not_matter(networks):
    alone = fit({"wl": networks["wl"]}, [("wl",)], 100, 1, SMALL)
    assert (fit(networks, [("wl",)], 100, 1, SMALL).vectors == alone.vectors).all()


def test_progress_reaches_the_end_of_all_phases(networks, small_blocks):
    reports = []
    fit(networks, PRETRAIN, 1000, 1, SMALL, progress=lambda done, n: reports.append((done, n)))
    assert reports[-1] == (8, 8)
    assert reports == sorted(reports)


@pytest.mark.filterwarnings("ignore:invalid value:RuntimeWarning")
def test_a_diverging_training_is_an_error(networks):
    with pytest.raises(PteError, match="diverged at rate"):
        fit(networks, JOINT, 2000, 1, Hyperparameters(dim=16, rate=1e9))


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
    ],
)
def test_what_cannot_be_trained_is_refused(networks, change, message):
    other = Network.from_edges([0], [0], [1.0], n_sources=1, n_targets=1)
    arguments = {"phases": [("ww",)], "samples": 10, "seed": 1} | change
    with pytest.raises(PteError, match=message):
        fit(networks | {"other": other}, **arguments)


@pytest.mark.parametrize(
    "setting",
    [{"dim": 0}, {"negatives": -1}, {"rate": 0.0}, {"rate": -1.0}, {"rate": math.nan}],
    ids=str,
)
def test_hyperparameters_that_no_training_could_use_are_refused(setting):
    with pytest.raises(PteError, match=f"{next(iter(setting))} is"):
        Hyperparameters(**setting)


# Threads


def test_one_thread_runs_the_blocks_in_order():
    done = []
    run_blocks(done.append, 20, 1)
    assert done == list(range(20))


@pytest.mark.parametrize("threads", [2, 7])
def test_several_threads_run_every_block_once(threads):
    done = []
    run_blocks(done.append, 200, threads)
    assert sorted(done) == list(range(200))


def test_blocks_run_at_the_same_time():
    together = threading.Barrier(2, timeout=60)
    run_blocks(lambda block: together.wait(), 2, 2)  # one thread would break the barrier


def test_progress_ends_with_all_blocks():
    reports = []
    run_blocks(lambda block: None, 5, 2, lambda done, blocks: reports.append((done, blocks)))
    assert reports[-1] == (5, 5)


def test_an_exception_in_a_block_is_raised_and_starts_no_further_block():
    started = []

    def work(block):
        started.append(block)
        if block == 3:
            raise ValueError("in block 3")

    with pytest.raises(ValueError, match="in block 3"):
        run_blocks(work, 10, 1)
    assert started == [0, 1, 2, 3]


@pytest.mark.parametrize("interrupt", [KeyboardInterrupt, RuntimeError])
def test_an_interrupt_in_the_caller_stops_every_thread(interrupt):
    started = []

    def work(block):
        started.append(block)
        time.sleep(0.001)

    def progress(done, blocks):
        raise interrupt

    with pytest.raises(interrupt):
        run_blocks(work, 20_000, 2, progress)
    assert 0 < len(started) < 20_000


def test_an_exception_in_one_thread_stops_the_other():
    started = []

    def work(block):
        started.append(block)
        time.sleep(0.001)
        if block == 5:
            raise ValueError

    with pytest.raises(ValueError):
        run_blocks(work, 20_000, 2)
    assert len(started) < 20_000


# Controls and baselines


def test_random_vectors_are_standard_normal_and_seeded():
    vectors = random_vectors.fit(500, 40, seed=1)
    assert (vectors.shape, vectors.dtype) == ((500, 40), np.float32)
    assert vectors.mean() == pytest.approx(0, abs=0.05)
    assert vectors.std() == pytest.approx(1, abs=0.05)
    assert (vectors == random_vectors.fit(500, 40, seed=1)).all()
    assert (vectors != random_vectors.fit(500, 40, seed=2)).any()


def test_bow_rows_have_unit_length_or_no_word(corpus):
    rows = bow.fit(corpus)
    assert (rows.shape, rows.dtype) == ((corpus.n_documents, corpus.n_words), np.float32)
    lengths = np.sqrt((rows.toarray().astype(float) ** 2).sum(axis=1))
    np.testing.assert_allclose(lengths, np.diff(corpus.offsets) > 0, rtol=1e-6)


def test_bow_weights_words_by_their_rarity_in_the_training_documents(corpus):
    documents = np.split(corpus.tokens, corpus.offsets[1:-1])
    train = [set(documents[d].tolist()) for d in corpus.documents(TRAIN)]
    expected = np.zeros((corpus.n_documents, corpus.n_words))
    for row, document in zip(expected, documents, strict=True):
        for word in document:
            holding = sum(word in words for words in train)
            row[word] += math.log((1 + len(train)) / (1 + holding)) + 1
        row /= np.linalg.norm(row) or 1
    np.testing.assert_allclose(bow.fit(corpus).toarray(), expected, rtol=1e-5)


def test_bow_classifies_the_tiny_corpus(corpus):
    labelled = (corpus.split == TRAIN) & (corpus.labels != UNLABELLED)
    assert labelled.sum() < (corpus.split == TRAIN).sum()
    predicted, scores = evaluate(corpus, bow.fit(corpus), SETTING, 0)
    truth = corpus.labels[corpus.documents(TEST)]
    micro, _ = naive.f1_scores(truth, predicted, corpus.n_classes)
    assert scores["micro_f1"] == pytest.approx(micro)
    assert micro > 100 / corpus.n_classes + 40
