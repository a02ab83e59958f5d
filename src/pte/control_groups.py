"""Limits of the control groups of Linux that this process is in, of both versions.

A process obeys the limits of its own group and of all groups around it.
"""

import math
from collections.abc import Iterator
from pathlib import Path

MOUNTED = Path("/sys/fs/cgroup")
GROUPS = Path("/proc/self/cgroup")


def memory_left() -> int | None:
    """Return the bytes that limits leave; None where no group has a limit.

    Copies of files that the system drops when memory is short do not count as used.
    """
    versions = (
        ("memory.max", "memory.current", "inactive_file"),
        ("memory.limit_in_bytes", "memory.usage_in_bytes", "total_inactive_file"),
    )
    left = []
    for folder in _groups("memory"):
        for limit, used, copies in versions:
            most, now = _numbers(folder / limit), _numbers(folder / used)
            if most and now:
                cached = counted(folder / "memory.stat", copies) or 0
                left.append(max(most[0] - now[0] + cached, 0))
    return min(left, default=None)


def processors() -> int | None:
    """Return the whole processors that quotas allow, at least 1; None where there is no quota."""
    found = []
    for folder in _groups("cpu"):
        quota = _numbers(folder / "cpu.max") or [
            *_numbers(folder / "cpu.cfs_quota_us"),
            *_numbers(folder / "cpu.cfs_period_us"),
        ]
        if len(quota) == 2 and quota[0] > 0 < quota[1]:
            found.append(max(math.ceil(quota[0] / quota[1]), 1))
    return min(found, default=None)


def _groups(controller: str) -> Iterator[Path]:
    """Yield the folders of the group of a controller, and of all groups around it."""
    try:
        lines = GROUPS.read_text("utf-8").splitlines()
    except OSError:
        lines = []
    roots = {MOUNTED: "/", MOUNTED / "unified": "/", MOUNTED / controller: "/"}
    for line in lines:
        _, names, group = line.split(":", 2)
        if not names:
            roots[MOUNTED] = roots[MOUNTED / "unified"] = group
        elif controller in names.split(","):
            roots[MOUNTED / controller] = roots[MOUNTED / names] = group
    for root, group in roots.items():
        place = Path(group.strip("/"))
        yield from (root / each for each in (place, *place.parents) if (root / each).is_dir())


def counted(file: Path, name: str) -> int | None:
    """Return the number behind a name in a file of names and numbers; None if it is not there."""
    try:
        pairs = (line.split() for line in file.read_text("utf-8").splitlines())
        return next((int(pair[1]) for pair in pairs if pair[:1] == [name]), None)
    except (OSError, ValueError, IndexError):
        return None


def _numbers(file: Path) -> list[int]:
    """Return the whole numbers in a file; none if it holds others, such as "max"."""
    try:
        return [int(each) for each in file.read_text("utf-8").split()]
    except (OSError, ValueError):
        return []
