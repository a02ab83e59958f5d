import threading

import naive
import numpy as np
import pytest

from pte.core import arrays, barrier, step, synchronous
from pte.core.edges import GroupShape
from pte.core.step import Embedding, Schedule
from pte.core.synchronous import Board, Listed
from pte.errors import PteError
from pte.networks.bipartite import Network
from pte.training.deterministic import owned_leaves
from pte.training.edges import train_edges
from pte.training.setup import Hyperparameters, Setup, Step

TINY = {"dim": 40, "negatives": 2}


def some_network(n_sources, n_words, n_edges, seed):
    rng = np.random.default_rng(seed)
    # Few sources and a few frequent words: many threads want the same rows.
    source = rng.integers(0, n_sources, n_edges)
    target = (n_words * rng.random(n_edges) ** 3).astype(int)
    return Network.from_edges(source, target, rng.random(n_edges) + 0.1, n_sources, n_words)


NETWORKS = {"wl": some_network(2, 30, 80, 1), "wd": some_network(20, 30, 200, 2)}


def train(threads, seed=1, samples=700, **hyperparameters):
    setup = Setup(seed, Hyperparameters(**(TINY | hyperparameters)), threads, deterministic=True)
    return train_edges(NETWORKS, [["wd"], ["wd", "wl"]], samples, setup).vectors


@pytest.mark.parametrize("threads", [3, 8])
@pytest.mark.parametrize(
    "changes",
    [
        {},
        {"dim": 5},
        {"dim": 130},
        {"negatives": 0},
        {"negatives": 20},
        {"step": Step.of("shared")},
        {"step": Step.of("grouped", size=4, negatives=5)},
    ],
    ids=str,
)
def test_the_number_of_threads_does_not_change_a_bit(threads, changes):
    samples = 100 if "step" in changes else 700  # these threads meet after each edge or group
    assert (
        train(threads, samples=samples, **changes) == train(1, samples=samples, **changes)
    ).all()


@pytest.mark.learning
@pytest.mark.parametrize("kind", ["shared", "grouped"])
def test_groups_that_share_negatives_are_trained_one_by_one(kind):
    """So they are as where threads race; together they would move rows of few sources too far."""
    step = Hyperparameters(dim=40, rate=0.05, step=Step.of(kind))
    found, plain = (
        train_edges(NETWORKS, [["wl"]], 20_000, Setup(1, step, 1, deterministic)).vectors
        for deterministic in (True, False)
    )
    np.testing.assert_allclose(found, plain, atol=0.01 * np.abs(plain).max())


def test_it_learns_and_seeds_differ():
    assert (train(1) != train(1, seed=2)).any()
    assert (train(1, samples=700) != train(1, samples=1)).any()


def test_many_blocks_are_trained_by_all_threads(monkeypatch):
    from pte.training import deterministic as model
    from pte.training import draws

    for module in (draws, model):
        monkeypatch.setattr(module, "BLOCK", 70)
    assert (train(3) == train(1)).all()


def test_an_interrupt_stops_all_threads():
    def interrupt(drawn, whole):
        raise KeyboardInterrupt

    setup, before = Setup(1, Hyperparameters(**TINY), 3, True, interrupt), threading.active_count()
    with pytest.raises(KeyboardInterrupt):
        train_edges(NETWORKS, [["wd"]], 1000, setup)
    assert threading.active_count() <= before


def test_divergence_is_reported():
    with pytest.raises(PteError, match="diverged at rate"):
        train(2, rate=1e30)


def test_divergence_in_the_columns_of_one_thread_is_reported(monkeypatch):
    """Threads that wait for another in a kernel cannot be told that it has left."""
    from pte.training import deterministic as model
    from pte.training import draws

    for module in (draws, model):
        monkeypatch.setattr(module, "BLOCK", 70)
    start = model.arrays.by_leaves

    def with_one_infinity(table, lines):
        leaves = start(table, lines)
        leaves[0, :, 0] = np.inf
        return leaves

    monkeypatch.setattr(model.tables, "by_leaves", with_one_infinity)
    with pytest.raises(PteError, match="diverged at rate"):
        train(2)


# One block, against the twin

DIM, EDGES = 70, 300


@pytest.fixture(scope="module", params=[5, 20])
def block(request):
    """Sources, rows and tables; EDGES is more than two batches and no multiple of one.

    A row has the target and as many negatives as one register holds, or more.
    """
    rng = np.random.default_rng(3)
    sources = rng.integers(0, 4, EDGES)
    rows = rng.integers(0, 9, (EDGES, request.param + 1)).astype(np.int32)
    return sources, rows, arrays.uniform(4, DIM, rng), arrays.uniform(9, DIM, rng)


def trained(block, threads):
    sources, rows, source, target = block
    n_slots = rows.shape[1]
    source = arrays.by_leaves(30 * source, synchronous.LEAF_LINES)
    target = arrays.by_leaves(30 * target, synchronous.LEAF_LINES)
    board = Board(
        arrays.zeros(2 * threads * synchronous.BATCH, n_slots),
        np.zeros(threads * barrier.FLAG_STRIDE, np.int64),
    )
    slots, lines = tuple(range(n_slots)), tuple(range(synchronous.LEAF_LINES))

    def work(share):
        synchronous.train_leaves(
            Embedding(source, target),
            Listed(sources, rows),
            share,
            board,
            arrays.zeros(8, n_slots),
            0,
            GroupShape((0,), slots, lines, np.float32(1), 1),
            Schedule(100, 1000, 0.02),
        )

    workers = [threading.Thread(target=work, args=(share,)) for share in owned_leaves(3, threads)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    return [np.concatenate(list(leaves), axis=1)[:, :DIM] for leaves in (source, target)]


@pytest.mark.parametrize("threads", [1, 2, 3])
def test_a_block_is_close_to_the_twin(block, threads):
    sources, rows, source, target = block
    expected = [30 * table[:, :DIM].astype(float) for table in (source, target)]
    rates = [naive.learning_rate(100 + i, 1000, 0.02) for i in range(EDGES)]
    naive.train_in_batches(*expected, sources, rows, rates, synchronous.BATCH)
    for found, table in zip(trained(block, threads), expected, strict=True):
        np.testing.assert_allclose(found, table, rtol=0, atol=2e-5 * np.abs(table).max())


def test_a_batch_of_one_is_a_step(block, monkeypatch):
    """Only the batch distinguishes the twin from plain training."""
    sources, rows, source, target = block
    expected = [30 * table[:, :DIM].astype(float) for table in (source, target)]
    rates = [naive.learning_rate(100 + i, 1000, 0.02) for i in range(EDGES)]
    naive.train_in_batches(*expected, sources, rows, rates, 1)
    found = [30 * table for table in (source, target)]
    aligned = [arrays.zeros(*table.shape) for table in found]
    for table, values in zip(aligned, found, strict=True):
        table[:] = values
    steps = arrays.zeros(1, rows.shape[1])
    for i, rate in enumerate(rates):
        step.negative_sampling_step(
            step.Embedding(*aligned),
            sources[i],
            rows,
            i,
            (np.float32(rate), np.float32(rate)),
            steps,
            tuple(range(rows.shape[1])),
            (0,),
        )
    for table, values in zip(aligned, expected, strict=True):
        np.testing.assert_allclose(table[:, :DIM], values, rtol=0, atol=2e-5 * abs(values).max())


# Who owns what


@pytest.mark.parametrize("leaves", range(1, 10))
def test_every_leaf_has_one_owner_and_enters_the_sum_once(leaves):
    for threads in range(1, leaves + 1):
        owned = owned_leaves(leaves, threads)
        assert [(share.thread, share.threads) for share in owned] == [
            (thread, threads) for thread in range(threads)
        ]
        assert [leaf for share in owned for leaf in range(share.first, share.last)] == list(
            range(leaves)
        )
        # Each leaf is named by its own terms, so that the sum tells in which order it was taken.
        results = []
        for share in owned:
            terms = [str(leaf) for leaf in range(share.first, share.last)]
            results.append(added(terms, share.sums))
        assert added(results, owned[0].joins) == added(
            [str(leaf) for leaf in range(leaves)], owned_leaves(leaves, 1)[0].sums
        )


def added(terms, sums):
    for a, b in sums.tolist():
        terms[a] = f"({terms[a]}+{terms[b]})"
    return terms[0]


def test_two_threads_share_evenly():
    assert [share.last - share.first for share in owned_leaves(4, 2)] == [2, 2]


# Waiting


def test_threads_meet():
    threads, rounds = 3, 50
    flags = np.zeros(threads * barrier.FLAG_STRIDE, np.int64)
    written = np.zeros((rounds, threads), np.int64)
    seen = np.zeros((rounds, threads), np.int64)

    def work(thread):
        for i in range(rounds):
            written[i, thread] = 1
            barrier.meet(flags, thread, threads, i + 1)
            seen[i, thread] = written[i].sum()

    workers = [threading.Thread(target=work, args=(thread,)) for thread in range(threads)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert (seen == threads).all()
