"""The memory that a process may still take, which is checked before a large step begins."""

import resource
from pathlib import Path

from pte.errors import PteError


def free_bytes() -> int | None:
    """Return the bytes that this process can still have; None where the system does not say.

    This is the smallest of the memory that is free on the machine, the memory that the limit of the
    process leaves, and the memory that the limit of its control group leaves.
    """
    found = [
        _of_machine(),
        _left(resource.getrlimit(resource.RLIMIT_DATA)[0], _own("VmData")),
        _left(_number("/sys/fs/cgroup/memory.max"), _number("/sys/fs/cgroup/memory.current")),
    ]
    return min((each for each in found if each is not None), default=None)


def require(needed: int, step: str, why: str) -> None:
    """Raise `PteError` if `step` needs more bytes than are free; `why` says what needs them."""
    free = free_bytes()
    if free is not None and needed > free:
        raise PteError(
            f"{step}: {why} need about {needed / 1e9:.1f} GB of memory, and {free / 1e9:.1f} GB "
            "are free; leave this method out for this corpus, or run it where there is more"
        )


def _of_machine() -> int | None:
    return _field("/proc/meminfo", "MemAvailable")


def _own(name: str) -> int | None:
    return _field("/proc/self/status", name)


def _field(file: str, name: str) -> int | None:
    """Return the bytes that a line `name: number kB` of a file gives; None without this line."""
    for line in _text(file).splitlines():
        if line.startswith(f"{name}:"):
            return int(line.split()[1]) * 1024
    return None


def _number(file: str) -> int | None:
    text = _text(file).strip()
    return int(text) if text.isdigit() else None


def _text(file: str) -> str:
    try:
        return Path(file).read_text("utf-8")
    except OSError:
        return ""


def _left(limit: int | None, used: int | None) -> int | None:
    if limit is None or used is None or limit == resource.RLIM_INFINITY:
        return None
    return max(limit - used, 0)
