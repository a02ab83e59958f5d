"""What the logger says of a run while it goes on: its progress, and scores as rows of a table."""

import json
import logging
import re
from types import SimpleNamespace

import pytest
from snakemake_interface_logger_plugins.common import LogEvent

from snakemake_logger_plugin_pte import LogHandler, Progress, duration

RUN = {"corpus": "mr", "method": "pte_joint", "protocol": "paper", "seed": 2}
SCORES = {"micro_f1": 76.5432, "macro_f1": 70.0, "train_seconds": 12.34}


@pytest.fixture
def run():
    return Progress({"train": 4, "score": 2, "total": 6})


def test_nothing_is_foretold_before_a_job_has_ended(run):
    run.started(1, "train", ["mr", "1"], 0)
    assert run.remaining(5) is None
    assert run.line(5) == "0 of 6 jobs; running: train mr 1 (5 s)"


def test_jobs_take_what_those_of_their_rule_took(run):
    run.started(1, "train", [], 0)
    run.finished(1, 10)
    run.started(2, "score", [], 10)
    run.finished(2, 12)
    assert run.left == 4
    assert run.remaining(12) == pytest.approx(3 * 10 + 1 * 2)
    run.started(3, "train", [], 12)
    assert run.remaining(16) == pytest.approx(2 * 10 + 2 + 6)
    assert run.remaining(100) == pytest.approx(2 * 10 + 2)


def test_jobs_of_a_new_rule_take_what_all_took(run):
    run.started(1, "train", [], 0)
    run.finished(1, 10)
    assert run.remaining(10) == pytest.approx(3 * 10 + 2 * 10)


def test_as_many_jobs_run_at_a_time_as_did(run):
    for job in (1, 2):
        run.started(job, "train", [], 0)
    for job in (1, 2):
        run.finished(job, 10)
    assert run.remaining(10) == pytest.approx((2 * 10 + 2 * 10) / 2)


def test_failed_jobs_are_neither_running_nor_left(run):
    run.started(1, "train", [], 0)
    run.failed(1)
    run.failed(1)
    run.finished(7, 3)  # began before anybody looked
    assert run.left == 5
    assert run.line(3) == "0 of 6 jobs; 1 failed"
    assert run.remaining(3) is None


def test_a_job_that_is_tried_again_counts_once(run):
    run.started(1, "train", [], 0)
    run.failed(1)
    run.started(1, "train", [], 5)
    assert run.line(7).startswith("0 of 6 jobs; running: train (2 s)")
    run.finished(1, 9)
    assert (run.left, run.failures) == (5, set())


def test_the_end_is_told_by_the_clock(run):
    run.started(1, "train", [], 0)
    run.finished(1, 10)
    for job, rule in enumerate(["score", "train", "train", "score"], 2):
        run.started(job, rule, [str(job)], 10)
    line = run.line(20)
    running = "running: score 2 (10 s), train 3 (10 s), train 4 (10 s), 1 more; "
    assert line.startswith(f"1 of 6 jobs; {running}")
    assert re.search(r"about \d+ s left, until \d\d:\d\d$", line)


@pytest.mark.parametrize(
    ("seconds", "text"),
    [(0.4, "0 s"), (99, "99 s"), (100, "2 min"), (5400, "90 min"), (11_100, "3 h 05 min")],
)
def test_durations(seconds, text):
    assert duration(seconds) == text


@pytest.fixture
def tell(capsys):
    """Send an event to a handler of a run, or of a dry run, and return what it prints."""
    handlers = {dry: LogHandler(SimpleNamespace(dryrun=dry), None) for dry in (False, True)}

    def tell(event, msg="not shown", level=logging.INFO, dryrun=False, **rest):
        found = {"event": event, "msg": msg, "levelno": level, **rest}
        handlers[dryrun].emit(logging.makeLogRecord(found))
        return capsys.readouterr().err

    return tell


def test_in_a_dry_run_nothing_runs(tell):
    shown = tell(LogEvent.RUN_INFO, "Job stats", dryrun=True, stats={"train": 3, "total": 3})
    assert shown == "Job stats\n"
    job = {"jobid": 1, "rule_name": "train", "wildcards": {}}
    assert tell(LogEvent.JOB_INFO, dryrun=True, **job) == ""


def test_the_handler_follows_events(tell):
    assert tell(LogEvent.RUN_INFO, "Job stats", stats={"train": 3, "total": 3}) == "Job stats\n"
    assert tell(None) == ""
    assert tell(None, "Nothing to be done (all there).") == "Nothing to be done (all there).\n"
    begun = tell(LogEvent.JOB_INFO, jobid=1, rule_name="train", wildcards={"corpus": "mr"})
    assert begun == "0 of 3 jobs; running: train mr (0 s)\n"
    assert tell(LogEvent.JOB_FINISHED, job_id=1) == ""  # a line was printed just now
    tell(LogEvent.JOB_INFO, jobid=2, rule_name="train", wildcards={})
    assert tell(LogEvent.JOB_ERROR, "no room", logging.ERROR, jobid=2) == "no room\n"
    tell(LogEvent.JOB_INFO, jobid=3, rule_name="train", wildcards={})
    assert tell(LogEvent.JOB_FINISHED, job_id=3) == "2 of 3 jobs; 1 failed\n"


def test_an_interrupt_is_one_line(tell):
    died = "Command '…' died with <Signals.SIGINT: 2>."
    assert tell(None, died, logging.ERROR) == "interrupted; the same command goes on\n"
    assert tell(LogEvent.JOB_ERROR, "Error in rule", logging.ERROR, jobid=1, log=()) == ""
    assert tell(None, died, logging.ERROR) == ""


def test_why_a_job_failed_is_said(tell, tmp_path):
    (tmp_path / "a.log").write_text("begins\nerror in fetch {}: no such mirror\n")
    logs = [str(tmp_path / "a.log"), "absent"]
    said = tell(LogEvent.JOB_ERROR, jobid=1, log=logs)
    assert said == "error in fetch {}: no such mirror\n"


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


@pytest.fixture
def rows(score_file, capsys):
    """Run jobs with these outputs, one after another, and return what is printed as rows."""

    def rows(*outputs):
        handler = LogHandler(SimpleNamespace(dryrun=False), None)

        def send(event, **rest):
            found = {"event": event, "msg": "", "levelno": logging.INFO, **rest}
            handler.emit(logging.makeLogRecord(found))

        send(LogEvent.RUN_INFO, stats={"score": len(outputs), "total": len(outputs)})
        for job, output in enumerate(outputs):
            named = {"rule_name": "score", "wildcards": {}, "output": [output, "other.npy"]}
            send(LogEvent.JOB_INFO, jobid=job, **named)
            send(LogEvent.JOB_FINISHED, job_id=job)
        return capsys.readouterr().out.splitlines()

    return rows


def test_a_row_below_the_head_of_the_table(score_file, rows):
    head, row = rows(score_file(**SCORES))
    assert head.split() == [*RUN, "micro-F1", "macro-F1", "seconds", "of", "training"]
    assert row.split() == ["mr", "pte_joint", "paper", "2", "76.54", "70.00", "12.3"]
    assert head.index("micro-F1") + len("micro-F1") == row.index("76.54") + len("76.54")


@pytest.mark.parametrize(
    ("scores", "end"),
    [
        ({"unavailable": "not installed: pip install x"}, "2 not installed: pip install x"),
        (SCORES | {"train_seconds": None}, " —"),
    ],
)
def test_what_was_not_run_or_not_trained_has_no_seconds(score_file, rows, scores, end):
    assert rows(score_file(**scores))[1].endswith(end)


def test_other_jobs_have_no_row_and_the_head_stands_there_once(score_file, rows):
    others = ("results/vectors/mr/x.npy", "results/scores/mr/x/y/seed9.json")
    files = [score_file(seed=seed, **SCORES) for seed in (1, 2, 3)]
    assert rows(*others) == []
    assert len(rows(*others, *files)) == 4
