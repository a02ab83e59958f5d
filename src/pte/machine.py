"""The code, the packages and the machine that this runs on."""

import os
import platform
import subprocess
from collections.abc import Iterable
from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from pte.control_groups import processors

CHANGES = ["status", "--porcelain", "--untracked-files=no", "--", ":/", ":!/results", ":!/*.md"]
"""Arguments that ask git whether code was edited; results and Markdown files are no code."""
TRACKED = ["ls-files", "--error-unmatch", "--", "."]
"""Arguments with which git fails in a folder that holds no file of the repository around it."""
PACKAGES = [
    *("snakemake", "numpy", "numba", "pandas", "scipy", "scikit-learn", "liblinear-official"),
    *("fasttext-community", "matplotlib"),
]


def code_and_machine(folder: Path, packages: Iterable[str] = PACKAGES) -> dict[str, str]:
    """Return the commit of a checkout, facts of this machine, and the versions of packages."""
    facts = {"commit": commit(folder)}
    facts |= {"processor": processor(), "cores": str(os.cpu_count())}
    facts |= {"memory": memory(), "system": system(), "BLAS": blas()}
    facts |= {"Python": platform.python_version()}
    return facts | {name: installed(name) for name in packages}


def cores() -> int:
    """Return the number of cores that this process may use.

    Its affinity, the quotas of its control groups, and `OMP_NUM_THREADS` say so.
    """
    has_affinity = hasattr(os, "sched_getaffinity")
    found = len(os.sched_getaffinity(0)) if has_affinity else os.cpu_count() or 1
    given = os.environ.get("OMP_NUM_THREADS", "").partition(",")[0].strip()
    asked = int(given) if given.isdecimal() and int(given) else found
    return min(found, asked, processors() or found)


def commit(folder: Path) -> str:
    """Return the commit that is checked out, and whether code differs from it.

    The commit is "unknown" where git does not know the folder, such as the folder of an installed
    package.
    """
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
    try:
        lines = Path("/proc/cpuinfo").read_text("utf-8").splitlines()
    except OSError:
        lines = []
    named = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return named[0] if named else platform.processor() or platform.machine()


def system() -> str:
    """Return the name of the system and the first two numbers of its version."""
    return f"{platform.system()} {'.'.join(platform.release().split('.')[:2])}"


def blas() -> str:
    """Return the matrix library of numpy, and the kind of processor whose code it uses here.

    The library has other code for other processors, which rounds differently, so that trainings of
    the CNN may differ.
    """
    from threadpoolctl import threadpool_info

    import_module("numpy")  # loads the library
    kinds = {
        f"{found['internal_api']} {found.get('architecture') or ''}".strip()
        for found in threadpool_info()
        if found["user_api"] == "blas"
    }
    return ", ".join(sorted(kinds)) or "unknown"


def memory() -> str:
    """Return the memory of the machine, in GiB, or "unknown" where the system does not tell."""
    try:
        return f"{os.sysconf('SC_PAGE_SIZE') * os.sysconf('SC_PHYS_PAGES') / 2**30:.0f} GiB"
    except (AttributeError, OSError, ValueError):
        return "unknown"


def installed(package: str) -> str:
    """Return the version of a package, or "not installed"."""
    try:
        return version(package)
    except PackageNotFoundError:
        return "not installed"
