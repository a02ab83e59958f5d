"""What is said of a run while it goes on."""

import logging
import re
from types import SimpleNamespace

import pytest
from snakemake_interface_logger_plugins.common import LogEvent

from snakemake_logger_plugin_pte import LogHandler
from snakemake_logger_plugin_pte.progress import Progress, duration


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
    assert (run.left, run.failures) == (5, 0)


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
