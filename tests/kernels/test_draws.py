"""Whose turn it is, and which edges are drawn."""

import math

import naive
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pte.errors import PteError
from pte.networks.sampling import StoredEdges
from pte.training.edges import Draws, EdgeBlock, Turns
from pte.training.setup import NOISE_POWER, Setup

WEIGHTS = st.lists(st.sampled_from([0.0, 0.5, 1.0, 2.0, 7.3]), min_size=1, max_size=5).filter(any)

# Turns


@pytest.mark.parametrize("n", [1, 2, 3, 7])
def test_networks_of_equal_weights_take_turns_in_their_order(n):
    assert Turns([0.3] * n).cycle.tolist() == list(range(n))


def test_a_network_of_weight_zero_has_no_turn():
    assert Turns([2.0, 0.0, 2.0]).cycle.tolist() == [0, 2]
    assert 1 not in Turns([2.0, 0.0, 3.0]).cycle


@given(WEIGHTS)
def test_turns_are_taken_by_weight_to_a_ten_thousandth(weights):
    turns = Turns(weights)
    shares = np.array(weights) / sum(weights)
    assert np.abs(turns.shares - shares).max() <= 1e-4
    assert turns.shares.tolist() == [
        turns.cycle.tolist().count(i) / turns.cycle.size for i in range(len(weights))
    ]


@given(WEIGHTS)
def test_turns_are_spread_evenly(weights):
    """No network is ever a whole cycle of all of them ahead of its share, or behind."""
    cycle, shares = Turns(weights).cycle, np.array(weights) / sum(weights)
    taken = np.cumsum(cycle[:, None] == np.arange(len(weights)), axis=0)
    due = shares * np.arange(1, cycle.size + 1)[:, None]
    assert np.abs(taken - due).max() < len(weights)


@given(WEIGHTS, st.integers(0, 10**12), st.integers(0, 3000))
def test_starts_are_what_counting_the_turns_gives(weights, first, count):
    turns = Turns(weights)
    cycle = turns.cycle.tolist()
    taken = [cycle[t % len(cycle)] for t in range(first, first + count)]
    counts = [taken.count(i) for i in range(len(weights))]
    assert turns.starts(first, count).tolist() == np.cumsum([0, *counts]).tolist()


@pytest.mark.parametrize(
    "weights", [[-1.0, 2.0], [0.0, 0.0], [math.nan, 1.0], [math.inf], [1e308] * 3, [], [1, 1e-5]]
)
def test_weights_that_give_no_turns_are_refused(weights):
    with pytest.raises(PteError, match=r"weights are \["):
        Turns(weights)


# Draws


@pytest.fixture(scope="module")
def samplers(networks):
    return [StoredEdges(networks[name]) for name in ("ww", "wd", "wl")]


def drawn(draws, block):
    pairs = np.full((block.count, 2), -1, np.int32)
    return draws.pairs(block, pairs).tolist(), pairs


def test_each_network_draws_as_often_as_it_has_turns_from_a_stream_of_its_own(samplers):
    turns = Turns([1, 1, 2])
    starts, pairs = drawn(Draws(samplers, Setup(5)), EdgeBlock(turns, 10_000, 300, 101, number=7))
    assert starts == turns.starts(300, 101).tolist()
    for i, sampler in enumerate(samplers):
        expected = np.empty((starts[i + 1] - starts[i], 2), np.int32)
        sampler.draw(np.uint64(naive.stream(5, 4 * 7 + i)), expected)
        assert expected.size
        assert (pairs[starts[i] : starts[i + 1]] == expected).all()


def test_the_noise_of_each_network_is_that_of_its_words(samplers):
    noise = Draws(samplers, Setup(0)).noise
    for i, sampler in enumerate(samplers):
        table = noise.table[noise.bounds[i] : noise.bounds[i + 1]]
        expected = sampler.target_degrees() ** NOISE_POWER
        np.testing.assert_allclose(
            naive.encoded_distribution(table), expected / expected.sum(), rtol=0, atol=1e-8
        )
    assert noise.bounds[-1] == noise.table.size


def test_touches_are_how_often_an_edge_has_a_node(samplers):
    """In two phases: the first of the first two networks, the second of the third."""
    negatives = 3
    phases = [Turns([1, 1, 0]), Turns([0, 0, 1])]
    sources, words = Draws(samplers, Setup(0)).touches(phases, negatives)
    expected_words = np.zeros(samplers[0].n_targets)
    for share, sampler, found in zip((0.25, 0.25, 0.5), samplers, sources, strict=True):
        degrees = sampler.source_degrees()
        np.testing.assert_allclose(found, share * degrees / degrees.sum())
        degrees = sampler.target_degrees()
        expected_words += share * degrees / degrees.sum()
        expected_words += share * negatives * degrees**0.75 / (degrees**0.75).sum()
    np.testing.assert_allclose(words, expected_words)
    assert words.sum() == pytest.approx(1 + negatives)
