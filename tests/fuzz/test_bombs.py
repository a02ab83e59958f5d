"""A small file that stands for something huge is refused before it takes the memory."""

import bz2
import gzip
import lzma

import pytest
from inputs import bounded

from pte.corpora.archives import stream_lines
from pte.errors import PteError
from pte.tables.documents import read_labelled
from pte_study.configuration.registry import read as read_yaml


@pytest.mark.parametrize(
    ("file", "content", "reads", "said"),
    [
        (
            "t.csv.gz",
            lambda: gzip.compress(b"text,label\n" + b"a" * 150_000_000),
            lambda path: read_labelled(str(path), {}),
            "refused, because it holds more than",
        ),
        ("c.yaml", lambda: b"a: " + b"9" * 5000, read_yaml, "not valid YAML: Exceeds the limit"),
        ("c.yaml", lambda: b"a: 9999-99-99", read_yaml, "not valid YAML: month must be"),
    ],
    ids=["line", "digits", "date"],
)
def test_a_bomb_is_refused_within_the_bounds(tmp_path, file, content, reads, said):
    path = tmp_path / file
    path.write_bytes(content())
    assert path.stat().st_size < 2_000_000
    with bounded(), pytest.raises(PteError, match=said):
        reads(path)


def many_documents():
    """3 million documents in 40 kB."""
    return gzip.compress(b"text,label\n" + b"good film,pos\n" * 3_000_000)


@pytest.mark.parametrize(
    ("file", "content", "reads"),
    [
        ("t.csv.gz", many_documents, lambda path: read_labelled(str(path), {})),
        (
            "t.csv.bz2",
            lambda: bz2.compress(b"a,b\n" * 2_000_000),
            lambda path: read_labelled(str(path), {}),
        ),
        ("t.txt.xz", lambda: lzma.compress(b"a\n" * 4_000_000), lambda p: list(stream_lines(p))),
    ],
)
def test_no_reader_unpacks_more_than_a_text_of_the_size_holds(tmp_path, file, content, reads):
    path = tmp_path / file
    path.write_bytes(content())
    with bounded(), pytest.raises(PteError, match=r"refused, because it holds more than [\d,]+ b"):
        reads(path)
