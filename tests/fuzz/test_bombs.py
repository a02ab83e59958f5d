"""A small file that stands for something huge is refused before it takes the memory."""

import bz2
import gzip
import io
import lzma
from importlib.util import find_spec

import numpy as np
import pytest
from click.testing import CliRunner
from inputs import bounded

from pte.command.documents import LearntFrom
from pte.command.main import app
from pte.corpora.archives import stream_lines
from pte.errors import PteError
from pte.tables.documents import read_labelled
from pte_study.configuration.yaml_files import read as read_yaml

LAUGHS = b"".join(
    b"a%d: &a%d [%s]\n" % (i, i, b", ".join([b"*a%d" % (i - 1) if i else b"x"] * 9))
    for i in range(9)
)


@pytest.mark.parametrize(
    ("file", "content", "reads", "said"),
    [
        (
            "t.csv.gz",
            lambda: gzip.compress(b"text,label\n" + b"a" * 150_000_000),
            lambda path: read_labelled(str(path), {}),
            "refused, because it holds more than",
        ),
        ("c.yaml", lambda: LAUGHS, read_yaml, "more than 1,000,000 values"),
        ("c.yaml", lambda: b"seeds: &a [*a]\n", read_yaml, "more than 1,000,000 values"),
        ("c.yaml", lambda: b"a: " + b"9" * 5000, read_yaml, "not valid YAML: Exceeds the limit"),
        ("c.yaml", lambda: b"a: 9999-99-99", read_yaml, "not valid YAML: month must be"),
    ],
    ids=["line", "references", "circle", "digits", "date"],
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


def parquet_of(kind):
    """A Parquet file of some kB in which 1,000 rows have one long text, in a column."""
    import pyarrow as pa
    from pyarrow import parquet

    long, n = "word " * 700_000, 1000
    texts = pa.DictionaryArray.from_arrays(pa.array([0] * n, pa.int32()), [long])
    columns = {"text": ["good"] * n, "label": ["a", ""] * (n // 2), kind: texts}
    options = {"compression": "zstd", "dictionary_pagesize_limit": 2**30, "store_schema": False}
    packed = io.BytesIO()
    parquet.write_table(pa.table(columns), packed, **options)
    return packed.getvalue()


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
        ("t.parquet", lambda: parquet_of("text"), lambda path: read_labelled(str(path), {})),
    ],
)
def test_no_reader_unpacks_more_than_a_text_of_the_size_holds(tmp_path, file, content, reads):
    if file == "t.parquet" and find_spec("pyarrow") is None:
        pytest.skip("the extra parquet is not installed")
    path = tmp_path / file
    path.write_bytes(content())
    with bounded(), pytest.raises(PteError, match=r"refused, because it holds more than [\d,]+ b"):
        reads(path)


class Anything:
    """A classifier that any text pleases."""

    classes_, predict, several_labels_ = np.array(["a", "b"]), None, False

    def encode(self, texts):
        return texts

    def count_known(self, texts):
        return np.ones(len(texts), np.int64)

    def predict_proba(self, texts):
        return np.full((len(texts), 2), 0.5)


@pytest.mark.skipif(find_spec("pyarrow") is None, reason="the extra parquet is not installed")
@pytest.mark.parametrize("kind", ["text", "other"])
@pytest.mark.parametrize("output", ["out.parquet", "out.csv"])
def test_no_column_of_a_table_that_comes_back_is_a_bomb(tmp_path, monkeypatch, kind, output):
    from pyarrow import compute, parquet  # noqa: F401  (their memory is not that of the bomb)

    path = tmp_path / "t.parquet"
    path.write_bytes(parquet_of(kind))
    assert path.stat().st_size < 100_000
    monkeypatch.setattr("pte.command.predict.load", lambda *_: Anything())
    monkeypatch.setattr("pte.command.predict.learnt_from", lambda *_: LearntFrom({}, {}))
    with bounded():
        words = ["predict", "m.npz", str(path), "--text", "text", "-o", str(tmp_path / output)]
        done = CliRunner().invoke(app, words)
    assert done.exit_code == 1, done.output
    assert "refused, because it holds more than" in done.output
    assert not (tmp_path / output).exists()
