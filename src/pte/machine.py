"""The machine that this runs on: its cores, its memory, its code and its packages."""

import os
import platform
import re
import resource
import subprocess
from collections.abc import Iterable, Iterator
from contextlib import suppress
from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from pte.errors import PteError

CHANGES = ["status", "--porcelain", "--untracked-files=no", "--", ":/", ":!/results", ":!/*.md"]
"""Arguments that ask git whether code was edited; results and Markdown files are no code."""
TRACKED = ["ls-files", "--error-unmatch", "--", "."]  # git fails where it tracks nothing
PACKAGES = [
    *("snakemake", "numpy", "numba", "pandas", "scipy", "scikit-learn", "liblinear-official"),
    *("fasttext-community", "matplotlib"),
]
MOUNTED, GROUPS = Path("/sys/fs/cgroup"), Path("/proc/self/cgroup")


def cores() -> int:
    """Return how many cores affinity, quotas and `OMP_NUM_THREADS` let this process use."""
    from joblib import cpu_count

    asked = os.environ.get("OMP_NUM_THREADS", "").partition(",")[0].strip()
    return min(cpu_count(), int(asked)) if asked.isdecimal() and int(asked) else int(cpu_count())


def free_bytes() -> int:
    """Return the bytes that this process can still have by the machine and by its limits."""
    import psutil

    limit = resource.getrlimit(resource.RLIMIT_DATA)[0]
    used = getattr(psutil.Process().memory_info(), "data", 0)
    left = [int(psutil.virtual_memory().available), *_left_by_groups()]
    return min(left if limit == resource.RLIM_INFINITY else [*left, max(limit - used, 0)])


def _left_by_groups() -> Iterator[int]:
    """Yield what Linux's control groups leave, where copies of files do not count as used."""
    for place in (Path(line[3:].strip("/")) for line in _lines(GROUPS) if line.startswith("0::")):
        for folder in (MOUNTED / each for each in (place, *place.parents)):
            with suppress(OSError, ValueError):  # there is no limit, or it is "max"
                left = int((folder / "memory.max").read_text())
                left -= int((folder / "memory.current").read_text())
                stat = dict(line.split() for line in _lines(folder / "memory.stat"))
                yield max(left + int(stat.get("inactive_file", 0)), 0)


def require(needed: int, step: str, why: str) -> None:
    """Refuse a `step` that needs more bytes than are free; `why` says what needs them."""
    free = free_bytes()
    if needed > free:
        raise PteError(
            f"{step}: {why} need about {needed / 1e9:.1f} GB of memory, and {free / 1e9:.1f} GB "
            "are free; leave this method out for this corpus, or run it where there is more"
        )


def peak_memory() -> int:
    """Return this process's most bytes; Linux's `ru_maxrss` is inherited, so /proc is asked."""
    if found := re.findall(r"VmHWM:\s*(\d+)", "\n".join(_lines(Path("/proc/self/status")))):
        return 1024 * int(found[0])
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak if platform.system() == "Darwin" else 1024 * peak


def code_and_machine(folder: Path, packages: Iterable[str] = PACKAGES) -> dict[str, str]:
    """Return the commit of a checkout, facts of this machine, and the versions of packages."""
    import psutil

    facts = {"commit": commit(folder), "processor": processor(), "cores": str(os.cpu_count())}
    facts |= {"memory": f"{psutil.virtual_memory().total / 2**30:.0f} GiB"}
    facts |= {"system": f"{platform.system()} {'.'.join(platform.release().split('.')[:2])}"}
    facts |= {"BLAS": blas(), "Python": platform.python_version()}
    return facts | {name: installed(name) for name in packages}


def commit(folder: Path) -> str:
    """Return the commit that is checked out, and whether code differs, or "unknown"."""
    try:
        found = [
            subprocess.run(
                ["git", *asked], cwd=folder, capture_output=True, text=True, check=True
            ).stdout.strip()
            for asked in (TRACKED, ["rev-parse", "HEAD"], CHANGES)
        ]
    except (OSError, subprocess.CalledProcessError):
        return "unknown"
    _, head, changes = found
    return head + (", with changes" if changes else "")


def processor() -> str:
    """Return the name of the processor, as far as the system tells it."""
    lines = _lines(Path("/proc/cpuinfo"))
    named = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return named[0] if named else platform.processor() or platform.machine()


def blas() -> str:
    """Return numpy's matrix library and its kind of processor; both change a CNN's rounding."""
    from threadpoolctl import threadpool_info

    import_module("numpy")  # loads the library
    kinds = {
        f"{found['internal_api']} {found.get('architecture') or ''}".strip()
        for found in threadpool_info()
        if found["user_api"] == "blas"
    }
    return ", ".join(sorted(kinds)) or "unknown"


def installed(package: str) -> str:
    """Return the version of a package, or "not installed"."""
    try:
        return version(package)
    except PackageNotFoundError:
        return "not installed"


def _lines(file: Path) -> list[str]:
    try:
        return file.read_text("utf-8").splitlines()
    except OSError:
        return []
