"""Readers of Wikipedia, the labels of articles."""

import bz2
import gzip
import lzma
from collections import Counter

import pytest
from made import tar_of

from pte.corpora.archives import stream_lines
from pte.corpora.document import Document
from pte.corpora.encode import encode
from pte.corpora.encode_entry import read_words
from pte.corpora.encoded import TEST, TRAIN
from pte.corpora.readers import read
from pte.corpora.readers.wikipedia import westbury, wikiextractor
from pte.corpora.tokenise import letters
from pte.errors import PteError

# Lines as a stream

LINES = b"a\n\nb c\r\nlast"


@pytest.mark.parametrize("pack", [bytes, gzip.compress, bz2.compress, lzma.compress])
def test_lines_are_read_however_compressed(tmp_path, pack):
    (tmp_path / "text").write_bytes(pack(LINES))
    assert list(stream_lines(tmp_path / "text")) == [b"a\n", b"\n", b"b c\r\n", b"last"]


# Labels


def labels_of(folder, content):
    (folder / "labels.tsv.gz").write_bytes(gzip.compress(content))
    return folder / "labels.tsv.gz"


@pytest.mark.parametrize(
    ("content", "message"),
    {
        b"": r"labels\.tsv\.gz: no column 'id'",
        b"id\tlabel\n": r"labels\.tsv\.gz: no column 'class'; there are id, label",
        b"id\tclass\n1\ta\n2\n": r"labels\.tsv\.gz: line 3 needs 2 columns and has 1",
        b"id\tclass\nx\ta\n": r"labels\.tsv\.gz: line 2 needs a number as id",
        b"id\tclass\n1\ta\n1\tb\n": r"line 3: the article has another label above",
    }.items(),
)
def test_labels_that_are_no_table_are_an_error(tmp_path, content, message):
    with pytest.raises(PteError, match=message):
        list(wikiextractor(tmp_path / "none", labels_of(tmp_path, content), "class", "id"))


# WikiExtractor


def article(number, text, title=b"t"):
    return b'<doc id="%d" url="u" title="%s">\n%s</doc>\n' % (number, title, text)


ARTICLES = {
    "AA/wiki_00": article(12, b"T\n\ntwelve\n") + article(3, b"three </doc> <doc id=\n"),
    "AB/wiki_07": article(200, b"") + article(100, b"hundred\n\n", b"A &amp; &quot;B&quot;"),
    "AB/readme": b"not a document",
}
LABELS = b"name\tid\tclass\na\t100\tHuman\nb\t12\t\nc\t7\tArts\nd\t3\tNature\n"


@pytest.mark.parametrize("order", [sorted(ARTICLES), sorted(ARTICLES, reverse=True)])
def test_wikipedia_is_read_by_number_however_packed(tmp_path, order):
    path = tar_of(tmp_path / "a.tar.gz", {member: ARTICLES[member] for member in order})
    counts = Counter()
    table = labels_of(tmp_path, LABELS)
    assert list(wikiextractor(path, table, "class", "id", counts=counts)) == [
        Document(b"three </doc> <doc id=\n", "Nature", TRAIN, id="3"),
        Document(b"T\n\ntwelve\n", None, TRAIN, id="12"),
        Document(b"hundred\n\n", "Human", TRAIN, id="100"),
        Document(b"", None, TRAIN, id="200"),
    ]
    assert +counts == {"labels without an article": 1}


def test_articles_have_the_label_of_their_title_once(tmp_path):
    path = tar_of(tmp_path / "a.tar.gz", ARTICLES)
    table = labels_of(tmp_path, b'title\tclass\na_&_"B"\tArts\nT\tNature\nU\tNone\n')
    counts = Counter()
    options = {"title_column": "title", "label_column": "class", "no_label": ["None"]}
    found = read(path, "wikiextractor", options, {"labels": table}, counts)
    assert [document.label for document in found] == ["Nature", None, "Arts", None]
    assert not +counts


@pytest.mark.parametrize(
    ("content", "message"),
    {
        article(1, b"a")[:-7]: r"a\.tar\.gz: AA/wiki_00: the last document has no </doc>",
        article(1, b"a\n" + article(2, b"b")[:-7]): r"AA/wiki_00: block 1 is not <doc",
        b"text\n" + article(1, b"a"): r"AA/wiki_00: block 1 is not <doc",
        article(1, b"a") + article(1, b"b"): "document 1 is there twice",
        b"": "does not hold a document",
    }.items(),
)
def test_articles_that_are_not_wikiextractor_output_are_an_error(tmp_path, content, message):
    path = tar_of(tmp_path / "a.tar.gz", {"AA/wiki_00": content})
    with pytest.raises(PteError, match=message):
        list(wikiextractor(path, labels_of(tmp_path, LABELS), "class", "id"))


@pytest.mark.parametrize("given", [{}, {"id_column": "id", "title_column": "name"}])
def test_articles_are_found_by_number_or_by_title(tmp_path, given):
    path = tar_of(tmp_path / "a.tar.gz", ARTICLES)
    with pytest.raises(PteError, match="give either id_column or title_column"):
        list(wikiextractor(path, labels_of(tmp_path, LABELS), "class", **given))


# The Westbury Lab's text

WESTBURY = b"""Anarchism.

Anarchism is a philosophy.
---END.OF.DOCUMENT---
A. B. Paterson.

He wrote songs.

---END.OF.DOCUMENT---

---END.OF.DOCUMENT---
Anarchism.
Another article of that title.
---END.OF.DOCUMENT---

"""
CLASSES = b"title\tclass\nanarchism\tHuman\nA._B._Paterson\tArts\nZebra\tNature\n"


def westbury_of(path, labels):
    counts = Counter()
    return list(westbury(path, labels, "title", "class", counts)), +counts


@pytest.mark.parametrize("pack", [bytes, gzip.compress, bz2.compress, lzma.compress])
def test_articles_of_the_westbury_lab_end_in_a_line(tmp_path, pack):
    (tmp_path / "wiki.txt").write_bytes(pack(WESTBURY))
    found, counts = westbury_of(tmp_path / "wiki.txt", labels_of(tmp_path, CLASSES))
    assert [(d.id, d.label, d.part) for d in found] == [
        ("Anarchism", "Human", TRAIN),
        ("A. B. Paterson", "Arts", TRAIN),
        ("Anarchism", None, TRAIN),
    ]
    assert found[1].text == b"A. B. Paterson.\n\nHe wrote songs."
    assert counts == {"labels without an article": 1}


@pytest.mark.parametrize(
    ("content", "message"),
    {
        b"": "does not hold an article",
        b"A.\n\ntext\n": "the last article has no ---END.OF.DOCUMENT---",
        bz2.compress(WESTBURY)[:-8]: "truncated or corrupt",
    }.items(),
)
def test_other_files_are_not_the_westbury_labs(tmp_path, content, message):
    (tmp_path / "wiki.txt.bz2").write_bytes(content)
    with pytest.raises(PteError, match=rf"wiki\.txt\.bz2: .*{message}"):
        westbury_of(tmp_path / "wiki.txt.bz2", labels_of(tmp_path, CLASSES))


# A vocabulary that is given


def test_other_words_than_those_given_are_left_out(tmp_path):
    documents = [
        Document(b"a b c a", "x", TRAIN),
        Document(b"d d", "y", TRAIN),
        Document(b"a z b q", "x", TEST),
    ]
    (tmp_path / "words").write_bytes(b"\xef\xbb\xbfb\t17\nd\nz\n\n")
    only = read_words(tmp_path / "words")
    assert only == {b"b", b"d", b"z"}
    corpus = encode(documents, letters, only=only)
    assert corpus.words == (b"d", b"b")
    assert corpus.tokens.tolist() == [1, 0, 0, 1]
    assert corpus.offsets.tolist() == [0, 1, 3, 4]
    counts = corpus.meta["counts"]
    assert (counts["tokens"], counts["training_tokens"], counts["test_tokens_dropped"]) == (5, 3, 1)


def test_a_vocabulary_without_words_is_an_error(tmp_path):
    (tmp_path / "words").write_bytes(b"\n\t1\n")
    with pytest.raises(PteError, match="words: it has no word"):
        read_words(tmp_path / "words")
