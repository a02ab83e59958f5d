"""The command on machines and terminals of others: its streams, and its end."""

import json
import os
import subprocess
import sys
from io import BytesIO
from pathlib import Path

import pytest

from pte.command.start import Plain

COMMAND = [sys.executable, "-m", "pte"]


@pytest.fixture
def news(tmp_path):
    rows = [("a goal", "отзыв"), ("a rate", "red"), ("b goal", "отзыв"), ("b rate", "red")] * 2
    path = tmp_path / "a.csv"
    path.write_text("text,label\n" + "".join(f"{a},{b}\n" for a, b in rows), "utf-8")
    return path


def test_a_label_gives_no_order_to_a_terminal(tmp_path):
    """It has no colours, no return to the begin of the line, and no marks that turn letters."""
    labels = {"\\u001b[31mred\\u0007": "x", "x\\ry": "y", "\\u202egood": "z"}
    rows = [f'{{"text": "{word} a", "label": "{label}"}}\n' for label, word in labels.items()]
    (tmp_path / "a.jsonl").write_text("".join(rows * 4))
    for words in ([], ["--json"]):
        call = [*COMMAND, "check", tmp_path / "a.jsonl", *words]
        done = subprocess.run(call, capture_output=True)
        for raw, shown in ((b"\x1b", rb"\u001b[31mred\u0007"), (b"\xe2\x80\xae", rb"\u202egood")):
            assert raw not in done.stdout + done.stderr and shown in done.stdout
        assert b"\x07" not in done.stdout and b"\ry" not in done.stdout


def test_a_terminal_without_the_letters_gets_their_numbers(news):
    env = os.environ | {"PYTHONIOENCODING": "latin-1"}
    done = subprocess.run([*COMMAND, "check", news], capture_output=True, env=env, check=True)
    assert rb"\u043e\u0442\u0437\u044b\u0432 4" in done.stdout


@pytest.mark.parametrize("closed", ["2>&-", ">&- 2>&- <&-"])
def test_closed_streams_are_no_fault(news, closed):
    call = ["bash", "-c", f'"$0" "$@" {closed}', *COMMAND, "check", str(news), "--json"]
    done = subprocess.run(call, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert "Traceback" not in done.stderr
    if ">&-" not in closed.replace("2>&-", ""):
        assert done.stdout.startswith("{") and done.stdout.endswith("}\n")


def test_standard_input_that_cannot_be_read_is_named():
    call = ["bash", "-c", '"$0" "$@" 0>/dev/null', *COMMAND, "check", "-", "--format", "csv"]
    done = subprocess.run(call, capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (1, "Error: standard input: Bad file descriptor\n")


FULL = "Error: standard output: No space left on device\n"


@pytest.mark.parametrize("words", [["-h"], ["fit", "--help"]])
def test_help_that_cannot_be_printed_names_standard_output(words):
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run([*COMMAND, *words], stdout=full, stderr=-1, text=True)
    assert (done.returncode, done.stderr) == (1, FULL)


def test_what_reads_help_may_stop():
    with subprocess.Popen([*COMMAND, "--help"], stdout=-1, stderr=-1) as process:
        process.stdout.close()
        assert (process.wait(), process.stderr.read()) == (0, b"")


INTERRUPTED = """
import sys

class Finder:
    def find_spec(name, *_):
        if name == "pte.command.main":
            raise KeyboardInterrupt

sys.meta_path.insert(0, Finder)
from pte.command.start import main
main()
"""


def test_an_interrupt_while_packages_load_is_one_line():
    call = [sys.executable, "-c", INTERRUPTED, "--help"]
    done = subprocess.run(call, capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (130, "interrupted\n")


def test_json_can_be_read_on_any_terminal(tmp_path):
    """Neither a letter that the terminal lacks, nor a byte of a name, is an escape of Python."""
    path = tmp_path / os.fsdecode(b"caf\xe9.csv")
    path.write_text("text,label\n" + "a goal,отзыв\na rate,été\n" * 3, "utf-8")
    for encoding in ("latin-1", "utf-8"):
        env = os.environ | {"PYTHONIOENCODING": encoding}
        call = [*COMMAND, "check", path, "--json"]
        done = subprocess.run(call, capture_output=True, env=env, check=True)
        found = json.loads(done.stdout.decode(encoding))
        assert (found["file"], found["classes"]) == (str(path), {"été": 3, "отзыв": 3})


def test_a_bar_of_progress_returns_to_the_begin_of_its_line_and_nowhere_else():
    shown = BytesIO()
    stream = Plain(shown, "utf-8")
    print("\rhalf\rof it", end="", file=stream, flush=True)
    assert shown.getvalue() == b"\rhalf\\u000dof it"
