"""Groups of edges are trained as by the twin, and by the gradient of their objective."""

import naive
import numpy as np
import pytest
from made import normal_table
from test_edges import LINES, draws_for, networks_of, new_tables, train
from test_gradient import TOLERANCE, numerical_gradient

from pte.core import arrays
from pte.core.edges import CHUNK, Embedding, GroupShape, negative_sampling_step
from pte.errors import PteError
from pte.networks.bipartite import Network
from pte.training.edges import train_edges
from pte.training.setup import Hyperparameters, Setup, Step


@pytest.mark.parametrize("sizes", [(1, 5, 5, 1), (1, 8, 5, 8), (8, 8, 5, 1), (3, 1, 2, 1)], ids=str)
@pytest.mark.parametrize("turns", [[0], [0, 1, 2], [2, 0, 2, 2, 1]], ids=str)
@pytest.mark.parametrize(("first", "count"), [(0, 150), (37, 64), (11, 1)])
def test_training_is_close_to_the_twin(turns, first, count, sizes):
    members, negatives, k, share = sizes
    (source, target), groups = new_tables(), draws_for(turns, first, count, members)
    expected = source.astype(float), target.astype(float)
    slots, weight = tuple(range(members + negatives)), np.float32(k * members / negatives)
    shape = GroupShape(tuple(range(members)), slots, LINES, weight, share)
    networks, schedule = networks_of(groups), (first, 200, 0.05)
    train(turns, (source, target), groups, shape, schedule, seed=9)
    naive.train_groups(expected, networks, turns, sizes, schedule, naive.stream(9, 0), CHUNK)
    np.testing.assert_allclose(source, expected[0], rtol=1e-3, atol=1e-3)
    np.testing.assert_allclose(target, expected[1], rtol=1e-3, atol=1e-3)
    assert not source[:, 20:].any()


# The step


DIM, WEIGHT, MEMBERS = 20, 1.5, 3
ROWS = [3, 0, 5, 1, 7, 5]  # three positives, three negatives, of which one is a positive


def objective(u, words):
    """The last negative equals one of three positives, so it counts two thirds."""
    signs, weights = np.repeat([1, -1], 3), np.array([1, 1, 1, WEIGHT, WEIGHT, WEIGHT * 2 / 3])
    return -(weights * np.logaddexp(0, -signs * (words @ u))).sum()


@pytest.fixture(scope="module")
def moves():
    """u, the listed rows, and how a step at a small rate moves them, as a multiple of the rate."""
    rate = 1e-3
    source, target = normal_table(2, DIM, 3), normal_table(8, DIM, 4)
    source[:, :DIM] *= 0.5
    target[:, :DIM] *= 0.5
    target[5] = 0  # listed twice: it moves u by nothing, and its own moves add up
    u, words = source[1, :DIM].astype(float), target[ROWS, :DIM].astype(float)
    both, lists = Embedding(source, target), np.array([ROWS], np.int32)
    scratch = arrays.zeros(1, len(ROWS))
    slots, members = tuple(range(len(ROWS))), tuple(range(MEMBERS))
    rates = (np.float32(rate), np.float32(rate * WEIGHT))
    negative_sampling_step(both, 1, lists, 0, rates, scratch, slots, members)
    return u, words, (source[1, :DIM] - u) / rate, (target[ROWS, :DIM] - words) / rate


def test_a_step_follows_the_gradient_of_the_source(moves):
    u, words, moved, _ = moves
    expected = numerical_gradient(lambda u: objective(u, words), u)
    # the rate of 1e-3 costs three of float32's seven digits; the row listed twice moves u a second
    # time by what it moved itself, which is of the order of the rate
    assert np.abs(moved - expected).max() < 2e3 * TOLERANCE * np.abs(expected).max()


def test_a_step_follows_the_gradient_of_each_target(moves):
    u, words, _, moved = moves
    expected = numerical_gradient(lambda words: objective(u, words), words)
    expected[2] = expected[5] = expected[2] + expected[5]  # one row
    assert np.abs(moved - expected).max() < 2e2 * TOLERANCE * np.abs(expected).max()


# Trainings


def trained(kind, threads=1, **others):
    setup = Setup(1, Hyperparameters(16, step=Step.of(kind, **others)), threads)
    return train_edges({"wd": NETWORK}, [["wd"]], 3000, setup)


NETWORK = Network.from_edges([0, 0, 1, 1, 2], [0, 1, 2, 3, 4], [1, 2, 3, 4, 5], 3, 5)


def test_a_group_of_one_with_negatives_of_its_own_is_an_edge():
    one = trained("grouped", size=1, negatives=5, share=1)
    assert (one.vectors == trained("edge").vectors).all()
    assert (one.vectors != trained("shared").vectors).any()


def test_samples_count_edges_in_whole_groups():
    assert trained("edge").samples == trained("shared").samples == 3000
    assert trained("grouped", size=7).samples == 3003


def test_seeds_of_groups_repeat_themselves(monkeypatch):
    monkeypatch.setattr("pte.training.setup.EDGES_OF_THREAD", 1)
    assert (trained("grouped").vectors == trained("grouped").vectors).all()
    assert trained("grouped", threads=2).samples == 3000


def test_what_cannot_be_is_refused():
    with pytest.raises(PteError, match=r"step\.kind is 'pair'; it must be one of edge, shared, gr"):
        Step.of("pair")
    for name in ("size", "negatives", "share"):
        with pytest.raises(PteError, match=rf"step\.{name} is 0; it must be between 1"):
            Step.of("grouped", **{name: 0})
    with pytest.raises(PteError, match=r"step\.size is 3, but only groups have a size"):
        Step.of("shared", size=3)
