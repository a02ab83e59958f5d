import gzip
import json
import re
import subprocess
import sys
from collections import Counter
from dataclasses import replace
from pathlib import Path

import naive
import numpy as np
import pytest
import yaml
from hypothesis import example, given
from hypothesis import strategies as st
from made import tar_of, zip_of

from pte.corpora import encode as encoding
from pte.corpora import encode_entry as reading_entries
from pte.corpora.document import Document
from pte.corpora.encode import Vocabulary, encode
from pte.corpora.encode_entry import (
    documents_sha256,
    encode_entry,
    read_entry,
    shuffled_split,
    split_anew,
)
from pte.corpora.encoded import TEST, TRAIN, UNLABELLED, EncodedCorpus
from pte.corpora.entry import CorpusEntry, Recipe
from pte.corpora.readers import check_options, read
from pte.corpora.readers.packed import class_folders, labelled_tab, parallel_lines, table_column
from pte.corpora.tokenise import LINES, TOKENISERS, from_function, letters, whitespace
from pte.errors import PteError
from pte.files import save_array

BASE = [Document(b"b a b", "x", TRAIN), Document(b"c", "y", TRAIN), Document(b"a", "x", TEST)]


def tokens_of(corpus, d):
    return [corpus.words[i] for i in corpus.tokens[corpus.offsets[d] : corpus.offsets[d + 1]]]


# Tokenisers


# Bytes that begin, end or separate tokens under some tokeniser, with a run of anything between.
TEXTS = st.lists(
    st.sampled_from(
        [b"aB", b"a'b", b"b", b"a1", b" ", b"\n", b"\r", b"\x00", b"\x85", b"\xff", b"<br />"]
    )
    | st.binary(max_size=4),
    max_size=8,
).map(b"".join)
DEFINITIONS = {
    "letters": lambda text: re.findall(rb"[a-z]+", text.lower()),
    "letters_and_digits": lambda text: re.findall(rb"[a-z0-9]+", text.lower()),
    "letters_digits_and_apostrophes": lambda text: re.findall(rb"[a-z0-9']+", text.lower()),
    "letters_without_breaks": lambda text: re.findall(
        rb"[a-z]+", text.replace(b"<br />", b" ").lower()
    ),
    "whitespace": bytes.split,
    "words": naive.unicode_words,
}


@given(TEXTS)
@example(bytes(range(256)))
def test_tables_are_what_the_tokenisers_are_defined_by(text):
    assert {name: of(text) for name, of in TOKENISERS.items()} == {
        name: of(text) for name, of in DEFINITIONS.items()
    }


def test_any_function_can_be_a_tokeniser():
    pairs = from_function(lambda text: [text[i : i + 2] for i in range(len(text) - 1)])
    assert pairs(b"a b\x00") == [b"a ", b" b", b"b\x00"]
    assert pairs(b"") == []


@pytest.mark.parametrize("token", [b"", b"a\n"])
def test_a_function_must_not_return_what_the_vocabulary_file_cannot_hold(token):
    with pytest.raises(PteError, match="cannot be a token"):
        from_function(lambda text: [text, token])(b"a")


# Readers

FOLDERS = {
    "top/test/law/1": b"test law",
    "top/train/arts/9": b"nine",
    "top/train/law/2": b"two",
    "top/train/arts/10": b"ten",
    "top/readme": b"not a document",
}
PATTERN = r"top/(?P<part>train|test)/(?P<label>[^/]+)/(?P<name>[^/]+)"


@pytest.mark.parametrize("order", [sorted(FOLDERS), sorted(FOLDERS, reverse=True)])
@pytest.mark.parametrize(("pack", "name"), [(zip_of, "a.zip"), (tar_of, "a.tar.gz")])
def test_class_folders_are_read_in_one_order_however_packed(tmp_path, pack, name, order):
    path = pack(tmp_path / name, {member: FOLDERS[member] for member in order})
    assert list(class_folders(path, PATTERN)) == [
        Document(b"ten", "arts", TRAIN),
        Document(b"nine", "arts", TRAIN),
        Document(b"two", "law", TRAIN),
        Document(b"test law", "law", TEST),
    ]


def test_class_folders_without_a_match_names_the_archive(tmp_path):
    path = zip_of(tmp_path / "wrong.zip", {"readme": b""})
    with pytest.raises(PteError, match=r"wrong\.zip.*does not hold"):
        list(class_folders(path, PATTERN))


PARALLEL = {
    "repo-1/dblp/text_train.txt": b"a b\nc\x85d\n",
    "repo-1/dblp/label_train.txt": b"1\n\n",
    "repo-1/dblp/text_test.txt": b"a\n",
    "repo-1/dblp/label_test.txt": b"2\n",
    "repo-1/mr/text_test.txt": b"of another corpus\n",
}


def test_parallel_lines_pair_texts_with_labels(tmp_path):
    path = tar_of(tmp_path / "a.tar.gz", PARALLEL)
    assert list(parallel_lines(path, "dblp")) == [
        Document(b"a b", "1", TRAIN),
        Document(b"c\x85d", None, TRAIN),
        Document(b"a", "2", TEST),
    ]


@pytest.mark.parametrize(("end", "last"), [(b"\r\n", b"\r\n"), (b"\n", b"")])
def test_parallel_lines_may_end_in_crlf_and_need_no_final_line_end(tmp_path, end, last):
    members = {
        name: content.removesuffix(b"\n").replace(b"\n", end) + last
        for name, content in PARALLEL.items()
    }
    members["repo-1/dblp/label_train.txt"] = b"1" + end + b"2" + last
    found = list(parallel_lines(zip_of(tmp_path / "a.zip", members), "dblp"))
    assert [document.label for document in found] == ["1", "2", "2"]
    assert [whitespace(document.text) for document in found] == [[b"a", b"b"], [b"c\x85d"], [b"a"]]


def test_parallel_lines_of_different_number_are_an_error(tmp_path):
    members = PARALLEL | {"repo-1/dblp/label_train.txt": b"1\n2\n3\n"}
    with pytest.raises(PteError, match=r"a\.zip.*2 lines.*3"):
        list(parallel_lines(zip_of(tmp_path / "a.zip", members), "dblp"))


@pytest.mark.parametrize("missing", [name for name in PARALLEL if "dblp" in name])
def test_a_missing_file_of_parallel_lines_is_named_with_the_archive(tmp_path, missing):
    members = {name: content for name, content in PARALLEL.items() if name != missing}
    path = zip_of(tmp_path / "a.zip", members)
    with pytest.raises(PteError, match=rf"a\.zip.*{missing.removeprefix('repo-1/')}"):
        list(parallel_lines(path, "dblp"))


def test_labelled_tab_splits_at_the_first_tab_after_the_header(tmp_path):
    members = {"train.tab": b"head\nhead\narts\ta\tb\n\nlaw\tc\n\td\n", "test.tab": b"h\nh\nlaw\te"}
    path = zip_of(tmp_path / "a.whl", members)
    assert list(labelled_tab(path, "train.tab", "test.tab", header=2)) == [
        Document(b"a\tb", "arts", TRAIN),
        Document(b"c", "law", TRAIN),
        Document(b"d", None, TRAIN),
        Document(b"e", "law", TEST),
    ]


def test_a_line_without_a_tab_and_a_missing_member_are_named(tmp_path):
    path = zip_of(tmp_path / "a.zip", {"train.tab": b"head\nx\ta\nno tab\n", "test.tab": b""})
    with pytest.raises(PteError, match=r"a\.zip: line 3 of train\.tab"):
        list(labelled_tab(path, "train.tab", "test.tab", header=1))

    path = zip_of(tmp_path / "a.zip", {"train.tab": b"x\ta\n"})
    with pytest.raises(PteError, match=r"a\.zip.*test\.tab"):
        list(labelled_tab(path, "train.tab", "test.tab", header=0))


def table_of(tmp_path, content=b"id\ttitle\tknown\n1\tA b\t0\n2\tC\t1\n3\t\xe9 d\t0\n"):
    path = tmp_path / "titles.tsv.gz"
    path.write_bytes(gzip.compress(content))
    return path


def test_a_column_of_a_table_is_unlabelled_text_for_training(tmp_path):
    path = table_of(tmp_path)
    assert list(table_column(path, "title", {"known": "0"})) == [
        Document(b"A b", None, TRAIN),
        Document(b"\xe9 d", None, TRAIN),
    ]
    assert len(list(table_column(path, "title", {}))) == 3


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"id\tname\n1\tx\n", "no column 'title'; there are id, name"),
        (b"title\tyear\nx\t1\n", "no column 'known'"),
        (b"\xef\xbb\xbftitle\tyear\nx\t1\n", "no column 'known'; there are title, year"),
        (b"title\tknown\nx\n", "line 2 needs 2 columns and has 1"),
        (b"", "no column 'title'"),
    ],
)
def test_a_table_that_is_not_as_described_is_an_error(tmp_path, content, message):
    with pytest.raises(PteError, match=message):
        list(table_column(table_of(tmp_path, content), "title", {"known": "0"}))


def test_an_entry_with_more_text_has_a_sample_of_it_behind_its_own(tmp_path):
    options = {"column": "title", "where": {}}
    recipe = recipe_of(
        [],
        reader="table_column",
        options={"column": "title", "where": {"known": "1"}},
        unlabelled={
            "archive": "titles",
            "reader": "table_column",
            "options": options,
            "documents": 2,
            "seed": 1,
        },
    )
    path = table_of(tmp_path)
    own, *more = read_entry({"archive": path, "unlabelled": path}, recipe)
    assert own.text == b"C"
    assert len(more) == 2
    texts = [document.text for document in more]
    assert texts == [text for text in (b"A b", b"C", b"\xe9 d") if text in texts]
    many = replace(recipe, unlabelled={**recipe.unlabelled, "documents": 4})
    with pytest.raises(PteError, match="unlabelled: documents is 4, but there are 3"):
        read_entry({"archive": path, "unlabelled": path}, many)


ANY_DOCUMENT = """
from pte.corpora.document import TRAIN, Document


def read(path, **given):
    yield Document(b"a", part=TRAIN, **given)
"""


def test_labels_and_groups_of_a_reader_are_texts(tmp_path, plugins):
    (plugins / "any_document.py").write_text(ANY_DOCUMENT)
    for options in (
        {"label": ""},
        {"label": b"x"},
        {"label": 7},
        {"label": "x", "more_labels": ("",)},
        {"label": "x", "group": ""},
        {"label": None, "group": b"ann"},
    ):
        recipe = recipe_of([], reader="any_document", options=options)
        with pytest.raises(PteError, match=r"reader any_document: .*labels and the group str"):
            read_entry({"archive": tmp_path}, recipe)


PLUGIN = """
from pte.corpora.document import PARTS, Document


def read(path, encoding):
    for line in path.read_text(encoding).splitlines():
        yield Document(line.encode(), None, PARTS["train"])
"""


def test_a_plugin_may_bring_a_reader(tmp_path, plugins):
    (plugins / "one_text_a_line.py").write_text(PLUGIN)
    (tmp_path / "a.txt").write_text("é\nb\n", "latin-1")
    found = read(tmp_path / "a.txt", "one_text_a_line", {"encoding": "latin-1"})
    assert [document.text for document in found] == ["é".encode(), b"b"]
    with pytest.raises(PteError, match="one_text_a_line: missing a required argument: 'encoding'"):
        read(tmp_path / "a.txt", "one_text_a_line", {})
    with pytest.raises(PteError, match="unexpected keyword argument 'labels'"):
        read(tmp_path / "a.txt", "one_text_a_line", {"encoding": "latin-1"}, {"labels": tmp_path})


@pytest.mark.parametrize("given", ["counts", "counts=None"])
def test_a_reader_may_count_what_it_leaves_out(tmp_path, plugins, given):
    lines = f"""
from pte.corpora.document import TRAIN, Document

def read(path, {given}):
    counts["lines"] += 1
    yield Document(b"a", "x", TRAIN)
"""
    (plugins / "counting.py").write_text(lines)
    assert check_options("counting", [])
    for counts in (None, Counter()):
        assert len(list(read(tmp_path, "counting", {}, counts=counts))) == 1
    assert counts == {"lines": 1}
    del sys.modules["counting"]


def test_what_is_no_reader_is_an_error(tmp_path, plugins):
    with pytest.raises(PteError, match=r"mr\.reader: 'tiyn' is not a reader; .* class_lines, lab"):
        check_options("tiyn", [], "corpora.yaml: corpora.mr.reader")
    with pytest.raises(PteError, match=r"corpora\.yaml: 'tiyn' is not a reader"):
        read(tmp_path / "a.zip", "tiyn", {})

    (plugins / "reads_nothing.py").write_text("")
    with pytest.raises(PteError, match="reads_nothing: the module has no function `read`"):
        read(tmp_path / "a.zip", "reads_nothing", {})


# Splits


def test_shuffled_split_is_a_permutation_with_so_many_for_training(documents):
    found = shuffled_split(documents, 50, seed=1)
    unlabelled = [document for document in documents if document.label is None]
    labelled = len(documents) - len(unlabelled)
    assert [document.part for document in found[:labelled]] == [TRAIN] * 50 + [TEST] * (
        labelled - 50
    )
    assert found[labelled:] == unlabelled
    texts = Counter((document.text, document.label) for document in documents)
    assert Counter((document.text, document.label) for document in found) == texts


def test_rotated_parts_test_every_document_once():
    parts = [TEST] * 3 + [TRAIN] * 7
    labels = ["a"] * 9 + [None]
    documents = [
        Document(b"%d" % i, label, part)
        for i, (label, part) in enumerate(zip(labels, parts, strict=True))
    ]
    first, second = (
        split_anew(documents, {"rule": "rotated", "part": part, "seed": 1}) for part in (1, 2)
    )
    tests = [[d.text for d in each if d.part == TEST] for each in (documents, first, second)]
    assert sorted(text for each in tests for text in each) == [b"%d" % i for i in range(9)]
    assert [len(each) for each in tests] == [3, 3, 3]
    assert [d.text for d in first] == [d.text for d in documents]
    with pytest.raises(PteError, match=r"^split: part is 3, but 6 labelled .* 2 parts of 3 doc"):
        split_anew(documents, {"rule": "rotated", "part": 3, "seed": 1})


@pytest.mark.parametrize("train", [-1, 0, 3, 4])
def test_a_split_must_leave_documents_on_both_sides(train):
    with pytest.raises(PteError, match=f"train is {train}"):
        shuffled_split(BASE, train, seed=1)


# Encoding


@given(
    st.lists(st.tuples(TEXTS, st.booleans()), max_size=6),
    st.sampled_from([*TOKENISERS.values(), from_function(bytes.split)]),
)
@example([(b"", True), (b"\n\n", False), (b"a" * 9999 + b" " + b"a" * 9998 + b"b", True)], letters)
def test_every_tokeniser_is_encoded_as_defined(texts, tokeniser):
    training = [True, *(trained for _, trained in texts)]
    documents = [
        Document(text, "x", TRAIN if trained else TEST)
        for text, trained in zip([b"first", *(text for text, _ in texts)], training, strict=True)
    ]
    corpus = encode(documents, tokeniser)
    words, rows = naive.encode([tokeniser(d.text) for d in documents], training)
    assert corpus.words == tuple(words)
    found = np.split(corpus.tokens, corpus.offsets[1:-1])
    assert [row.tolist() for row in found] == rows
    assert corpus.meta["counts"]["tokens"] == sum(len(tokeniser(d.text)) for d in documents)


def test_blocks_do_not_change_the_result(monkeypatch, documents):
    one = encode(documents, whitespace)
    monkeypatch.setattr(encoding, "_TEXT_BLOCK", 100)
    many = encode(documents, whitespace)
    for name in ("tokens", "offsets", "labels", "split"):
        assert getattr(many, name).dtype == getattr(one, name).dtype
        assert getattr(many, name).tolist() == getattr(one, name).tolist()
    assert (many.words, many.meta) == (one.words, one.meta)


def test_a_vocabulary_grows_beyond_its_first_capacity():
    vocabulary = Vocabulary()
    words = [b"%d" % i for i in range(5000)]
    text = b"\n".join(words)
    for _ in range(2):  # new words, then known ones
        numbers, offsets = vocabulary.number([text, b""], np.array([True, True]), LINES)
        assert numbers.tolist() == list(range(5000))
        assert offsets.tolist() == [0, 5000, 5000]
    assert vocabulary.words() == words
    assert vocabulary.counts.tolist() == [2] * 5000


def test_test_documents_do_not_count_in_the_vocabulary():
    corpus = encode([*BASE, Document(b"c c c c c new", "x", TEST)], whitespace)
    assert corpus.words == (b"b", b"a", b"c")
    assert tokens_of(corpus, 3) == [b"c"] * 5
    assert corpus.meta["counts"]["test_tokens_dropped"] == 1


@pytest.mark.parametrize(
    ("document", "empty", "unknown"),
    [(Document(b"  ", "x", TRAIN), 1, 0), (Document(b"never seen", "y", TEST), 0, 1)],
)
def test_a_document_without_a_word_is_kept_and_counted(document, empty, unknown):
    corpus = encode([document, *BASE], whitespace)
    assert corpus.n_documents == 4
    assert tokens_of(corpus, 0) == []
    assert corpus.meta["counts"]["empty_documents"] == empty
    assert corpus.meta["counts"]["documents_without_known_word"] == unknown


def test_counts_of_the_corpus():
    documents = [*BASE, Document(b"a", None, TRAIN), Document(b"b q", "y", TEST)]
    assert encode(documents, whitespace).meta["counts"] == {
        "documents": 5,
        "train": 3,
        "labelled_train": 2,
        "test": 2,
        "vocabulary": 3,
        "classes": 2,
        "mean_document_length": 8 / 5,
        "tokens": 8,
        "training_tokens": 5,
        "test_tokens_dropped": 1,
        "empty_documents": 0,
        "documents_without_known_word": 0,
    }


@pytest.mark.parametrize(
    ("documents", "message"),
    [
        ([], "no training document holds a token"),
        (
            [Document(b" ", "x", TRAIN), Document(b"a", "x", TEST)],
            "no training document holds a token",
        ),
        ([*BASE, Document(b"a", "z", TEST)], "'z' has no training document"),
        ([*BASE, Document(b"a", None, TEST)], "test document has no label"),
    ],
)
def test_documents_that_are_no_corpus_are_an_error(documents, message):
    with pytest.raises(PteError, match=message):
        encode(documents, whitespace)


def test_class_names_rename_classes_without_reordering_them():
    corpus = encode(BASE, whitespace, {"x": "zebra"})
    assert corpus.classes == ("zebra", "y")
    assert corpus.labels.tolist() == [0, 1, 0]


# Registry entries


def recipe_of(documents, **changes):
    given = {"reader": "parallel_lines", "options": {"folder": "mr"}, "tokeniser": "whitespace"}
    return Recipe(documents_sha256=documents_sha256(documents), **given | changes)


def test_an_entry_is_encoded_as_it_says():
    corpus = encode_entry(BASE, recipe_of(BASE, class_names={"x": "first"}))
    assert corpus.classes == ("first", "y")
    assert corpus.split.tolist() == [TRAIN, TRAIN, TEST]
    assert corpus.meta["documents_sha256"] == documents_sha256(BASE)
    assert corpus.meta["entry"] == {
        "reader": "parallel_lines",
        "options": {"folder": "mr"},
        "tokeniser": "whitespace",
        "split": {"rule": "distributed"},
        "class_names": {"x": "first"},
        "documents_sha256": documents_sha256(BASE),
    }


@pytest.mark.parametrize(
    ("names", "message"),
    [
        ({"x": "a", "z": "b"}, r"class_names: no document has the label 'z'; there are 'x', 'y'"),
        ({"x": "y"}, "class_names: two classes are named 'y'; give them different names"),
        ({"x": "a", "y": "a"}, "class_names: two classes are named 'a'"),
    ],
)
def test_names_of_classes_fit_the_labels(names, message):
    with pytest.raises(PteError, match=message):
        encode_entry(BASE, recipe_of(BASE, class_names=names))
    assert encode_entry(BASE, recipe_of(BASE, class_names={"x": "y", "y": "x"})).n_classes == 2


@pytest.mark.parametrize(
    "other",
    [
        Document(b"b a", "x", TRAIN),
        Document(b"b a b", "y", TRAIN),
        Document(b"b a b", None, TRAIN),
        Document(b"b a b", "x", TEST),
    ],
)
def test_other_documents_than_the_registered_ones_are_an_error(other):
    with pytest.raises(PteError, match=r"documents_sha256 is .* hash to"):
        encode_entry([other, *BASE[1:]], recipe_of(BASE))


REGISTRY = yaml.safe_load(
    (Path(__file__).parents[2] / "workflow" / "registry" / "corpora.yaml").read_text("utf-8")
)
RECIPE = [
    *("reader", "options", "tokeniser", "split", "class_names", "documents_sha256", "unlabelled")
]


@pytest.mark.parametrize("name", REGISTRY["corpora"])
def test_the_recipe_of_an_entry_comes_back_key_by_key(name):
    entry = REGISTRY["corpora"][name]
    expected = {key: entry[key] for key in RECIPE if key in entry}
    recipe = CorpusEntry.from_mapping(entry)
    assert json.dumps(recipe.to_mapping()) == json.dumps(expected)


def test_entries_are_read_without_numpy():
    asked = "import sys, pte.corpora.entry, pte.corpora.readers as r;"
    asked += "r.check_options('wikiextractor', ['labels', 'label_column']);"
    asked += "print('numpy' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", asked], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"


# The encoded corpus


def test_a_saved_corpus_loads_equal_and_memory_mapped(documents, tmp_path):
    extra = Document(b"\xff\xfe \x85 \xe2\x80\xa8", "law", TRAIN)
    corpus = encode([*documents, extra], whitespace, {"law": "Récht"})
    corpus.save(tmp_path / "corpus")
    loaded = EncodedCorpus.load(tmp_path / "corpus")
    for name in ("tokens", "offsets", "labels", "split"):
        assert isinstance(getattr(loaded, name), np.memmap)
        assert getattr(loaded, name).dtype == getattr(corpus, name).dtype
        assert getattr(loaded, name).tolist() == getattr(corpus, name).tolist()
    assert (loaded.words, loaded.classes) == (corpus.words, corpus.classes)
    assert loaded.meta["counts"] == corpus.meta["counts"]


def test_a_corpus_that_is_missing_or_does_not_fit_together_is_an_error(corpus, tmp_path):
    with pytest.raises(PteError, match="nowhere"):
        EncodedCorpus.load(tmp_path / "nowhere")
    corpus.save(tmp_path / "corpus")
    (tmp_path / "corpus" / "vocabulary.txt").write_bytes(b"only\n")
    with pytest.raises(PteError, match=r"vocabulary\.txt: missing, damaged"):
        EncodedCorpus.load(tmp_path / "corpus")
    corpus.save(tmp_path / "corpus")
    save_array(tmp_path / "corpus" / "offsets.npy", corpus.offsets[:-1])
    with pytest.raises(PteError, match="do not agree"):
        EncodedCorpus.load(tmp_path / "corpus")


def test_a_part_has_the_tokens_and_labels_of_its_documents(corpus):
    part = corpus.of_documents(corpus.split == TRAIN)
    tokens, offsets, labels = part.tokens, part.offsets, part.labels
    train = corpus.documents(TRAIN)
    assert labels.tolist() == corpus.labels[train].tolist()
    for i, d in enumerate(train):
        found = [corpus.words[token] for token in tokens[offsets[i] : offsets[i + 1]]]
        assert found == tokens_of(corpus, d)
    assert offsets[-1] == tokens.size


def test_the_count_matrix_counts(corpus):
    tokens = corpus.tokens.tolist()
    dense = corpus.counts.toarray()
    assert dense.shape == (corpus.n_documents, corpus.n_words)
    for d in range(corpus.n_documents):
        expected = Counter(tokens_of(corpus, d))
        assert {corpus.words[i]: dense[d, i] for i in np.flatnonzero(dense[d])} == expected
    assert corpus.tokens.tolist() == tokens  # the tokens keep their order


def test_shuffling_permutes_the_labels_of_labelled_training_documents_only(corpus):
    shuffled = corpus.with_shuffled_labels(seed=1)
    labelled = (corpus.split == TRAIN) & (corpus.labels != UNLABELLED)
    assert (shuffled.labels[~labelled] == corpus.labels[~labelled]).all()
    assert (shuffled.labels[labelled] != corpus.labels[labelled]).any()
    assert sorted(shuffled.labels[labelled]) == sorted(corpus.labels[labelled])


@pytest.mark.parametrize(
    ("documents", "message"),
    [
        ([], "none of its 0 documents is a test document"),
        ([Document(b"a", "x", TRAIN)], "none of its 1 documents is a test document"),
        ([Document(b"a", "x", TEST)], "none of its 1 documents is a training document"),
        ([Document("a", "x", TRAIN), Document(b"a", "x", TEST)], "text must be bytes"),
        ([Document(b"a", "x", "train"), Document(b"a", "x", TEST)], "part TRAIN or TEST"),
        ([Document(b"a", None, TRAIN, ("x",))], "None stands for no label"),
    ],
)
def test_what_a_reader_must_not_yield_is_an_error_before_its_hash(monkeypatch, documents, message):
    monkeypatch.setattr(reading_entries, "read", lambda *_: documents)
    recipe = Recipe(reader="mine", options={}, tokeniser="whitespace", documents_sha256="0" * 64)
    with pytest.raises(PteError, match=f"corpora.yaml: reader mine: .*{message}"):
        encode_entry(read_entry({"archive": Path()}, recipe), recipe)
