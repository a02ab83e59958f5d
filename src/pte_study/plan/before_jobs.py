"""What a run does with files before its first job: it locks a folder, and mends times."""

import fcntl
import os
import time
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

from pte.errors import PteError

MARGIN = 10_000_000
"""Nanoseconds; a file system's clock may be as far behind that of the processor."""


def lock(folder: Path, *, writes: bool) -> int | None:
    """Lock a folder that several checkouts may share, until the process ends.

    A run that writes there locks out all others; runs that only read do not. Raises `PteError` if
    another run has the lock. Returns the open lock, or None where there is nothing to lock, or no
    locks.
    """
    with suppress(OSError):
        if writes:
            folder.mkdir(parents=True, exist_ok=True)
        opened = os.open(folder / ".lock", os.O_RDWR | os.O_CREAT, 0o666)
        try:
            fcntl.flock(opened, (fcntl.LOCK_EX if writes else fcntl.LOCK_SH) | fcntl.LOCK_NB)
        except BlockingIOError:
            os.close(opened)
            raise PteError(
                f"{folder.resolve()}: another run of Snakemake works with this folder; begin again "
                "when it has ended"
            ) from None
        return opened
    return None


def no_future(outputs: Iterable[str]) -> int:
    """Give outputs that are newer than the clock the time of now, in their order; return how many.

    A job fails in Snakemake if an input is newer than its outputs. Where a clock was set back, or
    that of another machine is ahead, all jobs would fail until the clock has caught up.
    """
    now, times = time.time_ns(), dict[Path, int]()
    for path in map(Path, outputs):
        carrier = path / ".snakemake_timestamp" if path.is_dir() else path
        with suppress(FileNotFoundError):
            times[carrier] = carrier.stat().st_mtime_ns
    ahead = sorted({each for each in times.values() if each > now})
    new = {each: now - MARGIN - place * 1000 for place, each in enumerate(reversed(ahead))}
    mended = [path for path, each in times.items() if each in new]
    for path in mended:
        with suppress(PermissionError):  # another user's
            os.utime(path, ns=(now, new[times[path]]))
    return len(mended)
