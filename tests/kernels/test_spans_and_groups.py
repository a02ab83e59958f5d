"""The networks beside the paper's three: spans of text, groups of documents, edge lists."""

from dataclasses import replace

import naive
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from made import corpus_of

from pte.corpora.document import Document
from pte.corpora.encode import encode
from pte.corpora.encoded import TEST, TRAIN, EncodedCorpus
from pte.corpora.subsets import with_unlabelled
from pte.corpora.tokenise import whitespace
from pte.errors import PteError
from pte.files import save_array
from pte.models import network_embedding
from pte.networks import named
from pte.networks.edge_list import EdgeList
from pte.networks.kinds import KINDS, SPAN
from pte.training.contract import Task
from pte.training.setup import Hyperparameters

LONG = st.lists(st.sampled_from([b"a", b"b", b"c"]), min_size=1, max_size=3 * SPAN)
GROUPED = st.lists(st.tuples(LONG, st.sampled_from(["anne", "bob", None])), max_size=5)


def grouped(documents, held_out=()):
    """Documents with a group or None; the first has one, so that there is an edge."""
    made = [Document(b" ".join(tokens), "x", TRAIN, group=group) for tokens, group in documents]
    made += [Document(b" ".join(tokens), "x", TEST, group=group) for tokens, group in held_out]
    return encode(made, whitespace)


def as_counts(network, words):
    edges = zip(network.source.tolist(), network.target.tolist(), network.weight, strict=True)
    return {(source, words[target]): weight for source, target, weight in edges}


def check_stream(name, corpus):
    """The stream has the nodes and the degrees of the network, and draws its edges."""
    stored, stream = named.build(name, corpus, None), named.streams(corpus, [name], None)[name]
    assert (stream.n_sources, stream.n_targets) == (stored.n_sources, stored.n_targets)
    assert stream.source_degrees().tolist() == stored.source_degrees().tolist()
    assert stream.target_degrees().tolist() == stored.target_degrees().tolist()
    pairs = np.empty((200, 2), np.int32)
    stream.draw(np.uint64(naive.stream(1, 0)), pairs)
    edges = set(zip(stored.source.tolist(), stored.target.tolist(), strict=True))
    assert set(map(tuple, pairs.tolist())) <= edges
    assert named.tokens(name, corpus) == stored.weight.sum()


@given(st.lists(LONG, min_size=1, max_size=4), st.lists(LONG, max_size=2))
def test_spans_are_sentences(training, held_out):
    corpus = corpus_of([(tokens, "x") for tokens in training], held_out)
    assert as_counts(named.build("ws", corpus, None), corpus.words) == naive.word_span(
        training, SPAN
    )
    check_stream("ws", corpus)


@given(GROUPED, GROUPED)
def test_documents_of_a_group_are_one_source(training, held_out):
    documents = [([b"a", b"b"], "carl"), *training]
    corpus = grouped(documents, held_out)
    groups = corpus.groups[corpus.split == TRAIN].tolist()
    numbers = [None if group < 0 else group for group in groups]
    network = named.build("wg", corpus, None)
    tokens = [tokens for tokens, _ in documents]
    assert as_counts(network, corpus.words) == naive.word_label(tokens, numbers)
    check_stream("wg", corpus)


@pytest.mark.parametrize(
    "use",
    [KINDS["wg"].tokens, lambda c: named.build("wg", c, 0), lambda c: KINDS["wg"].stream(c, 0)],
)
@pytest.mark.parametrize("held_out", [[], [([b"a"], "anne")]])
def test_a_corpus_without_groups_is_an_error(use, held_out):
    with pytest.raises(PteError, match="no training document has a group"):
        use(grouped([([b"a"], None)], held_out))


def test_groups_are_kept_where_there_are_any(tmp_path):
    corpus = grouped([([b"a"], "anne"), ([b"b"], None), ([b"a"], "bob")], [([b"b"], "anne")])
    assert corpus.groups.tolist() == [0, -1, 1, 0]
    corpus.save(tmp_path / "with")
    assert EncodedCorpus.load(tmp_path / "with").groups.tolist() == [0, -1, 1, 0]
    corpus_of([([b"a"], "x")]).save(tmp_path / "without")
    assert EncodedCorpus.load(tmp_path / "without").groups is None
    assert not (tmp_path / "without" / "groups.npy").exists()
    save_array(tmp_path / "with" / "groups.npy", np.zeros(3, np.int32))
    with pytest.raises(PteError, match=r"groups\.npy: missing, damaged"):
        EncodedCorpus.load(tmp_path / "with")


def test_a_part_of_the_text_keeps_its_groups():
    corpus = grouped([([b"a"], "anne"), ([b"b"], "bob")])
    part = replace(corpus, labels=np.array([0, -1], np.int32))
    assert with_unlabelled(part, 0, 1).groups.tolist() == [0]


# Edge lists


@pytest.fixture
def corpus():
    return corpus_of([([b"a", b"b", b"a"], "x"), ([b"b", b"c"], "y")])


def listed(tmp_path, content):
    path = tmp_path / "cites.tsv"
    path.write_bytes(content)
    return EdgeList(path)


def test_an_edge_list_is_a_network(tmp_path, corpus):
    edges = listed(
        tmp_path, b"\xef\xbb\xbftwo words\ta\t2\r\nq\tb\t0.5\ntwo words\tc\t1\ntwo words\ta\t1e0\n"
    )
    network = edges.build(corpus, 0)
    assert as_counts(network, corpus.words) == {(0, b"a"): 3, (0, b"c"): 1, (1, b"b"): 0.5}
    assert (network.n_sources, network.n_targets) == (2, corpus.n_words)
    assert edges.stream(corpus, 0).source_degrees().tolist() == [4, 0.5]
    assert edges.tokens(corpus) is None


def test_unknown_words_are_counted(tmp_path, corpus):
    edges = listed(tmp_path, b"s\tx\t1\nt\ta\t1\ns\tx\t2\ns\ty\t1\n")
    expected = "3 of 4 edges are left out, because the vocabulary lacks 2 of their words"
    with pytest.warns(UserWarning, match=expected):
        network = edges.build(corpus, 0)
    assert as_counts(network, corpus.words) == {(0, b"a"): 1}


FORM = "has not the form source<TAB>word<TAB>weight"
POSITIVE = "it must be a positive finite number"


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"s\ta\t1\ns a 1\n", rf"cites\.tsv, line 2: .* {FORM}"),
        (b"s\ta\n", FORM),
        (b"s\ta\t1\t1\n", FORM),
        (b"s\ta\t1\n\n", rf"line 2: .* {FORM}"),
        (b"\ta\t1\n", FORM),
        (b"s\ta\t1\ns\ta\t0\n", rf"cites\.tsv, line 2: the weight is 0; {POSITIVE}"),
        (b"s\ta\t-1\n", POSITIVE),
        (b"s\ta\tnan\n", POSITIVE),
        (b"s\ta\tinf\n", POSITIVE),
        (b"s\ta\t1e39\n", POSITIVE),
        (b"s\ta\t1e-60\n", POSITIVE),
        (b"s\ta\tmany\n", POSITIVE),
        (b"s\ta\t2e38\ns\ta\t2e38\n", r"cites\.tsv: network: the weights of a repeated edge add"),
        (b"s\tz\t1\n", r"cites\.tsv: none of its edges has a word of the vocabulary"),
        (b"", r"cites\.tsv: none of its edges has a word of the vocabulary"),
    ],
)
def test_a_fault_of_an_edge_list_is_one_error(tmp_path, corpus, content, message):
    with pytest.raises(PteError, match=message):
        listed(tmp_path, content).build(corpus, 0)
    with pytest.raises(PteError, match="gone: No such file"):
        EdgeList(tmp_path / "gone").build(corpus, 0)


@pytest.mark.learning
@pytest.mark.parametrize("streamed", [False, True])
def test_an_edge_list_trains_beside_the_papers_networks(tmp_path, monkeypatch, corpus, streamed):
    """Two words that only the list joins come close."""
    listed(tmp_path, b"s\ta\t1\ns\tc\t1\n")
    monkeypatch.setenv("PTE_NETWORKS", f'{{"cites": "{tmp_path / "cites.tsv"}"}}')
    spec = named.spec("cites")
    assert not spec.streamed and not spec.labels and not spec.window
    assert named.module_name("cites") == "pte.networks.edge_list"
    phases = [["wl", "cites"]]
    inputs = {name: tmp_path / name for name in ("cites", *([] if streamed else ["wl"]))}
    for name, path in inputs.items():
        named.build(name, corpus, None).save(path)

    def cosine(phases):
        task = Task(
            corpus,
            seed=1,
            options={"phases": phases},
            hyperparameters=Hyperparameters(dim=8),
            samples=200_000,
            streamed=streamed,
            inputs=inputs,
        )
        vectors = network_embedding.fit(task).array
        a, c = (vectors[corpus.words.index(word)] for word in (b"a", b"c"))
        return a @ c / np.sqrt(a @ a * (c @ c))

    assert cosine(phases) > cosine([["wl"]]) + 0.2
