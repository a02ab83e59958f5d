"""Vectors by keys, and files in word2vec's format, written here byte by byte."""

import gzip
import struct
import sys
import warnings
from pathlib import Path
from tempfile import TemporaryDirectory
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from pte.errors import PteError
from pte.keyed_vectors import KeyedVectors, of_bytes

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


def test_neighbours_leave_out_what_was_asked_and_a_cosine_is_that_of_the_vectors(words):
    found = words.most_similar(["king", "woman"], ["man"], topn=2)
    assert found[0][0] == "queen"
    assert {key for key, _ in found}.isdisjoint({"king", "woman", "man"})
    assert len(words.most_similar("king", topn=99)) == 4
    one, other = words["king"].astype(float), words["man"].astype(float)
    expected = one @ other / np.linalg.norm(one) / np.linalg.norm(other)
    assert words.similarity("king", "man") == pytest.approx(expected)
    assert dict(words.most_similar("king"))["man"] == pytest.approx(expected)


def test_the_length_of_a_vector_changes_no_cosine():
    vectors = np.array([[3e38, 3e38], [1e-40, 1e-40], [3e38, -3e38], [2, 0]], np.float32)
    words = KeyedVectors(("a", "b", "c", "d"), vectors)
    assert words.similarity("a", "b") == pytest.approx(1)
    assert words.similarity("a", "c") == pytest.approx(0, abs=1e-6)
    for vector in ([1e300, 1e300], [1e-300, 1e-300], [5, 5]):
        assert dict(words.nearest(np.array(vector), 4)) == pytest.approx(
            {"a": 1, "b": 1, "c": 0, "d": 0.5**0.5}, abs=1e-6
        )


@pytest.mark.parametrize("name", ["v", "v.gz", "v.xz"])
@pytest.mark.parametrize("binary", [False, True])
def test_a_file_gives_the_same_bits_again(tmp_path, binary, name):
    numbers = np.random.default_rng(3).standard_normal((len(KEYS), 50)).astype(np.float32)
    words = KeyedVectors(KEYS, numbers)
    words.to_word2vec(tmp_path / name, binary=binary)
    again = KeyedVectors.from_word2vec(tmp_path / name, binary=binary)
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


KEY = st.binary(min_size=1, max_size=600).filter(lambda key: key.split() == [key])
VECTOR = st.floats(width=32)


@pytest.mark.filterwarnings("ignore:.*NaN or infinity")
@given(
    st.integers(1, 5).flatmap(
        lambda dim: st.dictionaries(KEY, st.lists(VECTOR, min_size=dim, max_size=dim), min_size=1)
    ),
    st.booleans(),
    st.sampled_from(["v", "v.gz"]),
)
@example({b"\xef\xbb\xbf": [0.0], b"5": [1.0], b"a" * 500: [float("nan")]}, False, "v")
@example({b"\x00": [0.0], b"1234": [np.frombuffer(b"1234", "<f4").item()]}, True, "v")
@example({b"3": [1.0]}, False, "v")
def test_what_is_written_is_read(table, binary, name):
    words = of_bytes(table, np.array(list(table.values()), np.float32))
    with TemporaryDirectory() as folder:
        path = Path(folder, name)
        words.to_word2vec(Path(folder, "v"), binary=binary)
        if name == "v.gz":
            path.write_bytes(gzip.compress(Path(folder, "v").read_bytes()))
        again = KeyedVectors.from_word2vec(path, binary=binary)
    assert again.raw_keys == words.raw_keys
    np.testing.assert_array_equal(again.vectors, words.vectors)


def test_the_longest_keys_are_written_and_read_and_longer_ones_refused(tmp_path):
    rows = np.ones((1, 2), np.float32)
    for binary in (False, True):
        of_bytes([b"a" * 65536], rows).to_word2vec(tmp_path / "v", binary=binary)
        assert len(KeyedVectors.from_word2vec(tmp_path / "v", binary=binary).keys[0]) == 65536
        with pytest.raises(PteError, match="65,537 bytes"):
            of_bytes([b"a" * 65537], rows).to_word2vec(tmp_path / "w", binary=binary)


@pytest.mark.parametrize(
    ("content", "keys"),
    [
        (b"king 1 1.5\nqueen 1 2\n", ["king", "queen"]),
        (b"7 1 1.5\n8 1 2\n", ["7", "8"]),
        (b". . 1 1.5\nat 5 1 2\nof 1 3\n2 3 1\nx 1 1", [". .", "at 5", "of", "2", "x"]),
        (b"2 2\nking\t1\t1.5\nqueen\t1\t2\n", ["king", "queen"]),
        (b"2 2\r\nking 1 1.5 \r\nqueen 1 2 \r\n\r\n", ["king", "queen"]),
        (b"\xef\xbb\xbf2 2\nking 1 1.5\nqueen 1 2", ["king", "queen"]),
        (b"\xef\xbb\xbfking 1 1.5\nqueen 1 2\n", ["king", "queen"]),
        (b"2 2\nnew york 1 1.5\nlos 2 1 2\n", ["new york", "los 2"]),
        (b"0 2\n", []),
    ],
)
def test_text_of_others_is_read(tmp_path, content, keys):
    (tmp_path / "v.txt").write_bytes(content)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        words = KeyedVectors.from_word2vec(tmp_path / "v.txt")
    assert list(words) == keys and words.dim == 2
    assert not keys or words.vectors[:1].tolist() == [[1, 1.5]]


@pytest.mark.parametrize(
    ("content", "binary"),
    [
        (b"3 1\na 1\nb 2\na 3\n", False),
        (b"a 1\n\nb 2\na 3\n", False),
        (b"3 1\na \0\0\x80?b \0\0\0@a \0\0@@", True),
    ],
)
def test_the_first_vector_of_a_word_that_is_there_twice_is_kept(tmp_path, content, binary):
    (tmp_path / "v").write_bytes(content)
    with pytest.warns(match=r"v: 1 vectors are of words .* such as b'a'; the first"):
        words = KeyedVectors.from_word2vec(tmp_path / "v", binary=binary)
    assert words.keys == ("a", "b") and words.vectors.tolist() == [[1], [2]]


@pytest.mark.parametrize(
    ("content", "binary", "word"),
    [
        (b"2 1\na 1\nb nan\n", False, "b"),
        (b"a 1 1e60\nb 1 2\n", False, "a"),
        (b"1 1\na \0\0\x80\x7f\n", True, "a"),
    ],
)
def test_numbers_that_are_not_finite_are_pointed_out(tmp_path, content, binary, word):
    (tmp_path / "v").write_bytes(content)
    with pytest.warns(match=rf"v: 1 vectors hold NaN or infinity, the first is that of b'{word}';"):
        KeyedVectors.from_word2vec(tmp_path / "v", binary=binary)


@pytest.mark.parametrize(
    ("content", "binary", "message"),
    [
        (b"", False, "it is empty"),
        (b"2 2\na 1 2\n", False, "line 1 says 2 vectors; there are 1"),
        (b"1 1\na 1\nb 1\n", False, "line 1 says 1 vectors; there are 2"),
        (b"1 3\na 1 2\n", False, "line 2 has 2 numbers .*3 are expected"),
        (b"2 1\na 1 2\nb 1 2\n", False, "line 1 says that vectors have length 1; they have 2"),
        (b"3 2\na 1 2\nb 1\nc 1 2\n", False, "line 3 has 1 numbers .*2 are expected"),
        (b"a 1 2\nb 1 2\nc 1 x\n", False, "line 3 is no word with numbers"),
        (b"1 2\na 1 x\n", False, "line 2 is no word with numbers"),
        (b"some text\nof nothing\n", False, "line 1 is no word with numbers"),
        (b"\xba\x16\x4f\x2f\x0c\0\0\0", True, "this is a model of fastText; give its .vec file"),
        (b"3 99999999\n", False, "length 99,999,999; it must be 1 to"),
        (
            b"1 2\na \0\0\x80?\0\0\x80?\n",
            False,
            "line 2 is no word .*a binary file needs binary=True",
        ),
        (b"", True, "does not begin with the number and the length"),
        (b"\x01\x02", True, "does not begin with the number and the length"),
        (b"1 2\na \x011234", True, "it ends in vector 1 of 1"),
        (b"1 2\n" + b"a" * 500, True, "there is no word of vector 1 of 1"),
        (b"1 2\n" + b"a" * 70000, True, "there is no word of vector 1 of 1"),
        (b"1 1\na \0\0\x80?\nb \0\0\x80?", True, "goes on behind the 1 vectors of line 1"),
        (b"2 1\na 1\nb 1\n", True, "there is no word of vector 2 of 2"),
        (b"king 1 1\nqueen 1 2\n", True, "a text needs binary=False"),
    ],
)
def test_a_broken_file_is_named_with_its_fault(tmp_path, content, binary, message):
    (tmp_path / "v.bin").write_bytes(content)
    with pytest.raises(PteError, match=f"v.bin: .*{message}"):
        KeyedVectors.from_word2vec(tmp_path / "v.bin", binary=binary)


def test_a_missing_file_is_named_and_keys_with_white_space_have_no_place(tmp_path):
    with pytest.raises(PteError, match="v: no such file"):
        KeyedVectors.from_word2vec(tmp_path / "v")

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
