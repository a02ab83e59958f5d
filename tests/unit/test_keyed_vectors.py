"""Vectors by keys, and files in word2vec's format, written here byte by byte."""

import gzip
import struct
import warnings
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import pandas as pd
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

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


def test_the_length_of_a_vector_changes_no_cosine():
    vectors = np.array([[3e38, 3e38], [1e-40, 1e-40], [3e38, -3e38], [2, 0]], np.float32)
    words = KeyedVectors(("a", "b", "c", "d"), vectors)
    assert words.similarity("a", "b") == pytest.approx(1)
    assert words.similarity("a", "c") == pytest.approx(0, abs=1e-6)
    for vector in ([1e300, 1e300], [1e-300, 1e-300], [5, 5]):
        assert dict(words.nearest(np.array(vector), 4)) == pytest.approx(
            {"a": 1, "b": 1, "c": 0, "d": 0.5**0.5}, abs=1e-6
        )


def test_the_odd_one_out(words):
    keys = ["king", "queen", "café"]
    series = [pd.Series(keys, index) for index in ([2, 1, 0], [5, 6, 7])]
    for asked in (keys, np.array(keys), *series):
        assert words.doesnt_match(asked) == "café"
    assert words.doesnt_match(iter(keys)) == "café"
    with pytest.raises(PteError, match="give a list"):
        words.doesnt_match("king")


def test_the_names_of_gensim_are_there(words):
    assert words.key_to_index == words.index
    assert words.get_vector("king").tolist() == words["king"].tolist()
    assert np.linalg.norm(words.get_vector("king", norm=True)) == pytest.approx(1)
    assert words.similar_by_vector(words["king"], 2) == words.nearest(words["king"], 2)
    one, other = (words[pair].mean(axis=0) for pair in (["king", "man"], ["queen", "woman"]))
    expected = one @ other / np.linalg.norm(one) / np.linalg.norm(other)
    assert words.n_similarity(["king", "man"], ["queen", "woman"]) == pytest.approx(expected)
    assert words.n_similarity(iter(["king"]), "man") == words.similarity("king", "man")
    with pytest.raises(PteError, match="at least one key"):
        words.n_similarity(["king"], [])


def test_no_cosine_leaves_its_bounds():
    vectors = np.random.default_rng(0).normal(size=(300, 20)).astype(np.float32)
    words = KeyedVectors(tuple(map(str, range(300))), vectors)
    assert max(words.similarity(key, key) for key in words) == 1
    assert max(words.n_similarity([key], [key]) for key in words) == 1
    assert max(words.nearest(vector, 1)[0][1] for vector in vectors) == 1


def test_similarities_are_multiplied(words):
    def likeness(one, other):
        return (1 + words.similarity(one, other)) / 2

    found = dict(words.most_similar_cosmul(["king", "woman"], ["man"]))
    assert set(found) == {"queen", "café"}
    for key, score in found.items():
        near = likeness(key, "king") * likeness(key, "woman")
        assert score == pytest.approx(near / (likeness(key, "man") + 1e-6), rel=1e-5)
    with pytest.raises(PteError, match="positive: give at least one key"):
        words.most_similar_cosmul([], "man")


def test_cosines_are_compared_with_what_people_said(words, tmp_path):
    file = tmp_path / "pairs.tsv"
    file.write_text("one\tother\tmean\n# of somebody\nKing\tman\t9\nking\tcafé\t1\nx\tman\t5\n\n")
    found = words.evaluate_word_pairs(file)
    assert found == (pytest.approx(1), pytest.approx(1), pytest.approx(100 / 3))
    file.write_text("king,man,2\nqueen,man,8\nking,woman,5.5\n")
    cosines = [words.similarity(*pair.split()) for pair in ("king man", "queen man", "king woman")]
    assert words.evaluate_word_pairs(file).pearson == pytest.approx(
        np.corrcoef(cosines, [2, 8, 5.5])[0, 1]
    )
    file.write_text("# of somebody\none,other,mean\nking,man,2\nqueen,man,8\n")
    assert words.evaluate_word_pairs(file).unknown == 0
    file.write_text("king\tman\t7,5\nqueen\tman\t7,9\n")
    with pytest.raises(PteError, match=r"pairs.tsv: line 2 is not two words and a number"):
        words.evaluate_word_pairs(file)
    file.write_text("king man 1\nking queen nan\n")
    with pytest.raises(PteError, match=r"pairs.tsv: line 2 is not two words and a number"):
        words.evaluate_word_pairs(file)
    file.write_text("king man 1\nking queen\n")
    with pytest.raises(PteError, match=r"pairs.tsv: line 2 is not two words and a number"):
        words.evaluate_word_pairs(file)
    file.write_text("king man 1\n")
    with pytest.raises(PteError, match="1 of 1 pairs have vectors"):
        words.evaluate_word_pairs(file)


def test_a_vector_that_is_no_number_answers_no_analogy(tmp_path):
    rows = [[1, 0, 0], [0, 1, 0], [1, 0, 1], [0, 1, 1], [np.nan] * 3]
    words = KeyedVectors(("man", "woman", "king", "queen", "bad"), np.float32(rows))
    (tmp_path / "a.txt").write_text("man woman king queen\n")
    assert words.evaluate_word_analogies(tmp_path / "a.txt").accuracy == 1


def test_a_vector_that_is_changed_changes_no_other():
    rows = np.float32([[3, 4], [1, 0]])
    words = KeyedVectors(("a", "b"), rows)
    for vector in (words["a"], words.get_vector("a"), words.get_vector("a", norm=True)):
        vector *= 5
    assert words.similarity("a", "a") == pytest.approx(1) and rows.tolist() == [[3, 4], [1, 0]]


def test_analogies_are_answered_as_by_most_similar(tmp_path):
    generator = np.random.default_rng(1)
    keys = tuple(f"w{i}" for i in range(40))
    words = KeyedVectors(keys, generator.standard_normal((40, 4)).astype(np.float32))
    asked = [generator.choice(keys, 4, replace=False) for _ in range(300)]
    right = [words.most_similar([b, c], a, topn=1)[0][0] for a, b, c, _ in asked]
    lines = [": one", *(" ".join([*each[:3], d]) for each, d in zip(asked, right, strict=True))]
    lines += [": two", *(" ".join(each).upper() for each in asked), "w1 w2 w3 unknown"]
    (tmp_path / "a.txt").write_text("\n".join(lines))
    by_chance = sum(each[3] == d for each, d in zip(asked, right, strict=True))
    found = words.evaluate_word_analogies(tmp_path / "a.txt")
    assert found.sections == {"one": (300, 300), "two": (by_chance, 300)}
    assert found.accuracy == (300 + by_chance) / 600
    assert found.unknown == pytest.approx(100 / 601)
    for content, said in ((": x\nw1 w2 w3\n", "line 2 has 3 words"), ("a b c d", "none of 1")):
        (tmp_path / "b.txt").write_text(content)
        with pytest.raises(PteError, match=f"b.txt: {said}"):
            words.evaluate_word_analogies(tmp_path / "b.txt")


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


def test_bytes_that_are_no_utf8_stay_as_they_are(tmp_path):
    raw = (b"na\xefve", b"\x85")
    words = KeyedVectors.of_bytes(raw, np.eye(2, dtype=np.float32))
    words.to_word2vec(tmp_path / "v")
    assert KeyedVectors.from_word2vec(tmp_path / "v").raw_keys == raw


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
    words = KeyedVectors.of_bytes(table, np.array(list(table.values()), np.float32))
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
        KeyedVectors.of_bytes([b"a" * 65536], rows).to_word2vec(tmp_path / "v", binary=binary)
        assert len(KeyedVectors.from_word2vec(tmp_path / "v", binary=binary).keys[0]) == 65536
        with pytest.raises(PteError, match="65,537 bytes"):
            KeyedVectors.of_bytes([b"a" * 65537], rows).to_word2vec(tmp_path / "w", binary=binary)


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
    ("content", "binary", "places"),
    [
        (b"3 1\na 1\nb 2\na 3\n", False, "lines 2 and 4"),
        (b"a 1\n\nb 2\na 3\n", False, "lines 1 and 4"),
        (b"3 1\na \0\0\x80?b \0\0\0@a \0\0@@", True, "vectors 1 and 3"),
    ],
)
def test_the_first_vector_of_a_word_that_is_there_twice_is_kept(tmp_path, content, binary, places):
    (tmp_path / "v").write_bytes(content)
    with pytest.warns(match=rf"v: 1 vectors are of words .*: 'a' \({places}\); the first"):
        words = KeyedVectors.from_word2vec(tmp_path / "v", binary=binary)
    assert words.keys == ("a", "b") and words.vectors.tolist() == [[1], [2]]


@pytest.mark.parametrize(
    ("content", "binary", "place"),
    [
        (b"2 1\na 1\nb nan\n", False, "line 3"),
        (b"a 1 1e60\nb 1 2\n", False, "line 1"),
        (b"1 1\na \0\0\x80\x7f\n", True, "vector 1"),
    ],
)
def test_numbers_that_are_not_finite_are_pointed_out(tmp_path, content, binary, place):
    (tmp_path / "v").write_bytes(content)
    with pytest.warns(match=rf"v: 1 vectors hold NaN or infinity, the first in {place};"):
        KeyedVectors.from_word2vec(tmp_path / "v", binary=binary)


@pytest.mark.parametrize(
    ("content", "binary", "message"),
    [
        (b"", False, "it is empty"),
        (b"2 2\na 1 2\n", False, "line 1 says 2 vectors; there are 1"),
        (b"1 1\na 1\nb 1\n", False, "line 1 says 1 vectors; there are 2"),
        (b"1 3\na 1 2\n", False, "line 1 says that vectors have length 3; they have 2"),
        (b"2 1\na 1 2\nb 1 2\n", False, "line 1 says that vectors have length 1; they have 2"),
        (b"3 2\na 1 2\nb 1\nc 1 2\n", False, "line 3 has 1 numbers .*2 are expected"),
        (b"a 1 2\nb 1 2\nc 1 x\n", False, "line 3 has 0 numbers .*2 are expected"),
        (b"1 2\na 1 x\n", False, "line 2 is no word with numbers"),
        (b"some text\nof nothing\n", False, "line 1 is no word with numbers"),
        (b"\xba\x16\x4f\x2f\x0c\0\0\0", True, "this is a model of fastText; give its .vec file"),
        (b"3 99999999\n", False, "length 99,999,999; it must be 1 to"),
        (b"1 2\na \0\0\x80?\0\0\x80?\n", False, "the binary format, not text; give binary=True"),
        (gzip.compress(b"a 1 2\n", mtime=0), False, r"this is a gzip file; add \.gz to its name"),
        (
            gzip.compress(b"1 2\na 12345678", mtime=0),
            True,
            r"this is a gzip file; add \.gz to its name",
        ),
        (b"", True, "does not begin with the number and the length"),
        (b"\x01\x02", True, "does not begin with the number and the length"),
        (b"1 2\na \x011234", True, "it ends in vector 1 of 1"),
        (b"1 2\n" + b"a" * 500, True, "it ends in the word of vector 1"),
        (b"1 2\n" + b"a" * 70000, True, "word of vector 1 has more than 65,536 bytes"),
        (b"1 1\na \0\0\x80?\nb \0\0\x80?", True, "goes on behind the 1 vectors of line 1"),
        (b"2 1\na 1\nb 1\n", True, "the text format, not binary; give binary=False"),
        (b"king 1 1\nqueen 1 2\n", True, "the text format, not binary; give binary=False"),
    ],
)
def test_a_broken_file_is_named_with_its_fault(tmp_path, content, binary, message):
    (tmp_path / "v.bin").write_bytes(content)
    with pytest.raises(PteError, match=f"v.bin: .*{message}"):
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
    with pytest.raises(PteError, match="None is no text"):
        KeyedVectors((None,), np.ones((1, 2), np.float32))
    with pytest.raises(PteError, match="vectors: they are <U1; give an array of numbers"):
        KeyedVectors(("a",), np.array([["x"]]))


def test_keys_and_vectors_of_any_kind_are_kept():
    keys = ["a", "b"]
    made = [KeyedVectors(keys, [[1, 0], [0, 1]]), KeyedVectors(iter(keys), np.eye(2))]
    keys.append("c")
    assert [each.keys for each in made] == [("a", "b")] * 2
    assert [each.most_similar("a") for each in made] == [[("b", 0.0)]] * 2


@pytest.mark.parametrize("key", [0, slice(0, 1), None, [["king"]]])
def test_what_is_no_key_has_no_vector(words, key):
    with pytest.raises(KeyError, match="has no vector; name one of the"):
        words[key]


@pytest.mark.parametrize("vector", [[1, 2], [[1, 2, 3]], [1, 2, float("nan")], "king"])
def test_what_is_no_vector_is_refused(words, vector):
    with pytest.raises(PteError, match="vector: give 3 finite numbers; keys: `most_similar`"):
        words.nearest(vector)


def test_it_is_shown_in_one_line():
    vectors = KeyedVectors(tuple("abcd"), np.zeros((4, 2), np.float32))
    assert repr(vectors) == "KeyedVectors of 4 keys ('a', 'b', 'c', …), dim 2"
    few = KeyedVectors(("a",), np.zeros((1, 2), np.float32))
    assert repr(few) == "KeyedVectors of 1 keys ('a'), dim 2"
