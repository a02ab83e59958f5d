"""The command `pte`, on a tiny text; docs/own-text.md shows what is done here."""

import csv
import errno
import json
import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from datetime import UTC, datetime
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

import pte
from pte.classify.trial import LostProcess
from pte.command import documents as contests
from pte.command import evaluate, main
from pte.command.documents import learnt_from
from pte.command.flags import keep_inputs
from pte.command.main import app
from pte.command.shown import say
from pte.files import sha256_of
from pte.tables.documents import stem_of

PAGE = Path(__file__).parents[2] / "docs" / "own-text.md"
TEXTS = (
    ("the striker scored a late goal and the match ended in a draw", "sport"),
    ("the keeper saved a penalty and the team won the match", "sport"),
    ("the coach praised the team after the goal of the striker", "sport"),
    ("the bank raised its rate and the price of shares fell", "money"),
    ("shares rose when the bank cut its rate", "money"),
    ("the price of oil fell and so did shares of the company", "money"),
    ("the team lost the match after a penalty", ""),
)
TOPIC = ("text", "key", "topic")
FEW = ["--samples", "20000", "--dim", "8"]
SMALL, CONTEST = [*FEW, "--threads", "1"], [*FEW, "--jobs", "1"]
BOW = ("--method", "bow", "--folds", "2", "--minutes", "0.001", "--jobs", "1")
"""A contest without repeats and learning curves."""
TINY = ["--samples", "2000", "--dim", "8", "--threads", "1"]  # a training that classifies nothing


def run(*arguments, given=None, code=0):
    done = CliRunner().invoke(app, list(map(str, arguments)), input=given)
    assert done.exit_code == code, done.output
    return done


def write_news(path, rows=TEXTS * 4, columns=("text", "topic")):
    with path.open("w", newline="") as file:
        csv.writer(file).writerows([columns, *rows])
    return path


@pytest.fixture(scope="module")
def news(tmp_path_factory):
    return write_news(tmp_path_factory.mktemp("news") / "news.csv")


@pytest.fixture(scope="module")
def model(news, tmp_path_factory):
    """The page writes a model, too, beside the text; this one is apart from it."""
    made = tmp_path_factory.mktemp("model") / "model.npz"
    run("fit", news, "--label", "topic", "--method", "pte-joint", "-o", made, *SMALL)
    return made


def test_auto_is_fitted_and_predicts(news, tmp_path):
    made = tmp_path / "auto.npz"
    done = run(
        "fit", news, "--label", "topic", "--method", "pte-auto", "-o", made, "--dim", "8", "--json"
    )
    facts = json.loads(done.stdout)
    assert facts["method"] == "pte_auto"
    assert "samples" in facts["chosen"]
    done = run("predict", made, "-", given="a penalty in the match\nthe rate of the bank\n")
    assert [line.split("\t")[1] for line in done.stdout.splitlines()] == ["sport", "money"]
    assert "penalty" in run("neighbours", made, "--class", "sport", "--top", "30").output


def test_several_labels_are_learnt_and_predicted(tmp_path):
    rows = [(text, label and f"{label};news") for text, label in TEXTS * 4]
    file, made = write_news(tmp_path / "several.csv", rows), tmp_path / "several.npz"
    run("fit", file, "--label", "topic", "--separator", ";", "-o", made, *SMALL)
    record = json.loads(run("predict", made, "-", "--json", given="a late goal").stdout)
    assert "news" in record["label"]
    of_news = pte.load(made).predict_proba(["a late goal", "the bank", "qwerty"])[:, 1]
    assert of_news.min() == 1  # an empty field is not "none of them"
    given = (file, "--label", "topic", "--separator", ";")
    methods = (part for name in ("bow", "majority", "pte-auto") for part in ("--method", name))
    found = json.loads(run("evaluate", *given, *methods, "--json").stdout)
    assert [row["method"] for row in found["methods"]] == ["bow"]
    assert [row["method"] for row in found["not_run"]] == ["majority", "pte_auto"]
    for command in (
        ("fit", *given, "--method", "pte-auto", "-o", made),
        ("evaluate", *given, "--method", "cnn"),
    ):
        assert "label" in run(*command, code=1).stderr


def test_documents_that_get_no_label_are_counted(tmp_path):
    """Each label has few documents, so that none is likely where no word is known."""
    rows = [(f"word{i} other{i}", f"a{i};a{(i + 1) % 20}") for i in range(20)] * 2
    file, made = write_news(tmp_path / "rare.csv", rows), tmp_path / "rare.npz"
    run("fit", file, "--label", "topic", "--separator", ";", "-o", made, *SMALL)
    done = run("predict", made, "-", given="word1 other1\nqwerty\nzxcvb\n")
    assert [line.split("\t")[1] for line in done.stdout.splitlines()] == ["a1;a2", "", ""]
    said = "1 of 3 documents gets a label; 2 get no label"
    assert said in done.stderr.replace("get a label", "gets a label")


def test_evaluate_keeps_groups_and_splits(tmp_path):
    rows = [(text, label, f"author{i % 4}") for i, (text, label) in enumerate(TEXTS * 4) if label]
    file = write_news(tmp_path / "groups.csv", rows, ("text", "topic", "author"))
    options = ("--label", "topic", "--method", "bow", "--json")
    for n in ("4", "5"):
        done = run("evaluate", file, *options, "--group", "author", "--folds", n)
        folds = json.loads(done.stdout)["folds"]
        assert (folds["kind"], folds["folds"]) == ("grouped", 4)
    rows = [(text, label, ("train", "test")[i % 2]) for i, (text, label) in enumerate(TEXTS * 4)]
    file = write_news(tmp_path / "split.csv", rows, ("text", "topic", "part"))
    found = json.loads(run("evaluate", file, *options, "--split", "part").stdout)
    assert found["folds"] == {"kind": "given", "folds": 1, "repeats": 1}
    assert found["documents"]["tested"] == 12


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (["fit", "absent.csv", "-o", "x.npz"], 1, "absent.csv: no such file"),
        (["predict", "absent.npz", "-"], 1, "absent.npz: no such file"),
        (["predict", "/dev/null", "{news}"], 1, "/dev/null: this is a pipe or a device; name a f"),
        (["neighbours", ".", "goal"], 1, ".: this is a folder; name a file that `pte fit` or the"),
        (
            ["fit", "{news}", "--vectors", ".", "-o", "x.npz"],
            1,
            ".: this is a folder; name a file that `numpy.save` writes",
        ),
        (["fit", "-", "-o", "x.npz"], 1, "give --format"),
        (["fit", "{news}", "-o", "."], 2, "is a directory"),
        (["fit", "absent", "-o", "x.npz", "--samples", "many"], 2, "'many' is not `chosen`"),
        (["fit", "absent", "-o", "x.npz", "--samples", "-5"], 2, "or a whole number from 1 to"),
        (["fit", "absent", "-o", "x.npz", "--dim", "0"], 2, "0 is not in the range 1<=x<=10000"),
        (["evaluate", "absent", "--jobs", "0"], 2, "0 is not in the range 1<=x<="),
        (
            ["fit", "{news}", "-o", "x.npz", "--method", "pte-jiont"],
            1,
            "is not known; did you mean pte_joint (PTE(joint))",
        ),
        (["evaluate", "{news}", "--method", "pte-jiont"], 1, "did you mean pte_joint (PTE(joint))"),
        (["evaluate", "{news}", "--method", "majority"], 1, "name another method"),
        (["fit", "{news}", "-o", "{news}/x.npz", *SMALL], 2, "news.csv: no such folder"),
        (["neighbours", "{model}", "goal", "--top", "-3"], 2, "--top"),
        (["neighbours", "{model}", "--class", "none"], 1, "no label 'none'; there are money"),
        (["evaluate", "{news}", "--label", "no"], 1, "no column 'no'"),
        (["check", "{news}", "--label", "Topics"], 1, "did you mean 'topic'?"),
        (["explain", "{model}", "{news}", "--rows", "2,99"], 1, "no document row 99 is there"),
        (["explain", "{model}", "{news}", "--class", "none"], 1, "no label 'none'; there are mon"),
        (["evaluate", "{news}", "--threads", "2"], 2, "--threads is gone: a test takes one thread"),
        (["neighbours", "{model}", "absent"], 1, "'absent' has no vector; name one of"),
        (["neighbours", "{model}", "Goal"], 1, "'Goal' has no vector; there is 'goal'"),
        (["explain", "{model}", "{news}", "--rows", ""], 1, "is there to explain; they are"),
        (["fit", "{news}", "-o", "x.npz.gz", *SMALL], 1, "not compressed; leave .gz out"),
        (["fit", "{news}", "-o", "x.npz", "--method", ""], 1, "method '' is not known"),
        (["fit", "{news}", "-o", "x.npz", "--encoder", ""], 1, "encoder : there is no folder"),
        (["evaluate", "{news}", "--page", "x", "--predictions", "x"], 2, "are both x; name two"),
        (["predict", "{model}", "{news}", "-o", "o.parquet.gz"], 2, "leave .gz out"),
        (["transform", "{model}", "{news}", "-o", "o.npy.xz"], 2, "leave .xz out"),
        (["evaluate", "{news}", "--page", "o.HTML.gz"], 2, "leave .gz out"),
        (["transform", "{model}", "{news}", "--json", "-o", "o.npy"], 2, "an array is no JSON"),
        (["explain", "{model}", "{news}", "--json", "-o", "o.csv"], 2, "leave --json or .csv out"),
        (["transform", "{model}", "{news}", "-o", "o.zst"], 2, "does not write .zst"),
        (["provenance", "x"], 2, "gone: `pte check MODEL` says"),
        (["neighbours", "{model}"], 2, "give either words or a class"),
        (["export", "{news}", "x"], 1, "not a model"),
        (["fit", "--no-such-option"], 2, "No such option"),
        (["check", "{news}", "--group", ""], 2, "the name is empty; name a column"),
        (["predict", "{model}", "{news}", "--column", ""], 2, "the name is empty; name a column"),
        (["explain", "{model}", "{news}", "--top", "3000000000"], 2, "'--top'"),
        (["evaluate", "{news}", "--page", "x", "--predictions", "../{folder}/x"], 2, "both"),
        (["evaluate", "{news}", "--page", "{news}.contest.json"], 1, "this file is read"),
        (["check", ""], 2, "the name is empty; name a file or a folder"),
        (["predict", "{model}", "{news}", "-o", ""], 2, "'' names no file"),
        (["predict", "{model}", "{news}", "-o", "-"], 2, "'-' names no file"),
        (["fit", "{news}", "-o", "new/"], 2, "'new/' names no file; give the name of one"),
    ],
)
def test_errors_are_one_line_and_have_codes(news, model, arguments, code, said, monkeypatch):
    monkeypatch.chdir(news.parent)
    names = {"news": news, "model": model, "folder": news.parent.name}
    done = run(*(each.format(**names) for each in arguments), code=code)
    assert said in done.stderr
    if code == 1:
        assert len([line for line in done.stderr.splitlines() if "Error" in line]) == 1


@pytest.mark.parametrize(
    ("given", "options", "said"),
    [
        ("text,label\n", ["--format", "csv"], "standard input: it holds no document"),
        ("a,b\nx,y\n", ["--format", "csv", "--text", "c"], "standard input: no column 'c'"),
        ("", [], "standard input: it holds no text"),
    ],
)
def test_errors_say_standard_input_and_no_temporary_name(model, given, options, said):
    assert f"Error: {said}" in run("predict", model, "-", *options, given=given, code=1).stderr


def test_the_log_says_standard_input_and_no_temporary_name(model):
    done = run("predict", model, "-", "--format", "csv", given="text\na goal\n")
    assert (
        done.stderr.splitlines()[0] == "standard input: the text in column 'text', as in training"
    )
    assert "/" not in done.stderr


def test_what_reads_standard_output_may_stop(judged):
    """As `head` does; what is left is more than a pipe holds."""
    call = [sys.executable, "-m", "pte", "predict", judged[0] / "posts.npz", "-"]
    with subprocess.Popen(call, stdin=-1, stdout=-1, stderr=-1) as process:
        process.stdout.close()
        process.stdin.write(b"a goal\n" * 10)
        process.stdin.close()
        assert (process.wait(), process.stderr.read()) == (0, b"")


def test_an_error_of_standard_output_names_it(model, monkeypatch):
    def full(*_, **__):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr("pte.command.shown.click.echo", full)
    with pytest.raises(OSError, match="No space left on device: 'standard output'"):
        say("a line")


def test_a_full_folder_of_temporary_files_is_named(monkeypatch, model):
    def full(*_):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr("pte.command.vectors.load", full)
    where = f"Error: {tempfile.gettempdir()}: No space left on device; make room there, or name"
    assert where in run("neighbours", model, "goal", code=1).stderr


def test_a_bug_says_so_and_debug_shows_it(monkeypatch, model):
    monkeypatch.setattr("pte.command.vectors.load", lambda path: 1 / 0)
    done = run("neighbours", model, "goal", code=main.BUG)
    assert "this is a bug" in done.stderr
    shown = CliRunner().invoke(app, ["neighbours", str(model), "goal", "--debug"])
    assert isinstance(shown.exception, ZeroDivisionError)


def test_every_command_shows_an_example():
    def check(command, *names):
        for name, each in getattr(command, "commands", {}).items():
            check(each, *names, name)
        if not hasattr(command, "commands"):
            said = run(*names, "--help").stdout
            assert f"pte {' '.join(names)}" in said.partition("Example")[2]
            assert "--json" in said

    check(app)


def test_help_imports_nothing_that_takes_time():
    code = "import sys, pte.command.main; print({'numpy', 'numba', 'pandas'} & sys.modules.keys())"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "set()\n"


def test_a_model_says_what_made_it(news, model, tmp_path):
    found = json.loads(run("check", model, "--json").stdout)
    columns = {"text": "text", "label": "topic"}
    assert found["notes"] == {"file": str(news), "sha256": sha256_of(news), "columns": columns}
    made = found["made"]
    assert datetime.fromisoformat(made["date"]) <= datetime.now(UTC)
    assert {"commit", "processor", "memory", "system", "Python", "pte", "numba"} <= made.keys()
    assert made["pte"] == pte.__version__
    alike = pte.load(model).set_params(threads=None)
    alike.save(tmp_path / "news.model")  # what is in a file says what it is, not its name
    assert "  threads: none" in run("check", tmp_path / "news.model").stdout


@pytest.mark.parametrize(
    ("notes", "columns"),
    [
        ({"columns": {"text": 2, "label": 1}}, {}),
        ({"columns": {"text": "text", "label": None, "id": ""}}, {"text": "text"}),
        ({"columns": {"label": "topic", "missing": "x", "separator": 5}}, {"label": "topic"}),
        ({"columns": {"label": "topic", "missing": ["x", 1]}}, {"label": "topic"}),
        ({"columns": ["text"], "merged_labels": {"a": 1, "b": "c"}}, {}),
        ({"columns": {"text": "text", "missing": ["-"]}}, {"text": "text", "missing": ["-"]}),
    ],
)
def test_notes_of_users_are_no_columns(news, model, tmp_path, notes, columns):
    made = tmp_path / "m.npz"
    pte.load(model).save(made, notes=notes)
    found = learnt_from(made)
    assert found.columns == columns
    assert found.merges == ({"b": "c"} if "merged_labels" in notes else {})


def test_no_command_writes_over_a_file_that_it_reads(news, model, tmp_path):
    made, vectors = tmp_path / "model.npz", tmp_path / "v.npy"
    vectors.write_bytes(b"vectors")
    made.write_bytes(model.read_bytes())
    for file, command in (
        (news, ("fit", news, "--label", "topic", "-o", news, *SMALL)),
        (news, ("predict", made, news, "-o", news)),
        (made, ("predict", made, news, "-o", made)),
        (news, ("transform", made, news, "-o", news)),
        (made, ("export", made, made)),
        (vectors, ("fit", news, "--label", "topic", "--vectors", vectors, "-o", vectors)),
        (vectors, ("predict", made, news, "--vectors", vectors, "-o", vectors)),
    ):
        before = file.read_bytes()
        assert "this file is read; write to another one" in run(*command, code=1).stderr
        assert file.read_bytes() == before


def test_no_command_writes_over_a_document_of_a_folder(model, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    written_folders(tmp_path)
    shutil.copytree("mails/sport", "flat")
    Path("linked").symlink_to("mails/sport", target_is_directory=True)
    there = sorted(Path("mails/sport").iterdir())[0]
    before = there.read_bytes()
    fit, predict = ("fit", "mails", "-o"), ("predict", model, "mails", "-o")
    for command in (
        fit,
        predict,
        ("transform", model, "mails", "-o"),
        ("evaluate", "mails", "--page"),
        ("evaluate", "mails", "--predictions"),
        ("explain", model, "mails", "-o"),
    ):
        for output in (there, Path("linked", there.name)):
            refused = run(*command, output, code=1).stderr
            assert f"{output}: this file is read; write to another one" in refused
        assert "it would be read with mails" in run(*command, "mails/sport/new", code=1).stderr
    assert there.read_bytes() == before and not Path("mails/sport/new").exists()
    flat = Path("flat", there.name)
    assert "this file is read" in run("predict", model, "flat", "-o", flat, code=1).stderr
    assert "it would be read" in run(*predict, "mails/filled.csv", code=1).stderr


def test_no_command_writes_over_what_is_read_with_documents(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    write_news(Path("news.csv"))
    encoder = Path("encoder", "model.onnx")
    encoder.parent.mkdir()
    encoder.write_bytes(b"model")
    refused = run("fit", "news.csv", "--encoder", "encoder", "-o", encoder, code=1).stderr
    assert "this file is read" in refused and encoder.read_bytes() == b"model"


def test_evaluate_says_what_is_tested_and_how_to_go_on(tmp_path):
    rows = [(f"word{i} other{i}", ("sport", "money")[i % 3 == 0]) for i in range(30)]
    file = write_news(tmp_path / "rows.csv", [*rows, ("a b", "weather"), ("c d", "")])
    said = run("evaluate", file, "--label", "topic", "--method", "bow", "--folds", "2")
    assert "32 documents, 31 with a label of 3 classes; 31 are tested, in 2 folds" in said.stdout
    assert "1 class has one document only: 'weather'" in said.stderr
    assert "No method is better than naming the largest class every time." in said.stdout
    assert "UserWarning" not in said.stderr
    kept = json.loads((tmp_path / "rows.csv.contest.json").read_text("utf-8"))
    assert kept["warnings"] == [
        "1 class has one document only: 'weather'; no method can learn and be tested on one"
    ]
    assert said.stdout.splitlines()[-2:] == ["Next:", f"  {kept['advice']['command']}"]


def test_fit_learns_what_evaluate_advised(tmp_path, monkeypatch):
    monkeypatch.setattr("pte.command.fit.USUAL", "majority")
    file, made = write_news(tmp_path / "news.csv"), tmp_path / "m.npz"
    given = ("fit", file, "-o", made, *SMALL, "--json")
    assert json.loads(run(*given).stdout)["method"] == "majority"  # nothing is advised
    run("evaluate", file, *BOW, *CONTEST)
    done = run(*given)
    assert json.loads(done.stdout)["method"] == "bow"
    assert f"{file}: learning BOW, as {file}.contest.json says" in done.stderr
    assert json.loads(run(*given, "--method", "nb_em").stdout)["method"] == "nb_em"
    kept = contests.kept_result(str(file))
    assert kept["columns"].keys() == {"text", "label"}
    elsewhere = kept | {"columns": {"text": "body"}}
    contests.kept_of(str(file)).write_text(json.dumps(elsewhere), "utf-8")
    done = run(*given)
    assert json.loads(done.stdout)["method"] == "majority"
    assert "of other texts or labels" in done.stderr
    write_news(file, TEXTS * 5)
    done = run(*given)
    assert json.loads(done.stdout)["method"] == "majority"
    assert f"Warning: {file}.contest.json: it is of other texts" in done.stderr
    for damaged in ('{"format": 0}', '{"format": 1, "advice": []}', "[1]", "", "{"):
        (tmp_path / "news.csv.contest.json").write_text(damaged, "utf-8")
        assert contests.kept_result(str(file)) is None
    long = str(tmp_path / ("x" * 250))
    assert contests.kept_result(long) is None
    keep_inputs(file, contests.kept_of(long), tmp_path / long)  # no file of these names can be
    (tmp_path / "news.csv.contest.json").unlink()
    os.mkfifo(tmp_path / "news.csv.contest.json")  # to read it would wait for ever
    assert contests.kept_result(str(file)) is None
    assert json.loads(run(*given).stdout)["method"] == "majority"


def written_table(folder):
    """A table that nobody could read without its options, and these."""
    text = "".join(f"{label or '-'};'{text}; so'\n" for text, label in TEXTS * 4)
    (folder / "a.csv").write_bytes((text + "money;'Börse; Zürich'\n").encode("cp1252"))
    columns = ("--text", "2", "--label", "1", "--missing", "-", "--missing", "none")
    dialect = ("--delimiter", ";", "--quote", "single", "--encoding", "cp1252", "--no-header")
    return ("a.csv", *columns, *dialect, "--format", "csv", "--tokenizer", "letters", "--seed", "3")


def written_folders(folder):
    """A folder for each class, and one for documents without a label."""
    for i, (text, label) in enumerate(TEXTS * 4):
        path = folder / "mails" / (label or "unlabelled") / f"{i}.txt"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
    return ("mails/",)


@pytest.mark.parametrize(
    ("written", "method"), [(written_table, "pte-joint"), (written_folders, "bow")]
)
def test_the_next_command_learns_what_was_evaluated(tmp_path, monkeypatch, written, method):
    monkeypatch.chdir(tmp_path)
    given = (*written(tmp_path), "--folds", "2", "--minutes", "0.001")
    done = run("evaluate", *given, "--method", method, *CONTEST)
    kept = json.loads(Path(f"{given[0].rstrip('/')}.contest.json").read_text("utf-8"))
    command = shlex.split(done.stdout.splitlines()[-1])
    assert command == shlex.split(kept["advice"]["command"])
    facts = json.loads(run(*command[1:], "--json").stdout)
    assert facts["classes"] == ["money", "sport"]
    documents = kept["documents"]
    assert (facts["documents"], facts["labelled"]) == (documents["all"], documents["labelled"])
    model = pte.load(facts["model"])
    assert model.dim == 8 and model.random_state == (3 if written is written_table else 1)
    probabilities = model.predict_proba(["goal penalty penalty", "bank price shares"])
    assert probabilities.argmax(axis=1).tolist() == [1, 0]


def test_the_folder_that_one_is_in_can_be_evaluated(tmp_path, monkeypatch):
    written_folders(tmp_path)
    monkeypatch.chdir(tmp_path / "mails")
    said = run("evaluate", ".", *BOW).stdout
    assert "pte fit . --method bow --output model.npz" in said
    assert (tmp_path / "mails.contest.json").is_file()
    run("fit", ".", "-o", tmp_path / "m.npz")
    assert pte.load(tmp_path / "m.npz").method == "bow"


def test_standard_input_is_evaluated_and_nothing_is_kept(news, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    given = ("evaluate", "-", "--format", "csv", *BOW, "--page", "page.html")
    done = run(*given, given=news.read_text("utf-8"))
    assert "pte fit - --format csv --method bow --output" in done.stdout
    assert [path.name for path in tmp_path.iterdir()] == ["page.html"]


def test_a_result_that_cannot_be_kept_is_shown_all_the_same(tmp_path):
    file, kept = write_news(tmp_path / "news.csv"), tmp_path / "news.csv.contest.json"
    kept.symlink_to(kept)
    done = run("evaluate", file, *BOW)
    assert "Use BOW" in done.stdout and "pte fit" in done.stdout
    assert f"Warning: {kept}: not written" in done.stderr and "leads to itself" in done.stderr


def test_an_interrupt_shows_what_is_complete(tmp_path, monkeypatch):
    def interrupted(trials, works, processes):
        for work in works:
            if work.method == "pte_joint" and work.fold:
                raise KeyboardInterrupt
            yield trials.run(work)

    monkeypatch.setattr("pte.classify.trial.run", interrupted)
    file = write_news(tmp_path / "news.csv")
    methods = ("--method", "bow", "--method", "pte-joint")
    done = run("evaluate", file, *methods, *CONTEST, "--json", code=130)
    found = json.loads(done.stdout)
    assert {row["method"] for row in found["methods"]} == {"bow", "majority"}
    assert [row["why"] for row in found["not_run"]] == ["interrupted"]
    assert found["interrupted"] and not found["advice"]["sure"]
    assert found["advice"]["lead"].startswith("Interrupted: 1 method was not tested. So far: ")
    assert done.stderr.endswith("interrupted\n")
    assert not (tmp_path / "news.csv.contest.json").exists()
    nothing = run("evaluate", file, *methods[2:], *CONTEST, code=130)
    assert nothing.stdout == "" and nothing.stderr.endswith("interrupted\n")


def test_an_interrupt_of_the_learning_curves_leaves_the_advice(tmp_path, monkeypatch):
    def interrupted(trials, works, processes):
        for work in works:
            if work.share < 1:
                raise KeyboardInterrupt
            yield trials.run(work)

    monkeypatch.setattr("pte.classify.trial.run", interrupted)
    file = write_news(tmp_path / "news.csv")
    done = run("evaluate", file, "--method", "bow", *CONTEST, "--json", code=130)
    found = json.loads(done.stdout)
    assert found["interrupted"] and found["advice"]["sure"] and not found["not_run"]
    assert found["advice"]["lead"].startswith("Use BOW: ")
    assert found["no_forecast"].endswith("because the contest was interrupted.")
    assert contests.kept_result(str(file)) == found and done.stderr.endswith("interrupted\n")


def test_labels_that_are_the_same_are_remembered(tmp_path):
    rows = [(text, topic.replace("sport", "Sport" if i % 2 else "sprot")) for i, (text, topic) in
            enumerate(TEXTS * 4)]  # fmt: skip
    file, made = write_news(tmp_path / "news.csv", rows), tmp_path / "m.npz"
    same = ("--same", "sprot=SPORT", "--ignore-case")
    checked = json.loads(run("check", file, *same, "--json").stdout)
    assert checked["classes"].keys() == {"SPORT", "money"}
    done = run("evaluate", file, *same, *BOW, "--json")
    result = json.loads(done.stdout)
    assert result["merged_labels"] == {"sprot": "SPORT", "Sport": "SPORT"}
    assert "--same sprot=SPORT --ignore-case --method bow" in result["advice"]["command"]
    for options in (same, ()):
        done = run("fit", file, "-o", made, "--json", *options)
        assert f"{file}: learning BOW, as" in done.stderr
        assert json.loads(done.stdout)["classes"] == ["SPORT", "money"]
    notes = json.loads(run("check", made, "--json").stdout)["notes"]
    assert notes["merged_labels"] == result["merged_labels"]
    refused = run("check", file, "--same", "sprt=sport", code=1)
    assert f"{file}: --same sprt=sport: no label 'sprt'; did you mean 'sprot'?" in refused.stderr


def test_a_contest_is_of_one_column_of_labels(tmp_path, monkeypatch):
    """Neither the method, nor groups, merges and options go to a column with the same labels."""
    monkeypatch.setattr("pte.command.fit.USUAL", "majority")
    texts = [text for text, _ in TEXTS * 4]
    labels = [(("yes", "no", "No")[i % 3], ("yes", "no")[i % 2]) for i in range(len(texts))]
    rows = [(text, *labels[i], f"author{i % 5}") for i, text in enumerate(texts)]
    file = write_news(tmp_path / "news.csv", rows, ("text", "spam", "urgent", "author"))
    spam, urgent = ("--label", "spam"), ("--label", "urgent")
    given = ("--group", "author", "--same", "No=no", "--dim", "8", "--method", "bow")
    run("evaluate", file, *spam, *given, "--method", "nb-em")
    done = run("fit", file, *urgent, *SMALL, "-o", tmp_path / "m.npz", "--json")
    assert json.loads(done.stdout)["method"] == "majority"
    assert "nothing is taken from there" in done.stderr and "json says" not in done.stderr
    assert "count" not in done.stderr
    done = run("evaluate", file, *urgent, *BOW)
    assert f"{file}.contest.json: kept here" in done.stderr
    assert "learning BOW, as" in run("fit", file, *urgent, "-o", tmp_path / "m.npz").stderr


def test_fit_takes_the_options_of_the_contest(tmp_path):
    file, made = write_news(tmp_path / "news.csv"), tmp_path / "m.npz"
    kept = tmp_path / "news.csv.contest.json"
    given = ("--folds", "2", "--minutes", "0.001", "--tokenizer", "whitespace")
    run("evaluate", file, "--method", "pte-joint", *CONTEST, *given)
    for typed, dim in ((), 8), (("--dim", "9"), 9):
        done = run("fit", file, "-o", made, *typed)
        said = "" if typed else "--dim 8 "
        said = f"{file}: {said}--samples 20000 --tokenizer whitespace, as {kept} says"
        assert said in done.stderr.splitlines()
        model = pte.load(made)
        assert (model.dim, model.samples, model.tokenizer) == (dim, 20000, "whitespace")
    old = json.loads(kept.read_text("utf-8"))
    kept.write_text(json.dumps(old | {"training": {"dim": "8"}}), "utf-8")
    assert contests.kept_result(str(file)) is None


def test_a_file_that_is_saved_during_the_contest_is_another(tmp_path, monkeypatch):
    file, before = write_news(tmp_path / "news.csv"), sha256_of(tmp_path / "news.csv")

    def saved(trials, works, processes):
        write_news(file, [*TEXTS * 4, ("a new text", "sport")])
        yield from map(trials.run, works)

    monkeypatch.setattr("pte.classify.trial.run", saved)
    run("evaluate", file, *BOW, *CONTEST)
    assert contests.kept_result(str(file))["sha256"] == before != sha256_of(file)


def test_a_process_that_is_lost_leaves_what_is_scored(tmp_path, monkeypatch):
    def lost(trials, works, processes):
        for work in works:
            if work.method == "pte_joint":
                raise LostProcess("a process was lost")
            yield trials.run(work)

    monkeypatch.setattr("pte.classify.trial.run", lost)
    file = write_news(tmp_path / "news.csv")
    joint = ("--method", "pte-joint")
    done = run("evaluate", file, "--method", "bow", *joint, *CONTEST, "--json")
    found = json.loads(done.stdout)
    assert {row["method"] for row in found["methods"]} == {"bow", "majority"}
    assert [row["why"] for row in found["not_run"]] == ["a process was lost"]
    assert f"Warning: {file}: a process was lost" in done.stderr
    assert contests.kept_result(str(file)) == found
    assert ": a process was lost" in run("evaluate", file, *joint, *CONTEST, code=1).stderr


def test_names_that_are_advised_keep_what_tells_files_apart(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    write_news(Path("news.2024.csv"))
    done = run("evaluate", "news.2024.csv", *BOW)
    assert done.stdout.endswith("--output news.2024.npz\n")
    done = run("fit", "news.2024.csv", "-o", "m.npz")
    assert done.stdout.endswith("--output news.2024_filled.csv\n")
    Path("v1.0").mkdir()
    names = {"v1.0": "v1.0", "a.csv.gz": "a", "-": ""}
    assert {name: stem_of(name) for name in names} == names


def test_a_method_that_an_encoder_can_join_is_tested_with_it(tmp_path, monkeypatch):
    both = ["pte-auto", "pte-auto-encoder"]
    assert evaluate._with_encoder(["PTE(auto)", "bow"]) == ["pte_auto_encoder", "bow"]
    assert evaluate._with_encoder(both) == ["pte_auto", "pte_auto_encoder"]
    file = write_news(tmp_path / "news.csv")
    np.save(tmp_path / "v.npy", np.eye(28, 4))
    done = run("evaluate", file, "--vectors", tmp_path / "v.npy", *BOW)
    assert "no method that is tested uses the encoder" in done.stderr


def test_old_labels_become_those_of_the_model(tmp_path):
    """The file comes back with one name for each class, also where it had another before."""
    rows = [(text, topic.replace("sport", "Sport" if i % 2 else "sprot")) for i, (text, topic) in
            enumerate(TEXTS * 4)]  # fmt: skip
    file, made, out = (
        write_news(tmp_path / "news.csv", rows),
        tmp_path / "m.npz",
        tmp_path / "o.csv",
    )
    same = ("--same", "sprot=SPORT", "--ignore-case")
    done = run("fit", file, *same, "--method", "bow", "-o", made)
    assert "2 labels count as others: 'sprot' is 'SPORT', 'Sport' is 'SPORT'" in done.stderr
    done = run("predict", made, file, "-o", out)
    found = [row[1:] for row in csv.reader(out.open(newline=""))][1:]
    assert {label for label, _ in found} == {"SPORT", "money"}
    assert [label == "SPORT" for label, _ in found] == [
        "s" in topic.lower() or not topic for _, topic in rows
    ]
    assert all(
        (probability == "") == bool(topic)
        for (_, probability), (_, topic) in zip(found, rows, strict=True)
    )
    said = (
        "24 documents had a label, 12 of them written as in training: 'sprot' as 'SPORT', 'Sport'"
    )
    assert done.stderr.splitlines()[-1].startswith(said)
    lines = tmp_path / "news.jsonl"
    lines.write_text('{"text": "a goal", "topic": "sprot"}\n{"text": "a goal"}\n', "utf-8")
    run("predict", made, lines, "-o", tmp_path / "o.jsonl")
    first, second = map(json.loads, (tmp_path / "o.jsonl").read_text("utf-8").splitlines())
    assert first == {"text": "a goal", "topic": "SPORT"}
    assert second["topic"] == "SPORT" and second["probability"] > 0.5


def test_labels_of_a_folder_stay_and_files_without_one_are_predicted(model, tmp_path, monkeypatch):
    """Printed lines are about all documents; a file that is written keeps what is known."""
    monkeypatch.chdir(tmp_path)
    written_folders(tmp_path)
    run("predict", model, "mails", "-o", "out.csv")
    rows = list(csv.reader(Path("out.csv").read_text("utf-8").splitlines()))[1:]
    known = [row for row in rows if "unlabelled" not in row[0]]
    assert all(row[0].startswith(f"{row[1]}/") and row[2] == "" for row in known)
    assert [row[1] for row in rows if row not in known] == ["sport"] * 4
    assert len(run("predict", model, "mails").stdout.splitlines()) == len(rows) == 28
    assert len(run("predict", model, "mails", "--unlabelled").stdout.splitlines()) == 4
    flat = Path("flat")
    flat.mkdir()
    (flat / "1.txt").write_text("a late goal", "utf-8")
    assert run("predict", model, flat).stdout.startswith("1.txt\tsport\t")
    refused = run("fit", flat, "-o", "m.npz", code=1)
    assert "flat: it holds no folder with files; put each class into a folder" in refused.stderr
    assert "refused: it holds no folder with files" in run("check", flat, code=1).stdout


@pytest.mark.parametrize("method", ["encoder", "bow"])
def test_the_advised_command_has_vectors_where_the_method_reads_them(tmp_path, monkeypatch, method):
    monkeypatch.chdir(tmp_path)
    rows = np.array([[text.count(letter) for letter in "abcdefg"] for text, _ in TEXTS * 4], float)
    write_news(Path("news.csv")), np.save("v.npy", rows)
    given = ("news.csv", "--vectors", "v.npy")
    found = json.loads(run("evaluate", *given, "--method", method, "--json").stdout)
    command = shlex.split(found["advice"]["command"])[1:]
    assert ("--vectors" in command) == (method == "encoder")
    run(*command)
    if method == "bow":
        refused = run("fit", *given, "-o", "m.npz", code=1)
        assert "--vectors: BOW, which news.csv.contest.json advises, has no use" in refused.stderr
        kept = json.loads(Path("news.csv.contest.json").read_text("utf-8"))
        kept["advice"] |= {"method": "pte_auto", "label": "PTE(auto)"}
        Path("news.csv.contest.json").write_text(json.dumps(kept), "utf-8")
        because = "PTE(auto) with encoder, because news.csv.contest.json advises PTE(auto)"
        assert f"learning {because}" in run("fit", *given, "-o", "m.npz", *SMALL).stderr
        assert "--vectors" in run("predict", "m.npz", "news.csv", code=1).stderr


def test_a_model_of_vectors_predicts_and_explains_with_vectors(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    rows = np.array([[text.count(letter) for letter in "abcdefg"] for text, _ in TEXTS * 4], float)
    write_news(Path("news.csv")), np.save("v.npy", rows), np.save("few.npy", rows[:9])
    given = ("--vectors", "v.npy")
    done = run("fit", "news.csv", *given, "--method", "encoder", "-o", "m.npz")
    command = shlex.split(done.stdout.splitlines()[-1])
    assert "--vectors" in command
    run(*command[1:])
    found = list(csv.reader(Path("news_filled.csv").read_text("utf-8").splitlines()))[1:]
    fitted = pte.load("m.npz")
    likely = fitted.predict_proba(fitted.encode([text for text, _ in TEXTS * 4], vectors=rows))
    for i in range(6, 28, 7):
        assert found[i][1] == fitted.classes_[likely[i].argmax()]
        assert float(found[i][2]) == pytest.approx(likely[i].max(), abs=1e-4)
    for options in ((), ("--unlabelled",)):
        lines = run("predict", "m.npz", "news.csv", *given, *options).stdout.splitlines()
        assert [line.split("\t")[2] for line in lines][-1] == f"{likely[27].max():.4f}"
    explained = run("explain", "m.npz", "news.csv", *given, "--rows", "29", "--json").stdout
    assert json.loads(explained.splitlines()[0])["probability"] == pytest.approx(likely[27].max())
    for bad in ((), ("--vectors", "few.npy")):
        for out in ((), ("-o", "out.csv")):
            refused = run("predict", "m.npz", "news.csv", *bad, *out, code=1)
            assert ("few.npy" if bad else "--vectors FILE.npy") in refused.stderr
    assert not Path("out.csv").exists()
    run("fit", "news.csv", "--method", "bow", "-o", "bow.npz")
    assert "learnt without vectors" in run("predict", "bow.npz", "news.csv", *given, code=1).stderr


def test_groups_stay_together_in_what_fit_chooses(tmp_path, monkeypatch):
    """`fit` takes the groups of the contest, or those of its own option."""
    from pte.training import search

    monkeypatch.chdir(tmp_path)
    rows = [(text, label, f"author{i % 5}") for i, (text, label) in enumerate(TEXTS * 4)]
    write_news(Path("news.csv"), rows, ("text", "topic", "author"))
    seen = []
    asked = search.groups_of
    for module in ("pte.models.nb_em", "pte.training.search"):
        monkeypatch.setattr(f"{module}.groups_of", lambda *a: seen.append(asked(*a)) or seen[-1])
    run("evaluate", "news.csv", "--group", "author", "--method", "nb_em")
    kept = json.loads(Path("news.csv.contest.json").read_text("utf-8"))
    assert kept["group"] == "author" and "--group author --method" in kept["advice"]["command"]
    for options in (("--group", "author"), ()):
        seen.clear()
        done = run("fit", "news.csv", "-o", "m.npz", *options)
        assert seen and all(len(set(each)) == 5 for each in seen)
        assert ("groups in column 'author'" in done.stderr) == (not options)
    assert (
        "--no-labels: leave --group"
        in run("fit", "news.csv", "--no-labels", "--group", "author", "-o", "m.npz", code=2).stderr
    )


@pytest.mark.parametrize(("ending", "between"), [("csv", ","), ("tsv", "\t")])
def test_a_table_has_what_each_method_predicts(tmp_path, ending, between):
    file, table = write_news(tmp_path / "news.csv"), tmp_path / f"predictions.{ending}"
    run("evaluate", file, *BOW, "--predictions", table, *CONTEST)
    with table.open(newline="") as opened:
        header, *rows = csv.reader(opened, delimiter=between)
    assert header == ["document", "label", "bow", "majority"]
    assert [row[0] for row in rows] == [
        str(i + 2) for i, (_, label) in enumerate(TEXTS * 4) if label
    ]
    assert [row[1] for row in rows] == [label for _, label in TEXTS * 4 if label]
    assert all({bow, largest} <= {"sport", "money"} for *_, bow, largest in rows)


@pytest.mark.parametrize(("options", "shown"), [((), "micro-F1"), (("--json",), '"micro_f1"')])
def test_scores_are_shown_where_a_file_cannot_be_written(tmp_path, monkeypatch, options, shown):
    def full(*_, **__):
        raise OSError(errno.ENOSPC, "No space left on device", "page.html")

    monkeypatch.setattr("pte.classify.page.write_page", full)
    file, page = write_news(tmp_path / "news.csv"), tmp_path / "page.html"
    done = run("evaluate", file, *BOW, "--page", page, *CONTEST, *options, code=1)
    assert shown in done.stdout
    assert "Error: page.html: No space left on device" in done.stderr


@pytest.mark.long
def test_ctrl_c_in_the_middle_leaves_no_process(news):
    """The terminal interrupts all processes of the group."""
    code = (
        "import signal; from pte.command.main import main;"
        "signal.signal(signal.SIGINT, signal.default_int_handler);"  # a shell may have ignored it
        "main()"
    )
    call = [sys.executable, "-c", code, "evaluate", news]
    with subprocess.Popen(
        [*call, "--jobs", "2"], stdout=-1, stderr=-1, text=True, start_new_session=True
    ) as process:
        told = (line for line in process.stderr if "all documents: " in line)
        assert [next(told) for _ in range(2)]
        os.killpg(process.pid, signal.SIGINT)
        said, errors = process.communicate(timeout=60)
    assert process.returncode == 130
    assert "majority class" in said and "interrupted" in said.lower()
    assert errors.splitlines()[-1] == "interrupted"
    with pytest.raises(ProcessLookupError):  # helpers end soon after their parent
        for _ in range(100):
            os.killpg(process.pid, 0)
            time.sleep(0.1)


def test_no_method_that_can_learn_gives_the_reasons(tmp_path):
    rows = [("", "sport"), ("", "money"), ("the", "sport"), ("", "money")]
    file = write_news(tmp_path / "empty.csv", rows)
    refused = run("evaluate", file, *BOW, code=1)
    assert f"Error: {file}: no method has a score: " in refused.stderr
    assert "bow: raw_documents: all 2 texts are empty" in refused.stderr


def test_what_cannot_be_divided_into_folds_is_an_error_that_names_the_file(tmp_path):
    rows = [(text, label) for text, label in (TEXTS[0], TEXTS[3], TEXTS[1])]
    file = write_news(tmp_path / "two.csv", rows)
    refused = run("evaluate", file, "--label", "topic", "--method", "bow", code=1)
    what = "too few labels to test; label at least two documents of each of two classes"
    assert refused.stderr.splitlines()[-1] == f"Error: {file}: {what}"
    rows = [(text, label, "ann") for text, label in TEXTS]
    file = write_news(tmp_path / "one.csv", rows, ("text", "topic", "author"))
    refused = run("evaluate", file, "--label", "topic", "--group", "author", code=1)
    what = "all labelled documents are of one group; leave --group out"
    assert refused.stderr.splitlines()[-1] == f"Error: {file}: {what}"
    said = "all 6 labelled documents are of one group, 'ann', so that no fold can test them"
    assert f"Warning: {file}: {said}; leave the group out" in refused.stderr
    checked = run("check", file, "--label", "topic", "--group", "author").stdout
    assert f"suspicious: {said}" in checked


def test_check_says_what_a_file_holds(tmp_path):
    rows = [*TEXTS[:6], *[(f"{text} again", label) for text, label in TEXTS[:6]], ("a", "NaN")]
    file = write_news(tmp_path / "a.csv", rows)
    said = run("check", file).stdout
    assert "label       topic (found)" in said and "classes     money 6, sport 6" in said
    assert "suspicious: 1 document has 'NaN' in place of a label" in said
    found = json.loads(run("check", file, "--json").stdout)
    facts = {
        "format": "csv",
        "encoding": "utf-8",
        "delimiter": "comma",
        "quote": "double",
        "header": True,
    }
    assert facts.items() <= found.items()
    assert (found["usable"], found["unlabelled"]) == (True, 1)
    found = json.loads(run("check", file, "--json", "--missing", "money").stdout)
    assert found["classes"] == {"sport": 6, "NaN": 1}


def test_check_ends_with_1_if_nothing_can_be_learnt(tmp_path):
    file = write_news(tmp_path / "ids.csv", [(f"a word {i}", f"id{i}") for i in range(30)])
    done = run("check", file, code=1)
    assert "refused: each of its 30 labels has one document only" in done.stdout
    lines = tmp_path / "texts.txt"
    lines.write_text("a late goal\nthe rate of the bank\n", "utf-8")
    done = run("check", lines, code=1)
    assert "refused: no line begins with __label__" in done.stdout
    table = write_news(tmp_path / "texts.csv", [("a goal", "x")], ("text", "thing"))
    told = run("check", table, code=1).stdout
    piped = run("check", "-", "--format", "csv", given=table.read_bytes(), code=1)
    assert piped.stdout == told.replace(str(table), "-")
    piped = run("check", "-", "--format", "csv", given=b"text,topic\na goal,x\n", code=1)
    assert "standard input: the text is in column 'text'" in piped.stderr
    assert told.splitlines()[-1].startswith("refused: no column has a usual name for the")
    assert told.count("label; name") == 1 and "suspicious" not in told


def test_what_is_doubtful_in_a_table_is_said_by_all_commands(model, tmp_path):
    file = tmp_path / "a.csv"
    file.write_bytes("text,topic\nder späte Treffer,sport\ndie Börse,money\n".encode("cp1252"))
    for command in (
        ("check", file),
        ("predict", model, file),
        ("predict", model, file, "-o", tmp_path / "out.csv"),
        ("transform", model, file),
    ):
        code = int(command[0] == "check")
        assert run(*command, code=code).output.count("Windows-1252 (cp1252)") == 1
    lines = tmp_path / "a.jsonl"
    lines.write_text('{"text": "a goal", "topic": "sport"}\n', "utf-8")
    found = json.loads(run("check", lines, "--json", "--text", "text", code=1).stdout)
    facts = {"format": "jsonl", "text": "text (named)", "label": "topic (found)"}
    assert facts.items() <= found.items()


@pytest.fixture(scope="module")
def judged(tmp_path_factory):
    """A file whose columns have no usual names, and a model that was learnt from it."""
    folder = tmp_path_factory.mktemp("judged")
    rows = [("", text, label or "open") for text, label in TEXTS * 4]
    file = write_news(folder / "posts.csv", rows, ("text", "Post", "Verdict"))
    given = (file, "--text", "Post", "--label", "Verdict", "--missing", "open", *SMALL)
    done = run("fit", *given, "--method", "bow", "-o", folder / "posts.npz")
    return folder, done


def test_predict_knows_the_columns_that_the_model_was_learnt_from(judged):
    folder, _ = judged
    made, out = folder / "posts.npz", folder / "out.csv"
    done = run("predict", made, folder / "posts.csv", "-o", out)
    told = "the text in column 'Post' and the label in column 'Verdict', as in training"
    assert done.stderr.splitlines()[0] == f"{folder / 'posts.csv'}: {told}"
    head, *rows = csv.reader(out.open(newline=""))
    assert head == ["text", "Post", "Verdict", "probability"]
    assert [row[2] for row in rows[6::7]] == ["sport"] * 4  # "open" stands for no label
    lines = run("predict", made, folder / "posts.csv").stdout.splitlines()
    assert len(lines) == 28
    alone = run("predict", made, folder / "posts.csv", "--unlabelled").stdout.splitlines()
    assert [line.split("\t")[0] for line in alone] == ["8", "15", "22", "29"]
    assert (
        run("predict", made, folder / "posts.csv", "--label", "Verdict").stdout.splitlines()
        == alone
    )


def test_fit_ends_with_the_command_that_predicts(judged, monkeypatch, tmp_path):
    _, done = judged
    *_, title, command = done.stdout.splitlines()
    words = shlex.split(command)
    assert title == "Next:" and words[-2:] == ["--output", "posts_filled.csv"]
    monkeypatch.chdir(tmp_path)
    run(*words[1:])
    rows = list(csv.reader((tmp_path / "posts_filled.csv").open(newline="")))
    assert rows[7][2] == "sport"
    assert "chosen     C " in done.stdout and "unit length " in done.stdout


def test_explain_chooses_documents_and_has_a_header(judged, tmp_path):
    folder, _ = judged
    given = ("explain", folder / "posts.npz", folder / "posts.csv", "--top", "2")
    named = write_news(
        tmp_path / "n.csv", [(*r, f"k{i}") for i, r in enumerate(TEXTS * 4)], (*TOPIC[::2], "key")
    )
    run("fit", named, "--id", "key", "--method", "bow", "-o", tmp_path / "n.npz")
    said = run("explain", tmp_path / "n.npz", named, "--rows", "k3").stdout.splitlines()
    assert said[1].startswith("k3\t")
    head, *lines = run(*given, "--rows", "3, 2").stdout.splitlines()
    assert head.split("\t") == ["document", "label", "probability", "word", "log-odds"]
    cells = [line.split("\t") for line in lines]
    assert [each[0] for each in cells] == ["2", "2", "3", "3"]
    assert all(each[1] == "sport" and 0.5 < float(each[2]) <= 1 for each in cells)
    of_money = run(*given, "--rows", "2", "--class", "money").stdout.splitlines()[1].split("\t")
    assert float(of_money[2]) < 0.5
    alone = run(*given, "--label", "Verdict").stdout.splitlines()[1:]
    assert {line.split("\t")[0] for line in alone} == {"8", "15", "22", "29"}
    done = run("explain", folder / "posts.npz", "-", given="qwerty\n")
    assert done.stdout.splitlines()[1].endswith("\t(no known word)\t")
    done = run("explain", folder / "posts.npz", "-", "--json", given="qwerty\n")
    assert json.loads(done.stdout)["word"] is None


def test_examples_say_that_their_numbers_are_lines(tmp_path):
    rows = [(f"word{i} other{i}", ("sport", "money")[i % 2]) for i in range(20)]
    file = write_news(tmp_path / "rows.csv", rows)
    done = run("evaluate", file, *BOW, "--predictions", tmp_path / "p.csv")
    assert re.search(r"predicted as \w+; row \d+: word.*\n  row \d+: word", done.stdout)
    assert "\nminus the best: if this interval of the difference reaches 0, " in done.stdout
    ids = [row[0] for row in csv.reader((tmp_path / "p.csv").open(newline=""))]
    assert ids == ["document", *map(str, range(2, 22))]
    named = write_news(
        tmp_path / "ids.csv", [(*row, f"a{i}") for i, row in enumerate(rows)], (*TOPIC[::2], "key")
    )
    said = run("evaluate", named, *BOW, "--id", "key").stdout
    assert re.search(r"predicted as \w+; a\d+: word", said)


@pytest.mark.parametrize("file", ["-x.csv", "a{b} <c>$d'é.csv"])
def test_a_text_may_have_any_name(tmp_path, monkeypatch, file):
    monkeypatch.chdir(tmp_path)
    write_news(Path(file))
    result = json.loads(run("evaluate", *BOW, "--json", "--", file).stdout)
    run(*shlex.split(result["advice"]["command"])[1:-1], "-m.npz")
    said = run("fit", "-o", "-m.npz", "--", file).stdout
    predicts = shlex.split(said.partition("Next:\n")[2])
    assert predicts[:3] == ["pte", "predict", "./-m.npz"]
    run(*predicts[1:])
    assert "probability" in Path(predicts[-1]).read_text("utf-8")


def test_three_commands_say_the_same_of_a_file(tmp_path):
    rows = [(text, topic.replace("money", "Money" if i % 3 else "money")) for i, (text, topic) in
            enumerate(TEXTS * 4)]  # fmt: skip
    file = write_news(tmp_path / "news.csv", [*rows, ("жëб", "sport"), ("", "n/a")])
    given = (file, "--tokenizer", "letters")
    found = json.loads(run("check", *given, "--json").stdout)["findings"]
    said = [f"Warning: {file}: {each['message']}" for each in found]
    assert len(said) > 3
    for command in ("fit", "evaluate"):
        made = ("-o", tmp_path / "m.npz") if command == "fit" else ()
        done = run(command, *given, "--method", "bow", *made)
        warned = [line for line in done.stderr.splitlines() if line.startswith("Warning")]
        assert warned == said
    assert done.stderr.splitlines()[-1] == f"{file}.contest.json: kept here, for `pte fit`"
    none = write_news(tmp_path / "none.csv", [("a goal", ""), ("a rate", "")])
    refused = {run(*c, code=1).stderr for c in (("evaluate", none), ("fit", none, "-o", "m.npz"))}
    assert len(refused) == 1
