"""Copies of hot rows: where they lie, and that no thread's learning is lost or counted twice."""

import naive
import numpy as np
import pytest
from made import compiled, normal_table
from scipy.stats import chisquare

from pte.core import arrays
from pte.core.draws import Noise
from pte.core.edges import (
    CHUNK,
    Drawn,
    Embedding,
    Schedule,
    edge_shape,
    exchange_edge,
    exchanges,
    take_copies,
    train_groups,
)
from pte.core.rng import build_alias
from pte.training.hot_rows import HotRows

DIM = 20
WHOLE = np.float32(1)
SIZES, N_WORDS = (5, 3, 7), 9

exchange = compiled("trade")


def some_hot(threads):
    """Copies of 2, none and 3 sources of three networks, and of 4 words."""
    return HotRows(SIZES, (2, 0, 3), N_WORDS, 4, threads)


def shared_tables(hot):
    """Both tables, with random numbers in the shared rows and none in the copies."""
    made = []
    for rows, spare in ((sum(SIZES), hot.source_copies), (N_WORDS, hot.word_copies)):
        table = arrays.zeros(rows + spare, DIM)
        table[:rows] = normal_table(rows, DIM, rows)
        made.append(table)
    return made


def copied(places):
    """(shared, own, behind, network) of every source that has a copy, and of every word."""
    sources = [
        (int(shared) + s, int(own) + s, int(places.behind), i)
        for i, (shared, own, n) in enumerate(
            zip(places.shared_sources, places.own_sources, places.hot_sources, strict=True)
        )
        for s in range(n)
    ]
    words = [(w, places.own_words + w, places.hot_words) for w in range(places.hot_words)]
    return sources, words


# Where they lie


def test_nodes_become_rows_of_the_thread():
    places = some_hot(2).copies(1)
    sources, words = copied(places)
    networks = np.array([0, 0, 1, 2, 2, 0])
    nodes = np.array([1, 2, 0, 2, 3, 0])
    rows = np.array([[0, 3, 4], [4, 4, 8], [3, 3, 0], [5, 1, 2], [8, 0, 3], [0, 0, 0]], np.int32)
    named = rows.copy()
    take_copies(places, networks, nodes, rows, 5, (0, 1, 2))
    own = {shared: own for shared, own, *_ in sources}
    assert nodes.tolist() == [own[1], 2, 5, own[10], 11, 0]  # the last edge is past n
    own = {shared: own for shared, own, _ in words}
    assert rows[:5].tolist() == [[own.get(w, w) for w in row] for row in named[:5].tolist()]
    assert (rows[5:] == named[5:]).all()


# Which rows are hot


def hot_of(sources, words, threads=2):
    return HotRows.of([np.array(each, float) for each in sources], np.array(words, float), threads)


def test_one_thread_has_no_copies():
    hot = hot_of([[1, 1], [1]], [1, 2, 3], threads=1)
    assert (hot.source_copies, hot.word_copies) == (0, 0)
    assert copied(hot.copies(0)) == ([], [])


@pytest.mark.parametrize("threads", [2, 16])
def test_only_rows_that_are_touched_often_are_hot(threads):
    """A rare row, such as a document's, must be shared: else each thread learns its own."""
    hot = hot_of([[0.5, 0.01], [0.4, 0.3, 0.2], [0.001] * 1000], [0.9, 0.8, 0.04], threads)
    assert (hot.hot, hot.hot_words) == ((1, 3, 0), 2)


# Exchanging


def exchange_all(hot, both, weight):
    for thread in range(hot.threads):
        for table, rows in zip(both, copied(hot.copies(thread)), strict=True):
            for shared, own, behind, *_ in rows:
                exchange(table, shared, own, own + behind, weight)


def test_an_edge_exchanges_its_copies_as_its_twin_does():
    hot = some_hot(3)
    found = Embedding(*(normal_table(len(table), DIM, 3) for table in shared_tables(hot)))
    expected = [table.astype(float) for table in found]
    places = hot.copies(1)
    rng = np.random.default_rng(2)
    for _ in range(30):
        network, words = int(rng.integers(3)), rng.integers(0, N_WORDS, (1, 4)).astype(np.int32)
        sources = np.array([rng.integers(SIZES[network])])
        take_copies(places, np.array([network]), sources, words, 1, (0, 1, 2, 3))
        exchange_edge(*found, places, network, int(sources[0]), words, 0)
        naive.exchange_edge(expected, places, network, int(sources[0]), words[0].tolist())
    for table, other in zip(found, expected, strict=True):
        np.testing.assert_allclose(table, other, rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize("threads", [1, 2, 5])
def test_shared_rows_gain_the_weighted_sum_of_what_the_threads_learnt(threads):
    hot = some_hot(threads)
    both = shared_tables(hot)
    expected = [table.astype(float) for table in both]
    hot.start(*both)
    for thread in range(threads):
        for table, wanted, rows in zip(both, expected, copied(hot.copies(thread)), strict=True):
            for shared, own, *_ in rows:
                learnt = np.random.default_rng([thread, own]).standard_normal(table.shape[1])
                table[own] += learnt.astype(np.float32)
                wanted[shared] += learnt / np.sqrt(threads)
    hot.gather(*both)
    for table, wanted, rows in zip(both, expected, (sum(SIZES), N_WORDS), strict=True):
        np.testing.assert_allclose(table[:rows], wanted[:rows], rtol=1e-5, atol=1e-5)


# Training with copies


def train(hot, turns, count, seed=0):
    """Both tables after the last of the threads has trained alone, and is not yet gathered.

    What it learns counts in full.
    """
    source, target = shared_tables(hot)
    hot.start(source, target)
    random = np.random.default_rng(seed)
    played = [turns[t % len(turns)] for t in range(count)]
    pairs = [
        random.integers(0, (size, N_WORDS), (played.count(i), 2)).astype(np.int32)
        for i, size in enumerate(SIZES)
    ]
    noise = build_alias(np.ones(N_WORDS))
    starts = np.cumsum([0] + [len(each) for each in pairs])
    train_groups(
        Embedding(source, target),
        Drawn(np.concatenate(pairs), starts, np.array(turns)),
        Noise(np.tile(noise, 3), N_WORDS * np.arange(4)),
        np.uint64(seed),
        hot.copies(hot.threads - 1)._replace(weight=WHOLE),
        edge_shape(2, tuple(range(source.shape[1] // arrays.LANES))),
        arrays.zeros(1, 3),
        Schedule(0, count, 0.01),
    )
    return source, target


@pytest.mark.parametrize("threads", [2, 3, 64])
def test_a_thread_alone_learns_with_copies_what_it_learns_without(threads):
    hot = some_hot(threads)
    both = train(hot, [0, 1, 2], 400)
    exchange_all(hot, both, WHOLE)
    expected = train(HotRows(SIZES, (0, 0, 0), N_WORDS, 0, 1), [0, 1, 2], 400)
    for table, wanted in zip(both, expected, strict=True):
        np.testing.assert_allclose(table[: len(wanted)], wanted, rtol=1e-4, atol=1e-4)


@pytest.mark.parametrize("threads", [2, 16])
@pytest.mark.parametrize("turns", [[0, 2], [2, 0], [0, 2, 1], [0, 0, 0, 2]], ids=str)
def test_every_networks_hot_sources_are_exchanged_while_training(turns, threads):
    """However the turns and the chunks fall together."""
    hot = some_hot(threads)
    source, target = train(hot, turns, 200 * CHUNK)
    start_source, start_target = shared_tables(hot)
    moved = (source != start_source).any(axis=1)
    assert moved[[0, 1, 8, 9, 10]].all()
    assert (target != start_target)[:4].any(axis=1).all()


@pytest.mark.parametrize(("t", "rate"), [(0, 1.0), (3000, 0.7), (9900, 0.01), (10_000, 1e-4)])
def test_rows_are_exchanged_as_often_as_the_rate_makes_them_move(t, rate):
    places = some_hot(2).copies(0)
    _, period = exchanges(places, t, 10_000)
    assert period == pytest.approx(places.period / rate, abs=1, rel=1e-5)


def test_the_first_exchange_among_draws_is_any_of_a_period_equally_often():
    places = some_hot(4).copies(0)
    n = 10_000 * places.period
    firsts = [exchanges(places, t, 10**12)[0] for t in range(0, n, places.period)]
    counts = np.bincount(firsts, minlength=places.period)
    assert chisquare(counts).pvalue > 1e-4


def taking_turns(threads, piece, total):
    """The shared words after `threads` have trained in turns of `piece` draws of labels."""
    random = np.random.default_rng(1)
    often = 1 / (np.arange(400) + 3.0)
    topics = [random.permutation(often) * often for _ in range(2)]
    labels = random.integers(0, 2, total)
    pairs = np.empty((total, 2), np.int32)
    pairs[:, 0] = labels
    for label, topic in enumerate(topics):
        mine = labels == label
        pairs[mine, 1] = random.choice(often.size, mine.sum(), p=topic / topic.sum())
    noise = often**0.75 / (often**0.75).sum()
    words = np.mean([topic / topic.sum() for topic in topics], axis=0) + 5 * noise
    hot = HotRows.of([np.full(2, 0.5)], words, threads)
    source = arrays.uniform(2, DIM, random, hot.source_copies)
    target = arrays.uniform(often.size, DIM, random, hot.word_copies)
    hot.start(source, target)
    places = [hot.copies(thread) for thread in range(threads)]
    negatives = Noise(build_alias(noise), np.array([0, noise.size]))
    for number, first in enumerate(range(0, total, piece)):
        some = pairs[first : first + piece]
        train_groups(
            Embedding(source, target),
            Drawn(some, np.array([0, len(some)]), np.array([0])),
            negatives,
            np.uint64(first),
            places[number % threads],
            edge_shape(5, tuple(range(source.shape[1] // arrays.LANES))),
            arrays.zeros(1, 6),
            Schedule(first, total, 0.025),
        )
    hot.gather(source, target)
    return target[: often.size]


@pytest.mark.learning
@pytest.mark.parametrize(
    ("threads", "piece", "cosine"),
    [(2, 2, 0.99), (4, CHUNK, 0.99), (8, CHUNK, 0.98), (16, CHUNK, 0.98)],
)
def test_threads_that_take_turns_learn_what_one_thread_learns(threads, piece, cosine):
    """Where what threads learn adds up, or is exchanged only after a chunk, rows become too long:
    a fifth with eight threads, and without end with sixteen.
    """
    one, many = (taking_turns(n, piece, 20_000 * threads) for n in (1, threads))
    lengths, wanted = (np.linalg.norm(table, axis=1) for table in (many, one))
    np.testing.assert_allclose(np.median(lengths / wanted), 1, atol=0.04)
    assert np.median((many * one).sum(axis=1) / lengths / wanted) > cosine
