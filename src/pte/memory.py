"""The memory that a process had at most, and may still take, which large steps check first."""

import resource
import sys
from pathlib import Path

from pte.control_groups import counted, memory_left
from pte.errors import PteError


def free_bytes() -> int | None:
    """Return the bytes that this process can still have; None where the system does not say.

    This is the smallest of the memory that is free on the machine, the memory that the limit of the
    process leaves, and the memory that the limits of its control groups leave.
    """
    limit, used = resource.getrlimit(resource.RLIMIT_DATA)[0], _field("/proc/self/status", "VmData")
    left = None if used is None or limit == resource.RLIM_INFINITY else max(limit - used, 0)
    found = [_field("/proc/meminfo", "MemAvailable"), left, memory_left()]
    return min((each for each in found if each is not None), default=None)


def require(needed: int, step: str, why: str) -> None:
    """Raise `PteError` if `step` needs more bytes than are free; `why` says what needs them."""
    free = free_bytes()
    if free is not None and needed > free:
        raise PteError(
            f"{step}: {why} need about {needed / 1e9:.1f} GB of memory, and {free / 1e9:.1f} GB "
            "are free; leave this method out for this corpus, or run it where there is more"
        )


def peak_memory() -> int:
    """Return the most memory that this process has had, in bytes.

    On Linux, a process inherits `ru_maxrss` from the process that started it. So its own peak is
    read from /proc.
    """
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return _field("/proc/self/status", "VmHWM") or (
        peak if sys.platform == "darwin" else 1024 * peak
    )


def _field(file: str, name: str) -> int | None:
    """Return the bytes that a line `name: number kB` of a file gives; None without this line."""
    found = counted(Path(file), f"{name}:")
    return None if found is None else 1024 * found
