"""The picture of a small network: which documents, which edges, and that all are drawn."""

import numpy as np
import pytest
from made import corpus_of

from pte.errors import PteError
from pte.networks import named
from pte_study.configuration.config import Picture
from pte_study.report.pictures import choose_documents, edges_of, plot_network

TEXTS = [
    ([b"a", b"b", b"c", b"d"], "x"),
    ([b"a", b"b", b"e", b"f", b"b"], "x"),
    ([b"a", b"g", b"h", b"i"], "y"),
    ([b"a", b"b", b"h", b"i"], "y"),
    ([b"j", b"k", b"l", b"m"], "y"),
    ([b"a"] * 30, "x"),
]


def chosen(corpus, documents, seed):
    return choose_documents(corpus, Picture("c", documents, (4, 8), seed))


@pytest.fixture
def corpus():
    return corpus_of(TEXTS)


def test_the_document_that_is_chosen_is_among_them():
    """Also where another one holds all of its words."""
    texts = [(list("abcde"), "x"), (list("abcdf"), "z"), (list("abcd"), "y")]
    corpus = corpus_of([([bytes(letter, "ascii") for letter in text], c) for text, c in texts])
    for seed in range(10):
        own, other = chosen(corpus, 1, seed)
        assert own == np.random.default_rng(seed).choice(3)
        assert other != own


def test_too_few_documents_are_an_error(corpus):
    with pytest.raises(PteError, match="no two classes have 3 short documents"):
        chosen(corpus, 3, 1)
    with pytest.raises(PteError, match="no labelled document has"):
        chosen(corpus_of([([b"a"], "x"), ([b"b"], "y")]), 1, 1)


def test_edges_are_those_of_the_networks():
    """Of all documents, the weights of the networks that are trained on."""
    texts = [*TEXTS[2:5], ([b"b", b"e", b"f", b"g", b"b"], "x")]
    corpus = corpus_of(texts)
    everything = np.arange(len(texts))
    ww, wd, wl = edges_of(corpus, everything, 3)
    for edges, network in (
        (wd, named.build("wd", corpus, None)),
        (wl, named.build("wl", corpus, None)),
    ):
        found = np.zeros((network.n_targets, network.n_sources))
        for (word, other), weight in edges.items():
            found[word, other] = weight
        expected = np.zeros_like(found)
        np.add.at(expected, (network.target, network.source), network.weight)
        np.testing.assert_array_equal(found, expected)
    both = named.build("ww", corpus, 3)
    assert 2 * sum(ww.values()) == both.total
    assert 2 * len(ww) == both.n_edges


def test_every_word_edge_document_and_label_is_drawn(corpus, tmp_path, drawn):
    documents = np.array([0, 1, 2, 3])
    plot_network(corpus, documents, 3, tmp_path / "x")
    ww, wd, wl = edges_of(corpus, documents, 3)
    texts = [{text.get_text() for text in axes.texts} for axes in drawn[0].axes]
    words = set("abcdefghi")
    assert texts[0] == set()  # the names of the next panel serve both
    assert texts[1] == words | {f"document {i}" for i in (1, 2, 3, 4)}
    assert texts[2] == words | {"x", "y"}
    counts = [len(axes.lines) for axes in drawn[0].axes]
    assert counts == [len(ww) + 9, len(wd) + 9 + 4, len(wl) + 9 + 2]
    left = drawn[0].axes[0].get_xlim()[0]
    assert all(np.min(line.get_xdata()) > left for line in drawn[0].axes[0].lines)
