"""The real corpora, read from a local mirror named by PTE_MIRROR, against the paper's Table 1."""

import os
from collections import Counter
from dataclasses import replace
from functools import cache
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
import yaml
from lyrl2004 import NAMES, write_hierarchy, write_tokens, write_topics

from pte.corpora.archives import read_members
from pte.corpora.encode_entry import documents_sha256, encode_entry, read_entry
from pte.corpora.entry import Archive, CorpusEntry, PaperRow
from pte.corpora.readers import read
from pte.corpora.readers.rcv1 import read_sample, read_tree
from pte.errors import PteError
from pte.networks import named
from pte_study.fetch import fetch
from pte_study.report.origins import table1

MIRROR = os.environ.get("PTE_MIRROR")
REGISTRY = Path(__file__).parents[2] / "workflow" / "registry"
ENTRIES = yaml.safe_load((REGISTRY / "corpora.yaml").read_text("utf-8"))
ARCHIVES = {name: Archive.from_mapping(entry) for name, entry in ENTRIES["archives"].items()}
CORPORA = {name: CorpusEntry.from_mapping(entry) for name, entry in ENTRIES["corpora"].items()}

pytestmark = pytest.mark.skipif(not MIRROR, reason="PTE_MIRROR names no mirror of the corpora")


@pytest.fixture(scope="module")
def fetched(tmp_path_factory):
    """Every archive that the mirror holds, fetched when it is first asked for."""
    folder = tmp_path_factory.mktemp("archives")

    @cache
    def path(name):
        found = folder / ARCHIVES[name].file
        fetch(replace(ARCHIVES[name], urls=(), package=None), found, Path(MIRROR))
        return found

    return path


@pytest.fixture(scope="module")
def corpora(fetched):
    """Every corpus whose archive the mirror holds, encoded when it is first asked for."""

    @cache
    def corpus(name):
        entry = CORPORA[name]
        paths = {role: fetched(archive) for role, archive in entry.roles().items()}
        return encode_entry(read_entry(paths, entry), entry)

    return corpus


@pytest.fixture(scope="module")
def mr(fetched):
    """The documents of MR as they are read."""
    entry = CORPORA["mr"]
    return list(read(fetched(entry.archive), entry.reader, entry.options))


@pytest.mark.parametrize("name", ["20ng", "dblp", "mr", "imdb"])
def test_table_1_is_met(corpora, name):
    counts, row = corpora(name).meta["counts"], ENTRIES["corpora"][name]["table1"]
    paper = pd.read_csv(REGISTRY / "paper_datasets.csv")
    table1([(name, counts, PaperRow(**row))], paper)
    if row["match"] == "exact":
        with pytest.raises(PteError, match=name):
            off = counts | {"vocabulary": counts["vocabulary"] + 1}
            table1([(name, off, PaperRow(**row))], paper)


# Counted by the authors' released code.
@pytest.mark.parametrize(
    ("name", "edges", "weight"),
    [("dblp", 1_274_745, 3_418_030), ("mr", 607_115, 1_280_010), ("20ng", 7_576_481, None)],
)
def test_word_word_network_is_that_of_the_released_code(corpora, name, edges, weight):
    network = named.build("ww", corpora(name), 5)
    assert network.n_edges == edges
    if weight is not None:
        assert network.total == weight


def test_every_training_token_is_an_edge(corpora):
    corpus = corpora("dblp")
    tokens = corpus.meta["counts"]["training_tokens"]
    for name in ("wd", "wl"):
        assert named.build(name, corpus, None).weight.sum(dtype=float) == tokens


@pytest.mark.long
@pytest.mark.skipif(
    not (Path(MIRROR or ".") / ARCHIVES["enwiki-2018"].file).is_file(),
    reason="the mirror has no Wikipedia",
)
def test_wikipedia_is_mostly_unlabelled_text(corpora):
    counts = corpora("wiki").meta["counts"]
    assert (counts["documents"], counts["test"], counts["labelled_train"]) == (15_044, 521, 1_042)
    assert counts["tokens"] == 40_131_975
    assert corpora("wiki").classes == (
        "Arts",
        "History",
        "Human",
        "Mathematics",
        "Nature",
        "Sports",
        "Technology",
    )


@pytest.mark.skipif(
    not (Path(MIRROR or ".") / ARCHIVES["sentiment140-100k"].file).is_file(),
    reason="the mirror has no tweets",
)
def test_tweets_are_about_as_long_as_the_papers(corpora):
    counts = corpora("twitter_100k").meta["counts"]
    assert (counts["documents"], counts["train"], counts["test"]) == (100_000, 66_667, 33_333)
    assert corpora("twitter_100k").classes == ("negative", "positive")
    assert round(counts["mean_document_length"] + 1, 2) == 14.35
    assert counts["vocabulary"] + 1 == 70_674


@pytest.mark.long
def test_splits_of_imdb_have_the_same_reviews(corpora):
    names = ("imdb", "imdb_official", "imdb_shuffle2")
    lengths = {corpora(name).meta["counts"]["mean_document_length"] for name in names}
    assert len(lengths) == 1
    assert corpora("imdb_official").n_words + 1 == 73_273
    assert [corpora(name).n_words + 1 for name in names[::2]] == [75_319, 75_430]


@pytest.mark.long
@pytest.mark.skipif(
    not (Path(MIRROR or ".") / ARCHIVES["arxiv-titles"].file).is_file(),
    reason="the mirror has no titles of arXiv",
)
def test_more_titles_are_unlabelled_and_dblp_is_among_them_as_it_is(corpora):
    alone, more = corpora("dblp"), corpora("dblp_titles")
    counts = more.meta["counts"]
    assert (counts["labelled_train"], counts["test"]) == (61_479, 20_000)
    assert counts["train"] == 61_479 + 200_000
    for d in (0, 1000, 61_478):
        texts = [
            [corpus.words[token] for token in corpus.tokens[slice(*corpus.offsets[d : d + 2])]]
            for corpus in (alone, more)
        ]
        assert texts[0] == texts[1]


def test_mr_is_a_split_of_the_official_sentences(fetched, mr):
    official = Counter()
    for _, text in read_members(fetched("rt-polarity"), r".*rt-polarity\.(pos|neg)"):
        official.update(tuple(line.split()) for line in text.splitlines() if line.strip())
    assert Counter(tuple(document.text.split()) for document in mr) == official


def test_other_documents_are_refused(mr):
    changed = [replace(mr[0], content=mr[0].text + b" more"), *mr[1:]]
    with pytest.raises(PteError, match="documents_sha256"):
        encode_entry(changed, CORPORA["mr"])


@pytest.fixture(scope="module")
def official(fetched, tmp_path_factory):
    """The sample of RCV1 in the official format, written once for each `at_least`."""

    @cache
    def paths(at_least):
        folder = tmp_path_factory.mktemp("official")
        return write_official(fetched("rcv1-sample"), folder, at_least)

    return paths


BRANCHES = {"corporate": 14, "economics": 8, "government": 15, "market": 4}


@pytest.mark.parametrize("several", ["", "_several"])
@pytest.mark.parametrize("branch", BRANCHES)
def test_the_sample_of_rcv1_is_the_same_in_the_official_format(fetched, official, branch, several):
    entry = CORPORA[f"rcv1_sample_{branch}{several}"]
    direct = read_entry({"archive": fetched("rcv1-sample")}, entry)
    paths = official(entry.options["at_least"])
    found = read_entry(paths, CORPORA[f"rcv1_{branch}{several}"])
    assert documents_sha256(found) == documents_sha256(direct)
    corpus = encode_entry(direct, entry)
    assert corpus.n_classes == BRANCHES[branch]
    assert corpus.is_multilabel == bool(several)


def write_official(archive, folder, at_least):
    """The sample in the six files of LYRL2004, without topics that are rarer than `at_least`."""
    sample = list(read_sample(archive))
    sizes = Counter(topic for _, topics, _ in sample for topic in topics)
    frequent = {n: [t for t in topics if sizes[t] >= at_least] for n, topics, _ in sample}
    found = {role: folder / file for role, file in NAMES.items()}
    quarters = np.array_split(np.arange(len(sample)), 4)
    for i, quarter in enumerate(quarters):
        write_tokens(found[f"part{i}"], [(sample[d][0], sample[d][2]) for d in quarter])
    write_topics(found["topics"], frequent.items())
    write_hierarchy(found["hierarchy"], read_tree(archive))
    return {"archive": found.pop("part0"), **found}
