"""The plugin of `snakemake --logger pte`: scores on stdout, progress of the run on stderr.

Snakemake finds a plugin by the name of its package. The log file has everything."""

import json
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from logging import WARNING, LogRecord
from pathlib import Path
from statistics import mean
from typing import Any

from snakemake_interface_logger_plugins.base import LogHandlerBase
from snakemake_interface_logger_plugins.common import LogEvent

from pte_study import paths

PAUSE = 10.0  # the fewest seconds between two lines
MOST_SHOWN = 3  # running jobs that a line names
INTERRUPTED = "died with <Signals.SIGINT"  # what Snakemake says of a job that Ctrl-C has ended
COLUMNS = {
    "corpus": "{:<12}",
    "method": "{:<26}",
    "protocol": "{:<8}",
    "seed": "{:>4}",
    "micro-F1": "{:>9}",
    "macro-F1": "{:>9}",
    "seconds of training": "{:>20}",
}


class LogHandler(LogHandlerBase):
    """A handler that follows a run, and prints its scores to stdout and its progress to stderr."""

    writes_to_stream = True  # so that Snakemake's own handler stays away
    writes_to_file = False
    has_filter = True  # otherwise it would miss what Snakemake is told to be quiet about
    has_formatter = False
    needs_rulegraph = False

    def __post_init__(self) -> None:
        self.progress, self.printed, self.headed = Progress(), float("-inf"), False
        self.scores: dict[int, Path] = {}  # files that running jobs will write
        self.interrupted = False

    def emit(self, record: LogRecord) -> None:
        """Take an event of Snakemake; print a line when a job begins or ends."""
        found, now = vars(record), time.monotonic()
        event = found.get("event")
        if INTERRUPTED in str(record.msg) and not self.interrupted:
            self.interrupted = True
            _say("interrupted; the same command goes on")
        if self.interrupted:  # what comes now follows from it
            return
        if record.levelno >= WARNING or str(record.msg).startswith("Nothing to be done"):
            _say(self.format(record))
        if event == LogEvent.RUN_INFO:
            self.progress = Progress(found["stats"])
            _say(self.format(record))
        elif event == LogEvent.JOB_INFO and not self.common_settings.dryrun:
            wildcards = [str(value) for value in dict(found["wildcards"] or {}).values()]
            self.progress.started(found["jobid"], found["rule_name"], wildcards, now)
            for path in found.get("output", ()):
                if paths.wildcards_of(f"{paths.SCORES}.json", path):
                    self.scores[found["jobid"]] = Path(path)
            self._tell(now)
        elif event == LogEvent.JOB_ERROR:
            self.progress.failed(found["jobid"])
            for path in map(Path, found.get("log") or ()):
                if path.is_file() and (why := _reason(path)):
                    _say(why)
        elif event == LogEvent.JOB_FINISHED:
            self.progress.finished(found["job_id"], now)
            path = self.scores.pop(found["job_id"], None)
            if path is not None and path.is_file():
                self._print_row(json.loads(path.read_text("utf-8")))
            self._tell(now)

    def _print_row(self, run: Mapping[str, Any]) -> None:
        if not self.headed:
            print(_line(list(COLUMNS)))
            self.headed = True
        names = [str(run[key]) for key in ("corpus", "method", "protocol", "seed")]
        cells = [str(run.get("unavailable")), "", ""]
        if "unavailable" not in run:
            seconds = "—" if run["train_seconds"] is None else f"{run['train_seconds']:.1f}"
            cells = [f"{run['micro_f1']:.2f}", f"{run['macro_f1']:.2f}", seconds]
        print(_line([*names, *cells]), flush=True)

    def _tell(self, now: float) -> None:
        """Print a line, unless one was printed less than `PAUSE` seconds ago and jobs are left."""
        if now - self.printed >= PAUSE or not self.progress.left:
            self.printed = now
            _say(self.progress.line(now))


def _reason(log: Path) -> str:
    """Return the line of a log that says why a job failed, or ""."""
    lines = log.read_text("utf-8", "replace").splitlines()
    return next((line for line in reversed(lines) if line.startswith("error in ")), "")


def _say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


class Progress:
    """The progress of a run with `counts` jobs by rule; all times are in seconds of one clock."""

    def __init__(self, counts: Mapping[str, int] | None = None) -> None:
        self.waiting = Counter(counts or {})
        self.total = self.waiting.pop("total", 0)
        self.running: dict[int, tuple[str, str, float]] = {}  # rule, job, start
        self.seconds: dict[str, list[float]] = defaultdict(list)
        self.failures: set[int] = set()  # jobs that are not tried again up to now
        self.beside = 1  # the most jobs that ran at a time

    @property
    def left(self) -> int:
        """The number of jobs that have not ended."""
        return self.waiting.total() + len(self.running)

    def started(self, job: int, rule: str, wildcards: Sequence[str], now: float) -> None:
        """Note that a job begins, or that one that failed is tried again."""
        if job not in self.failures:
            self.waiting[rule] = max(0, self.waiting[rule] - 1)
        self.failures.discard(job)
        self.running[job] = (rule, " ".join([rule, *wildcards]), now)
        self.beside = max(self.beside, len(self.running))

    def finished(self, job: int, now: float) -> None:
        """Note that a job ends; a job that was never seen to begin is not counted."""
        if (found := self.running.pop(job, None)) is not None:
            rule, _, began = found
            self.seconds[rule].append(now - began)

    def failed(self, job: int) -> None:
        """Note that a job ends without its output."""
        if self.running.pop(job, None) is not None:
            self.failures.add(job)

    def remaining(self, now: float) -> float | None:
        """Estimate the seconds left from mean times by rule; None before a job has ended."""
        if not self.seconds:
            return None
        usual = mean(each for rule in self.seconds.values() for each in rule)
        known = {rule: mean(each) for rule, each in self.seconds.items()}
        work = sum(n * known.get(rule, usual) for rule, n in self.waiting.items())
        for rule, _, began in self.running.values():
            work += max(0.0, known.get(rule, usual) - (now - began))
        return work / self.beside

    def line(self, now: float) -> str:
        """Return a line: what is done, what runs and for how long, and when the run will end."""
        parts = [f"{self.total - self.left - len(self.failures)} of {self.total} jobs"]
        parts += [f"{len(self.failures)} failed"] if self.failures else []
        jobs = sorted(self.running.values(), key=lambda job: job[2])
        shown = [f"{job} ({duration(now - began)})" for _, job, began in jobs[:MOST_SHOWN]]
        if jobs:
            more = [f"{len(jobs) - MOST_SHOWN} more"] if len(jobs) > MOST_SHOWN else []
            parts.append("running: " + ", ".join(shown + more))
        seconds = self.remaining(now)
        if self.left and seconds is not None:
            clock = time.strftime("%H:%M", time.localtime(time.time() + seconds))
            parts.append(f"about {duration(seconds)} left, until {clock}")
        return "; ".join(parts)


def duration(seconds: float) -> str:
    """Return seconds as people say them: 42 s, 7 min, 3 h 05 min."""
    minutes = round(seconds / 60)
    if round(seconds) < 100:
        return f"{round(seconds)} s"
    return f"{minutes} min" if minutes < 100 else f"{minutes // 60} h {minutes % 60:02} min"


def _line(texts: Sequence[str]) -> str:
    pairs = zip(COLUMNS.values(), texts, strict=True)
    return " ".join(form.format(text) for form, text in pairs).rstrip()
