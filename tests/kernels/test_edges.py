"""Edges and negatives are drawn exactly as by the twins, and trained on closely as by them."""

from functools import cache

import naive
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from made import normal_table, stream_of

from pte.core import arrays
from pte.core.draws import (
    TOGETHER,
    Noise,
    alias_by_source,
    draw_further,
    draw_memberships,
    draw_negatives,
    draw_neighbours,
    draw_stored,
    draw_windows,
    token_degrees,
    window_degrees,
)
from pte.core.edges import CHUNK, Copies, Drawn, Embedding, Schedule, edge_shape, train_groups
from pte.core.rng import build_alias

N_WORDS = 6
COUNTS = [0, 1, TOGETHER - 1, TOGETHER, TOGETHER + 1, 300]
DOCUMENTS = [[0, 3, 1, 0, 5, 2, 2], [4], [1, 1], [3, 0, 2]]


def draws_of(draw, count, *arguments, targets=1):
    """What a kernel draws into the middle of some pairs."""
    pairs = np.full((count + 2, 1 + targets), -1, np.int32)
    draw(*arguments, pairs[1:-1])
    assert (pairs[[0, -1]] == -1).all()
    return list(map(tuple, pairs[1:-1].tolist()))


def table_by_length(documents):
    return build_alias(np.array([len(document) for document in documents], float))


# Stored networks


@pytest.mark.parametrize("count", COUNTS)
@pytest.mark.parametrize("undirected", [False, True])
def test_stored_edges_are_drawn_as_by_the_twin(undirected, count):
    random = np.random.default_rng(5)
    ends, table = random.integers(0, 9, (40, 2), np.int32), build_alias(random.random(40))
    found = draws_of(draw_stored, count, ends, table, undirected, np.uint64(naive.stream(1, 0)))
    assert found == naive.draw_stored(ends, table, undirected, naive.stream(1, 0), count)


@pytest.mark.parametrize("count", COUNTS)
@pytest.mark.parametrize("further", [1, 2, 5])
def test_further_targets_are_drawn_as_by_the_twin(further, count):
    random = np.random.default_rng(5)
    edges = [[3, 1, 4], [], [2], [5, 0, 8, 7, 6, 1, 3]]
    weights = [random.random(len(each)) for each in edges]
    bounds = np.cumsum([0] + [len(each) for each in edges])
    targets, table = np.concatenate(edges).astype(np.int32), np.empty(bounds[-1], np.int64)
    alias_by_source(bounds, targets, np.concatenate(weights), table)
    pairs = random.choice([0, 2, 3], (count, 2 + further)).astype(np.int32)
    before = pairs.copy()
    state = naive.stream(1, 0)
    draw_further(bounds, targets, table, np.uint64(state), pairs)
    assert (pairs[:, :2] == before[:, :2]).all()
    tables_of = [build_alias(each) if each.size else None for each in weights]
    sources = pairs[:, 0].tolist()
    expected = naive.draw_further(edges, tables_of, state, sources, further, TOGETHER)
    assert pairs[:, 2:].tolist() == expected


# Token streams


@pytest.mark.parametrize("count", COUNTS)
@pytest.mark.parametrize("targets", [1, 4])
def test_memberships_are_drawn_as_by_the_twin(targets, count):
    sources, table = [7, 0, 7, 2], table_by_length(DOCUMENTS)
    arguments = (*stream_of(DOCUMENTS), np.array(sources, np.int32), table)
    state = naive.stream(2, 0)
    found = draws_of(draw_memberships, count, *arguments, np.uint64(state), targets=targets)
    drawn = naive.draw_memberships(DOCUMENTS, sources, table, state, count, TOGETHER, targets)
    assert found == drawn


@pytest.mark.parametrize("count", COUNTS)
@pytest.mark.parametrize("window", [1, 3, 20])
@pytest.mark.parametrize("targets", [1, 4])
def test_neighbours_are_drawn_as_by_the_twin(targets, window, count):
    table = table_by_length(DOCUMENTS)
    arguments = (*stream_of(DOCUMENTS), table, window)
    state = naive.stream(3, 0)
    found = draws_of(draw_neighbours, count, *arguments, np.uint64(state), targets=targets)
    drawn = naive.draw_neighbours(DOCUMENTS, table, window, state, count, TOGETHER, targets)
    assert found == drawn


LISTS = st.lists(st.lists(st.integers(0, N_WORDS - 1), max_size=9), max_size=6)


@given(LISTS, st.integers(1, 12))
def test_window_degrees_are_the_sums_of_the_counted_pairs(documents, window):
    degrees = np.arange(N_WORDS)
    window_degrees(*stream_of(documents), window, degrees)
    network = naive.word_word(documents, window)
    expected = naive.degrees(network, N_WORDS, N_WORDS)[0]
    assert (degrees - np.arange(N_WORDS)).tolist() == expected.tolist()


@given(LISTS)
def test_token_degrees_are_the_sums_of_the_counted_tokens(documents):
    degrees = np.arange(N_WORDS)
    token_degrees(*stream_of(documents), degrees)
    network = naive.word_document(documents)
    expected = naive.degrees(network, len(documents), N_WORDS)[1]
    assert (degrees - np.arange(N_WORDS)).tolist() == expected.tolist()


# Pairs of Skip-gram


def encoded(documents):
    """Tokens with some before and behind them, and where the documents lie."""
    tokens = [9, 9, 9] + [word for document in documents for word in document] + [9, 9, 9]
    return np.array(tokens, np.int32), 3 + np.cumsum([0] + [len(each) for each in documents])


def windows(documents, window, state, room):
    """All pairs, drawn `room` at a time at most, and the state at the end."""
    tokens, offsets = encoded(documents)
    cursor, pairs, drawn = np.array([0, offsets[0]]), np.full((room, 2), -1, np.int32), []
    while cursor[0] < len(documents):
        n, state = draw_windows(tokens, offsets, window, cursor, np.uint64(state), pairs)
        drawn += map(tuple, pairs[:n].tolist())
    return int(state), drawn


@given(LISTS, st.integers(1, 12), st.integers(0, 2**40), st.sampled_from([0, 1, 100]))
def test_windows_are_drawn_as_by_the_twin(documents, window, seed, more):
    state = naive.stream(seed, 1)
    found = windows(documents, window, state, 2 * window + more)
    assert found == naive.draw_windows(documents, window, state)


# Negatives


@cache
def noise_tables():
    """The noise of three networks over 6 words."""
    random = np.random.default_rng(6)
    return [build_alias(random.random(N_WORDS) ** 2) for _ in range(3)]


def noise():
    bounds = np.cumsum([0] + [table.size for table in noise_tables()])
    return Noise(np.concatenate(noise_tables()), bounds)


@pytest.mark.parametrize("negatives", [0, 1, 2, 5, 6, 20])
def test_negatives_are_drawn_as_by_the_twin(negatives):
    networks = np.random.default_rng(7).integers(0, 3, 40)
    rows = np.full((CHUNK, negatives + 1), -1, np.int32)
    state, n, slots = naive.stream(4, 0), networks.size, tuple(range(negatives + 1))
    alone = networks, np.arange(n)
    end = draw_negatives(noise(), *alone, np.uint64(state), rows, (0,), slots)
    for network, row in zip(networks, rows.tolist(), strict=False):
        state, expected = naive.draw_negatives(noise_tables()[network], negatives, state)
        assert row == [-1, *expected]
    assert int(end) == state
    assert (rows[n:] == -1).all()


# Training


SOURCES = (4, 2, 3)
SHARED = (0, 4, 6)
LINES = (0, 1)  # of a row of 20 numbers


def train(turns, both, draws, shape, schedule, seed):
    """`both` are the tables, `draws` one array a network, `schedule` the first, all, the rate."""
    shared = np.array(SHARED)
    no_copies = Copies(
        shared, np.zeros(3, np.int64), shared + sum(SOURCES), 0, N_WORDS, 0, CHUNK, np.float32(1)
    )
    starts = np.cumsum([0] + [len(each) for each in draws])
    train_groups(
        Embedding(*both),
        Drawn(np.concatenate(draws), starts, np.array(turns)),
        noise(),
        np.uint64(naive.stream(seed, 0)),
        no_copies,
        shape,
        arrays.zeros(1, len(shape.slots)),
        Schedule(*schedule),
    )


def draws_for(turns, first, count, members=1):
    """Edges of each network, or groups with so many targets, as many as it has turns."""
    random = np.random.default_rng(8)
    played = [turns[t % len(turns)] for t in range(first, first + count)]
    return [
        random.integers(0, (sources, *[N_WORDS] * members), (played.count(i), 1 + members)).astype(
            np.int32
        )
        for i, sources in enumerate(SOURCES)
    ]


def networks_of(draws):
    """As the twins of training take them."""
    given = zip(draws, noise_tables(), SHARED, strict=True)
    return [(each.tolist(), table, shared) for each, table, shared in given]


def new_tables():
    return normal_table(sum(SOURCES), 20, 1), normal_table(N_WORDS, 20, 2)


@pytest.mark.parametrize("negatives", [0, 5, 17])
@pytest.mark.parametrize("turns", [[0], [0, 1, 2], [2, 0, 2, 2, 1]], ids=str)
@pytest.mark.parametrize(("first", "count"), [(0, 150), (37, 64), (95, 5), (11, 1)])
def test_training_is_close_to_the_twin(turns, first, count, negatives):
    (source, target), pairs = new_tables(), draws_for(turns, first, count)
    expected_source, expected_target = source.astype(float), target.astype(float)
    schedule = (first, 200, 0.1)
    train(turns, (source, target), pairs, edge_shape(negatives, LINES), schedule, seed=9)
    networks, expected = networks_of(pairs), (expected_source, expected_target)
    naive.train_pairs(expected, networks, turns, negatives, schedule, naive.stream(9, 0))
    np.testing.assert_allclose(source, expected_source, rtol=1e-4, atol=1e-4)
    np.testing.assert_allclose(target, expected_target, rtol=1e-4, atol=1e-4)
