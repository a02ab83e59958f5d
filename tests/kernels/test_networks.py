import subprocess
import sys
from collections import Counter

import naive
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from made import corpus_of

from pte.errors import PteError
from pte.networks import bipartite, named
from pte.networks.bipartite import Network
from pte.networks.contract import NetworkSpec
from pte.networks.edge_list import write_edges
from pte.networks.kinds import KINDS

TOKENS = st.lists(st.sampled_from([b"a", b"b", b"c", b"\xe9", b"long-word"]), max_size=8)
# At least one labelled document with a pair of words, then any others, with or without a label.
TRAINING = st.lists(st.tuples(TOKENS, st.sampled_from(["x", "y", None])), max_size=6).map(
    lambda documents: [([b"a", b"b"], "x"), ([b"c"], "y"), *documents]
)
HELD_OUT = st.lists(TOKENS, max_size=3)


def as_counts(network, words, sources):
    """The directed edges of the network as a counter of (source name, word)."""
    edges = network.directed()
    return Counter(
        {
            (sources[s], words[t]): float(weight)
            for s, t, weight in zip(edges.source, edges.target, edges.weight, strict=True)
        }
    )


def small_network():
    return Network.from_edges([0, 0, 2], [1, 3, 0], [2.0, 0.5, 1.0], n_sources=3, n_targets=4)


def assert_same(a, b):
    assert (a.n_sources, a.n_targets, a.undirected) == (b.n_sources, b.n_targets, b.undirected)
    for name in ("source", "target", "weight"):
        found, expected = getattr(a, name), getattr(b, name)
        assert found.dtype == expected.dtype
        assert found.tolist() == expected.tolist()


# The three networks of a corpus


@pytest.mark.parametrize("name", ["ww", "wd", "wl"])
@given(TRAINING, HELD_OUT, st.integers(1, 10))
def test_a_network_is_what_counting_gives(name, training, held_out, window):
    corpus, texts = corpus_of(training, held_out), [tokens for tokens, _ in training]
    expected, sources = {
        "ww": (naive.word_word(texts, window), corpus.words),
        "wd": (naive.word_document(texts), range(len(texts))),
        "wl": (naive.word_label(*zip(*training, strict=True)), corpus.classes),
    }[name]
    network = named.build(name, corpus, window)
    assert as_counts(network, corpus.words, sources) == expected
    assert (network.n_sources, network.n_targets) == (len(sources), corpus.n_words)


LABELS = [None, ("x",), ("y", "x"), ("z", "x", "y"), ("z",)]


@given(st.lists(st.tuples(TOKENS, st.sampled_from(LABELS)), max_size=8), HELD_OUT)
def test_word_label_counts_a_document_for_each_of_its_labels(training, held_out):
    training = [([b"a"], ("x", "z")), ([b"b", b"a"], ("y",)), *training]
    corpus = corpus_of(training, held_out)
    pairs = [(tokens, label) for tokens, labels in training for label in labels or [None]]
    expected = naive.word_label(*zip(*pairs, strict=True))
    assert as_counts(named.build("wl", corpus, 0), corpus.words, corpus.classes) == expected
    network, stream = named.build("wl", corpus, 0), KINDS["wl"].stream(corpus, 0)
    assert stream.source_degrees().tolist() == network.source_degrees().tolist()
    assert stream.target_degrees().tolist() == network.target_degrees().tolist()
    assert named.tokens("wl", corpus) == sum(expected.values())


def test_a_corpus_without_word_pairs_is_an_error():
    with pytest.raises(PteError, match="no document has two words, so the network ww has no edge"):
        named.build("ww", corpus_of([([b"a"], "x"), ([b"b"], "x")]), 5)
    for documents in ([([], "x"), ([b"b"], None)], [([b"a"], None), ([b"b"], None)]):
        with pytest.raises(PteError, match=r"^wl: it has no edge; is the text, or its labelled"):
            named.build("wl", corpus_of(documents), 5)


# Networks by their names


@pytest.mark.parametrize(
    ("name", "labels", "window"), [("ww", False, True), ("wd", False, False), ("wl", True, False)]
)
def test_a_network_says_what_its_edges_depend_on(corpus, name, labels, window):
    assert named.spec(name) == NetworkSpec(labels, window, window)
    few = corpus.with_shuffled_labels(1)
    assert (not labels) == same(named.build(name, few, 5), named.build(name, corpus, 5))
    assert (not window) == same(named.build(name, corpus, 1), named.build(name, corpus, 5))


def same(a, b):
    return all(np.array_equal(getattr(a, x), getattr(b, x)) for x in ("source", "target", "weight"))


def test_a_network_needs_a_window_only_where_its_edges_depend_on_it(corpus):
    assert_same(named.build("wd", corpus, None), named.build("wd", corpus, 5))
    assert list(named.streams(corpus, ["wl", "wd"], None)) == ["wl", "wd"]
    with pytest.raises(PteError, match="ww: this network needs a window"):
        named.build("ww", corpus, None)


def test_the_spec_of_a_network_is_read_without_compiled_code():
    asked = "import sys; from pte.networks import named; "
    asked += "[named.spec(name) for name in ('ww', 'wd', 'wl')]; print('numba' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", asked], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"


def test_a_module_that_is_not_a_network_is_an_error(plugins):
    (plugins / "half_a_network.py").write_text("def tell(): ...\n")
    with pytest.raises(PteError, match="wx: there is no module"):
        named.spec("wx")
    with pytest.raises(
        PteError,
        match=r"half_a_network is not a network.* no SPEC, stream, tokens, counting or build",
    ):
        named.spec("half_a_network")


# Undirected networks


def undirected_network(**change):
    """a—a with 1, a—b with 2 and c—c with 3."""
    edges = {"source": [0, 0, 2], "target": [0, 1, 2], "n_sources": 3, "n_targets": 3} | change
    return Network(
        np.array(edges["source"], np.int32),
        np.array(edges["target"], np.int32),
        np.array([1, 2, 3], np.float32),
        edges["n_sources"],
        edges["n_targets"],
        undirected=True,
    )


def test_an_undirected_network_counts_both_directions_and_loops_twice():
    network = undirected_network()
    expected = {("a", "a"): 2, ("a", "b"): 2, ("b", "a"): 2, ("c", "c"): 6}
    assert as_counts(network, "abc", "abc") == expected
    assert (network.stored_edges, network.n_edges) == (3, 4)


@given(TRAINING, st.integers(1, 10))
def test_an_undirected_network_and_its_directed_one_say_the_same(training, window):
    network = named.build("ww", corpus_of(training), window)
    directed = network.directed()
    assert (network.undirected, directed.undirected) == (True, False)
    assert directed.stored_edges == directed.n_edges == network.n_edges
    assert network.total == directed.total
    assert network.source_degrees().tolist() == directed.source_degrees().tolist()
    assert network.target_degrees().tolist() == directed.target_degrees().tolist()
    keys = directed.source.astype(np.int64) * directed.n_targets + directed.target
    assert (np.diff(keys) > 0).all()


def test_degrees_are_the_same_in_blocks(networks, monkeypatch):
    whole = networks["ww"].source_degrees(), networks["wd"].target_degrees()
    monkeypatch.setattr(bipartite, "_BLOCK", 7)
    assert networks["ww"].source_degrees().tolist() == whole[0].tolist()
    assert networks["wd"].target_degrees().tolist() == whole[1].tolist()


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"source": [0, 2, 2]}, "source ≤ target"),
        ({"n_sources": 4}, "4 sources and 3 targets"),
        ({"n_targets": 4}, "3 sources and 4 targets"),
    ],
)
def test_what_is_not_undirected_is_refused(change, message):
    with pytest.raises(PteError, match=message):
        undirected_network(**change)


# Any bipartite network


@given(
    st.lists(
        st.tuples(st.integers(0, 3), st.integers(0, 4), st.sampled_from([0.5, 1.0, 3.0])),
        min_size=1,
    )
)
def test_from_edges_adds_up_and_sorts(edges):
    expected = Counter()
    for source, target, weight in edges:
        expected[source, target] += weight
    network = Network.from_edges(*zip(*edges, strict=True), n_sources=4, n_targets=5)
    assert as_counts(network, range(5), range(4)) == expected
    assert list(zip(network.source, network.target, strict=True)) == sorted(expected)
    types = (network.source.dtype, network.target.dtype, network.weight.dtype)
    assert types == (np.int32, np.int32, np.float32)


def test_degrees_and_the_total_agree_with_the_edges():
    network = small_network()
    assert network.source_degrees().tolist() == [2.5, 0, 1]
    assert network.target_degrees().tolist() == [1, 2, 0, 0.5]
    assert (network.n_edges, network.total) == (3, 3.5)


def test_a_saved_network_loads_equal_and_memory_mapped(networks, tmp_path):
    networks["ww"].save(tmp_path / "ww")
    loaded = Network.load(tmp_path / "ww")
    assert_same(loaded, networks["ww"])
    for name in ("source", "target", "weight"):
        assert isinstance(getattr(loaded, name), np.memmap)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"source": [0, 0]}, "one length"),
        ({"weight": [1.0]}, "one length"),
        ({"source": [], "target": [], "weight": []}, "no edges"),
        ({"source": [0, 0, 3]}, "source lies outside"),
        ({"source": [0, -1, 2]}, "source lies outside"),
        ({"target": [1, 4, 0]}, "target lies outside"),
        ({"target": [1, -1, 0]}, "target lies outside"),
        ({"weight": [1.0, 0.0, 1.0]}, "positive"),
        ({"weight": [1.0, -2.0, 1.0]}, "positive"),
        ({"weight": [1.0, np.nan, 1.0]}, "positive"),
        ({"weight": [1.0, np.inf, 1.0]}, "positive"),
    ],
)
def test_what_no_kernel_could_train_on_is_refused(change, message):
    edges = {"source": [0, 0, 2], "target": [1, 3, 0], "weight": [2.0, 0.5, 1.0]} | change
    with pytest.raises(PteError, match=message):
        Network(
            np.array(edges["source"], np.int32),
            np.array(edges["target"], np.int32),
            np.array(edges["weight"], np.float32),
            n_sources=3,
            n_targets=4,
        )


# The exchange format

WORDS = [b"a", b"\xe9t\xe9", b"c", b"d"]
SOURCES = {"d": [b"doc0", b"doc1", b"doc2"], "w": WORDS}


def test_written_edges_are_the_bytes_that_the_released_code_reads(tmp_path):
    """An undirected network in both directions, because the code reads directed edges."""
    write_edges(tmp_path / "both.txt", {"w": undirected_network()}, {"w": WORDS[:3]}, WORDS[:3])
    assert (tmp_path / "both.txt").read_bytes() == (
        b"a\ta\t2\tw\na\t\xe9t\xe9\t2\tw\n\xe9t\xe9\ta\t2\tw\nc\tc\t6\tw\n"
    )
    write_edges(tmp_path / "net.txt", {"d": small_network()}, SOURCES, WORDS)
    assert (tmp_path / "net.txt").read_bytes() == (
        b"doc0\t\xe9t\xe9\t2\td\ndoc0\td\t0.5\td\ndoc2\ta\t1\td\n"
    )


@pytest.mark.parametrize(
    ("kind", "documents", "words", "message"),
    [
        *[("d", [name, b"doc1", b"doc2"], WORDS, "white space") for name in (b"", b"a b", b"\na")],
        *[("d", SOURCES["d"], [name, *WORDS[1:]], "white space") for name in (b"", b"tab\t", b" ")],
        ("d", [b"a" * 500, b"b", b"c"], WORDS, r"the name b'aaa.* more than 499 bytes"),
        ("wd", SOURCES["d"], WORDS, "'wd'"),
    ],
)
def test_what_the_released_code_cannot_read_is_refused(tmp_path, kind, documents, words, message):
    with pytest.raises(PteError, match=message):
        write_edges(tmp_path / "net.txt", {kind: small_network()}, {kind: documents}, words)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("target", "weights", "message"),
    [
        *[(1, [1.0, bad], "positive") for bad in (0.0, -1.0, np.nan, np.inf)],
        (1, [-1.0, 2.0], "positive"),  # added up, the weight would be positive
        *[(bad, [1.0, 1.0], "target lies outside") for bad in (3, 5, -1)],
    ],
)
def test_from_edges_refuses_what_is_no_edge(target, weights, message):
    with pytest.raises(PteError, match=message):
        Network.from_edges([0, 0], [1, target], weights, n_sources=2, n_targets=3)
