"""Drawn frequencies against probabilities: χ² tests with fixed seeds."""

import naive
import numpy as np
import pytest
from scipy.stats import chisquare

from pte.core import alias, edges, rng

DRAWS = 20_000
LEVEL = 1e-4


def p_value(drawn, probabilities):
    """The χ² test of drawn indices; impossible ones must not occur."""
    probabilities = np.asarray(probabilities) / np.sum(probabilities)
    observed = np.bincount(drawn, minlength=probabilities.size)
    possible = probabilities > 0
    assert not observed[~possible].any()
    return chisquare(observed[possible], observed.sum() * probabilities[possible]).pvalue


def alias_draws(weights, seed):
    table = alias.build_alias(np.array(weights, float))
    return [int(alias.draw(bits, table)) for bits in naive.random_bits(seed, DRAWS)]


@pytest.mark.parametrize(
    "weights",
    [[1, 1, 1, 1, 1], [1, 2, 4, 8, 16, 32, 64], [1000, 1, 30, 0, 200], [0, 0, 3, 1]],
    ids=["uniform", "powers", "skewed", "zeros"],
)
def test_alias_draws_follow_the_weights(weights):
    assert p_value(alias_draws(weights, seed=1), weights) > LEVEL


def test_alias_draws_follow_a_power_law():
    weights = 1 / np.arange(1, 200)
    assert p_value(alias_draws(weights, seed=2), weights) > LEVEL


def test_the_test_rejects_a_wrong_distribution():
    drawn = alias_draws([10, 10, 10, 11], seed=3)
    assert p_value(drawn, [10, 10, 10, 11]) > LEVEL
    assert p_value(drawn, [10, 10, 10, 13]) < LEVEL


def test_edges_are_drawn_by_weight():
    weights = np.array([5.0, 1.0, 0.5, 12.0, 3.0, 1.0])
    ends = np.array([[0, 2], [0, 1], [3, 0], [1, 1], [2, 2], [3, 3]], np.int32)
    edge_of = {tuple(pair): i for i, pair in enumerate(ends.tolist())}
    table, state, drawn = alias.build_alias(weights), naive.stream(4, 0), []
    for _ in range(DRAWS):
        state, source, target = edges.draw_edge(np.uint64(state), ends, table)
        drawn.append(edge_of[int(source), int(target)])
    assert p_value(drawn, weights) > LEVEL


@pytest.fixture(scope="module")
def drawn_negatives():
    """Words drawn as negatives of the positive word 2, as the training sets its noise up."""
    from pte.models.network_embedding import _Plan
    from pte.networks.bipartite import Network

    degrees = np.array([3.0, 50.0, 20.0, 1.0, 0.0, 7.0])
    linked = np.flatnonzero(degrees)
    network = Network.from_edges(np.zeros(linked.size), linked, degrees[linked], 1, degrees.size)
    noise = _Plan.of([(network, 0)]).noise_table
    state, drawn = naive.stream(5, 0), []
    rows = np.full(6, 2)
    for _ in range(DRAWS // 5):
        state, n = edges.draw_negatives(np.uint64(state), noise, 5, rows)
        drawn.extend(rows[1:n].tolist())
    return degrees, drawn


def test_negatives_are_drawn_by_degree_to_the_three_quarters_without_the_positive(drawn_negatives):
    degrees, drawn = drawn_negatives
    expected = degrees**0.75
    expected[2] = 0
    assert p_value(drawn, expected) > LEVEL


def test_negatives_are_not_drawn_by_degree(drawn_negatives):
    degrees, drawn = drawn_negatives
    expected = degrees.copy()
    expected[2] = 0
    assert p_value(drawn, expected) < LEVEL


def units(seed, block, n):
    state, numbers = rng.stream(seed, block), []
    for _ in range(n):
        state, bits = rng.next_random(np.uint64(state))
        numbers.append(rng.unit(np.uint64(bits)))
    return np.array(numbers)


def test_random_numbers_are_uniform():
    numbers = units(6, 0, DRAWS)
    assert p_value((numbers * 100).astype(int), np.ones(100)) > LEVEL


def test_successive_random_numbers_are_uniform_in_the_square():
    cells = (units(7, 0, DRAWS) * 10).astype(int)
    assert p_value(cells[::2] * 10 + cells[1::2], np.ones(100)) > LEVEL


def test_first_numbers_of_successive_streams_are_uniform():
    numbers = np.array([units(8, block, 1)[0] for block in range(DRAWS // 2)])
    assert np.unique(numbers).size == numbers.size
    assert p_value((numbers * 50).astype(int), np.ones(50)) > LEVEL


@pytest.mark.parametrize("other", [(9, 1), (10, 0)], ids=["next block", "next seed"])
def test_two_streams_are_uniform_in_the_square(other):
    cells = [(units(*which, DRAWS // 2) * 10).astype(int) for which in ((9, 0), other)]
    assert p_value(cells[0] * 10 + cells[1], np.ones(100)) > LEVEL
