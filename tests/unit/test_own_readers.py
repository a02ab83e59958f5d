"""Text of the user's own: its formats, its faults, and its split."""

import bz2
import errno
import gzip
import io
import json
import lzma
import subprocess
import sys
from collections import Counter
from datetime import date, datetime
from decimal import Decimal
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType, SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pte.command.documents import read_labelled, read_texts, sha256_of_text
from pte.command.learnt import as_learnt
from pte.corpora import text_files
from pte.corpora.columns import LABELS, TEXTS, Columns, TableRow
from pte.corpora.document import Document
from pte.corpora.encode import encode
from pte.corpora.encode_entry import encode_entry, read_entry
from pte.corpora.encoded import TEST, TRAIN, EncodedCorpus
from pte.corpora.entry import CorpusEntry, HeldOut, Recipe, Shuffle
from pte.corpora.own import FORMATS, OwnText, TextReading, reading_of
from pte.corpora.readers.json_lines import names_of
from pte.corpora.readers.label_folders import reads
from pte.corpora.reading import read
from pte.corpora.splitting import held_out
from pte.corpora.tokenise import words
from pte.errors import PteError


def text_of(path, **said):
    return OwnText.of({"file": str(path), **said})


def own(path, **said):
    """The documents that are read of a file."""
    reading = reading_of(text_of(path, **said))
    return list(read(path, reading.reader, reading.options))


def written(path, content):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return path


def doc(text, label, name, **more):
    return Document(text.encode(), label, more.pop("part", TRAIN), id=name, **more)


TABLE = 'text,label\nGood film,pos\n"Bad, ""very"" bad",neg\n"two\nlines",\n'
EXPECTED = [
    doc("Good film", "pos", "2"),
    doc('Bad, "very" bad', "neg", "3"),
    doc("two\nlines", None, "4"),
]

# Tables


def test_a_table_has_quotes_line_ends_and_documents_without_a_label(tmp_path):
    assert own(written(tmp_path / "a.csv", TABLE)) == EXPECTED


def test_tabs_or_semicolons_may_stand_between_fields(tmp_path):
    tabs = 'text\tlabel\na, b\tx\n"c\td"\ty\n'
    expected = [doc("a, b", "x", "2"), doc("c\td", "y", "3")]
    for name in ("a.tsv", "a.tab"):
        assert own(written(tmp_path / name, tabs)) == expected
    assert own(written(tmp_path / "a.txt", tabs), format="tsv") == expected
    assert own(written(tmp_path / "a.csv", "text;label\na, b;x\n")) == expected[:1]


compressions = pytest.mark.parametrize(
    ("ending", "compress"),
    [(".gz", gzip.compress), (".bz2", bz2.compress), (".xz", lzma.compress)],
)


@compressions
def test_a_file_may_be_compressed(tmp_path, ending, compress):
    assert own(written(tmp_path / f"a.csv{ending}", compress(TABLE.encode()))) == EXPECTED


def test_a_missing_text_is_an_empty_one_and_whole_numbers_have_no_decimals(tmp_path):
    lines = '{"text": "a", "label": 1.0}\n{"text": null, "label": 2.5}\n'
    found = own(written(tmp_path / "a.jsonl", lines))
    assert found == [doc("a", "1", "1"), doc("", "2.5", "2")]


@pytest.mark.parametrize("end", ["\r\n", "\r"])
def test_lines_may_end_in_crlf_or_cr(tmp_path, end):
    path = written(tmp_path / "a.csv", TABLE.replace("\n", end))
    assert own(path) == [*EXPECTED[:2], doc(f"two{end}lines", None, "4")]
    lines = written(tmp_path / "a.jsonl", f'{{"text": "a", "label": 1}}{end}{end}{{"text": "b"}}')
    assert own(lines) == [doc("a", "1", "1"), doc("b", None, "3")]


def test_a_byte_order_mark_is_dropped(tmp_path):
    assert own(written(tmp_path / "a.csv", b"\xef\xbb\xbf" + TABLE.encode())) == EXPECTED
    lines = written(tmp_path / "a.txt", b"\xef\xbb\xbf__label__x a\n")
    assert own(lines) == [doc("a", "x", "1")]
    folder = written(tmp_path / "f" / "x" / "1", b"\xef\xbb\xbfa").parents[1]
    assert own(folder) == [doc("a", "x", "x/1")]


def test_no_column_of_labels_is_not_the_one_without_a_name(tmp_path):
    path = written(tmp_path / "a.csv", ",text,label\n0,aa bb,x\n1,cc dd,y\n")
    assert [each.label for each in own(path, label="")] == [None, None]
    with pytest.raises(PteError, match="no column '1' for `label`"):
        own(path, label="1")


def test_a_document_in_utf_16_must_decode(tmp_path):
    path = written(tmp_path / "f/a/x.txt", "a fine text".encode("utf-16") + b"A").parents[1]
    with pytest.raises(PteError, match=r"x\.txt: it is not utf-16 .*; write it in UTF-8"):
        own(path)


def test_folders_that_are_nested_too_deeply_are_one_error(tmp_path):
    path = written(tmp_path.joinpath(*["a"] * 220, "x.txt"), "a b")
    with pytest.raises(PteError, match="it is in more than 200 folders; put it higher"):
        own(tmp_path)
    assert path.exists()


def test_named_columns_say_id_group_split_and_several_labels(tmp_path):
    table = "n,t,l,s,g\nA,a,x; y ;x;,train,ann\nB,b,,TEST,\nC,c,y,test,bob\n"
    found = own(
        written(tmp_path / "a.csv", table),
        **{"id": "n", "text": "t", "label": "l", "split": "s", "group": "g", "separator": ";"},
    )
    assert found == [
        doc("a", "x", "A", more_labels=("y",), group="ann"),
        doc("b", None, "B"),
        doc("c", "y", "C", part=TEST, group="bob"),
    ]


@pytest.mark.parametrize("word", ["", "NA", "nan", "N/A", "null"])
def test_a_word_for_a_missing_value_is_no_group(tmp_path, word):
    path = written(tmp_path / "a.csv", f"text,label,by\na,x,{word}\nb,y,none\n")
    assert [each.group for each in own(path, group="by", missing=["x"])] == [None, "none"]


def test_the_only_plausible_columns_are_taken_and_named(tmp_path, capsys):
    found = own(written(tmp_path / "a.csv", "id,Review,stars\n7,good,5\n"))
    assert found == [doc("good", "5", "2")]
    printed = capsys.readouterr().out
    assert "the text is in column 'Review'" in printed
    assert "the label is in column 'stars'" in printed


@pytest.mark.parametrize(
    ("content", "said", "message"),
    [
        ("a,label\n", {}, "no column has a usual name for the text.*text=….*'a', 'label'"),
        ("title,text,label\n", {}, "several columns have usual names for the text"),
        ("text,b\n", {}, "no column has a usual name for the label; name its .*: label=…"),
        ("text,label\n", {"text": "review"}, "no column 'review' for `text`; there are"),
        ("text,label\n", {"group": "author"}, "no column 'author' for `group`"),
        ("text,label,text\n", {"text": "text"}, "more than one column 'text' .*; rename one;"),
        ("text,cat\u00e9\n", {"label": "cate\u0301"}, r"did you mean 'cat\\xe9'\? there are"),
        ("", {}, "it is empty"),
        ("text,label\na,b\n\nc\n", {}, "line 4 has 1 fields, but the first line has 2"),
        ('text,label\n"a\nb",x\nc,d,e\n', {}, "line 4 has 3 fields"),
        ('text,label\n"a, b",x\n"b,y\nc,z\n', {}, "line 3: unexpected end of data.*the quotes"),
        ('text,label\n"b, a"c,y\n', {}, "line 2: .*into quotes"),
        ("text,label,s\na,x,dev\n", {"split": "s"}, "line 2: 's' is 'dev'; it must be train or"),
        ("text,label,n\na,x,1\nb,y,1\n", {"id": "n"}, "line 3: id '1' is that of line 2, too"),
        ("text,label,n\na,x,\n", {"id": "n"}, "line 2: 'n' is empty; give each document an id"),
    ],
)
def test_a_table_that_is_not_as_it_should_be_is_an_error(tmp_path, content, said, message):
    with pytest.raises(PteError, match=f"(?s)a\\.csv: .*{message}"):
        own(written(tmp_path / "a.csv", content), **said)


def test_many_columns_are_not_all_listed(tmp_path):
    head = ",".join(f"{'x' * 50}{i}" for i in range(30))
    with pytest.raises(PteError, match=r"x…, .* and 10 more$"):
        own(written(tmp_path / "a.csv", head + "\n"))


LABELS_OF_TROUBLE = [
    *("a/b", "../up", 'say "no"', "new\nline", "<script>alert(1)</script>", r"\input{x}", "=cmd"),
    *("$x_1$", "été", "'", "a;b", " ", "__label__", "-", "null"),
]


def test_any_text_may_be_a_label(tmp_path):
    quoted = [label.replace('"', '""') for label in LABELS_OF_TROUBLE]
    rows = "".join(f'word,"{label}"\n' * 3 for label in quoted)
    corpus = encode(own(written(tmp_path / "a.csv", "text,label\n" + rows)), words)
    missing = (" ", "null")
    assert sorted(corpus.classes) == sorted(set(LABELS_OF_TROUBLE) - set(missing))
    corpus.save(tmp_path / "corpus")
    assert EncodedCorpus.load(tmp_path / "corpus").classes == corpus.classes


# JSON Lines


def test_json_lines_have_labels_of_any_simple_kind(tmp_path):
    rows = [
        {"text": "a", "label": "x"},
        {"text": "b", "label": ["x", "y", "x", None, ""]},
        {"text": "c", "label": 3},
        {"text": "d", "label": None},
        {"text": "e"},
        {"text": "f", "label": True},
        {"text": "g", "label": []},
        {"text": "\ud800h", "label": "\ud800"},
        {"text": "i", "label": float("nan"), "extra": {"deep": 1}},
    ]
    path = written(tmp_path / "a.jsonl", "\n".join(map(json.dumps, rows)))
    assert own(path) == [
        doc("a", "x", "1"),
        doc("b", "x", "2", more_labels=("y",)),
        doc("c", "3", "3"),
        doc("d", None, "4"),
        doc("e", None, "5"),
        doc("f", "true", "6"),
        doc("g", None, "7"),
        doc("?h", "?", "8"),
        doc("i", None, "9"),
    ]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ('{"text": "a", "label": 1}\n{"text": "b"', "line 2 is not JSON .*each must be like"),
        ('{"text": "a", "label": 1}\n7\n', "line 2 is not an object"),
        ('[{"text": "a"},\n', "it is not JSON .*each must be like"),
        ('[{"text": "a"}, 7]\n', "item 2 of the list is not an object"),
        ('["a", "b"]\n["c", "d"]\n', "line 1 is not an object; each must be like"),
        ('\n["a"]\r["c"]\r', "line 2 is not an object; each must be like"),
        ('[{"text": "a", "label": 1}]\n7', "line 1 is not an object"),
        ('[{"text": "a", "label": 1}] 7', "it is not JSON .*Extra data"),
        ('[{"text": "a", "label": 1}, {"text": 7}]\n', "object 2: 'text' is 7; it must be a text"),
        ('{\n"text": "a"\n}\n', "line 1 is not JSON .* on one line, as jq -c writes it"),
        ("text,label\na,b\n", "line 1 is not JSON .* if it is a table: format=csv"),
        ('{"text": "a", "label": 1, "label": 2}', "line 1 .*the key 'label' is there twice"),
        (
            '{"text": "a", "label": 1}\n{"label": "b"}',
            "line 2: it has no 'text'; it must be a text",
        ),
        ('{"text": 5, "label": 1}', "line 1: 'text' is 5; it must be a text"),
        ('{"text": "a", "label": 1}\n{"text": "b", "label": Infinity}', "line 2: inf is no label"),
        ('{"text": "a", "label": {"b": 1}}', r"line 1: \{'b': 1\} must be a text or a number"),
        ('{"word": "a", "label": 1}', "(?<!line 1: )no column has a usual name .*'word', 'label'"),
        ("\n", "it is empty; put an object on each line"),
        ("[" * 100_000, "it is not JSON"),
        ('{"text": "a", "label": ' + "1" * 5000 + "}", "line 1: inf is no label"),
    ],
)
def test_lines_that_are_no_objects_with_texts_are_an_error(tmp_path, content, message):
    with pytest.raises(PteError, match=f"a\\.jsonl: .*{message}"):
        own(written(tmp_path / "a.jsonl", content))


def test_a_list_of_objects_is_read_and_a_null_is_an_empty_text(tmp_path):
    rows = [{"text": "a", "label": ["x", "y"]}, {"text": None, "label": "x"}]
    for content in (json.dumps(rows), "\ufeff\n" + json.dumps(rows, indent=2)):
        path = written(tmp_path / "a.json", content)
        assert own(path) == [doc("a", "x", "1", more_labels=("y",)), doc("", "x", "2")]
        assert read_labelled(str(path), None, {}).unit == "object"


def test_a_key_that_some_objects_lack_is_a_column(tmp_path):
    rows = ['{"text": "a"}', '{"text": "b", "label": "x"}']
    assert [d.label for d in own(written(tmp_path / "a.json", "\n".join(rows)))] == [None, "x"]


# Parquet


class MadeTable:
    """As much of pyarrow's ParquetFile as the reader asks for."""

    def __init__(self, path, read_dictionary=()):
        facts = {"num_row_groups": 1, "num_columns": 0, "schema": SimpleNamespace(column=None)}
        self.metadata = SimpleNamespace(**facts, row_group=lambda number: number)
        self.is_damaged = path.name == "damaged.parquet"
        if path.read_bytes() != b"PAR1":
            raise OSError("no magic bytes")
        kinds = ["string", "double", "string"]
        self.schema_arrow = SimpleNamespace(names=["text", "label", "other"], types=kinds)

    def iter_batches(self, batch_size, row_groups, columns):
        if self.is_damaged:
            raise ValueError("a page is too short")
        for row in ({"text": "a", "label": 1.0}, {"text": "b", "label": float("nan")}):
            one = SimpleNamespace(to_pylist=lambda row=row: [{name: row[name] for name in columns}])
            yield SimpleNamespace(num_rows=1, columns=(), slice=lambda row, n, one=one: one)


@pytest.fixture
def made_pyarrow(monkeypatch):
    package, module = ModuleType("pyarrow"), ModuleType("pyarrow.parquet")
    package.ArrowException, module.ParquetFile = ValueError, MadeTable
    monkeypatch.setitem(sys.modules, "pyarrow", package)
    monkeypatch.setitem(sys.modules, "pyarrow.parquet", module)


def test_a_parquet_table_is_read_by_rows(tmp_path, made_pyarrow):
    path = written(tmp_path / "a.parquet", b"PAR1")
    assert own(path) == [doc("a", "1", "1"), doc("b", None, "2")]
    with pytest.raises(PteError, match=r"b\.parquet: it is not a Parquet file \(no magic bytes\)"):
        own(written(tmp_path / "b.parquet", b"text"))
    with pytest.raises(PteError, match=r"row 1 cannot be read \(a page is too short\)"):
        own(written(tmp_path / "damaged.parquet", b"PAR1"))


@pytest.mark.parametrize(
    ("name", "content", "columns", "unit"),
    [
        ("a.parquet", b"PAR1", {}, "row"),
        ("a.csv", b"text,label,key\na,b,c\n", {}, "line"),
        ("a.csv", b"text,label,key\na,b,c\n", {"id": "key"}, ""),
        ("a.txt", b"__label__b a\n", {}, "line"),
        ("a.svmlight", b"b 1:2\n", {}, "line"),
        ("folder/b/a.txt", b"a", {}, ""),
    ],
)
def test_numbers_that_are_ids_have_a_unit(tmp_path, made_pyarrow, name, content, columns, unit):
    path = tmp_path / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)
    assert read_labelled(str(tmp_path / name.split("/")[0]), None, columns).unit == unit


def test_a_parquet_table_may_have_the_columns_of_a_model(tmp_path, made_pyarrow, capsys):
    path = written(tmp_path / "a.parquet", b"PAR1")
    found = as_learnt(path, None, {}, {"text": "other", "label": "absent", "missing": ["x"]})
    assert found == {"text": "other"}
    assert capsys.readouterr().out == f"{path}: the text in column 'other', as in training\n"
    given = {"text": "text", "label": ""}
    assert as_learnt(path, None, given, {"text": "other", "label": "label"}) == given


@pytest.mark.parametrize(
    ("content", "fault"),
    [("id,text\n1,a\n1,b\n", "line 3: id '1' is that of line 2, too"),
     ("id,text\n,a\n2,b\n", "line 2: 'id' is empty")],
)  # fmt: skip
def test_ids_of_a_model_that_are_none_in_a_file_give_way(tmp_path, capsys, content, fault):
    path = str(written(tmp_path / "a.csv", content))
    found = read_texts(path, None, {}, {"text": "text", "id": "id"})
    assert found.ids == ["2", "3"] and found.unit == "line"
    assert f"{path}: {fault}; so documents are counted in place of ids" in capsys.readouterr().err
    with pytest.raises(PteError, match=fault):
        read_texts(path, None, {"id": "id"}, {"text": "text"})


@pytest.mark.parametrize("form", ["lines", "list"])
def test_a_key_of_json_may_come_late(tmp_path, form):
    rows = [json.dumps({"text": f"t{i}"}) for i in range(150)]
    rows.append(json.dumps({"text": "good", "label": "pos", "note": "x"}))
    content = "\n".join(rows) if form == "lines" else f"[{', '.join(rows)}]"
    path = written(tmp_path / "a.jsonl", content)
    assert own(path)[-1].label == "pos"
    assert own(path, label="note")[-1].label == "x"
    learnt = {"text": "text", "label": "note", "missing": ["x"]}
    assert as_learnt(path, None, {}, learnt)["missing"] == ["x"]
    with pytest.raises(PteError, match="no column 'absent' for `label`"):
        own(path, label="absent")


def test_a_list_of_objects_may_stand_on_one_line(tmp_path, monkeypatch):
    monkeypatch.setattr(text_files, "LONGEST_LINE", 20)
    path = written(tmp_path / "a.json", '\n[{"text": "good", "label": "pos"}, {"text": "ü"}]\n')
    assert [(each.text, each.label) for each in own(path, label="label")] == [
        (b"good", "pos"),
        ("ü".encode(), None),
    ]
    lines = written(tmp_path / "b.json", '{"text": "good", "label": "pos"}')
    with pytest.raises(PteError, match="line 1 has more than 20 characters"):
        own(lines)


def test_without_the_package_the_error_names_it(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(PteError, match=r"a\.parquet: Parquet needs pyarrow.*pip install pyarrow"):
        own(written(tmp_path / "a.parquet", b"PAR1"))


# pyarrow takes 166 MB, so that `make test` does without it. `MadeTable` stands for it.
@pytest.mark.skipif(find_spec("pyarrow") is None, reason="the extra parquet is not installed")
def test_a_table_that_pyarrow_wrote_is_read(tmp_path):
    import pyarrow as pa
    from pyarrow import parquet

    columns = {"text": ["a", "b", "c"], "label": [["x", "y"], None, []], "n": [7, 8, 9]}
    parquet.write_table(pa.table(columns), tmp_path / "a.parquet")
    assert own(tmp_path / "a.parquet", id="n") == [
        doc("a", "x", "7", more_labels=("y",)),
        doc("b", None, "8"),
        doc("c", None, "9"),
    ]
    with pytest.raises(PteError, match="row 1: 'n' is 7; it must be a text"):
        own(tmp_path / "a.parquet", text="n")
    content = (tmp_path / "a.parquet").read_bytes()
    with pytest.raises(PteError, match="it is not a Parquet file"):
        own(written(tmp_path / "b.parquet", content[:-10]))
    with pytest.raises(PteError, match="it is not a Parquet file"):
        own(written(tmp_path / "c.parquet", b""))


# Folders


FILES = {
    "pos/b.txt": "good",
    "pos/a.txt": "fine",
    "neg/deep/c.txt": "bad",
    "unlabelled/d.txt": "who knows",
    ".hidden/x": "no",
    "pos/.DS_Store": "no",
}


def folder_of(path, files=FILES):
    for name, content in files.items():
        written(path / name, content)
    return path


@pytest.mark.parametrize(
    ("values", "labels"),
    [
        ([Decimal(1), Decimal("2.5")], ["1", "2.5"]),
        ([date(2020, 1, 31), datetime(2021, 1, 1, 12)], ["2020-01-31", "2021-01-01 12:00:00"]),
        ([b"sch\xc3\xb6n", b"x"], ["schön", "x"]),
        ([True, 1.5], ["true", "1.5"]),
    ],
)
def test_labels_and_texts_may_have_the_types_of_parquet(values, labels):
    columns = Columns(text="t", label="l")
    rows = [TableRow(n, {"t": b"\xc3\xa9", "l": each}) for n, each in enumerate(values, start=1)]
    found = list(columns.documents(Path("a.parquet"), rows, "row"))
    assert [(each.text.decode(), each.label) for each in found] == [("é", x) for x in labels]
    with pytest.raises(PteError, match=r"row 1: b'\\xff' must be a text or a number"):
        list(columns.documents(Path("a"), [TableRow(1, {"t": "a", "l": b"\xff"})], "row"))


def test_a_folder_for_each_class(tmp_path):
    assert own(folder_of(tmp_path / "f")) == [
        doc("bad", "neg", "neg/deep/c.txt"),
        doc("fine", "pos", "pos/a.txt"),
        doc("good", "pos", "pos/b.txt"),
        doc("who knows", None, "unlabelled/d.txt"),
    ]


def test_what_systems_put_into_folders_is_no_document(tmp_path, capsys):
    for name in ("a/1.txt", "b/2.txt", "a/Thumbs.db", "b/desktop.ini", "__MACOSX/a/1.txt"):
        written(tmp_path / name, "text")
    written(tmp_path / "a/.DS_Store", b"\0")
    (tmp_path / "c 😀").mkdir()
    assert [each.id for each in own(tmp_path)] == ["a/1.txt", "b/2.txt"]
    assert "left out 1 empty folders: ['c 😀']" in capsys.readouterr().out


def test_folders_of_classes_may_be_inside_train_and_test(tmp_path, capsys):
    files = {"train/x/1": "a", "train/unsup/2": "b", "test/x/3": "c", "README": "-", "test/4": "-"}
    path = folder_of(tmp_path / "f", files)
    assert own(path) == [
        doc("c", "x", "test/x/3", part=TEST),
        doc("b", None, "train/unsup/2"),
        doc("a", "x", "train/x/1"),
    ]
    assert "left out 2 files in no folder of a class: ['README', 'test/4']" in (
        capsys.readouterr().out
    )
    assert reading_of(text_of(path)).is_split


def test_train_and_test_may_have_large_letters(tmp_path):
    path = folder_of(tmp_path / "f", {"Train/x/1": "a", "TEST/x/2": "b"})
    assert own(path) == [
        doc("b", "x", "TEST/x/2", part=TEST),
        doc("a", "x", "Train/x/1"),
    ]
    assert reading_of(text_of(path)).is_split


def test_documents_beside_train_and_test_may_have_no_label(tmp_path, capsys):
    files = {"train/x/1": "a", "test/x/2": "b", "unlabelled/3": "c", "unsup/y/4": "d"}
    assert own(folder_of(tmp_path / "f", files)) == [
        doc("b", "x", "test/x/2", part=TEST),
        doc("a", "x", "train/x/1"),
        doc("c", None, "unlabelled/3"),
        doc("d", None, "unsup/y/4"),
    ]
    assert "left out" not in capsys.readouterr().out


def test_a_document_without_a_label_needs_no_split(tmp_path):
    path = written(tmp_path / "a.csv", "text,label,split\na,x,train\nb,x,test\nc,,\n")
    assert [each.part for each in own(path, split="split")] == [TRAIN, TEST, TRAIN]


def test_folders_behind_links_are_folders_of_classes(tmp_path):
    path = folder_of(tmp_path / "f", {"neg/a.txt": "bad"})
    before, elsewhere = sha256_of_text(str(path)), folder_of(tmp_path / "g", {"b.txt": "good"})
    (path / "pos").symlink_to(elsewhere)
    assert own(path) == [doc("bad", "neg", "neg/a.txt"), doc("good", "pos", "pos/b.txt")]
    assert sha256_of_text(str(path)) != before
    (elsewhere / "up").symlink_to(path / "pos")
    with pytest.raises(PteError, match="f/pos/up: this link leads to a folder around it; take"):
        own(path)


def test_what_is_hidden_in_a_folder_is_not_opened(tmp_path):
    path = folder_of(tmp_path / "f", {"neg/a.txt": "bad", ".git/b.txt": "no", "neg/.DS_Store": ""})
    before = sha256_of_text(str(path))
    (path / ".git" / "up").symlink_to(path, target_is_directory=True)
    assert [each.id for each in own(path)] == ["neg/a.txt"]
    assert sha256_of_text(str(path)) == before


def test_a_folder_that_cannot_be_read_is_named(tmp_path, monkeypatch):
    path = folder_of(tmp_path / "f", {"neg/a.txt": "bad", "pos/b.txt": "good"})

    def closed(folder, of=Path.iterdir):
        if folder.name == "pos":
            raise PermissionError(13, "Permission denied")
        return of(folder)

    monkeypatch.setattr(Path, "iterdir", closed)
    with pytest.raises(PteError, match="f/pos: this folder cannot be read: Permission denied"):
        own(path)


def test_files_in_no_folder_are_unlabelled_if_there_are_no_others(tmp_path):
    path = folder_of(tmp_path / "f", {"1.txt": "a", "2.txt": "b"})
    assert own(path) == [doc("a", None, "1.txt"), doc("b", None, "2.txt")]


@pytest.mark.parametrize(
    ("files", "message"),
    [
        ({".hidden": "a"}, "f: it holds no folder with files; put each class into a folder"),
        ({"x/1": b"a\nb\xff"}, "x/1: line 2 is not UTF-8.*iconv -f cp1252 -t utf-8 1 > utf8-1"),
        (
            {"x/1": b"a\n\0"},
            "x/1: line 2 holds a zero byte, so it is no text in UTF-8; give a folder",
        ),
    ],
)
def test_a_folder_that_is_not_as_it_should_be_is_an_error(tmp_path, files, message):
    with pytest.raises(PteError, match=message):
        own(folder_of(tmp_path / "f", files))


# Lines of fastText


def test_labels_stand_before_the_text_of_a_line(tmp_path):
    lines = "__label__x __label__y The  text\n\nno label __label__z\n__label__x\n__label__x\tb\n"
    assert own(written(tmp_path / "a.txt", lines)) == [
        doc("The  text", "x", "1", more_labels=("y",)),
        doc("no label __label__z", None, "3"),
        doc("", "x", "4"),
        doc("b", "x", "5"),
    ]


@pytest.mark.parametrize("content", ["", "a\nb\n"])
def test_lines_without_any_label_are_an_error(tmp_path, content):
    with pytest.raises(PteError, match=r"a\.txt: none of its \d lines begins with __label__"):
        own(written(tmp_path / "a.txt", content))


# Bags of words


def test_words_are_repeated_as_they_are_counted(tmp_path):
    lines = "# head\nx,y 3:2 17:1 # a comment\n  1:1\n\n+1 qid:4 2:0 5:1.0\n"
    path = written(tmp_path / "a.svmlight", lines)
    assert own(path) == [
        doc("3 3 17", "x", "2", more_labels=("y",)),
        doc("1", None, "3"),
        doc("5", "+1", "5"),
    ]
    assert reading_of(text_of(path)).order_lost
    written(tmp_path / "news", "x 2:1\n"), written(tmp_path / "news.vocabulary.txt", "one\ntwo\n")
    assert own(tmp_path / "news", format="svmlight") == [doc("two", "x", "1")]
    for index in ("9" * 21, "9" * 5000):
        with pytest.raises(PteError, match="is not index:count"):
            own(written(tmp_path / "a.svmlight", f"x {index}:1\n"))


def test_tabs_or_spaces_stand_behind_the_label_of_a_bag_of_words(tmp_path):
    path = written(tmp_path / "a.svm", "sport\t3:2 17:1\nNew\u00a0York 1:1\t2:2\n")
    assert own(path) == [doc("3 3 17", "sport", "1"), doc("1 2 2", "New\u00a0York", "2")]


def test_a_vocabulary_beside_the_file_spells_the_words(tmp_path):
    written(tmp_path / "a.vocabulary.txt", "die\nnew_york\r\nÄrger")
    path = written(tmp_path / "a.svm.gz", gzip.compress(b"x 2:1 3:2\n"))
    assert own(path) == [doc("new_york Ärger Ärger", "x", "1")]
    for index in (0, 4):
        with pytest.raises(PteError, match=f"line 1: index {index} has no word; .* 1 to 3"):
            own(written(tmp_path / "a.svm", f"x {index}:1\n"))
    written(tmp_path / "a.vocabulary.txt", "die\nNew York\n")
    with pytest.raises(PteError, match=r"a\.vocabulary\.txt: line 2 must hold one word"):
        own(path)


@pytest.mark.parametrize(
    "pair", ["1:0.5", "1:-1", "1:nan", "1:", "1", "a:1", "-1:1", "1:1e9", ":1"]
)
def test_what_is_no_count_is_an_error(tmp_path, pair):
    with pytest.raises(PteError, match=r"a\.bow: line 2: .* is not index:count"):
        own(written(tmp_path / "a.bow", f"x 1:1\nx {pair}\n"))


# Faults that any file may have


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-16-be", "utf-32"])
@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("a.csv", "text,label\nфильм,да\nкнига,нет\n"),
        ("a.jsonl", '{"text": "фильм", "label": "да"}\n{"text": "книга", "label": "нет"}\n'),
        ("a.txt", "__label__да фильм\n__label__нет книга\n"),
    ],
)
def test_utf_16_and_32_are_recognised_with_and_without_a_mark(tmp_path, encoding, name, content):
    found = own(written(tmp_path / name, content.encode(encoding)))
    assert [(d.text.decode(), d.label) for d in found] == [("фильм", "да"), ("книга", "нет")]
    text = "длинный фильм о том, о сём, о нём и о ней"
    written(tmp_path / "folders/да/1.txt", text.encode(encoding))
    assert [d.text.decode() for d in own(tmp_path / "folders")] == [text]


def test_utf_16_is_not_read_as_another_encoding(tmp_path):
    path = written(tmp_path / "a.csv", TABLE.encode("utf-16-le"))
    with pytest.raises(PteError, match=r"a\.csv: it is not cp1252, but UTF-16-LE: encoding=utf-16"):
        own(path, encoding="cp1252")
    for encoding in ("utf_16_le", "UTF-16LE"):
        assert own(path, encoding=encoding) == EXPECTED
    assert own(written(path, TABLE.encode("utf-16")), encoding="U16") == EXPECTED


def test_a_character_with_a_zero_byte_does_not_hide_utf_16(tmp_path):
    for encoding in ("utf-16-le", "utf-16-be"):
        path = written(tmp_path / "a.csv", ("text,label\n一,x\n" + TABLE[11:]).encode(encoding))
        assert own(path)[0] == doc("一", "x", "2")


def test_zero_bytes_are_no_encoding(tmp_path):
    with pytest.raises(PteError, match="line 1 holds a zero byte"):
        own(written(tmp_path / "a.csv", bytes(2000)))


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (gzip.compress(b"text", mtime=0), r"a\.csv: this is a gzip file; add \.gz to its name"),
        (bz2.compress(b"text"), r"add \.bz2 to its name"),
        (bz2.compress(b""), r"add \.bz2 to its name"),
        (lzma.compress(b"text"), r"add \.xz to its name"),
        (b"PK\x03\x04", "this is a zip archive, or a workbook of Excel; .* export it as CSV"),
        (b"\xd0\xcf\x11\xe0", "this is an old workbook of Excel; export it as CSV"),
        (b"PAR1\x15\4", r"this is a Parquet file; end its name in \.parquet"),
        (b"%PDF-1.4\n\0", "this is a PDF; give its text"),
        (b"\n<!DOCTYPE html>\n<table>", "this is a page of HTML; save its table as CSV"),
        (b"version https://git-lfs.github.com/spec/v1\n", "a pointer of Git LFS; .*git lfs pull"),
    ],
)
def test_a_file_that_is_no_text_is_named_as_what_it_is(tmp_path, content, message):
    with pytest.raises(PteError, match=message):
        own(written(tmp_path / "a.csv", content))


def test_bytes_that_are_not_utf_8_are_named_with_their_line_and_what_to_do(tmp_path):
    content = '{"text": "a"}\n{"text": "schöne Grüße"}\n'.encode("latin-1")
    message = (
        r"a\.jsonl: line 2 is not UTF-8 near b'.*sch\\xf6ne .*iconv -f cp1252 -t utf-8 a\.jsonl"
    )
    with pytest.raises(PteError, match=message):
        own(written(tmp_path / "a.jsonl", content))
    with pytest.raises(PteError, match=r"line 2 .* unpacked\) iconv -f cp1252 -t utf-8 a\.jsonl >"):
        own(written(tmp_path / "a.jsonl.gz", gzip.compress(content)))


def test_a_stream_that_fails_is_named():
    class Broken(io.RawIOBase):
        def readable(self):
            return True

        def readinto(self, buffer):
            raise OSError(errno.EIO, "Input/output error")

    with pytest.raises(OSError, match="Input/output error: 'standard input'"):
        list(text_files.lines_of("standard input", Broken()))


def test_a_zero_byte_is_named_with_its_line(tmp_path):
    with pytest.raises(PteError, match=r"a\.csv: line 6 holds a zero byte; .*tr -d"):
        own(written(tmp_path / "a.csv", TABLE + "a\0b,pos\n"))


@compressions
def test_a_truncated_file_is_an_error(tmp_path, ending, compress):
    content = compress(TABLE.encode() * 100)
    with pytest.raises(PteError, match=rf"a\.csv{ending}: it cannot be read to its end"):
        own(written(tmp_path / f"a.csv{ending}", content[: len(content) // 2]))


@pytest.mark.parametrize(
    ("ending", "content", "message"),
    [
        (".xz", TABLE.encode(), r"not compressed; put nothing in place of the \.xz in its name"),
        (
            ".bz2",
            gzip.compress(b"x", mtime=0),
            r"a gzip file; put \.gz in place of the \.bz2 in its name",
        ),
        (
            ".gz",
            gzip.compress(bz2.compress(b"x"), mtime=0),
            "a bzip2 file in a gzip file; unpack it once",
        ),
    ],
)
def test_the_ending_of_a_compressed_file_must_be_right(tmp_path, ending, content, message):
    with pytest.raises(PteError, match=rf"a\.csv{ending}: this is {message}"):
        own(written(tmp_path / f"a.csv{ending}", content))


def test_a_line_may_be_long_but_not_of_any_length(tmp_path, monkeypatch):
    path = written(tmp_path / "a.csv", "text,label\n" + "word " * 400_000 + ",x\n")
    assert len(own(path)[0].text) == 2_000_000
    monkeypatch.setattr(text_files, "LONGEST_LINE", 1_000_000)
    with pytest.raises(PteError, match=r"a\.csv: line 2 has more than 1,000,000 characters"):
        own(path)


@pytest.mark.parametrize(
    ("name", "said", "message"),
    [
        ("nowhere.csv", {}, r"nowhere\.csv: no such file"),
        ("a.csv", {"format": "folders"}, r"a\.csv: this is a file, but format folders needs a fol"),
        ("f", {"format": "csv"}, "f: this is a folder, but format csv needs a file"),
        ("a.csv", {"format": "word"}, "format 'word' is not one of csv, tsv, jsonl"),
        ("a.doc", {}, r"name says no format; known are \.csv, .*each but \.parquet and \.pq also"),
        ("a.doc", {}, r"rename it, or give one of csv, tsv, .*, svmlight: format=…$"),
        ("f", {"text": "a", "separator": ";"}, "folders has no columns; leave out text, separator"),
        ("d.csv", {}, r"d\.csv: this is a folder with the name of a file; .*: format=folders"),
        ("d.csv", {"format": "folders", "label": "b"}, "folders has no columns; leave out label"),
        ("a.zip", {}, r"a\.zip: this is an archive or a workbook; unpack it"),
        ("a.parquet.gz", {}, r"a\.parquet\.gz: this is a gzip file, .*; unpack it$"),
        ("a.tar.gz", {}, r"a\.tar\.gz: this is an archive or a workbook; unpack it"),
        ("a.txt", {"label": "b"}, "fasttext has no columns; leave out label"),
        ("a.csv", {"separator": ""}, "the separator is empty; give .* leave it out: separator=…$"),
        ("a.csv", {"tokeniser": "syllables"}, "tokeniser 'syllables' is not one of letters"),
    ],
)
def test_what_cannot_be_is_refused_before_anything_is_read(tmp_path, name, said, message):
    for file in ("a.csv", "a.doc", "a.txt", "a.zip", "a.tar.gz", "f/x/1", "d.csv/x/1"):
        written(tmp_path / file, "")
    written(tmp_path / "a.parquet.gz", gzip.compress(b"PAR1"))
    with pytest.raises(PteError, match=message):
        reading_of(text_of(tmp_path / name, **said))


@pytest.mark.parametrize(
    "reader", ["delimited", "json_lines", "label_lines", "svmlight", "parquet"]
)
def test_a_reader_of_files_refuses_a_folder_and_a_missing_file(tmp_path, reader):
    for path, message in ((tmp_path, "this is a folder"), (tmp_path / "no", "no such file")):
        with pytest.raises(PteError, match=message):
            list(read(path, reader, {}))


def test_a_reader_of_folders_refuses_a_file_and_a_missing_folder(tmp_path):
    for path, message in (
        (written(tmp_path / "a", ""), "this is a file"),
        (tmp_path / "b", "no s"),
    ):
        with pytest.raises(PteError, match=message):
            list(read(path, "label_folders", {}))


def test_columns_of_lines_are_refused(tmp_path):
    path = str(written(tmp_path / "a.txt", "__label__x a text\n"))
    given = {"text": "review", "missing": ("a b", "x"), "ignore_case": True, "header": False}
    said = "--text review --missing 'a b' --missing x --ignore-case --no-header; say what it holds"
    with pytest.raises(PteError, match=f"not as a table, but you give {said} with --format"):
        read_texts(path, None, given)
    with pytest.raises(PteError, match="format fasttext has no columns; leave out text, missing"):
        read_texts(path, "fasttext", given)
    assert read_texts(path, None, {"ignore_case": False, "header": None}).labels == ["x"]


def test_an_error_behind_the_reader_names_the_file(tmp_path):
    path = written(tmp_path / "a.csv", "text,label\na,x\nb,x\nc,y\nd,y\ne,\n")
    given = {"reader": "delimited", "options": {}, "tokeniser": "words", "documents_sha256": None}
    recipe = Recipe(**given, split=HeldOut(0.01, 1))
    documents = read_entry({"archive": path}, recipe)
    message = r"a\.csv: test is 0.01: of 4 labelled documents, no document can be held out"
    with pytest.raises(PteError, match=message):
        encode_entry(documents, recipe, file=path)


# A share that is held out

LABELLED = st.lists(
    st.tuples(
        st.sampled_from([None, "x", "y", "z"]), st.sampled_from([None, None, "ann", "bob", "cy"])
    ),
    max_size=40,
)


@given(LABELLED, st.sampled_from([0.1, 0.2, 0.5, 0.9]), st.integers(0, 9))
def test_a_share_keeps_order_groups_and_every_class(drawn, share, seed):
    documents = [
        Document(b"%d" % i, label, TRAIN, group=group) for i, (label, group) in enumerate(drawn)
    ]
    try:
        found = held_out(documents, share, seed)
    except PteError as error:
        assert f"test is {share}" in str(error)
        return
    assert [d.text for d in found] == [d.text for d in documents]
    assert all(d.part == TRAIN for d in found if d.label is None)
    sides = {(d.group, d.part) for d in found if d.group and d.label}
    assert len(sides) == len({group for group, _ in sides})
    labelled = [d for d in found if d.label]
    assert {d.label for d in labelled} == {d.label for d in labelled if d.part == TRAIN}
    assert found == held_out(documents, share, seed)


def test_a_share_is_that_of_each_class_and_of_all_together():
    documents = [Document(b"", label, TRAIN) for label in "x" * 50 + "y" * 33 + "z" * 3 + "w"]
    tests = [d.label for d in held_out(documents, 0.2, seed=1) if d.part == TEST]
    assert Counter(tests) == {"x": 10, "y": 7}
    halves = [d.label for d in held_out(documents, 0.5, seed=1) if d.part == TEST]
    assert Counter(halves) == {"x": 25, "y": 17, "z": 2}
    assert held_out(documents, 0.2, seed=1) != held_out(documents, 0.2, seed=2)


def test_groups_are_taken_whole_until_the_share_is_reached():
    documents = [Document(b"", "xy"[i % 2], TRAIN, group=f"g{i // 10}") for i in range(100)]
    found = held_out(documents, 0.2, seed=3)
    assert sum(d.part == TEST for d in found) == 20
    two = [Document(b"", "xy"[i % 2], TRAIN, group=f"g{i // 50}") for i in range(100)]
    with pytest.raises(PteError, match="of 100 labelled documents, no group of documents can"):
        held_out(two, 0.2, seed=3)


def test_a_class_of_further_labels_also_keeps_a_training_document():
    documents = [Document(b"", "x", TRAIN, more_labels=("y",) * (i == 0)) for i in range(20)]
    for seed in range(20):
        assert held_out(documents, 0.5, seed)[0].part == TRAIN


@pytest.mark.parametrize("split", [None, Shuffle(3, 1), HeldOut(0.2, 1)])
def test_the_entry_of_any_split_comes_back(split):
    recipe = Recipe(reader="r", options={}, tokeniser="t", documents_sha256=None, split=split)
    others = {"title": "T", "archive": "a", "table1": {"row": None, "match": "none", "why": ""}}
    entry = CorpusEntry.from_mapping(recipe.to_mapping() | others)
    assert vars(recipe).items() <= vars(entry).items()


# What follows from what a user says


def test_a_folder_is_hashed_by_its_names_and_contents(tmp_path):
    path = folder_of(tmp_path / "f")
    hashes = [sha256_of_text(str(path))]
    written(path / "pos" / "a.txt", "finer")
    hashes.append(sha256_of_text(str(path)))
    (path / "pos" / "a.txt").rename(path / "pos" / "aa.txt")
    hashes.append(sha256_of_text(str(path)))
    assert len(set(hashes)) == 3
    written(path / ".DS_Store", b"\0")
    written(path / "pos" / "Thumbs.db", b"\0")
    assert sha256_of_text(str(path)) == hashes[-1]


def test_how_a_text_is_read_is_found_without_numpy(tmp_path):
    path = str(written(tmp_path / "a.csv", TABLE))
    asked = (
        "import sys; from pte.corpora.own import OwnText, reading_of;"
        f"reading_of(OwnText(file={path!r}));"
        "print([name for name in ('numpy', 'pandas', 'pyarrow') if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", asked], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_the_reading_is_what_the_user_said(tmp_path):
    path = written(tmp_path / "a.csv", TABLE)
    expected = TextReading("delimited", {"label": "label"}, False, False)
    assert reading_of(text_of(path, label="label")) == expected
    assert reading_of(text_of(path, split="label")).is_split


def test_the_documentation_lists_all_formats_endings_and_columns():
    page = (Path(__file__).parents[2] / "docs" / "own-formats.md").read_text("utf-8")
    for name, known in FORMATS.items():
        endings = ", ".join(f"`{ending}`" for ending in known.endings) or "a folder"
        assert f"| `{name}` | {endings} |" in page
    spoken = " ".join(page.split())
    assert f"for a text: {', '.join(TEXTS)};" in spoken
    assert f"for a label: {', '.join(LABELS)}." in spoken


def test_keys_are_looked_for_no_further_than_needed(tmp_path):
    path = tmp_path / "a.jsonl"
    path.write_text('{"text": "a"}\n' * 100 + '{"late": 1}\nno JSON\n')
    assert names_of(path, ["late"]) == ["text", "late"]
    with pytest.raises(PteError, match="line 102 is not JSON"):
        names_of(path, ["later"])


def test_a_file_that_is_written_into_a_folder_may_become_a_document(tmp_path):
    for name in ("classes/a/1.txt", "classes/1.txt", "parts/train/a/1.txt", "parts/test/a/2.txt"):
        made = tmp_path / name
        made.parent.mkdir(parents=True, exist_ok=True)
        made.write_text("a goal", "utf-8")
    (tmp_path / "empty").mkdir()
    (tmp_path / "link.txt").symlink_to(tmp_path / "classes" / "a" / "1.txt")
    for folder, name, is_read in (
        ("classes", "classes/a/1.txt", True),
        ("classes", "link.txt", True),
        ("classes", "classes/a/new.txt", True),
        ("classes", "classes/b/deep/new.txt", True),
        ("classes", "classes/a/.new.txt", False),
        ("classes", "classes/1.txt", False),
        ("classes", "classes/new.txt", False),
        ("classes", "new.txt", False),
        ("classes/a", "classes/a/1.txt", True),
        ("classes/a", "classes/a/new.txt", True),
        ("parts", "parts/train/new.txt", False),
        ("parts", "parts/train/a/new.txt", True),
        ("parts", "parts/other/new.txt", False),
        ("empty", "empty/new.txt", False),
    ):
        assert reads(tmp_path / folder, tmp_path / name) == is_read, name
