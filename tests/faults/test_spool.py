"""Texts that wait in a file are the same texts, and encode to the same corpus."""

from dataclasses import replace

import numpy as np

from pte.corpora.document import TEST, TRAIN, Document, SpooledText, spooled
from pte.corpora.encode import encode
from pte.corpora.encode_entry import documents_sha256
from pte.corpora.tokenise import whitespace

DOCUMENTS = [
    Document(b"a b \xff c" * 3, "x", TRAIN),
    Document(b"", "y", TRAIN),
    Document(b"d a", "x", TEST),
    Document(b"big " * 200_000, "y", TRAIN),
]


def test_texts_come_back_from_the_file():
    waiting = spooled(iter(DOCUMENTS))
    assert all(isinstance(each.content, SpooledText) for each in waiting)
    assert [each.text for each in waiting] == [each.text for each in DOCUMENTS]
    assert [len(each.content) for each in waiting] == [len(each.text) for each in DOCUMENTS]
    assert replace(waiting[0], part=TEST).text == DOCUMENTS[0].text
    assert documents_sha256(waiting) == documents_sha256(DOCUMENTS)


def test_the_corpus_is_the_same():
    plain, found = (encode(each, whitespace) for each in (DOCUMENTS, spooled(DOCUMENTS)))
    assert (found.words, found.meta) == (plain.words, plain.meta)
    assert isinstance(found.tokens, np.memmap)
    for name in ("tokens", "offsets", "labels", "split"):
        assert np.array_equal(getattr(found, name), getattr(plain, name))
