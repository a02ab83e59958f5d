"""Vectors by keys, and files in word2vec's format, written here byte by byte."""

import struct
from pathlib import Path

import numpy as np
import pytest

from pte.errors import PteError
from pte.keyed_vectors import KeyedVectors

KEYS = ("king", "queen", "man", "woman", "caf\u00e9")
ROWS = [[1, 1, 0], [1, 0, 1], [0.1, 1, 0], [0.1, 0, 1], [-1, 0.25, 1e-9]]
OF_GENSIM = Path(__file__).with_name("gensim")
QUEEN = [-0.08157917, 0.044957984]


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


def test_neighbours_leave_out_what_was_asked(words):
    found = words.most_similar(["king", "woman"], ["man"], topn=2)
    assert found[0][0] == "queen"
    assert {key for key, _ in found}.isdisjoint({"king", "woman", "man"})
    assert len(words.most_similar("king", topn=99)) == 4


def test_a_cosine_is_that_of_the_vectors(words):
    one, other = words["king"].astype(float), words["man"].astype(float)
    expected = one @ other / np.linalg.norm(one) / np.linalg.norm(other)
    assert words.similarity("king", "man") == pytest.approx(expected)
    assert dict(words.most_similar("king"))["man"] == pytest.approx(expected)


def test_the_zero_vector_is_near_nothing():
    words = KeyedVectors(("a", "b"), np.array([[0, 0], [1, 0]], np.float32))
    assert words.similarity("a", "b") == 0
    assert words.most_similar("a") == [("b", 0.0)]


def test_the_odd_one_out(words):
    assert words.doesnt_match(["king", "queen", "café"]) == "café"
    with pytest.raises(PteError, match="give a list"):
        words.doesnt_match("king")


@pytest.mark.parametrize("binary", [False, True])
def test_a_file_gives_the_same_bits_again(tmp_path, binary):
    numbers = np.random.default_rng(3).standard_normal((len(KEYS), 50)).astype(np.float32)
    words = KeyedVectors(KEYS, numbers)
    words.to_word2vec(tmp_path / "v", binary=binary)
    again = KeyedVectors.from_word2vec(tmp_path / "v", binary=binary)
    assert again.keys == words.keys
    assert again.vectors.tobytes() == words.vectors.tobytes()


def test_files_are_in_the_documented_format(words, tmp_path):
    words.to_word2vec(tmp_path / "binary", binary=True)
    assert (tmp_path / "binary").read_bytes() == binary_of(words)
    words.to_word2vec(tmp_path / "text")
    lines = (tmp_path / "text").read_bytes().split(b"\n")
    assert lines[:4] == [b"5 3", b"king 1 1 0", b"queen 1 0 1", b"man 0.100000001 1 0"]
    assert lines[-2:] == ["café -1 0.25 9.99999972e-10".encode(), b""]


def test_files_of_gensim_are_read():
    """`gensim.models.Word2Vec` learnt them, and its `save_word2vec_format` wrote them."""
    text, binary = (
        KeyedVectors.from_word2vec(OF_GENSIM / f"words.{kind}", binary=kind == "bin")
        for kind in ("txt", "bin")
    )
    assert text.keys == binary.keys == ("king", "_", "1.5", "東京", "café", "queen")
    assert text.vectors.tobytes() == binary.vectors.tobytes()
    assert text["queen"][:2].tolist() == np.array(QUEEN, np.float32).tolist()


def test_bytes_that_are_no_utf8_stay_as_they_are(tmp_path):
    raw = (b"na\xefve", b"\x85")
    words = KeyedVectors.of_bytes(raw, np.eye(2, dtype=np.float32))
    words.to_word2vec(tmp_path / "v")
    assert KeyedVectors.from_word2vec(tmp_path / "v").raw_keys == raw


@pytest.mark.parametrize(
    ("content", "binary", "message"),
    [
        (b"", False, "first line"),
        (b"2 2\na 1 2\n", False, "vector 2 has 0 numbers instead of 2"),
        (b"1 2\na 1 x\n", False, "could not convert"),
        (b"1 2\na 1234", True, "ends in vector 1 of 1"),
        (b"1 2\n" + b"a" * 5000, True, "no space ends a key"),
        (b"x y\n", True, "invalid literal"),
        (b"2 1\na 1\nb 1\n", True, "is it the text format"),
        (b"2 1\na 1.23456789\nb 1.23456789\n", True, "goes on behind its 2.*is it the text format"),
        (b"1 1\na 1\nb 1\n", False, "goes on behind its 1 vectors of length 1"),
        (b"2 1\na 1234a 1234", True, "some key is there twice.*is it the text format"),
    ],
)
def test_a_broken_file_is_named(tmp_path, content, binary, message):
    (tmp_path / "v.bin").write_bytes(content)
    with pytest.raises(PteError, match=f"v.bin: not a word2vec file .*{message}"):
        KeyedVectors.from_word2vec(tmp_path / "v.bin", binary=binary)


def test_a_missing_file_is_named(tmp_path):
    with pytest.raises(PteError, match="v: no such file"):
        KeyedVectors.from_word2vec(tmp_path / "v")


def test_keys_with_white_space_have_no_place_in_the_format(tmp_path):
    words = KeyedVectors(("new york",), np.ones((1, 2), np.float32))
    with pytest.raises(PteError, match="holds white space"):
        words.to_word2vec(tmp_path / "v")
    assert not list(tmp_path.iterdir())


def test_keys_and_vectors_agree():
    with pytest.raises(PteError, match="there twice"):
        KeyedVectors(("a", "a"), np.ones((2, 2), np.float32))
    with pytest.raises(PteError, match="7 is no text"):
        KeyedVectors(("a", 7), np.zeros((2, 2), np.float32))
    with pytest.raises(PteError, match="`nearest` takes a vector"):
        KeyedVectors(("a",), np.zeros((1, 2), np.float32)).most_similar(np.zeros(2, np.float32))
    with pytest.raises(PteError, match="1 keys"):
        KeyedVectors(("a",), np.ones((2, 2), np.float32))


def test_it_is_shown_in_one_line():
    vectors = KeyedVectors(tuple("abcd"), np.zeros((4, 2), np.float32))
    assert repr(vectors) == "KeyedVectors of 4 keys ('a', 'b', 'c', …), dim 2"
    few = KeyedVectors(("a",), np.zeros((1, 2), np.float32))
    assert repr(few) == "KeyedVectors of 1 keys ('a'), dim 2"
