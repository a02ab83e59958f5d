"""People's tables: how they are read, whatever program wrote them, and what is said of them."""

import base64
import bz2
import gzip
import io
import json
import lzma
import subprocess
import sys
from datetime import date, datetime
from decimal import Decimal
from importlib.util import find_spec
from pathlib import Path

import pandas as pd
import pytest
from hypothesis import strategies as st

from pte.errors import PteError
from pte.tables import formats
from pte.tables.columns import LABELS, TEXTS, Options, labels_of, texts_of
from pte.tables.dialect import DELIMITERS
from pte.tables.documents import Documents, read_labelled, read_texts
from pte.tables.formats import FORMATS
from pte.tables.table import open_table

CAPTURED = Path(__file__).with_name("captured_tables.jsonl")
"""Awkward tables, and the header and the rows that pte 1.0 read, which refused some."""

TABLE = 'text,label\nGood film,pos\n"Bad, ""very"" bad",neg\n"two\nlines",\n'
EXPECTED = [("Good film", ("pos",), "2"), ('Bad, "very" bad', ("neg",), "3"),
            ("two\nlines", (), "4")]  # fmt: skip


def written(path, content):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return path


def read(path, content, name="a.csv", **options) -> Documents:
    return read_labelled(str(written(path / name, content)), options)


def rows(found: Documents):
    """The text, the labels and the id of each document."""
    return list(zip([each.decode() for each in found.texts], found.named, found.ids, strict=True))


def doubts(found: Documents):
    return [finding.message for finding in found.findings]


def test_no_awkward_table_has_other_rows_in_silence(tmp_path):
    same, other = 0, []
    for number, line in enumerate(CAPTURED.read_text("utf-8").splitlines()):
        case = json.loads(line)
        content = case["text"].encode() if "text" in case else base64.b64decode(case["base64"])
        path = written(tmp_path / str(number) / case["name"], content)
        try:
            found = open_table(str(path), Options.of("", case["options"]))
        except PteError as error:
            assert len(str(error)) > 40
            continue
        if found.no_labels and case.get("refused", True):
            continue
        cells = [list(row) for row in zip(*map(found.cells, range(len(found.head))), strict=True)]
        if "rows" in case and (found.head, cells) == (case["head"], case["rows"]):
            same += 1
        elif not found.doubts:
            other.append((number, case, cells))
    assert other == [] and same >= 180


# How a table is written


@pytest.mark.parametrize("delimiter", DELIMITERS.values())
@pytest.mark.parametrize("name", ["a.csv", "a.tsv"])
def test_any_of_the_delimiters_is_found(tmp_path, delimiter, name):
    others = "".join(DELIMITERS.values())
    lines = [f"text{delimiter}label", f'"say {others}"{delimiter}x', f"b{delimiter}y"]
    found = read(tmp_path, "\n".join(lines), name)
    assert [row[:2] for row in rows(found)] == [(f"say {others}", ("x",)), ("b", ("y",))]


@pytest.mark.parametrize(
    ("ending", "packed"),
    [("", bytes), (".gz", gzip.compress), (".bz2", bz2.compress), (".xz", lzma.compress)],
)
@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_a_table_has_quotes_and_any_line_ends_and_may_be_compressed(tmp_path, ending, packed, end):
    content = packed(TABLE.replace("\n", end).encode())
    expected = [*EXPECTED[:2], (f"two{end}lines", (), "4")]
    assert rows(read(tmp_path, content, f"a.csv{ending}")) == expected
    if ending:
        with pytest.raises(PteError, match=r"cannot be read to its end"):
            read(tmp_path, packed(content * 50)[:-15], f"a.csv{ending}")


def test_numbers_of_rows_are_those_of_a_spreadsheet(tmp_path):
    found = read(tmp_path, 'sep=;\r\ntext;label\r\n"a\nb";x\r\n\r\nc;y\r\n')
    assert [row[2] for row in rows(found)] == ["2", "4"] and found.unit == "row"
    with pytest.raises(PteError, match="row 5 has 1 cells, but the first row has 2"):
        read(tmp_path, 'text;label\n"a\nb";x\n\na;y\nb\n')


FIELDS = st.text(st.sampled_from("ab,;\t|\n\"' é"), min_size=1)


def test_quotes_that_may_be_characters_are_said(tmp_path):
    content = 'text\tlabel\n"one\ta\ntwo\tb\nthree"\ta\nfour\tb\n'
    found = read(tmp_path, content, "a.tsv")
    assert len(found.texts) == 4 and "quotes are read as characters" in doubts(found)[0]
    merged = read(tmp_path, content, "a.tsv", quote="double")
    assert rows(merged)[0][0] == "one\ta\ntwo\tb\nthree"


@pytest.mark.parametrize(
    ("content", "options", "header", "said"),
    [
        ("text,label\na,x\n", {"text": "1", "label": "2"}, True, ""),
        ("name,kind\na,x\nb,x\n", {"text": "1", "label": "2"}, False, "row is taken for a doc"),
        ("name,kind\na,x\nb,x\n", {"text": "1", "label": "2", "header": True}, True, ""),
        (
            "sentiment,good film\nreview,bad\nsentiment,fine\n",
            {"text": "2", "label": "1"},
            False,
            "row is taken for a doc",
        ),
        ("good film,x\nfine,y\n", {"text": "1", "label": "2", "header": False}, False, ""),
    ],
)
def test_a_first_row_is_a_header_if_it_looks_like_one(tmp_path, content, options, header, said):
    found = read(tmp_path, content, **options)
    assert len(found.texts) == content.count("\n") - header
    assert found.facts["header"] is header
    assert [said in each for each in doubts(found)] == ([True] if said else [])


def test_what_the_user_gives_is_taken(tmp_path):
    content = "text;label#1\n'a;label#2'\n"
    given = {"delimiter": "#", "quote": "none", "header": False, "text": "1", "label": "2"}
    assert [row[:2] for row in rows(read(tmp_path, content, **given))] == [
        ("text;label", ("1",)), ("'a;label", ("2'",)),
    ]  # fmt: skip
    german = "Etat;'Die ARD; und so'\nWeb;Das \"ist\" gut\nEtat;'Foo''s Bar'\n"
    found = read(tmp_path, german, text="2", label="1", quote="'", header=False)
    assert [row[0] for row in rows(found)] == ["Die ARD; und so", 'Das "ist" gut', "Foo's Bar"]


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "cp1252"])
@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("a.csv", "text,label\nschöne „Grüße“ an alle,ä\nplain words,y\n"),
        ("a.jsonl", '{"text": "schöne „Grüße“ an alle", "label": "ä"}\n{"text": "b"}\n'),
        ("a.txt", "__label__ä schöne „Grüße“ an alle\nb\n"),
        ("f/ä/1.txt", "schöne „Grüße“ an alle"),
    ],
)
def test_encodings_are_recognised_and_a_guess_is_said(tmp_path, encoding, name, content):
    written(tmp_path / name, content.encode(encoding))
    found = read_labelled(str(tmp_path / name.split("/")[0]), {})
    assert rows(found)[0][:2] == ("schöne „Grüße“ an alle", ("ä",))
    guessed = [each for each in doubts(found) if "is read as Windows-1252 (cp1252)" in each]
    assert len(guessed) == (encoding == "cp1252")


def test_an_encoding_that_is_not_recognised_can_be_given(tmp_path):
    cyrillic = "text,label\nпривет всем,x\n"
    for encoding in ("cp1251", "utf-16-le", "utf-32", "utf-8"):
        found = read(tmp_path, cyrillic.encode(encoding), encoding=encoding)
        assert rows(found)[0][0] == "привет всем"
    for content, options, said in (
        (cyrillic.encode("utf-16-le"), {}, "line 1 holds a zero byte; .*--encoding utf-16-le"),
        (b"text,label\nb\x81,y\n", {}, "line 2, near .* is neither UTF-8 nor Windows-1252"),
        (b"text,label\nb\xff,y\n", {"encoding": "utf-8"}, "line 2, near .* is not utf-8"),
        (cyrillic.encode("utf-16") + b"\0", {}, "is not utf-16; save it as UTF-8"),
        (b"text\n", {"encoding": "klingon"}, "encoding 'klingon' is not known; known are utf-8"),
        (b"text\n", {"encoding": "rot13"}, "encoding 'rot13' is not known"),
        (TABLE.encode() + b"a\0b,pos\n", {}, "line 6 holds a zero byte; .*tr -d"),
    ):
        with pytest.raises(PteError, match=said):
            read(tmp_path, content, **options)


@pytest.mark.parametrize(
    ("content", "said", "message"),
    [
        ("a,label\n", {}, "no column has a usual name for the text.*--text ….*'a', 'label'"),
        ("title,text,label\n", {}, "several columns have usual names for the text"),
        ("text,b\n", {}, "no column has a usual name for the label; name its .*: --label …"),
        ("text,label\n", {"text": "review"}, "no column 'review' for --text; there are"),
        ("text,label,text\n", {"text": "text"}, "more than one column 'text' .*; rename one, or"),
        ("text,kind\n", {"label": "kinds"}, r"did you mean 'kind'\? there are"),
        ("text,label\n", {"label": "text"}, "'text' is the column of the text and of the label"),
        ("", {}, "it is empty"),
        (" ,\n,,\n", {}, "it is empty"),
        ("text,label\n", {}, "it holds no document"),
        ('text,label\n"b, a"c,y\n', {}, "row 2: .*into quotes"),
        (
            "text,label,s\na,x,other\n",
            {"split": "s"},
            "row 2: 'other' is no part; it must be train or",
        ),
        ("text,label,n\na,x,1\nb,y,1\n", {"id": "n"}, "row 3: id '1' is that of 2, too"),
        ("text,label,n\na,x,\n", {"id": "n"}, "row 2: 'n' is empty; give each document an id"),
        ("text,label\n1,a,b\n", {}, "if all rows have one more than the first, give its column"),
        ("| text | label |\n| :--- | ---: |\n| a | b |\n", {}, "the rule of a table in Markdown"),
        ('[\n {"text": "a"}\n]\n', {}, r"this is JSON; end its name in \.jsonl"),
        ("text~label\na~b\n", {}, "'text~label'; if there are more columns: --delimiter"),
        ("text,label\na,b\n", {"delimiter": ",,"}, "--delimiter ',,' is no character; or give com"),
        ("text,label\na,b\n", {"quote": "x"}, "--quote 'x' is not one of double, single, backsl"),
        ("text,label\na,b\n", {"separator": ""}, "--separator is empty; give what stands between"),
        ("text,label\n" + "a" * 100 + ",b\n", {}, "a field|field larger than field limit"),
        *(
            (begin, {}, what)
            for begin, what in (
                (b"\xd0\xcf\x11\xe0", "this is an old workbook of Excel; export it as CSV"),
                (b"PAR1\x15\4", r"this is a Parquet file; end its name in \.parquet"),
                (b"%PDF-1.4\n\0", "this is a PDF"),
                (b"\n<!DOCTYPE html>\n<table>", "this is a page of HTML; save its table as CSV"),
                (b"version https://git-lfs.github.com/spec/v1\n", ".*git lfs pull"),
            )
        ),
    ],
)
def test_a_table_that_is_not_as_it_should_be_is_an_error(
    tmp_path, content, said, message, monkeypatch
):
    monkeypatch.setattr("pte.tables.dialect.LONGEST_LINE", 90)
    with pytest.raises(PteError, match=f"(?s)^.*a\\.csv: .*({message})"):
        read(tmp_path, content, **said)


@pytest.mark.parametrize(
    ("name", "said", "message"),
    [
        ("nowhere.csv", {}, r"nowhere\.csv: no such file"),
        ("a.csv", {"format": "folders"}, r"a\.csv: this is a file, but format folders needs a fol"),
        ("f", {"format": "csv"}, "f: this is a folder, but format csv needs a file"),
        ("a.csv", {"format": "word"}, "format 'word' is not one of csv, tsv, xlsx"),
        ("a.doc", {}, r"name says no format; known are \.csv, .*: --format"),
        ("f", {"text": "a", "separator": ";"}, "folders has no columns; leave out --text, --sep"),
        ("d.csv", {}, r"d\.csv: this is a folder, but .* is a document: --format folders"),
        ("a.txt", {"label": "b"}, "format fasttext has no columns; leave out --label"),
        ("a.jsonl", {"quote": "none"}, "format jsonl is no table of text; leave --quote out"),
    ],
)
def test_what_cannot_be_is_refused_before_anything_is_read(tmp_path, name, said, message):
    for file in ("a.csv", "a.doc", "a.txt", "a.jsonl", "f/x/1", "d.csv/x/1"):
        written(tmp_path / file, "")
    with pytest.raises(PteError, match=message):
        read_labelled(str(tmp_path / name), said)


# Columns


def test_named_columns_say_id_group_split_and_several_labels(tmp_path):
    table = "n,t,l,s,g\nA,a,x; y ;x;,train,ann\nB,b,,TEST,NA\nC,c,y,test,bob\n"
    named = {"id": "n", "text": "t", "label": "l", "split": "s", "group": "g", "separator": ";"}
    found = read(tmp_path, table, **named)
    assert rows(found) == [("a", ("x", "y"), "A"), ("b", (), "B"), ("c", ("y",), "C")]
    assert (found.groups, found.tests) == (["ann", None, "bob"], [False, False, True])
    assert found.unit == "" and found.labels == [["x", "y"], None, ["y"]]


def test_the_only_plausible_columns_are_taken_and_named(tmp_path, capsys):
    found = read(tmp_path, "id,Review,stars\n7,good,5\n")
    assert rows(found) == [("good", ("5",), "2")]
    said = "the text is in column 'Review', the label is in column 'stars'"
    assert said in capsys.readouterr().err


def test_columns_of_a_model_are_taken_where_the_file_has_them(tmp_path, capsys):
    learnt = {"text": "said", "label": "mood", "id": "n", "missing": ["x"]}
    path = str(written(tmp_path / "a.csv", "n,said,mood,text\n7,a,x,b\n8,c,y,d\n"))
    assert rows(read_labelled(path, {}, learnt)) == [("a", (), "7"), ("c", ("y",), "8")]
    assert (
        "the text in column 'said', the label in column 'mood' and the id in column 'n', as"
        in capsys.readouterr().err
    )
    assert [row[0] for row in rows(read_texts(path, {"text": "text"}, learnt))] == ["b", "d"]
    for content, fault in (
        ("n,said\n1,a\n1,b\n", "row 3: id '1' is that of 2, too"),
        ("n,said\n,a\n2,b\n", "row 2: 'n' is empty"),
    ):
        written(tmp_path / "a.csv", content)
        assert read_texts(path, {}, learnt).ids == ["2", "3"]
        assert f"{fault}; so documents are counted" in capsys.readouterr().err
        with pytest.raises(PteError, match=fault):
            read_texts(path, {"id": "n"}, learnt)


def test_texts_that_stand_for_no_label_are_counted(tmp_path):
    content = "text,label\na,x\nb,NaN\nc,n/a\nd,none\ne,\nf,nan\n"
    found = read(tmp_path, content)
    assert found.labels == ["x", None, None, "none", None, None]
    assert sum("in place of a label" in each for each in doubts(found)) == 3
    kept = ["x", "NaN", "n/a", None, None, "nan"]
    assert read(tmp_path, content, missing=["none"]).labels == kept


@pytest.mark.parametrize(
    ("values", "labels"),
    [
        ([Decimal(1), Decimal("2.5")], ["1", "2.5"]),
        ([date(2020, 1, 31), datetime(2021, 1, 1, 12)], ["2020-01-31", "2021-01-01 12:00:00"]),
        ([b"sch\xc3\xb6n", b"x"], ["schön", "x"]),
        ([True, 1.5, 1, 1.0, float("nan"), None], ["true", "1.5", "1", "1", None, None]),
    ],
)
def test_cells_may_have_the_types_of_parquet(values, labels):
    numbers = range(1, len(values) + 1)
    found, _ = labels_of("a: row", values, numbers, Options())
    assert [each[0] if each else None for each in found] == labels
    assert texts_of("a: row", [b"\xc3\xa9", None], [1, 2]) == ["é".encode(), b""]
    with pytest.raises(PteError, match=r"row 1 .*must be a text or|row 1: b'\\xff' must be"):
        labels_of("a: row", [b"\xff"], [1], Options())
    with pytest.raises(PteError, match="row 1: 5 is no text; name another: --text"):
        texts_of("a: row", [5], [1])


# Workbooks


@pytest.mark.parametrize("kind", ["xlsx", "ods"])
def test_the_first_sheet_of_a_workbook_is_read(tmp_path, kind):
    frame = pd.DataFrame({"text": ["good", "=1+1", None], "label": [1, None, 2], "n": [0.5, 2, 7]})
    path = tmp_path / f"a.{kind}"
    with pd.ExcelWriter(str(path)) as book:
        frame.to_excel(book, sheet_name="data", index=False)
        frame.to_excel(book, sheet_name="other", index=False)
    found = read_labelled(str(path), {})
    assert [row[1:] for row in rows(found)] == [(("1",), "2"), ((), "3"), (("2",), "4")]
    path.write_bytes(path.read_bytes()[:-100])
    with pytest.raises(PteError, match=f"it is no .{kind} that can be read"):
        read_labelled(str(path), {})


# JSON Lines


def test_json_lines_have_labels_of_any_simple_kind(tmp_path):
    objects = [
        {"text": "a", "label": "x"},
        {"text": "b", "label": ["x", "y", "x", None, ""]},
        {"text": "c", "label": 3.0},
        {"text": None, "label": None},
        {"text": "e"},
        {"text": "f", "label": True},
        {"text": "\ud800h", "label": "\ud800"},
        {"text": "i", "label": float("nan"), "extra": {"deep": 1}},
    ]
    content = "\n\n".join(map(json.dumps, objects))
    expected = ["a", "b", "c", "", "e", "f", "?h", "i"]
    labels = [("x",), ("x", "y"), ("3",), (), (), ("true",), ("?",), ()]
    numbers = [str(2 * i + 1) for i in range(8)]
    assert rows(read(tmp_path, content, "a.jsonl")) == list(
        zip(expected, labels, numbers, strict=True)
    )
    for listed in (json.dumps(objects), "\ufeff\n" + json.dumps(objects, indent=2)):
        found = read(tmp_path, listed, "a.json")
        assert [row[:2] for row in rows(found)] == list(zip(expected, labels, strict=True))
        assert found.unit == "object"
    late = '{"text": "a"}\n' * 150 + '{"text": "b", "note": "x"}'
    assert read(tmp_path, late, "a.json", label="note").labels[-2:] == [None, "x"]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ('{"text": "a", "label": 1}\n{"text": "b"', "line 2 is not JSON .*each must be like"),
        ('{"text": "a", "label": 1}\n7\n', "line 2 is no object"),
        ('[{"text": "a"},\n', "it is not JSON .*each must be like"),
        ('[{"text": "a"}, 7]\n', "object 2 is no object"),
        ('["a", "b"]\n["c", "d"]\n', "it is not JSON .*Extra data"),
        ('[{"text": "a", "label": 1}, {"text": 7}]\n', "object 2: 7 is no text"),
        ('{\n"text": "a"\n}\n', "line 1 is not JSON .* on one line, as jq -c writes it"),
        ("text,label\na,b\n", "line 1 is not JSON .* if it is a table, give --format csv"),
        ('{"text": "a", "label": 1, "label": 2}', "line 1 .*the key 'label' is there twice"),
        ('{"text": "a", "label": 1}\n{"text": "b", "label": Infinity}', "line 2: inf is no label"),
        ('{"text": "a", "label": {"b": 1}}', r"line 1: \{'b': 1\} must be a text or a number"),
        ('{"word": "a", "label": 1}', "no column has a usual name .*'word', 'label'"),
        ("\n", "it is empty; put an object on each line"),
        ("[" * 100_000, "it is not JSON"),
    ],
)
def test_lines_that_are_no_objects_with_texts_are_an_error(tmp_path, content, message):
    with pytest.raises(PteError, match=f"a\\.jsonl: .*{message}"):
        read(tmp_path, content, "a.jsonl")


# Parquet


def test_without_the_package_the_error_names_it(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(PteError, match=r"a\.parquet: Parquet needs pyarrow.*pip install pyarrow"):
        read(tmp_path, b"PAR1", "a.parquet")


# pyarrow takes 166 MB, so that `make test` does without it.
@pytest.mark.skipif(find_spec("pyarrow") is None, reason="the extra parquet is not installed")
def test_a_table_that_pyarrow_wrote_is_read(tmp_path):
    import pyarrow as pa
    from pyarrow import parquet

    columns = {"text": ["a", "b", "c"], "label": [["x", "y"], None, []], "n": [7, 8, 9]}
    path = tmp_path / "a.parquet"
    parquet.write_table(pa.table(columns), path)
    found = read_labelled(str(path), {"id": "n"})
    assert rows(found) == [("a", ("x", "y"), "7"), ("b", (), "8"), ("c", (), "9")]
    for content in (path.read_bytes()[:-10], b""):
        with pytest.raises(PteError, match="it is not a Parquet file"):
            read(tmp_path, content, "b.parquet")


# What follows


def test_a_line_of_standard_input_may_not_be_of_any_length(monkeypatch):
    monkeypatch.setattr(formats, "LONGEST_LINE", 100)
    lines = formats.lines_of("standard input", io.BytesIO(b"\xef\xbb\xbfa b\n" + b"x" * 101))
    assert next(lines) == "a b\n"
    with pytest.raises(PteError, match="a line has more than 100 characters"):
        next(lines)


def test_a_table_is_read_without_pandas(tmp_path):
    path = str(written(tmp_path / "a.csv", TABLE))
    asked = (
        "import sys; from pte.tables.documents import read_labelled;"
        f"read_labelled({path!r}, {{}});"
        "print([name for name in ('numpy', 'pandas', 'pyarrow') if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", asked], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_the_documentation_lists_all_formats_endings_and_columns():
    page = (Path(__file__).parents[2] / "docs" / "own-formats.md").read_text("utf-8")
    for name, known in FORMATS.items():
        endings = ", ".join(f"`{ending}`" for ending in known) or "a folder"
        assert f"| `{name}` | {endings} |" in page
    said = " ".join(page.split())
    assert f"for a text: {', '.join(TEXTS)};" in said
    assert f"for a label: {', '.join(LABELS)}." in said
