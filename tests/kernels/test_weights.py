from dataclasses import replace

import numpy as np
import pytest

from pte.corpora.encoded import TRAIN, UNLABELLED
from pte.errors import PteError
from pte.networks.named import MOST_DRAWS, auto_weights
from pte.training.edges import Turns

JOINT = [("ww", "wd", "wl")]
PAPER = {"ww": 1.0, "wd": 1.0, "wl": 1.0}


def tokens(corpus):
    """Training tokens, and those of labelled documents."""
    lengths, train = np.diff(corpus.offsets), corpus.split == TRAIN
    return lengths[train].sum(), lengths[train & (corpus.labels != UNLABELLED)].sum()


def with_few_labels(corpus, n):
    labels = np.array(corpus.labels)
    labels[np.flatnonzero((corpus.split == TRAIN) & (labels != UNLABELLED))[n:]] = UNLABELLED
    return replace(corpus, labels=labels)


def test_short_trainings_take_turns_as_in_the_paper(corpus):
    _, labelled = tokens(corpus)
    assert auto_weights(corpus, JOINT, [3 * MOST_DRAWS * labelled]) == PAPER
    assert auto_weights(corpus, JOINT, [3 * MOST_DRAWS * (labelled + 1)])["wl"] < 1


@pytest.mark.parametrize("n", [1, 4, 30])
@pytest.mark.parametrize("passes", [10, 100, 1000])
def test_no_token_is_drawn_more_often_than_it_may(corpus, n, passes):
    few = with_few_labels(corpus, n)
    everything, labelled = tokens(few)
    samples = passes * int(everything)
    weights = auto_weights(few, JOINT, [samples])
    assert max(weights.values()) == weights["ww"] == 1
    draws = {name: samples * w / sum(weights.values()) for name, w in weights.items()}
    for name, n_tokens in (("wd", everything), ("wl", labelled)):
        bound = MOST_DRAWS * n_tokens
        assert draws[name] <= bound * (1 + 1e-9)
        # Whoever is below its bound has a turn as often as any other.
        assert draws[name] == pytest.approx(bound) or weights[name] == pytest.approx(1)


def test_the_labels_themselves_do_not_matter(corpus):
    samples = 100 * int(tokens(corpus)[0])
    shuffled = corpus.with_shuffled_labels(3)
    assert auto_weights(shuffled, JOINT, [samples]) == auto_weights(corpus, JOINT, [samples])


def test_phases_have_weights_of_their_own(corpus):
    everything, _ = tokens(corpus)
    samples = 100 * int(everything)
    weights = auto_weights(corpus, [("ww", "wd"), ("wl",)], [samples, samples])
    share = MOST_DRAWS * everything / samples
    assert weights == {"ww": 1, "wd": pytest.approx(share / (1 - share)), "wl": 1}


def test_without_word_pairs_documents_and_labels_share_by_their_tokens(corpus):
    few = with_few_labels(corpus, 6)
    everything, labelled = tokens(few)
    weights = auto_weights(few, [("wd", "wl")], [1000 * int(everything)])
    assert weights == {"wd": 1, "wl": pytest.approx(labelled / everything)}


PLUGIN = """
from pte.networks.kinds import KINDS

SPEC, counting, stream = KINDS["ww"].SPEC, KINDS["ww"].counting, KINDS["ww"].stream

tokens = {tokens}
"""


def test_the_network_of_a_plugin_says_its_bound(corpus, plugins):
    for name, tokens in {"citations": "lambda corpus: None", "few": "lambda corpus: 7"}.items():
        (plugins / f"{name}.py").write_text(PLUGIN.format(tokens=tokens))
    assert auto_weights(corpus, [("citations", "few")], [7000]) == {
        "citations": 1,
        "few": pytest.approx(0.01 / 0.99),
    }
    weights = auto_weights(corpus, [("citations", "wl")], [10**6])
    assert weights["citations"] == 1 and weights["wl"] < 0.1


def test_without_labels_the_label_network_has_no_turn(corpus):
    none = with_few_labels(corpus, 0)
    assert auto_weights(none, JOINT, [1000])["wl"] == 0
    with pytest.raises(PteError, match="wl has no edges"):
        auto_weights(none, [("ww",), ("wl",)], [1000, 1000])


def test_a_network_of_almost_no_text_still_has_a_turn(corpus):
    few = with_few_labels(corpus, 1)
    weights = auto_weights(few, JOINT, [10**9])
    assert Turns(list(weights.values())).shares.min() == pytest.approx(1e-4, rel=0.1)


def test_no_samples_are_an_error(corpus):
    with pytest.raises(PteError, match="samples is 0"):
        auto_weights(corpus, JOINT, [0])
