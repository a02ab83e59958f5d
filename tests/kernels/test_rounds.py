"""Training on parts of a text: what is learnt apart is joined."""

import math

import naive
import numpy as np
import pytest
from made import score_of

from pte.corpora.dealing import dealt
from pte.corpora.encoded import TEST, TRAIN
from pte.errors import PteError
from pte.networks import named
from pte.training import draws
from pte.training.rounds import Node, RoundPlan, joined, train_rounds
from pte.training.setup import Hyperparameters, Setup, Step

pytestmark = pytest.mark.trainer

JOINT = ("ww", "wd", "wl")
SHAPE = Hyperparameters(dim=16, negatives=3, rate=0.1)
SETUP = Setup(5, SHAPE)
PLAN = RoundPlan(1500, 3, 1, SETUP)


@pytest.fixture
def small_blocks(monkeypatch):
    monkeypatch.setattr(draws, "BLOCK", 300)


@pytest.fixture
def parts(corpus):
    return [named.streams(part, JOINT, 5) for part in dealt(corpus, 3, 1)]


def test_each_training_document_is_dealt_once(corpus):
    parts = dealt(corpus, 4, 1)
    sizes = [part.n_documents for part in parts]
    assert sum(sizes) == corpus.documents(TRAIN).size and max(sizes) - min(sizes) <= 1
    assert all(not part.documents(TEST).size and part.words == corpus.words for part in parts)
    counts = sum(np.bincount(part.tokens, minlength=corpus.n_words) for part in parts)
    tokens = corpus.counts[corpus.documents(TRAIN)].sum(axis=0)
    assert (counts == tokens).all()


@pytest.mark.parametrize("parts", [0, 10_000])
def test_there_is_a_document_for_each_part(corpus, parts):
    with pytest.raises(PteError, match=rf"parts is {parts}; it must be between 1 and \d+ doc"):
        dealt(corpus, parts, 1)


def test_joining_is_close_to_the_twin():
    rng = np.random.default_rng(1)
    before = rng.random((6, 4), dtype=np.float32)
    after = [before + rng.random((6, 4), dtype=np.float32) for _ in range(3)]
    pulls = [10.0 ** rng.integers(-4, 3, 6) for _ in range(3)]
    expected = naive.join(before, after, pulls)
    np.testing.assert_allclose(joined(before, after, pulls), expected, rtol=1e-5)


def test_rare_rows_add_up_and_frequent_rows_are_averaged():
    before, after = np.zeros((2, 1), np.float32), [np.ones((2, 1), np.float32)] * 4
    found = joined(before, after, [np.array([1e-9, 50.0])] * 4)
    assert found[:, 0].tolist() == pytest.approx([4, 1], rel=1e-6)


@pytest.mark.parametrize("pull", [1e-9, 0.3, 50.0])
def test_what_one_node_alone_learns_stays_as_it_is(pull):
    before, after = np.float32([[1, 2]]), np.float32([[4, -3]])
    assert (joined(before, [after], [np.array([pull])]) == after).all()
    nodes, pulls = [before, after, before], [np.array([each]) for each in (0.0, pull, 0.0)]
    assert (joined(before, nodes, pulls) == after).all()


def test_a_node_shares_words_and_classes_but_no_documents(corpus, parts):
    node = Node(parts[0], PLAN, 0)
    assert len(node.rows) == len(node.train(0)) == 2 * corpus.n_words + corpus.n_classes
    source, target = node._trainer.tables
    documents = slice(corpus.n_words, len(source) - corpus.n_classes)
    before = source[documents].copy()
    rows = np.arange(node.rows.size, dtype=np.float32).reshape(node.rows.shape)
    node.rows = rows
    assert (node.rows == rows).all() and (target[: corpus.n_words] == rows[: corpus.n_words]).all()
    assert (source[documents] == before).all()


def test_the_rounds_of_one_node_are_one_training(corpus, small_blocks):
    whole = [named.streams(corpus, JOINT, 5)]
    one, four = (train_rounds(whole, 3000, rounds, SETUP).vectors for rounds in (1, 4))
    np.testing.assert_allclose(one, four, atol=1e-5)


@pytest.mark.parametrize("step", [Step(), Step.of("grouped", size=4)])
def test_nodes_draw_t_together_and_seeds_repeat(corpus, parts, small_blocks, step):
    setup = Setup(5, Hyperparameters(dim=16, negatives=3, rate=0.05, step=step))
    one, two = (train_rounds(parts, 6000, 4, setup) for _ in range(2))
    assert one.vectors.tobytes() == two.vectors.tobytes()
    assert one.vectors.shape == (corpus.n_words, 16)
    assert one.samples == 6000 and math.isfinite(one.seconds)


@pytest.mark.parametrize("step", [Step(), Step.of("grouped", size=4)])
def test_a_node_draws_its_share_and_tells_its_pulls(corpus, parts, small_blocks, step):
    hyperparameters = Hyperparameters(dim=16, negatives=3, rate=0.1, step=step)
    plan = RoundPlan(6000, 3, 4, Setup(5, hyperparameters))
    node, drawn, n = Node(parts[0], plan, 0), 0, corpus.n_words
    node._trainer.train = lambda blocks: None
    for number in range(node.rounds):
        here = sum(block.count for block in node._blocks[number])
        rate = naive.learning_rate(drawn + here // 2, plan.draws, 0.1)
        pulls = node.train(number) / (here * rate)
        assert pulls[:n].sum() == pytest.approx(step.size + step.drawn_negatives(3))
        assert pulls[n:].sum() == pytest.approx(2 / 3)  # of three networks, wd has own rows
        drawn += here
    assert drawn * step.size * 3 == 6000
    assert not node.train(node.rounds).any()


def test_nodes_draw_different_edges(parts):
    one, two = (Node(parts[0], PLAN, number) for number in (0, 1))
    assert (one.rows == two.rows).all()
    one.train(0)
    two.train(0)
    assert (one.rows != two.rows).any()


@pytest.mark.learning
def test_parts_learn_the_topics(corpus, parts, small_blocks):
    assert score_of(corpus, train_rounds(parts, 20_000, 10, SETUP).vectors) > 90


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"samples": 0}, "samples is 0; it must be positive"),
        ({"rounds": 0}, "rounds is 0; it must be positive"),
    ],
)
def test_what_cannot_be_trained_is_refused(parts, change, message):
    asked = {"parts": parts, "samples": 100, "rounds": 2, "setup": SETUP}
    with pytest.raises(PteError, match=message):
        train_rounds(**asked | change)
