"""Vectors by keys, and files in word2vec's format, written here byte by byte."""

import gzip
import struct
import sys
from types import SimpleNamespace

import numpy as np
import pytest

from pte.errors import PteError
from pte.keyed_vectors import KeyedVectors

KEYS = ("king", "queen", "man", "woman", "caf\u00e9")
ROWS = [[1, 1, 0], [1, 0, 1], [0.1, 1, 0], [0.1, 0, 1], [-1, 0.25, 1e-9]]


@pytest.fixture
def words():
    return KeyedVectors(KEYS, np.array(ROWS, np.float32))


def binary_of(words):
    """The binary format, as word2vec's C code writes it."""
    head = b"%d %d\n" % (len(words), words.dim)
    return head + b"".join(
        key.encode() + b" " + struct.pack("<3f", *words[key]) + b"\n" for key in words
    )


def test_a_key_has_a_vector_and_several_have_rows(words):
    assert words["king"].tolist() == [1, 1, 0]
    assert words[["man", "king"]].shape == (2, 3)
    assert "king" in words and "prince" not in words
    with pytest.raises(KeyError, match="'prince' has no vector"):
        words["prince"]


def test_neighbours_leave_out_what_was_asked_and_a_cosine_is_that_of_the_vectors(words):
    found = words.most_similar(["king", "woman"], ["man"], topn=2)
    assert found[0][0] == "queen"
    assert {key for key, _ in found}.isdisjoint({"king", "woman", "man"})
    assert len(words.most_similar("king", topn=99)) == 4
    one, other = words["king"].astype(float), words["man"].astype(float)
    expected = one @ other / np.linalg.norm(one) / np.linalg.norm(other)
    assert dict(words.most_similar("king"))["man"] == pytest.approx(expected)


def test_the_length_of_a_vector_changes_no_cosine():
    vectors = np.array([[3e38, 3e38], [1e-40, 1e-40], [3e38, -3e38], [2, 0]], np.float32)
    words = KeyedVectors(("a", "b", "c", "d"), vectors)
    for vector in ([1e300, 1e300], [1e-300, 1e-300], [5, 5]):
        assert dict(words.nearest(np.array(vector), 4)) == pytest.approx(
            {"a": 1, "b": 1, "c": 0, "d": 0.5**0.5}, abs=1e-6
        )


@pytest.mark.parametrize("opened", [open, gzip.open])
@pytest.mark.parametrize("binary", [False, True])
def test_a_file_has_the_same_bits(tmp_path, binary, opened):
    numbers = np.random.default_rng(3).standard_normal((len(KEYS), 50)).astype(np.float32)
    path = tmp_path / ("v" if opened is open else "v.gz")
    KeyedVectors(KEYS, numbers).to_word2vec(path, binary=binary)
    with opened(path, "rb") as file:
        assert file.readline() == b"5 50\n"
        for key, row in zip(KEYS, numbers, strict=True):
            assert file.read(len(key.encode()) + 1) == f"{key} ".encode()
            found = file.read(201)[:200] if binary else file.readline().split()
            found = np.frombuffer(found, "<f4") if binary else np.array(found, np.float32)
            assert found.tobytes() == row.tobytes()
        assert not file.read()


def test_files_are_in_the_documented_format(words, tmp_path):
    words.to_word2vec(tmp_path / "binary", binary=True)
    assert (tmp_path / "binary").read_bytes() == binary_of(words)
    words.to_word2vec(tmp_path / "text")
    lines = (tmp_path / "text").read_bytes().split(b"\n")
    assert lines[:4] == [b"5 3", b"king 1 1 0", b"queen 1 0 1", b"man 0.100000001 1 0"]
    assert lines[-2:] == ["café -1 0.25 9.99999972e-10".encode(), b""]


@pytest.mark.parametrize("key", ["new york", "", "a" * 65537])
def test_a_key_that_the_format_cannot_have_is_refused(tmp_path, key):
    words = KeyedVectors((key,), np.ones((1, 2), np.float32))
    with pytest.raises(PteError, match=r"v: the key .* which this format cannot have"):
        words.to_word2vec(tmp_path / "v")
    assert not list(tmp_path.iterdir())
    KeyedVectors(("a" * 65536,), words.vectors).to_word2vec(tmp_path / "v")


def test_keys_and_vectors_agree():
    with pytest.raises(PteError, match="there twice"):
        KeyedVectors(("a", "a"), np.ones((2, 2), np.float32))
    with pytest.raises(PteError, match="7 is no text"):
        KeyedVectors(("a", 7), np.zeros((2, 2), np.float32))
    with pytest.raises(PteError, match="`nearest` takes a vector"):
        KeyedVectors(("a",), np.zeros((1, 2), np.float32)).most_similar(np.zeros(2, np.float32))
    with pytest.raises(PteError, match="1 keys"):
        KeyedVectors(("a",), np.ones((2, 2), np.float32))
    with pytest.raises(PteError, match="None is no text"):
        KeyedVectors((None,), np.ones((1, 2), np.float32))
    with pytest.raises(PteError, match="vectors: they are <U1; give an array of numbers"):
        KeyedVectors(("a",), np.array([["x"]]))


@pytest.mark.parametrize("key", [0, slice(0, 1), None, [["king"]]])
def test_what_is_no_key_has_no_vector(words, key):
    with pytest.raises(KeyError, match="has no vector; name one of the"):
        words[key]


@pytest.mark.parametrize("vector", [[1, 2], [[1, 2, 3]], [1, 2, float("nan")], "king"])
def test_what_is_no_vector_is_refused(words, vector):
    with pytest.raises(PteError, match="vector: give 3 finite numbers; keys: `most_similar`"):
        words.nearest(vector)


def test_vectors_become_those_of_gensim(words, monkeypatch):
    class OfGensim:
        def __init__(self, *size):
            self.size = size

        def add_vectors(self, keys, rows):
            self.index = dict(zip(keys, rows.tolist(), strict=True))

    monkeypatch.setitem(sys.modules, "gensim", SimpleNamespace())
    monkeypatch.setitem(sys.modules, "gensim.models", SimpleNamespace(KeyedVectors=OfGensim))
    made = words.to_gensim()
    assert made.size == (3, 5) and made.index == {key: words[key].tolist() for key in KEYS}
    monkeypatch.setitem(sys.modules, "gensim", None)
    monkeypatch.delitem(sys.modules, "gensim.models")
    with pytest.raises(PteError, match="not installed: pip install gensim"):
        words.to_gensim()
    with pytest.raises(AttributeError, match="no 'doesnt_match'; `to_gensim\\(\\)` returns"):
        _ = words.doesnt_match


@pytest.mark.parametrize("value", [np.nan, np.inf, 1e300])
def test_numbers_that_float32_cannot_hold_are_refused(value):
    with pytest.raises(PteError, match="that of 'b' has a number that float32 cannot hold"):
        KeyedVectors(("a", "b"), np.array([[1.0, 2.0], [1.0, value]]))
