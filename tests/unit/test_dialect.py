"""How tables are read that other programs wrote: delimiters, quotes, encodings, headers."""

import csv
import gzip
from collections import Counter
from io import StringIO

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pte.command.shown import spoken
from pte.corpora import dialect
from pte.corpora.columns import NoLabels
from pte.corpora.dialect import DELIMITERS
from pte.corpora.readers.delimited import open_table, read
from pte.errors import PteError

UNQUOTED = 'text\tlabel\n"one\ta\ntwo\tb\nthree"\ta\nfour\tb\n'
GERMAN = "Etat;'Die ARD; und so'\nWeb;Das \"ist\" gut\nEtat;'Foo''s Bar'\n"
"""Without a header, and quoted like the articles of 10kGNAD."""


def table(path, content, name="a.csv", **options):
    path = path / name
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return open_table(path, name.startswith("tabs"), **options)


def pairs(found):
    return [(each.text.decode(), each.label) for each in found.documents()]


def written(found):
    return found.dialect.delimiter, found.dialect.quote, found.dialect.encoding


@pytest.mark.parametrize("delimiter", DELIMITERS.values())
@pytest.mark.parametrize("name", ["a.csv", "tabs.tsv"])
def test_any_of_the_delimiters_is_found(tmp_path, delimiter, name):
    others = "".join(DELIMITERS.values())
    lines = [f"text{delimiter}label", f'"say {others}"{delimiter}x', f"b{delimiter}y"]
    found = table(tmp_path, "\n".join(lines), name)
    assert written(found) == (delimiter, '"', "utf-8")
    assert pairs(found) == [(f"say {others}", "x"), ("b", "y")]


def test_quotes_of_a_table_that_does_not_quote_are_characters(tmp_path):
    found = table(tmp_path, UNQUOTED, "tabs.tsv")
    assert pairs(found) == [('"one', "a"), ("two", "b"), ('three"', "a"), ("four", "b")]
    assert "5 rows would be 3" in found.doubts[0] and "quote=double" in found.doubts[0]
    merged = table(tmp_path, UNQUOTED, "tabs.tsv", quote="double")
    assert pairs(merged) == [("one\ta\ntwo\tb\nthree", "a"), ("four", "b")]


def test_quotes_inside_of_fields_say_that_a_table_does_not_quote(tmp_path):
    assert written(table(tmp_path, 'text\tlabel\nsay "yes"\ta\n'))[1] == ""
    assert written(table(tmp_path, "text\tlabel\nsay 'yes'\ta\n"))[1] == '"'
    both = table(tmp_path, 'text\tlabel\nsay "yes"\ta\n"all"\tb\n"no" or "yes"?\ta\n')
    assert pairs(both)[1] == ('"all"', "b")


def test_no_row_of_120_is_lost(tmp_path):
    rows = [f"text {i}\t{'ab'[i % 2]}" for i in range(120)]
    rows[30], rows[50] = '"' + rows[30], rows[50].replace("\t", '"\t')
    found = table(tmp_path, "\n".join(["text\tlabel", *rows]))
    assert len(pairs(found)) == 120
    assert "quotes are read as characters" in found.doubts[0]


def test_quotes_around_fields_may_hold_lines_and_delimiters(tmp_path):
    rows = [("one, a\ntwo", "x"), ("three,\nfour", "y"), ('"five"', "x")]
    out = StringIO()
    csv.writer(out, quoting=csv.QUOTE_ALL).writerows([("text", "label"), *rows])
    assert pairs(table(tmp_path, out.getvalue())) == rows
    few = table(tmp_path, 'text,label\n"Hello, you\nthere",x\nplain,y\n')
    assert pairs(few) == [("Hello, you\nthere", "x"), ("plain", "y")]
    assert "1 field in quotes holds line ends, the first in the row at line 2" in few.doubts[0]


def test_a_fault_of_a_table_in_quotes_is_named_and_not_read_around(tmp_path):
    rows = "".join(f'"text {i}","x"\n' for i in range(9))
    with pytest.raises(PteError, match=r"line 11: .*quote=none"):
        table(tmp_path, f'"text","label"\n{rows}"a "b" c","y"\n')


def test_a_field_that_is_too_long_is_said_to_be_so(tmp_path, monkeypatch):
    monkeypatch.setattr(dialect, "LONGEST_LINE", 1000)
    long = "\n".join(["a, b"] * 400)
    content = f'text,label\n"x, y",b\n"{long}",a\n'
    with pytest.raises(PteError, match="line 3: a field has more than 1,000 characters; cut it"):
        table(tmp_path, content)


def test_a_comma_in_a_header_of_semicolons_is_a_comma(tmp_path):
    found = table(tmp_path, "Message, full;Label\nhello, there;a\nyou, me;b\n", text="1")
    assert found.head == ("Message, full", "Label")
    assert pairs(found) == [("hello, there", "a"), ("you, me", "b")]


@pytest.mark.parametrize("delimiter", ",;\t")
def test_quotes_with_a_backslash_before_them_are_characters(tmp_path, delimiter):
    rows = ['"say \\"yes\\", or; no\ttwice"', '"C:\\\\"', r"C:\d"]
    lines = [f"text{delimiter}label", *(f"{text}{delimiter}x" for text in rows)]
    found = table(tmp_path, "\n".join(lines))
    assert found.dialect.quote == "\\" and "backslash quotes" in found.said[0]
    texts = ['say "yes", or; no\ttwice', "C:\\", r"C:\d"]
    assert pairs(found) == [(text, "x") for text in texts]


def test_spaces_may_stand_before_quotes(tmp_path):
    found = table(tmp_path, 'text, label\n"one, two", "a"\n"b", "c"\n')
    assert pairs(found) == [("one, two", "a"), ("b", "c")]
    first = table(tmp_path, 'label, text\na, "one, two"\nc, "b"\n')
    assert pairs(first) == [("one, two", "a"), ("b", "c")]
    plain = table(tmp_path, "label, text\na, one\n")
    assert pairs(plain) == [(" one", "a")] and not plain.dialect.spaces


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (
            "| text | label |\n| :--- | ---: |\n| a | b |\n",
            "line 2 is the rule of a table in Markdown",
        ),
        ('{"text": "a", "label": "b"}\n', r"line 1: this is JSON; end its name in \.jsonl"),
        ('[\n  {"text": "a"}\n]\n', r"line 1: this is JSON; end its name in \.jsonl"),
        (
            "text,label\n1,a,b\n",
            "if all lines have one more than the first, give its column a name",
        ),
        ("text~label\na~b\n", "there are 'text~label'; if there are more columns: delimiter="),
        (
            "Survey of 2020\n\ntext,label\n",
            "'Survey of 2020'; if there are more columns: delimiter=",
        ),
    ],
)
def test_what_looks_like_a_table_is_named_as_what_it_is(tmp_path, content, message):
    with pytest.raises(PteError, match=message):
        table(tmp_path, content)


def test_the_columns_that_are_named_speak_for_a_delimiter(tmp_path):
    content = "a;b,c\nx;y,z\n"
    assert table(tmp_path, content, text="a", label="b,c").head == ("a", "b,c")
    assert table(tmp_path, content, text="a;b", label="c").head == ("a;b", "c")


@pytest.mark.parametrize("options", [{}, {"quote": "'"}, {"header": False, "delimiter": ";"}])
def test_a_table_without_a_header_is_recognised(tmp_path, options):
    found = table(tmp_path, GERMAN, text="2", label="1", **options)
    assert (found.dialect.header, found.dialect.quote) == (False, "'")
    assert found.said == ("read as utf-8, semicolon, single quotes, no header",)
    assert pairs(found) == [
        ("Die ARD; und so", "Etat"),
        ('Das "ist" gut', "Web"),
        ("Foo's Bar", "Etat"),
    ]


def test_a_table_without_a_header_says_how_to_name_its_columns(tmp_path):
    message = r"no header for the text; name its column: .*1 \('Etat'\), 2 \('Die ARD; und so'\)"
    with pytest.raises(PteError, match=message):
        table(tmp_path, GERMAN)
    with pytest.raises(NoLabels, match="seems to be no header for the label"):
        table(tmp_path, GERMAN, text="2")
    only = table(tmp_path, "\n".join(["one thing is long " * 5] * 2), label="")
    assert [text for text, _ in pairs(only)] == ["one thing is long " * 5] * 2


@pytest.mark.parametrize(
    ("content", "header"),
    [
        ("text,label\na,x\n", True),
        ("name,kind\na,x\nb,x\n", True),
        ("sentiment,good film\nreview,bad film\nsentiment,fine\n", False),
        ("1,good film\n2,bad film\n", False),
        ("good,x\nbad,y\nfine,x\n", False),
    ],
)
def test_a_first_row_is_a_header_if_it_looks_like_one(tmp_path, content, header):
    assert table(tmp_path, content, text="1", label="2").dialect.header is header
    assert len(pairs(table(tmp_path, content, text="1", label="2"))) == content.count("\n") - header


def test_a_first_row_that_only_looks_like_a_header_is_pointed_out(tmp_path):
    found = table(tmp_path, "good film\nbad film\n", text="1", label="")
    assert "'good film'; if it is a document: header=false" in found.doubts[0]
    assert spoken(found.doubts[0]).endswith("if it is a document: --no-header")
    assert table(tmp_path, "text,label\na,x\n", text="1", label="2").doubts == ()
    assert len(pairs(table(tmp_path, "good film\n", text="1", label="", header=False))) == 1


def test_a_line_of_excel_says_the_delimiter(tmp_path):
    found = table(tmp_path, "sep=;\r\ntext;label\r\na,b;x\r\n")
    assert (found.dialect.sep_line, found.dialect.line_end) == (True, "\r\n")
    assert [(each.id, each.text) for each in found.documents()] == [("3", b"a,b")]
    with pytest.raises(PteError, match="line 4 has 1 fields"):
        table(tmp_path, "sep=;\ntext;label\na;x\nb\n")


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "cp1252"])
@pytest.mark.parametrize("ending", ["", ".gz"])
def test_encodings_are_recognised(tmp_path, encoding, ending):
    content = "text,label\nschöne „Grüße“ an alle,x\nplain words,y\n".encode(encoding)
    content = gzip.compress(content) if ending else content
    found = table(tmp_path, content, f"a.csv{ending}")
    assert found.dialect.encoding == encoding
    assert pairs(found)[0] == ("schöne „Grüße“ an alle", "x")
    assert any("Windows-1252 (cp1252), such as 'schöne'" in each for each in found.doubts) == (
        encoding == "cp1252"
    )


@pytest.mark.parametrize(
    ("field", "told"),
    [
        ("A" * 100_000 + "é", "'" + "A" * 30 + "é'"),
        ("A" * 100_000 + " é", "'é'"),
        ("5€ für alle", "'für'"),
        ("5€", "'5€,a'"),
    ],
)
def test_a_doubtful_word_is_found_in_a_long_field(tmp_path, field, told):
    found = table(tmp_path, f"text,label\n{field},a\n".encode("cp1252"))
    assert f"such as {told}; if that is wrong" in found.doubts[-1]


def test_an_encoding_that_is_not_recognised_is_refused_until_it_is_given(tmp_path):
    cyrillic = "text,label\nпривет всем,x\n"
    with pytest.raises(PteError, match=r"line 2 is not UTF-8 .*nor Windows-1252.*encoding=…"):
        table(tmp_path, cyrillic.encode("cp1251"))
    found = table(tmp_path, cyrillic.encode("cp1251"), encoding="cp1251")
    assert pairs(found) == [("привет всем", "x")]
    damaged = cyrillic.encode() + b"b\xff,y\n"
    with pytest.raises(PteError, match=r"line 3 is not UTF-8 .*other lines are; mend it"):
        table(tmp_path, damaged)
    with pytest.raises(PteError, match=r"line 3 is not utf-8 near b'b\\xff,y"):
        table(tmp_path, damaged, encoding="utf-8")
    with pytest.raises(PteError, match=r"after line \d it is not utf-16"):
        table(tmp_path, "text,label\na,b\n".encode("utf-16") + b"\0", encoding="utf-16")
    with pytest.raises(PteError, match=r"after line 0 it is not utf-16 .*BOM"):
        table(tmp_path, b"text,label\na,b\n", encoding="utf-16")
    with pytest.raises(PteError, match=r"line 2 is not utf-32 near"):
        table(tmp_path, "text,label\n".encode("utf-32") + b"\xff" * 4, encoding="utf-32")


@pytest.mark.parametrize("encoding", ["undefined", "idna", "punycode", "rot13", "hex", "", "é"])
def test_an_encoding_that_cannot_be_is_refused(tmp_path, encoding):
    with pytest.raises(PteError, match="is not known; known are utf-8"):
        table(tmp_path, b"text,label\na,b\n", encoding=encoding)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"delimiter": ",,"}, "delimiter ',,' is no character; or give comma, semicolon, tab, bar"),
        ({"quote": "x"}, "quote 'x' is not one of double, single, backslash, none"),
        ({"encoding": "klingon"}, "encoding 'klingon' is not known"),
        ({"colour": "red"}, "'colour' is not an option; there are text, label"),
    ],
)
def test_options_that_cannot_be_are_refused(tmp_path, options, message):
    with pytest.raises(PteError, match=message):
        table(tmp_path, "text,label\na,b\n", **options)


def test_what_the_user_gives_is_taken(tmp_path):
    content = "text;label#1\n'a;label#2'\n"
    found = table(tmp_path, content, delimiter="#", quote="none", text="1", label="2", header=False)
    assert pairs(found) == [("text;label", "1"), ("'a;label", "2'")]
    assert table(tmp_path, "text\tlabel\n", delimiter=r"\t").head == ("text", "label")


def test_texts_that_stand_for_no_label_are_counted(tmp_path, capsys):
    content = "text,label\na,x\nb,NaN\nc,n/a\nd,none\ne,\nf,nan\n"
    table(tmp_path, content)
    counts = Counter()
    labels = [each.label for each in read(tmp_path / "a.csv", counts=counts)]
    assert labels == ["x", None, None, "none", None, None]
    assert counts == {f"'{label}' in place of a label": 1 for label in ("NaN", "n/a", "nan")}
    given = read(tmp_path / "a.csv", missing=["none"])
    assert [each.label for each in given] == ["x", "NaN", "n/a", None, None, "nan"]
    assert capsys.readouterr().out.count("the text is in column 'text'") == 2


@pytest.mark.parametrize("first", ["", " ", " \t \n\n  "])
def test_blank_lines_before_the_names_are_skipped(tmp_path, first):
    found = table(tmp_path, f"{first}\ntext,label\na b,x\n")
    assert found.head == ("text", "label") and pairs(found) == [("a b", "x")]
    alone = table(tmp_path, f"{first}\ntext\na b\n", label="")
    assert alone.head == ("text",) and pairs(alone) == [("a b", None)]


def test_one_column_needs_no_delimiter(tmp_path):
    for content in ("text\nhello, world\nand you\n", 'text\n"hello, world"\nand you\n'):
        found = table(tmp_path, content, label="")
        assert [text for text, _ in pairs(found)] == ["hello, world", "and you"]


FIELDS = st.text(st.sampled_from("ab,;\t|\n\"' é"), min_size=1)


@given(st.lists(st.tuples(FIELDS, FIELDS), min_size=1), st.sampled_from(",;\t|"))
def test_what_is_given_reads_what_csv_writes(tmp_path_factory, rows, delimiter):
    path = tmp_path_factory.mktemp("made")
    out = StringIO()
    csv.writer(out, delimiter=delimiter, quoting=csv.QUOTE_ALL).writerows(
        [("text", "label"), *rows]
    )
    found = table(path, out.getvalue(), delimiter=delimiter, quote="double")
    assert [row for _, row in found.rows()] == [list(row) for row in rows]
    assert pairs(table(path, out.getvalue(), text="text", label="label")) == pairs(found)


@pytest.mark.parametrize(
    ("message", "said"),
    [
        (
            "a: name its column: text=…; there are 'x'",
            "a: name its column: --text …; there are 'x'",
        ),
        ("is written: delimiter=…, quote=…", "is written: --delimiter …, --quote …"),
        ("a: same=b=c: no label 'b'", "a: --same b=c: no label 'b'"),
        ("if they are the same: ignore_case=true", "if they are the same: --ignore-case"),
        ("several labels? separator=';'", "several labels? --separator ';'"),
        ("or leave it out: separator=…", "or leave it out: --separator …"),
        ("give one of csv, tsv: format=…", "give one of csv, tsv: --format …"),
        *((each, each) for each in ("split=train/a.csv: no file", "'label=spam' and 'a: same=b'")),
        ("'a text that is lo…; so: label=…, 'x'", "'a text that is lo…; so: --label …, 'x'"),
    ],
)
def test_keys_of_messages_become_options_and_what_users_name_stays(message, said):
    assert spoken(message) == said
