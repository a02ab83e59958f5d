"""`snakemake --logger pte`: scores as they come in, what is done, what runs, when the run will end.

Snakemake finds a plugin by the name of its package. On the terminal it takes the place of what
Snakemake prints: scores go to stdout; the jobs there are, how far the run is, warnings and errors
go to stderr. The log file has all.
"""

import sys
import time
from logging import WARNING, LogRecord

from snakemake_interface_logger_plugins.base import LogHandlerBase
from snakemake_interface_logger_plugins.common import LogEvent

from snakemake_logger_plugin_pte.progress import Progress
from snakemake_logger_plugin_pte.rows import Rows

PAUSE = 10.0
"""Seconds between two lines, unless the run is over."""
LOCKED = "cannot be locked"
UNLOCK = (
    "If no other run works in this folder, an earlier one was killed: type `snakemake --unlock`, "
    "then run again."
)
"""What to do about the lock that a killed run leaves."""
NOTHING = "Nothing to be done"
"""How Snakemake begins when all is there."""


class LogHandler(LogHandlerBase):
    """Follows a run and prints its progress to stderr."""

    def __post_init__(self) -> None:
        """Start with nothing known of the run."""
        self.progress, self.rows = Progress(), Rows()
        self.printed = float("-inf")

    def emit(self, record: LogRecord) -> None:
        """Take an event of Snakemake's; when a job begins or ends, tell."""
        found, now = vars(record), time.monotonic()
        event = found.get("event")
        if record.levelno >= WARNING or str(record.msg).startswith(NOTHING):
            say(self.format(record))
        if LOCKED in self.format(record):
            say(UNLOCK)
        if event == LogEvent.RUN_INFO:
            self.progress = Progress(found["stats"])
            say(self.format(record))
        elif event == LogEvent.JOB_INFO and not self.common_settings.dryrun:
            wildcards = [str(value) for value in dict(found["wildcards"] or {}).values()]
            self.progress.started(found["jobid"], found["rule_name"], wildcards, now)
            self.rows.started(found["jobid"], found.get("output", ()))
            self.tell(now)
        elif event == LogEvent.JOB_ERROR:
            self.progress.failed(found["jobid"])
        elif event == LogEvent.JOB_FINISHED:
            self.progress.finished(found["job_id"], now)
            for row in self.rows.finished(found["job_id"]):
                print(row, flush=True)
            self.tell(now)

    def tell(self, now: float) -> None:
        """Print a line, unless one was printed just now."""
        if now - self.printed >= PAUSE or not self.progress.left:
            self.printed = now
            say(self.progress.line(now))

    @property
    def writes_to_stream(self) -> bool:
        """True: Snakemake's own handler stays away."""
        return True

    @property
    def writes_to_file(self) -> bool:
        """False."""
        return False

    @property
    def has_filter(self) -> bool:
        """True: every event is needed, whatever Snakemake is told to be quiet about."""
        return True

    @property
    def has_formatter(self) -> bool:
        """False: what is passed on looks as Snakemake has it."""
        return False

    @property
    def needs_rulegraph(self) -> bool:
        """False."""
        return False


def say(text: str) -> None:
    """Print to stderr, at once."""
    print(text, file=sys.stderr, flush=True)
