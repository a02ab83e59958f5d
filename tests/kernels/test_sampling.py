from dataclasses import replace

import naive
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from made import corpus_of

from pte.corpora.encoded import TEST, TRAIN, UNLABELLED, EncodedCorpus
from pte.errors import PteError
from pte.networks import named
from pte.networks.bipartite import Network
from pte.networks.sampling import StoredEdges

TOKENS = st.lists(st.sampled_from([b"a", b"b", b"c", b"d"]), max_size=8)
# At least one labelled document with a pair of words, then any others, with or without a label.
TRAINING = st.lists(st.tuples(TOKENS, st.sampled_from(["x", "y", None])), max_size=6).map(
    lambda documents: [([], None), ([b"a", b"b"], "x"), ([b"c"], "y"), *documents]
)
HELD_OUT = st.lists(TOKENS, max_size=3)


def stream_of(name, corpus, window=5):
    return named.streams(corpus, [name], window)[name]


def drawn_from(sampler, seed, n=200):
    pairs = np.empty((n, 2), np.int32)
    sampler.draw(np.uint64(naive.stream(seed, 0)), pairs)
    return pairs


@pytest.mark.parametrize("name", ["ww", "wd", "wl"])
@given(TRAINING, HELD_OUT, st.integers(1, 10), st.integers(0, 1000))
def test_nodes_degrees_and_edges_of_the_stream_are_those_of_the_network(
    name, training, held_out, window, seed
):
    corpus = corpus_of(training, held_out)
    stream, network = stream_of(name, corpus, window), named.build(name, corpus, window)
    assert (stream.n_sources, stream.n_targets) == (network.n_sources, network.n_targets)
    assert stream.source_degrees().tolist() == network.source_degrees().tolist()
    assert stream.target_degrees().tolist() == network.target_degrees().tolist()
    directed = network.directed()
    edges = set(zip(directed.source.tolist(), directed.target.tolist(), strict=True))
    assert set(map(tuple, drawn_from(stream, seed).tolist())) <= edges


def test_stored_edges_that_are_not_prepared_give_no_group_of_targets():
    network = Network.from_edges([0, 1], [1, 0], [1, 1], 2, 2)
    with pytest.raises(PteError, match="call `prepare` before drawing several targets"):
        StoredEdges(network).draw(np.uint64(1), np.empty((5, 3), np.int32))


def test_a_stream_counts_the_tokens_that_it_draws_from(corpus):
    train = corpus.split == TRAIN
    lengths = np.diff(corpus.offsets)
    tokens = {"ww": train & (lengths > 1), "wd": train, "wl": train & (corpus.labels >= 0)}
    for name, chosen in tokens.items():
        stream = stream_of(name, corpus)
        assert stream.n_edges == lengths[chosen].sum()


@pytest.mark.parametrize("name", ["ww", "wd", "wl"])
def test_a_stream_of_a_memory_mapped_corpus_draws_the_same(corpus, tmp_path, name):
    corpus.save(tmp_path / "corpus")
    streams = [stream_of(name, each) for each in (corpus, EncodedCorpus.load(tmp_path / "corpus"))]
    assert (drawn_from(streams[0], 3) == drawn_from(streams[1], 3)).all()
    assert (streams[0].target_degrees() == streams[1].target_degrees()).all()


@pytest.mark.parametrize(
    ("name", "change", "window", "message"),
    [
        ("ww", "split", 5, "no document has two words"),
        ("wd", "split", 5, "no edge to draw"),
        ("wl", "split", 5, "no edge to draw"),
        ("wl", "labels", 5, "no edge to draw"),
        ("ww", "", 0, "window is 0"),
        ("ww", "", -1, "window is -1"),
    ],
)
def test_a_stream_without_an_edge_is_refused(corpus, name, change, window, message):
    """All documents are for tests, or none has a label, or no window reaches anything."""
    nothing = {"split": TEST, "labels": UNLABELLED, "": 0}[change]
    kept = {change: np.full_like(getattr(corpus, change), nothing)} if change else {}
    with pytest.raises(PteError, match=message):
        stream_of(name, replace(corpus, **kept), window)
