"""The logger plugin of `snakemake --logger pte`, which prints scores and the progress of a run.

Snakemake finds a plugin by the name of its package. On the terminal, the plugin takes the place of
Snakemake's own messages. Scores go to stdout as they come in. The list of jobs goes to stderr, and
so do warnings, errors, and lines that say what is done, what runs, and when the run will end. The
log file has everything.
"""

import sys
import time
from logging import WARNING, LogRecord

from snakemake_interface_logger_plugins.base import LogHandlerBase
from snakemake_interface_logger_plugins.common import LogEvent

from snakemake_logger_plugin_pte.progress import Progress
from snakemake_logger_plugin_pte.rows import Rows

PAUSE = 10.0
"""The least number of seconds between two lines, unless the run is over."""
LOCKED = "cannot be locked"
UNLOCK = (
    "If no other run works in this folder, an earlier one was killed: type `snakemake --unlock`, "
    "then run again."
)
"""What to do about the lock that a killed run leaves."""
NOTHING = "Nothing to be done"
"""The beginning of Snakemake's message if all files are there already."""


class LogHandler(LogHandlerBase):
    """A handler that follows a run, and prints its scores to stdout and its progress to stderr."""

    def __post_init__(self) -> None:
        """Start without any information about the run."""
        self.progress, self.rows = Progress(), Rows()
        self.printed = float("-inf")

    def emit(self, record: LogRecord) -> None:
        """Take an event of Snakemake; print a line when a job begins or ends."""
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
        """Print a line, unless one was printed less than `PAUSE` seconds ago and jobs are left."""
        if now - self.printed >= PAUSE or not self.progress.left:
            self.printed = now
            say(self.progress.line(now))

    @property
    def writes_to_stream(self) -> bool:
        """Whether the handler writes to the terminal: True, so Snakemake's own one stays away."""
        return True

    @property
    def writes_to_file(self) -> bool:
        """Whether the handler writes to a file: False."""
        return False

    @property
    def has_filter(self) -> bool:
        """Whether the handler has its own filter: True, because it needs every event.

        Otherwise it would miss the events that Snakemake is told to be quiet about.
        """
        return True

    @property
    def has_formatter(self) -> bool:
        """Whether the handler has its own formatter: False, so messages look as in Snakemake."""
        return False

    @property
    def needs_rulegraph(self) -> bool:
        """Whether the handler needs the graph of rules: False."""
        return False


def say(text: str) -> None:
    """Print a text to stderr at once."""
    print(text, file=sys.stderr, flush=True)
