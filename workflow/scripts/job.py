"""Functions that all adapters share: the log, errors without a traceback, progress, and the cost.

No result may depend on this file, because the file is in no hash of code.
"""

import errno
import resource
import sys
import tempfile
import time
import traceback
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, redirect_stderr, redirect_stdout, suppress
from pathlib import Path
from types import TracebackType
from typing import Any

from pte.errors import PteError
from pte.files import read_json, write_json
from pte.machine import peak_memory
from pte_study.plan.fingerprint import state

ADVICE = {
    errno.ENOSPC: "make room on this disk, and run again",
    errno.EDQUOT: "delete files of yours, or ask for a larger quota, and run again",
    errno.EFBIG: "allow larger files (ulimit -f), and run again",
    errno.EROFS: "run in a folder that you may write to",
    errno.EACCES: "give yourself the permission (ls -l, chmod), and run again",
    errno.EPERM: "give yourself the permission (ls -l, chmod), and run again",
    errno.EMFILE: "allow more open files (ulimit -n), and run again",
}
"""Advice for errors, by their number, that come from the machine and not from the program."""


@contextmanager
def logged(snakemake: Any) -> Iterator[None]:
    """Send what the block prints to the rule's log; an error that `cause` knows is one line there.

    If the rule has an output `cost`, write there what the job took, and the state of the code. If
    the rule has an input `costs`, add what the jobs took that made its inputs.
    """
    began, cost = time.perf_counter(), snakemake.output.get("cost")
    code = state() if cost else ""  # the code that the job begins with; it may be edited meanwhile
    with Path(snakemake.log[0]).open("w", buffering=1, encoding="utf-8") as log:
        try:
            with redirect_stdout(log), redirect_stderr(log):
                yield
        except Exception as error:
            if said := cause(error):
                if log.tell():  # the last line may be a bar of progress
                    print(file=log)
                print(f"error in {snakemake.rule} {dict(snakemake.wildcards)}: {said}", file=log)
                sys.exit(1)
            traceback.print_exc(file=log)
            error.in_log = True  # type: ignore[attr-defined]
            raise
    if cost:
        before = [read_json(Path(each)) for each in snakemake.input.get("costs", [])]
        took = together([taken(time.perf_counter() - began), *before])
        write_json(Path(cost), {**took, "state": code})


def cause(error: BaseException) -> str:
    """Return a line about an error that needs no traceback: what is wrong, what to do; else ""."""
    if isinstance(error, PteError):
        return str(error)
    if isinstance(error, MemoryError) or "can't start new thread" in str(error):
        advice = "run fewer jobs at once (--cores), or run this where there is more memory"
        return f"out of memory: {str(error) or 'no more is to be had'}; {advice}"
    if isinstance(error, OSError) and error.errno in ADVICE:
        where = error.filename or f"a file here, or in {tempfile.gettempdir()} (TMPDIR)"
        return f"{where}: {error.strerror}; {ADVICE[error.errno]}"
    return ""


def log_uncaught(
    kind: type[BaseException], error: BaseException, trace: TracebackType | None
) -> None:
    """Write an error from outside of `logged`, such as that of an import, into the job's log, too.

    If the log itself cannot be written, only the terminal gets the cause.
    """
    job, said = getattr(sys.modules["__main__"], "snakemake", None), cause(error)
    if job is not None and not getattr(error, "in_log", False):
        with suppress(OSError), Path(job.log[0]).open("a", encoding="utf-8") as log:
            if said:
                print("error:", said, file=log)
            else:
                traceback.print_exception(kind, error, trace, file=log)
    if said:
        print("error:", said, file=sys.stderr)
    else:
        sys.__excepthook__(kind, error, trace)


sys.excepthook = log_uncaught


def taken(seconds: float) -> dict[str, float]:
    """Return seconds by the clock, seconds of the processor, and the most memory in megabytes."""
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return {
        "seconds": round(seconds, 3),
        "processor_seconds": round(sum(each.ru_utime + each.ru_stime for each in used), 3),
        "memory_mb": round(peak_memory() / 1e6, 1),
    }


def together(costs: Sequence[Mapping[str, float]]) -> dict[str, float]:
    """Return what several jobs took: their seconds add up, and the largest memory counts."""
    return {
        name: max(each[name] for each in costs)
        if name == "memory_mb"
        else round(sum(each[name] for each in costs), 3)
        for name in costs[0]
    }


class Bar:
    """A bar of progress, which appears when it is first told how much is done."""

    def __init__(self, unit: str) -> None:
        """Prepare a bar that counts in `unit`."""
        self._unit, self._shown = unit, None

    def __call__(self, done: int, whole: int) -> None:
        """Show that `done` of `whole` steps are done."""
        if self._shown is None:
            from tqdm import tqdm  # its import takes as long as that of numpy

            settings = {"unit": self._unit, "unit_scale": True}
            self._shown = tqdm(total=whole, mininterval=5, maxinterval=5, **settings)
        self._shown.total = whole
        self._shown.update(done - self._shown.n)
