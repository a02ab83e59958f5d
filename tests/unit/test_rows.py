"""Scores on the terminal, as rows of a table."""

import json
import logging
from types import SimpleNamespace

import pytest
from snakemake_interface_logger_plugins.common import LogEvent

from snakemake_logger_plugin_pte import LogHandler
from snakemake_logger_plugin_pte.rows import Rows

RUN = {"corpus": "mr", "method": "pte_joint", "protocol": "paper", "seed": 2}
SCORES = {"micro_f1": 76.5432, "macro_f1": 70.0, "train_seconds": 12.34}


@pytest.fixture
def score_file(tmp_path, monkeypatch):
    """Write what a run scored, and return its path as Snakemake names it."""
    monkeypatch.chdir(tmp_path)

    def write(seed=2, **scores):
        path = tmp_path / f"results/scores/mr/pte_joint/paper/seed{seed}.json"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(RUN | {"seed": seed} | scores), "utf-8")
        return str(path.relative_to(tmp_path))

    return write


def test_a_row_below_the_head_of_the_table(score_file):
    rows = Rows()
    rows.started(7, [score_file(**SCORES), "results/scores/mr/pte_joint/paper/seed2.npy"])
    head, row = rows.finished(7)
    assert head.split() == [*RUN, "micro-F1", "macro-F1", "seconds", "of", "training"]
    assert row.split() == ["mr", "pte_joint", "paper", "2", "76.54", "70.00", "12.3"]
    assert head.index("micro-F1") + len("micro-F1") == row.index("76.54") + len("76.54")


def test_a_method_has_the_name_that_tables_show(score_file, tmp_path, monkeypatch):
    """Also a method of a plugin; without registries it has its own name."""
    row = "{label: %s, latex: x, group: extra, model: x}"
    for folder, entry in {"workflow/registry": "pte_joint", "plugin": "mine"}.items():
        (tmp_path / folder).mkdir(parents=True)
        text = f"{entry}: {row % entry.upper()}\n"
        (tmp_path / folder / "methods.yaml").write_text(text, "utf-8")
    monkeypatch.setenv("PTE_PLUGINS", str(tmp_path / "plugin"))
    rows = Rows()
    for job, method in enumerate(("pte_joint", "mine", "bow")):
        rows.started(job, [score_file(seed=job, **SCORES | {"method": method})])
    shown = [rows.finished(job)[-1].split()[1] for job in range(3)]
    assert shown == ["PTE_JOINT", "MINE", "bow"]


def test_the_head_stands_there_once(score_file):
    rows = Rows()
    for job, seed in enumerate((1, 2, 3)):
        rows.started(job, [score_file(seed=seed, **SCORES)])
    assert [len(rows.finished(job)) for job in (2, 0, 1)] == [2, 1, 1]


def test_what_could_not_be_run_says_why(score_file):
    rows = Rows()
    rows.started(1, [score_file(unavailable="not installed: pip install fasttext-community")])
    assert rows.finished(1)[1].endswith("2 not installed: pip install fasttext-community")


def test_what_was_not_trained_took_no_seconds(score_file):
    rows = Rows()
    rows.started(1, [score_file(**SCORES | {"train_seconds": None})])
    assert rows.finished(1)[1].split()[-1] == "—"


@pytest.mark.parametrize("output", ["results/vectors/mr/pte_joint/seed1.npy", "results/scores/x"])
def test_other_jobs_have_no_row(output):
    rows = Rows()
    rows.started(1, [output])
    assert rows.finished(1) == []


def test_scores_that_are_not_there_have_no_row():
    rows = Rows()
    rows.started(1, ["results/scores/mr/pte_joint/paper/seed9.json"])
    assert rows.finished(1) == rows.finished(2) == []


def test_the_logger_prints_rows_to_stdout(score_file, capsys):
    handler = LogHandler(SimpleNamespace(dryrun=False), None)

    def send(event, **rest):
        found = {"event": event, "msg": "", "levelno": logging.INFO, **rest}
        handler.emit(logging.makeLogRecord(found))

    send(LogEvent.RUN_INFO, stats={"score": 1, "total": 1})
    output = [score_file(**SCORES)]
    send(LogEvent.JOB_INFO, jobid=3, rule_name="score", wildcards={}, output=output)
    assert capsys.readouterr().out == ""
    send(LogEvent.JOB_FINISHED, job_id=3)
    assert len(capsys.readouterr().out.splitlines()) == 2
