"""What all adapters share: the log, errors without a traceback, progress, and the cost.

No result may depend on this file, because the file is in no hash of code.
"""

import errno
import resource
import sys
import tempfile
import time
import traceback
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from pathlib import Path
from types import TracebackType
from typing import Any

from pte.errors import PteError
from pte.files import write_json
from pte.machine import peak_memory


def _end(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
    """Let Ctrl-C end a job without a word; who started it says what there is to say."""
    if not issubclass(kind, KeyboardInterrupt):
        sys.__excepthook__(kind, error, trace)


sys.excepthook = _end

FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EMFILE)
CLOSED = (errno.EROFS, errno.EACCES, errno.EPERM)


@contextmanager
def logged(snakemake: Any) -> Iterator[None]:
    """Send what the block prints to the rule's log; an error that `cause` knows is one line there.

    If the rule has an output `cost`, write there what the job took."""
    began, cost = time.perf_counter(), snakemake.output.get("cost")
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
            raise
    if cost:
        used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
        took = {
            "seconds": round(time.perf_counter() - began, 3),
            "processor_seconds": round(sum(each.ru_utime + each.ru_stime for each in used), 3),
            "memory_mb": round(peak_memory() / 1e6, 1),
        }
        write_json(Path(cost), took)


def cause(error: BaseException) -> str:
    """Return a line about an error that needs no traceback: what is wrong, what to do; else ""."""
    if isinstance(error, PteError):
        return str(error)
    if isinstance(error, MemoryError) or "can't start new thread" in str(error):
        advice = "run fewer jobs at once (--cores), or run this where there is more memory"
        return f"out of memory: {str(error) or 'no more is to be had'}; {advice}"
    if isinstance(error, OSError) and error.errno in (*FULL, *CLOSED):
        where = error.filename or f"a file here, or in {tempfile.gettempdir()} (TMPDIR)"
        what = "make room, or raise your limits" if error.errno in FULL else "give the permission"
        return f"{where}: {error.strerror}; {what}, and run again"
    return ""


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
