"""A small file that stands for something huge is refused before it takes the memory."""

import gzip
import io
import zipfile

import pytest
from inputs import bounded

from pte.corpora.archives import read_members
from pte.corpora.reading import read
from pte.errors import PteError
from pte.keyed_vectors import KeyedVectors
from pte_study.configuration.yaml_files import read as read_yaml

LAUGHS = b"".join(
    b"a%d: &a%d [%s]\n" % (i, i, b", ".join([b"*a%d" % (i - 1) if i else b"x"] * 9))
    for i in range(9)
)


def documents(path, reader):
    return [len(each.text) for each in read(path, reader, {})]


@pytest.mark.parametrize(
    ("file", "content", "reads", "said"),
    [
        (
            "t.csv.gz",
            lambda: gzip.compress(b"text,label\n" + b"a" * 150_000_000, 1),
            lambda path: documents(path, "delimited"),
            "line 2 has more than 67,108,864 characters",
        ),
        (
            "t.svm",
            lambda: b"x " + b"1:1000000 " * 100_000,
            lambda path: documents(path, "svmlight"),
            "it has more than 10,000,000 words",
        ),
        ("c.yaml", lambda: LAUGHS, read_yaml, "more than 1,000,000 values"),
        ("c.yaml", lambda: b"seeds: &a [*a]\n", read_yaml, "more than 1,000,000 values"),
        (
            "v.txt",
            lambda: b"3 22147483648\n",
            KeyedVectors.from_word2vec,
            "it must be 1 to",
        ),
    ],
    ids=["line", "counts", "references", "circle", "head"],
)
def test_a_bomb_is_refused_within_the_bounds(tmp_path, file, content, reads, said):
    path = tmp_path / file
    path.write_bytes(content())
    assert path.stat().st_size < 2_000_000
    with bounded(), pytest.raises(PteError, match=said):
        reads(path)


def test_a_member_without_a_name_is_refused(tmp_path):
    """Guided inputs found it: the standard library looks at the last letter of a name."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("a", b"x")
        archive.filelist[0].filename = ""
    (tmp_path / "t.zip").write_bytes(packed.getvalue())
    with pytest.raises(PteError, match="member '' has no name"):
        list(read_members(tmp_path / "t.zip", lambda name: True))
