"""Files that come back from `pte predict` with labels in them, by a model of a few words."""

import gzip
import io
import json
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

from pte.command import predict, shown
from pte.command.documents import LearntFrom
from pte.command.main import app
from pte.corpora.cells import woven
from pte.tables.columns import Options
from pte.tables.dialect import DELIMITERS
from pte.tables.table import open_table
from pte.tables.writing import Filled, spreadsheet_safe, write_back

HEAD = ["document", "label", "probability"]


class Words:
    """A model that knows the words `good` and `bad`."""

    classes_ = np.array(["neg", "pos"])
    several_labels_ = False

    def encode(self, texts):
        return texts

    def predict(self, texts):
        return self.classes_[self.predict_proba(texts).argmax(axis=1)]

    def predict_proba(self, texts):
        known = {b"good": (0.1, 0.9), b"bad": (0.75, 0.25)}
        found = [next((p for w, p in known.items() if w in text), (0.4, 0.6)) for text in texts]
        return np.array(found)

    def count_known(self, texts):
        return np.array([text.count(b"good") + text.count(b"bad") for text in texts])


class Several(Words):
    several_labels_ = True

    def predict_proba(self, texts):
        return np.array([[0.6 * (b"bad" in text), 0.9 * (b"good" in text)] for text in texts])


def rows_of(table):
    """Return the rows of the documents of a table."""
    return [list(row) for row in zip(*map(table.cells, range(len(table.head))), strict=True)]


@pytest.fixture
def run(monkeypatch, tmp_path):
    """Run `pte predict` in a folder of its own; the model is one of those above."""
    monkeypatch.chdir(tmp_path)

    def predicted(file, *arguments, model=Words, given=None, code=0):
        monkeypatch.setattr(predict, "load", lambda path: model())
        done = CliRunner().invoke(app, ["predict", "m.npz", file, *arguments], input=given)
        assert done.exit_code == code, done.output
        return done

    return predicted


def came_back(run, content, *arguments, name="a.csv", out="out.csv", **options):
    """What `run` makes of a file, and the last line that it prints."""
    Path(name).write_bytes(content if isinstance(content, bytes) else content.encode())
    done = run(name, "-o", out, *arguments, **options)
    return Path(out).read_bytes(), done.stderr.splitlines()[-1]


def test_empty_labels_are_filled_and_everything_else_stays(run):
    content = 'id,text,label,note\n7,"good, yes",,=x\n8,bad,pos,\n\n9,"a ""bad""\none",NaN,"z, z"\n'
    found, said = came_back(run, content)
    assert found.decode() == (
        'id,text,label,note,probability\n7,"good, yes",pos,=x,0.9000\n8,bad,pos,,\n\n'
        '9,"a ""bad""\none",neg,"z, z",0.7500\n'
    )
    assert said == "1 document had a label; 2 of 2 documents get a label"


def test_a_file_without_labels_gets_a_column(run):
    found, said = came_back(run, "text\ngood\nnone\n")
    assert found == b"text,label,probability\ngood,pos,0.9000\nnone,pos,0.6000\n"
    assert said.endswith("; 1 holds no word that the model knows")
    found, _ = came_back(run, "text,label\ngood,neg\n", "--column", "new")
    assert found == b"text,label,new,probability\ngood,neg,pos,0.9000\n"
    found, _ = came_back(run, "text,kind\ngood,\n", "--label", "kind")
    assert found == b"text,kind,probability\ngood,pos,0.9000\n"
    found, _ = came_back(run, "id,annotation\n1,good\n", "--text", "annotation")
    assert found.splitlines()[1] == b"1,good,pos,0.9000"


@pytest.mark.parametrize("usual", ["stars", "tags"])
def test_another_column_than_the_learnt_one_is_not_filled(run, usual, monkeypatch):
    learnt = LearntFrom({"text": "text", "label": "mood"}, {})
    monkeypatch.setattr(predict, "learnt_from", lambda path: learnt)
    found, _ = came_back(run, f"text,{usual}\ngood,5\nbad,\n")
    assert found.decode() == f"text,{usual},mood,probability\ngood,5,pos,0.9000\nbad,,neg,0.7500\n"


OF_LABELS = "is the column of labels, and that of texts or prob"


@pytest.mark.parametrize(
    ("file", "options", "said"),
    [
        ("a.csv", "--unlabelled --column new", "--unlabelled: the new column 'new' has no labels"),
        ("b.csv", "--label probability", f"'probability' {OF_LABELS}"),
        ("a.jsonl", "--label probability", f"'probability' {OF_LABELS}"),
        ("a.csv", "--column probability", f"'probability' {OF_LABELS}"),
        ("a.csv", "--column text", f"'text' {OF_LABELS}"),
    ],
)
def test_labels_take_no_place_of_something_else(run, file, options, said):
    Path("a.csv").write_text("text\ngood\n")
    Path("b.csv").write_text("text,probability\ngood,\n")
    Path("a.jsonl").write_text('{"text": "good", "probability": null}\n')
    assert said in run(file, "-o", f"out-{file}", *options.split(), code=1).stderr
    assert not Path(f"out-{file}").exists()


def test_lines_of_standard_input_have_no_labels(run):
    for option in (("--label", "label"), ("--missing", "none"), ("--unlabelled",)):
        refused = run("-", *option, given="good\n", code=1)
        assert option[0] in refused.stderr and refused.stdout == ""


def test_no_cell_between_tabs_becomes_a_formula(run):
    Path("a.csv").write_text("text,id\ngood,=1+1\n")
    run("a.csv", "-o", "out.tab", "--id", "id")
    run("a.csv", "-o", "out.lst", "--id", "id")
    assert Path("out.lst").read_text() == "'=1+1\tpos\t0.9000\n"


def test_what_is_not_probable_enough_stays_empty(run):
    found, said = came_back(run, "text,label\ngood,\nbad,\n", "--threshold", "0.8")
    assert found == b"text,label,probability\ngood,pos,0.9000\nbad,,0.7500\n"
    assert "1 of 2 documents get a label; 1 gets no label" in said


def test_all_probabilities_get_a_column_each(run):
    found, _ = came_back(run, "text,label\ngood,\nbad,neg\n", "--probabilities")
    assert found.decode().splitlines() == [
        "text,label,probability,probability neg,probability pos",
        "good,pos,0.9000,0.1000,0.9000",
        "bad,neg,,,",
    ]
    done = run("-", "--probabilities", given="good\n")
    assert done.stdout == "1\tpos\t0.9000\t0.1000\t0.9000\n"
    done = run("-", "--probabilities", "--json", given="good\n")
    assert json.loads(done.stdout)["probabilities"] == {"neg": 0.1, "pos": 0.9}


def test_a_column_of_probabilities_is_filled_and_not_added_again(run):
    once, _ = came_back(run, "text,label\ngood,\nbad,\n", "--threshold", "0.8")
    twice, said = came_back(run, once, name="b.csv", out="twice.csv")
    assert twice == b"text,label,probability\ngood,pos,0.9000\nbad,neg,0.7500\n"
    assert said.startswith("2 of 2 documents get a label")


@pytest.mark.parametrize(
    ("content", "name", "arguments"),
    [
        ('text;label\r\n"schön good; yes";\r\n', "a.csv", ()),
        ("sep=;\ntext;label\ngood;\n", "a.csv", ()),
        ("'good; ''yes''';\n'bad one, said at length; and so on';neg\n", "a.csv", ("1", "2")),
        ('text\tlabel\n"good\t\nbad"\tneg\n', "a.tsv", ()),
        ("text|label\ngood, yes|\n", "a.csv", ()),
    ],
)
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "cp1252"])
def test_a_table_comes_back_as_it_was_written(run, content, name, arguments, encoding, tmp_path):
    named = [each for pair in zip(("--text", "--label"), arguments) for each in pair]  # noqa: B905
    out = f"out{name[1:]}"
    found, _ = came_back(run, content.encode(encoding), *named, name=name, out=out)
    options = dict(zip(("text", "label"), arguments)) or {"label": "label"}  # noqa: B905
    before = open_table(str(tmp_path / name), Options(**options))
    after = open_table(str(tmp_path / out), Options(**options))
    assert found.decode(before.dialect.encoding)
    assert before.facts() == after.facts()
    for row, more in zip(rows_of(before), rows_of(after), strict=True):
        assert more[: len(row)] == [row[0], row[1] or "pos"]
        assert more[len(row) :] == ["" if row[1] else "0.9000"]


CELLS = st.text(st.sampled_from("ab,;\t\n\r\"' \\é"), min_size=1)


@given(
    st.lists(st.tuples(CELLS, CELLS), min_size=1),
    st.sampled_from(["comma", "semicolon", "tab", "bar"]),
    st.sampled_from(["double", "single"]),
    st.sampled_from(["\n", "\r\n", "\r"]),
)
def test_cells_with_line_ends_and_quotes_come_back(tmp_path_factory, rows, delimiter, quote, end):
    path = tmp_path_factory.mktemp("made") / "a.csv"
    given = Options(
        delimiter=delimiter, quote=quote, encoding="utf-8", header=False, text="1", label="2"
    )
    path.write_text(f"x{DELIMITERS[delimiter]}y{end}", newline="")
    table = open_table(str(path), given)
    numbers = range(1, len(rows) + 1)
    cells = [*zip(*rows, strict=True)].__getitem__
    made = replace(table, cells=cells, odd={}, numbers=numbers, returns=True)
    write_back(made, path, "a.csv", Filled("2", [None] * len(rows), [None] * len(rows)))
    again = open_table(str(path), given)
    assert [tuple(row[:2]) for row in woven(rows_of(again), again.odd)] == rows


def test_backslashes_and_spaces_around_quotes_come_back_as_the_usual_quotes(run):
    found, _ = came_back(run, 'text,label\n"good \\"x\\", C:\\d",\n')
    assert found == b'text,label,probability\n"good ""x"", C:\\d",pos,0.9000\n'
    found, _ = came_back(run, 'text, label\n"good, x", "pos"\n"bad, y", ""\n', name="b.csv")
    assert found == b'text,label,probability\n"good, x",pos,\n"bad, y",neg,0.7500\n'


def test_json_lines_come_back(run):
    rows = ['{"n": 1.0, "text": "good", "deep": {"a": [1]}}', "", '{"text": "bad", "label": "x"}']
    found, said = came_back(run, "\n".join(rows), name="a.jsonl", out="out.json")
    first, last = found.decode().splitlines()
    assert first[:-1].startswith(rows[0][:-1]) and json.loads(last)["label"] == "x"
    assert json.loads(first).items() >= {"label": "pos", "probability": 0.9}.items()
    assert said == "1 document had a label; 1 of 1 document gets a label"
    escaped = '{"text": "\\ud800 good"}'
    assert b"\\ud800" in came_back(run, escaped, name="a.jsonl", out="out.json")[0]


def test_a_table_may_get_tabs(run):
    tabs, _ = came_back(run, "text;label\ngood;\n", out="out.tsv")
    assert tabs == b"text\tlabel\tprobability\ngood\tpos\t0.9000\n"


def of_classes(negative, positive, several=False):
    """The model of `Words` or `Several`, with other names of classes."""
    base = Several if several else Words
    return type("Named", (base,), {"classes_": np.array([negative, positive])})


@pytest.mark.parametrize(
    ("known", "classes", "filled"),
    [
        (1, ("0", "1"), 1),
        (0, ("0", "1"), 1),
        (1.0, ("0", "1"), 1.0),
        (True, ("false", "true"), True),
        ("1", ("0", "1"), "1"),
        ("a", ("1", "2"), "2"),
        (0, ("0", "many"), "many"),
        (["x"], ("x", "y"), ["y"]),
        (" b ", ("a", "b"), " b "),
    ],
)
def test_json_has_one_type_of_labels(run, known, classes, filled):
    rows = [{"text": "good", "label": None}, {"text": "bad", "label": known}]
    content = "\n".join(map(json.dumps, rows))
    found, _ = came_back(run, content, name="a.jsonl", out="o.jsonl", model=of_classes(*classes))
    first, second = map(json.loads, found.splitlines())
    assert (first["label"], type(first["label"])) == (filled, type(filled))
    assert second["label"] == known


def test_labels_of_a_table_are_written_as_it_writes_them(run):
    model = of_classes("-ve", "+ve")
    found, _ = came_back(run, "text,label\nbad, +ve\ngood,\nbad,\n", model=model)
    assert [row.split(",")[1] for row in found.decode().splitlines()] == [
        *("label", " +ve", " +ve", "'-ve")
    ]


def test_labels_stay_in_any_output(run):
    Path("a.csv").write_text("text,label,n\nbad,pos,1\nbad,,2\n")
    run("a.csv", "-o", "out.txt")
    assert Path("out.txt").read_text() == "2\tpos\t\n3\tneg\t0.7500\n"
    Path("b.csv").write_text("text,n\nbad,1\n")
    run("b.csv", "-o", "out.txt")
    assert Path("out.txt").read_text() == "2\tneg\t0.7500\n"


@pytest.fixture
def learnt(monkeypatch):
    """Say what the model was learnt from."""

    def says(merges=(), **columns):
        found = LearntFrom(columns, dict(merges))
        monkeypatch.setattr(predict, "learnt_from", lambda path: found)

    return says


def test_labels_stand_apart_as_in_training(run, learnt):
    learnt(text="text", label="mood", separator="|")
    found, _ = came_back(run, "text\ngood bad\n", model=Several)
    assert found == b"text,mood,probability\ngood bad,neg|pos,0.6000\n"
    run("a.csv", "-o", "out.txt", model=Several)
    assert Path("out.txt").read_text() == "2\tneg|pos\t0.6000\n"
    run("a.csv", "-o", "out.txt", "--separator", "+", model=Several)
    assert "\tneg+pos\t" in Path("out.txt").read_text()


def test_a_label_that_holds_the_separator_is_in_no_cell_of_several(run):
    model = of_classes("R&D; lab", "pos", several=True)
    Path("a.csv").write_text("text\nbad\n")
    for out in ("out.csv", "out.txt"):
        done = run("a.csv", "-o", out, model=model, code=1)
        said = "--separator: label 'R&D; lab' holds ';'"
        assert said in done.stderr and not Path(out).exists()
        run("a.csv", "-o", out, "--separator", "|", model=model)
    run("a.csv", "-o", "lines.txt", "--json", model=model)
    run("a.csv", "-o", "one.csv", model=of_classes("R&D; lab", "pos"))


NUMBERS = [
    *("1234567890.12345678901234", "1e400", "1E2", "1.10", "-0", "-0.0", "7", "0.1", "1e-7"),
    *("NaN", '[{"a": -Infinity, "ü": []}, 1.5]', '{"a": {"b": 1.0e1}}'),
]


@pytest.mark.parametrize("number", NUMBERS)
def test_numbers_of_json_come_back_as_they_are_written(run, number):
    content = f'{{"text": "good", "n": {number}}}\n{{"text": "bad", "label": 1.50, "n": 1}}\n'
    found, _ = came_back(run, content, name="a.jsonl", out="out.jsonl")
    first, second = found.decode().splitlines()
    assert first == f'{{"text": "good", "n": {number}, "label": "pos", "probability": 0.9}}'
    assert second == '{"text": "bad", "label": 1.50, "n": 1}'


def test_numbers_name_the_column_that_is_filled(run, learnt):
    learnt(text="text", label="mood", missing=["?"])
    content = "text,mood,kind\ngood,?,\nbad,pos,x\n"
    found, _ = came_back(run, content, "--column", "3")
    assert found.decode().splitlines()[1:] == ["good,?,pos,0.9000", "bad,pos,x,"]
    found, _ = came_back(run, content, "--label", "2")
    assert found.decode().splitlines()[1:] == ["good,pos,,0.9000", "bad,pos,x,"]
    refused = run("a.csv", "-o", "new.csv", "--column", "9", code=1)
    assert "--column: column 9 is not there; a.csv has 3 columns; name another" in refused.stderr
    assert not Path("new.csv").exists()


def test_labels_of_another_column_are_not_those_of_training(run, learnt):
    learnt([("n", "neg")], text="text", label="mood")
    content = "text,mood,status\ngood,n,n\nbad,,\n"
    found, said = came_back(run, content, "--column", "status")
    assert found.decode().splitlines()[1:] == ["good,n,n,", "bad,,neg,0.7500"]
    assert "written as in training" not in said
    for options in (("--label", "status"), ("--column", "mood"), ()):
        assert ", 1 of them written as in training" in came_back(run, content, *options)[1]


@pytest.mark.parametrize(
    ("content", "name", "out", "own"),
    [
        ("text,probability pos\ngood,x\n", "a.csv", "out.csv", "probability pos"),
        ('{"text": "good", "probabilities": 1}', "a.jsonl", "out.jsonl", "probabilities"),
    ],
)
def test_each_column_that_is_written_over_is_told(run, content, name, out, own):
    Path(name).write_text(content)
    done = run(name, "-o", out, "--probabilities")
    told = [line for line in done.stderr.splitlines() if line.startswith("Warning")]
    said = f"Warning: {name}: its column {own!r} gets those of predictions"
    assert told == [said]
    if own == "probabilities":
        refused = run(name, "-o", out, "--probabilities", "--column", own, code=1)
        assert "'probabilities' is the column of labels" in refused.stderr


def test_several_labels_go_into_a_cell_or_a_list(run):
    content = "text,label\ngood and bad,\nnothing,\n"
    found, said = came_back(run, content, "--separator", "|", model=Several)
    assert found == b"text,label,probability\ngood and bad,neg|pos,0.6000\nnothing,,1.0000\n"
    assert "1 gets no label" in said
    lines, _ = came_back(run, '{"text": "good"}', name="a.jsonl", out="b.jsonl", model=Several)
    assert json.loads(lines)["label"] == ["pos"]


@pytest.mark.parametrize(
    ("content", "name", "out", "message"),
    [
        ("text,text,label\n", "a.csv", "out.csv", "several columns have usual names"),
        ("text\ngood\n", "a.csv", "out.jsonl", "a.csv can only become a file in .csv, .tsv, .xlsx"),
        ("text\ngood\n", "a.csv", "out.parquet", "a.csv can only become a file in .csv, .tsv"),
        ('{"text": "a"}', "a.jsonl", "out.csv", "a.jsonl can only become a file in .jsonl, .nd"),
        ("good\n", "-", "out.parquet", "only a table comes back as such a file"),
        ("good\n", "-", "out.ods", "only a table comes back as such a file"),
    ],
)
def test_what_cannot_come_back_is_refused_and_nothing_is_written(run, content, name, out, message):
    Path(name).write_text(content, "utf-8")
    assert message in run(name, "-o", out, code=1, given=content).stderr
    assert not Path(out).exists()


def test_a_line_is_answered_before_the_next_is_read(run, monkeypatch):
    answers = []
    monkeypatch.setattr(shown.click, "echo", lambda line, **_: answers.append(line))

    lines, seen = [b"good\n", b"bad\n", b"good\n"], []

    class Slow(io.RawIOBase):
        def readable(self):
            return True

        def readinto(self, target):
            seen.append(len(answers))
            line = lines[len(seen) - 1] if len(seen) <= len(lines) else b""
            target[: len(line)] = line
            return len(line)

    run("-", given=io.BufferedReader(Slow()))
    assert seen[:3] == [0, 1, 2]
    assert [line.split("\t")[1] for line in answers[:3]] == ["pos", "neg", "pos"]


@pytest.mark.parametrize("packed", [gzip.compress, lambda text: text.decode().encode("utf-16")])
def test_standard_input_may_be_compressed_or_wide(run, packed):
    content = io.BufferedReader(io.BytesIO(packed(b"good\nbad\n" * 20)))
    lines = run("-", given=content).stdout.splitlines()
    assert [line.split("\t")[:2] for line in lines[:2]] == [["1", "pos"], ["2", "neg"]]
    assert len(lines) == 40


@pytest.mark.parametrize("kind", ["xlsx", "ods"])
def test_a_workbook_comes_back_with_its_numbers_and_no_formula(run, kind):
    frame = pd.DataFrame(
        {"text": ["good", "bad", "bad"], "label": [None, 5, None], "n": [0.5, 2, 7]}
    )
    frame["note"] = ["'=1+1", "=1+1" * (kind == "xlsx"), ""]
    with pd.ExcelWriter(f"a.{kind}") as book:
        frame.to_excel(book, index=False)
    run(f"a.{kind}", "-o", f"out.{kind}", model=of_classes("4", "=5"))
    made = pd.read_excel(f"out.{kind}", dtype=object, na_filter=False)
    assert list(made) == ["text", "label", "n", "note", "probability"]
    assert made["label"].tolist() == ["'=5", 5, "4"] and made["n"].tolist() == [0.5, 2, 7]
    assert made["note"].tolist()[0] == "'=1+1" and made["probability"].tolist() == [0.9, "", 0.75]
    came_back(run, "text;label\ngood;\n", out=f"b.{kind}")
    assert pd.read_excel(f"b.{kind}")["label"].tolist() == ["pos"]


PARQUET = pytest.mark.skipif(find_spec("pyarrow") is None, reason="the extra parquet is missing")


@PARQUET
def test_a_parquet_table_comes_back_with_its_columns_and_types(run, tmp_path):
    import pyarrow as pa
    from pyarrow import parquet

    days = pa.array([1, None, 10**18 + 1, 4], pa.timestamp("ns"))
    given = pa.table(
        {
            "day": days,
            "text": pa.array(["good", "bad", "bad", "good"], pa.large_string()),
            "label": pa.array(["pos", None, "n/a", ""]).dictionary_encode(),
            "deep": [[{"a": 1}], None, [], [{"a": 2}]],
            "map": pa.array(
                [[("a", "b")], None, [], [("c", "d")]], pa.map_(pa.string(), pa.string())
            ),
        }
    )
    parquet.write_table(given, "a.parquet")
    done = run("a.parquet", "-o", "out.parquet", "--probabilities")
    made = parquet.read_table("out.parquet")
    assert made.schema.names == [
        *given.schema.names, "probability", "probability neg", "probability pos",
    ]  # fmt: skip
    for name in ("day", "text", "deep", "map"):
        assert made.column(name) == given.column(name)
    assert made.schema.field("label").type == given.schema.field("label").type
    assert made.column("label").to_pylist() == ["pos", "neg", "neg", "pos"]
    assert made.column("probability").to_pylist() == [None, 0.75, 0.75, 0.9]
    assert "1 document had a label; 3 of 3 documents get a label" in done.stderr
    run("a.parquet", "-o", "few.parquet", "--unlabelled")
    assert parquet.read_table("few.parquet").column("day") == pa.chunked_array([days[1:]])


@PARQUET
def test_labels_of_parquet_may_be_numbers_or_lists(run, tmp_path):
    import pyarrow as pa
    from pyarrow import parquet

    class Numbers(Words):
        classes_ = np.array([0, 1])

    texts = ["good", "bad"]
    for name, labels in (
        ("n", pa.array([1, None], pa.int8())),
        ("d", pa.array([None] * 2, "date32")),
    ):
        parquet.write_table(pa.table({"text": texts, "label": labels}), f"{name}.parquet")
    run("n.parquet", "-o", "out.parquet", model=Numbers)
    made = parquet.read_table("out.parquet")
    assert made.schema.field("label").type == pa.int8()
    assert made.column("label").to_pylist() == [1, 0]
    refused = run("d.parquet", "-o", "no.parquet", code=1)
    assert "column 'label' holds date32[day], and cannot hold predictions" in refused.stderr
    assert not Path("no.parquet").exists()
    lists = pa.array([["neg"], None], pa.list_(pa.large_string()))
    parquet.write_table(pa.table({"text": texts, "label": lists}), "l.parquet")
    run("l.parquet", "-o", "out.parquet", model=Several)
    assert parquet.read_table("out.parquet").column("label").to_pylist() == [["neg"], ["neg"]]
    nothing = pa.table({"text": texts, "label": pa.nulls(2), "raw": [b"caf\xc3\xa9", b"\xff"]})
    parquet.write_table(nothing, "e.parquet")
    run("e.parquet", "-o", "out.parquet")
    made = parquet.read_table("out.parquet")
    assert made.column("label").to_pylist() == ["pos", "neg"]


@PARQUET
def test_columns_of_views_come_back(run, tmp_path):
    import pyarrow as pa
    from pyarrow import parquet

    view = pa.string_view()
    columns = {"text": pa.array(["good", "bad"], view), "label": pa.array(["pos", None], view)}
    parquet.write_table(pa.table(columns), "a.parquet")
    for more, labels in ((), ["pos", "neg"]), (("--unlabelled",), ["neg"]):
        run("a.parquet", "-o", "out.parquet", *more)
        made = parquet.read_table("out.parquet")
        assert made.column("label").to_pylist() == labels


def test_a_list_of_objects_comes_back_in_order(run):
    rows = [{"text": "good", "more": [{"a": 1}]}, {"text": None, "label": None}, {"text": "bad"}]
    found, _ = came_back(run, json.dumps(rows, indent=1), name="a.json", out="out.jsonl")
    back = [json.loads(line) for line in found.decode().splitlines()]
    assert [{k: v for k, v in each.items() if k in ("text", "more")} for each in back] == [
        {k: v for k, v in each.items() if k != "label"} for each in rows
    ]
    assert [each["label"] for each in back] == ["pos", "pos", "neg"]
    listed, _ = came_back(run, json.dumps(rows), name="a.json", out="out.json.gz")
    assert json.loads(gzip.decompress(listed)) == back
    none = '[{"text": "good", "label": "x"}]'
    assert json.loads(came_back(run, none, "--unlabelled", name="a.json", out="o.json")[0]) == []


@pytest.mark.parametrize(
    ("text", "safe"),
    [
        *(("x;=1+1", "x;'=1+1"), ("=a;@b", "'=a;'@b"), ("＝1", "'＝1"), ("a; =b", "a; =b")),
        *((each, each) for each in ("a;-1;+2.5", "-9.5e-05", "-.5", "+1.E3", "+", "-")),
    ],
)
def test_no_part_of_a_cell_is_a_formula(text, safe):
    assert spreadsheet_safe(text) == safe
