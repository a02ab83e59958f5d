"""One rule for a kind of file: each command takes each format, however it is spelled and given."""

import bz2
import gzip
import json
import lzma
import os
import shutil
import threading
from pathlib import Path

import pytest
from click.testing import CliRunner
from test_given_back import PARQUET, Words

from pte import classify
from pte.command import predict, vectors
from pte.command.main import app
from pte.tables import formats as text_files
from pte.tables.formats import FORMATS

PACKED = {"": bytes, ".gz": gzip.compress, ".bz2": bz2.compress, ".xz": lzma.compress}
ROWS = [("a good film", "pos"), ("a bad film", "neg")] * 3
CONTENT = {
    "csv": "text,label\n" + "".join(f"{text},{label}\n" for text, label in ROWS),
    "tsv": "text\tlabel\n" + "".join(f"{text}\t{label}\n" for text, label in ROWS),
    "jsonl": "".join(f'{{"text": "{text}", "label": "{label}"}}\n' for text, label in ROWS),
    "fasttext": "".join(f"__label__{label} {text}\n" for text, label in ROWS),
}
SPELLINGS = [
    *((kind, ending) for kind in CONTENT for ending in FORMATS[kind]),
    *((kind, f"{FORMATS[kind][0]}.gz".upper()) for kind in CONTENT),
]
LEARN = {
    "check": ["check", "FILE"],
    "evaluate": ["evaluate", "FILE", "--method", "bow", "--jobs", "1"],
    "fit": ["fit", "FILE", "--method", "bow", "-o", "m.npz"],
}
APPLY = {
    "predict": ["predict", "m.npz", "FILE"],
    "explain": ["explain", "m.npz", "FILE"],
    "transform": ["transform", "m.npz", "FILE"],
}


class Model(Words):
    """A model that has vectors, and explains."""

    def encode(self, texts):
        return texts

    def explain(self, text, label, top):
        return [("film", 0.5)]


@pytest.fixture
def run(monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    for home in (classify, predict, vectors):
        monkeypatch.setattr(home, "load", lambda path: Model())
    monkeypatch.setattr(Model, "transform", lambda self, x: x, raising=False)
    monkeypatch.setattr(vectors, "_encoded", encoded)

    def done(words, file, *more, given=None, code=0):
        words = [str(file) if word == "FILE" else word for word in words]
        shutil.rmtree("made", ignore_errors=True)
        found = CliRunner().invoke(app, [*words, *more], input=given)
        assert found.exit_code == code, found.output
        return found

    return done


def encoded(model, documents):
    import numpy as np

    return np.zeros((len(documents.texts), 2))


def packed(kind, name):
    ending = Path(name).suffix.lower()
    return PACKED.get(ending, bytes)(CONTENT[kind].encode())


@pytest.mark.parametrize(("kind", "ending"), SPELLINGS)
def test_each_ending_says_its_format(run, kind, ending):
    file = Path(f"a.b{ending}")
    file.write_bytes(packed(kind, ending))
    assert json.loads(run(LEARN["check"], file, "--json").stdout)["format"] == kind
    assert len(run(APPLY["predict"], file).stdout.splitlines()) == 6


@pytest.mark.parametrize(
    ("command", "kind"),
    [*((command, "jsonl") for command in LEARN), *(("predict", kind) for kind in CONTENT)],
)
@pytest.mark.parametrize("how", ["file", "-", "fifo", "/dev/stdin"])
def test_each_command_takes_a_format_from_everywhere(run, tmp_path, kind, how, command):
    words, content = (LEARN | APPLY)[command], packed(kind, ".gz" if how == "fifo" else "")
    file = Path("a") if how in ("file", "fifo") else how
    if how == "fifo":
        os.mkfifo(file)
        threading.Thread(target=file.write_bytes, args=(content,), daemon=True).start()
    elif how == "file":
        file.write_bytes(content)
    run(words, file, "--format", kind, given=content)
    assert not list(tmp_path.glob("*.contest.json")) or how == "file"


@pytest.mark.parametrize("command", [*LEARN, *APPLY])
def test_each_command_takes_folders_and_refuses_a_pipe_in_them(run, command):
    for i, (text, label) in enumerate(ROWS):
        Path("texts", label).mkdir(parents=True, exist_ok=True)
        Path("texts", label, f"{i}.txt").write_text(text)
    run((LEARN | APPLY)[command], "texts/")
    os.mkfifo("texts/pos/pipe")
    refused = run((LEARN | APPLY)[command], "texts", *["--json"], code=1)
    assert "texts/pos/pipe: this is a pipe, a device or a link that leads" in refused.stderr


@PARQUET
@pytest.mark.parametrize("command", [*LEARN, *APPLY])
@pytest.mark.parametrize("name", ["a.parquet", "a.PQ"])
def test_each_command_takes_parquet(run, command, name):
    import pyarrow as pa
    from pyarrow import parquet

    texts, labels = zip(*ROWS, strict=True)
    parquet.write_table(pa.table({"text": texts, "label": labels}), name)
    run((LEARN | APPLY)[command], name)
    content = Path(name).read_bytes()
    run((LEARN | APPLY)[command], "-", "--format", "parquet", given=content)


@pytest.mark.parametrize("command", ["check", "evaluate", "fit"])
@pytest.mark.parametrize("how", ["-", "/dev/stdin"])
def test_standard_input_needs_a_format_to_learn(run, command, how):
    refused = run(LEARN[command], how, given=b"text,label\n", code=1)
    assert "standard input: it has no name that says its format; give --format" in refused.stderr


@pytest.mark.parametrize("command", ["check", "evaluate", "fit"])
def test_a_stream_without_an_end_is_refused(run, monkeypatch, command):
    monkeypatch.setattr(text_files, "MOST_PIPED", 2**22)
    refused = run([*LEARN[command], "--format", "csv"], "-", given=b"y\n" * 2**22, code=1)
    assert "standard input: more than 4,194,304 bytes arrived" in refused.stderr


@pytest.mark.parametrize("packed", PACKED)
@pytest.mark.parametrize("ending", [".csv", ".tsv", ".jsonl"])
def test_what_is_written_is_compressed_as_its_name_says(run, ending, packed):
    file = Path("a.jsonl" if ending == ".jsonl" else "a.csv")
    file.write_text(
        '{"text": "a good film"}' if ending == ".jsonl" else "text,label\na good film,\n"
    )
    out = Path(f"out{ending}{packed}")
    written = []
    for words in (APPLY["predict"], ["predict", "m.npz", "-"]):
        run(words, file, "-o", str(out), given=b"a good film\n")
        written.append(out.read_bytes())
    unpack = {".gz": gzip, ".bz2": bz2, ".xz": lzma}.get(packed)
    for content in written:
        text = (unpack.decompress(content) if unpack else content).decode()
        assert "pos" in text and "0.9" in text
    assert "a good film" in (unpack.decompress(written[0]) if unpack else written[0]).decode()
