"""Drawn frequencies against probabilities: χ² tests with fixed seeds."""

from dataclasses import replace

import naive
import numpy as np
import pytest
from made import corpus_of, drawn
from scipy.stats import chisquare

from pte.core import rng
from pte.core.draws import draw_negatives
from pte.corpora.encoded import TRAIN
from pte.networks import kinds, named
from pte.networks.bipartite import Network
from pte.networks.sampling import StoredEdges
from pte.training.edges import Draws, EdgeBlock, Turns
from pte.training.setup import Setup

DRAWS = 20_000
GROUPS = 4_000  # groups take longer than edges without the compiler, and have three edges each
LEVEL = 1e-4


def p_value(drawn, probabilities):
    """The χ² test of drawn indices; 0 if one was impossible."""
    probabilities = np.asarray(probabilities) / np.sum(probabilities)
    observed = np.bincount(drawn, minlength=probabilities.size)
    possible = probabilities > 0
    if observed.size > possible.size or observed[~possible].any():
        return 0.0
    return chisquare(observed[possible], observed.sum() * probabilities[possible]).pvalue


def alias_draws(weights, seed):
    table = rng.build_alias(np.array(weights, float))
    return [int(drawn(bits, table)) for bits in naive.random_bits(seed, DRAWS)]


@pytest.mark.parametrize(
    "weights",
    [
        [1, 1, 1, 1, 1],
        [1, 2, 4, 8, 16, 32, 64],
        [1000, 1, 30, 0, 200],
        [0, 0, 3, 1],
        1 / np.arange(1, 200),
    ],
    ids=["uniform", "powers", "skewed", "zeros", "power law"],
)
def test_alias_draws_follow_the_weights(weights):
    assert p_value(alias_draws(weights, seed=1), weights) > LEVEL


def test_the_test_rejects_a_wrong_distribution():
    drawn = alias_draws([10, 10, 10, 11], seed=3)
    assert p_value(drawn, [10, 10, 10, 11]) > LEVEL
    assert p_value(drawn, [10, 10, 10, 13]) < LEVEL


# Edges


def edges_p_value(sampler, network, seed):
    """The χ² test of the sampler's edges against the directed edges of a network."""
    pairs = np.empty((DRAWS, 2), np.int32)
    sampler.draw(np.uint64(naive.stream(seed, 0)), pairs)
    probabilities = np.zeros((network.n_sources, network.n_targets))
    for source, target, weight in zip(network.source, network.target, network.weight, strict=True):
        probabilities[source, target] += weight
        if network.undirected:
            probabilities[target, source] += weight
    drawn = pairs[:, 0].astype(int) * network.n_targets + pairs[:, 1]
    return p_value(drawn, probabilities.ravel())


def stored_network(undirected):
    """A loop weighs as much as an edge, of which each direction has half."""
    source, target = np.array([[0, 2], [0, 1], [0, 3], [1, 1], [2, 2], [3, 3]], np.int32).T
    weight = np.array([5.0, 1.0, 0.5, 12.0, 3.0, 1.0], np.float32)
    return Network(source, target, weight, 4, 4, undirected)


@pytest.mark.parametrize("undirected", [False, True])
def test_stored_edges_are_drawn_by_weight(undirected):
    network = stored_network(undirected)
    assert edges_p_value(StoredEdges(network), network, seed=4) > LEVEL


def test_edges_of_an_undirected_network_are_not_drawn_in_one_direction():
    drawn = StoredEdges(stored_network(undirected=False))
    assert edges_p_value(drawn, stored_network(undirected=True), seed=4) < LEVEL


@pytest.fixture(scope="module")
def borders():
    """Documents without, with one and with two tokens, whose borders no word is on both sides of.

    Test documents have words and pairs of words that the training documents have, too.
    """
    training = [
        ("", "x"),
        ("a b a c a a d b", "x"),
        ("e", "y"),
        ("f g", None),
        ("", None),
        ("b c b", "y"),
        ("h h e h", None),
        ("d", "x"),
        ("g f f e h e", "z"),
        ("", "z"),
    ]
    made = [(text.encode().split(), label) for text, label in training]
    return corpus_of(made, held_out=[[b"a", b"b", b"g"], [], [b"h", b"f", b"a"]])


WINDOW = 3


def stream(name, corpus, window=WINDOW):
    return named.streams(corpus, [name], window)[name]


@pytest.mark.parametrize("seed", [5, 6])
@pytest.mark.parametrize("name", ["ww", "wd", "wl"])
@pytest.mark.parametrize("source", ["borders", "corpus"])
def test_the_token_stream_has_the_distribution_of_the_stored_network(request, source, name, seed):
    corpus = request.getfixturevalue(source)
    stored = named.build(name, corpus, WINDOW)
    assert edges_p_value(stream(name, corpus), stored, seed) > LEVEL


@pytest.fixture
def spans_and_groups(borders, monkeypatch):
    """Spans of two tokens, and three groups; every fourth document is in none."""
    monkeypatch.setattr(kinds, "SPAN", 2)
    groups = np.arange(borders.n_documents, dtype=np.int32) % 4 - 1
    return replace(borders, groups=groups)


@pytest.mark.parametrize("name", ["ws", "wg"])
def test_streams_of_spans_and_groups_have_the_distribution_of_their_networks(
    spans_and_groups, name
):
    stored = named.build(name, spans_and_groups, None)
    assert edges_p_value(stream(name, spans_and_groups), stored, seed=5) > LEVEL
    wrong = replace(spans_and_groups, split=np.full_like(spans_and_groups.split, TRAIN))
    assert edges_p_value(stream(name, wrong), stored, seed=5) < LEVEL


@pytest.fixture(scope="module")
def several():
    """Documents with up to three labels."""
    labels = [("x", "y"), ("z",), None, ("y",), ("x", "y", "z"), ("z", "x")]
    texts = ["a b a c", "e", "f g", "b c b a", "h h e", "g f f e h e a"]
    made = [(text.encode().split(), label) for text, label in zip(texts, labels, strict=True)]
    return corpus_of(made, held_out=[[b"a", b"b"]])


@pytest.mark.parametrize("seed", [5, 6])
def test_the_token_stream_draws_every_label_of_a_document(several, seed):
    stored = named.build("wl", several, None)
    assert edges_p_value(stream("wl", several), stored, seed) > LEVEL
    firsts = stream("wl", replace(several, memberships=None))
    assert edges_p_value(firsts, stored, seed) < LEVEL


@pytest.mark.parametrize("name", ["ww", "wd", "wl"])
def test_the_token_stream_of_other_documents_is_rejected(borders, name):
    """Test documents are trained on."""
    stored = named.build(name, borders, WINDOW)
    wrong = replace(borders, split=np.full_like(borders.split, TRAIN))
    assert edges_p_value(stream(name, wrong), stored, seed=5) < LEVEL


@pytest.mark.parametrize("window", [WINDOW - 1, WINDOW + 1])
def test_the_token_stream_of_another_window_is_rejected(borders, window):
    stored = named.build("ww", borders, WINDOW)
    wrong = stream("ww", borders, window)
    assert edges_p_value(wrong, stored, seed=5) < LEVEL


def test_a_token_stream_across_the_borders_of_documents_is_rejected(borders):
    training = borders.of_documents(borders.split == TRAIN).tokens
    one = {"offsets": np.array([0, training.size]), "labels": np.zeros(1, np.int32)}
    wrong = replace(borders, tokens=training, split=np.zeros(1, np.uint8), **one)
    stored = named.build("ww", borders, WINDOW)
    assert edges_p_value(stream("ww", wrong), stored, seed=5) < LEVEL


# Groups


def group_p_values(sampler, network, seed, members=3):
    """The χ² test of the edges to each target of drawn groups."""
    groups = np.full((GROUPS, 1 + members), -1, np.int32)
    Draws([sampler], Setup(seed), members).pairs(
        EdgeBlock(Turns([1]), GROUPS, 0, GROUPS, 0), groups
    )
    probabilities = np.zeros((network.n_sources, network.n_targets))
    directed = network.directed()
    probabilities[directed.source, directed.target] = directed.weight
    firsts = groups[:, 0].astype(int) * network.n_targets
    return [p_value(firsts + groups[:, k], probabilities.ravel()) for k in range(1, 1 + members)]


@pytest.mark.parametrize("undirected", [False, True])
def test_each_edge_of_a_stored_group_is_drawn_by_weight(undirected):
    network = stored_network(undirected)
    assert min(group_p_values(StoredEdges(network), network, seed=6)) > LEVEL


@pytest.mark.parametrize("name", ["ww", "wd", "wl"])
@pytest.mark.parametrize("source", ["borders", "corpus"])
def test_each_edge_of_a_streamed_group_is_drawn_by_weight(request, source, name):
    corpus = request.getfixturevalue(source)
    stored = named.build(name, corpus, WINDOW)
    assert min(group_p_values(stream(name, corpus), stored, seed=7)) > LEVEL


@pytest.mark.parametrize("name", ["ww", "wd", "wl"])
def test_groups_of_other_documents_are_rejected(borders, name):
    stored = named.build(name, borders, WINDOW)
    wrong = replace(borders, split=np.full_like(borders.split, TRAIN))
    assert max(group_p_values(stream(name, wrong), stored, seed=7)) < LEVEL


def test_targets_of_a_streamed_group_are_different_places(borders):
    """So no group has a word more often than the text around its source has it."""
    groups = np.empty((GROUPS, 4), np.int32)
    Draws([stream("wd", borders)], Setup(3), members=3).pairs(
        EdgeBlock(Turns([1]), GROUPS, 0, GROUPS, 0), groups
    )
    rows = groups[np.diff(borders.offsets)[groups[:, 0]] >= 3][:200].tolist()
    assert len(rows) > 50
    for d, *words in rows:
        text = borders.tokens[borders.offsets[d] : borders.offsets[d + 1]].tolist()
        assert all(words.count(word) <= text.count(word) for word in words)


# Negatives


@pytest.fixture(scope="module")
def drawn_negatives():
    """Degrees in the second of two networks, and pairs of its negatives in one random number."""
    degrees = np.array([3.0, 50.0, 20.0, 1.0, 0.0, 7.0])
    linked = np.flatnonzero(degrees)
    networks = [
        Network.from_edges(np.zeros(linked.size), linked, weights, 1, degrees.size)
        for weights in (np.ones(linked.size), degrees[linked])
    ]
    draws = Draws([StoredEdges(network) for network in networks], Setup(0))
    rows = np.empty((DRAWS // 2, 3), np.int32)
    second = np.ones(len(rows), np.int64)
    state = np.uint64(naive.stream(5, 0))
    draw_negatives(draws.noise, second, np.arange(len(rows)), state, rows, (0,), (0, 1, 2))
    return degrees, rows[:, 1:].astype(int)


def test_negatives_are_drawn_by_degree_to_the_three_quarters(drawn_negatives):
    degrees, drawn = drawn_negatives
    assert p_value(drawn.ravel(), degrees**0.75) > LEVEL
    assert p_value(drawn.ravel(), degrees) < LEVEL


def test_the_two_negatives_of_one_random_number_are_independent(drawn_negatives):
    degrees, drawn = drawn_negatives
    noise = degrees**0.75
    together = drawn[:, 0] * noise.size + drawn[:, 1]
    assert p_value(together, np.outer(noise, noise).ravel()) > LEVEL


# Random numbers


def units(seed, block, n):
    state, numbers = rng.stream(seed, block), []
    for _ in range(n):
        state, bits = rng.next_random(np.uint64(state))
        numbers.append(int(bits) / 2**64)
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
