"""Where numbers come from: code, packages, machine, corpora, and what each run took."""

import os
import platform
import subprocess
from collections.abc import Iterable, Mapping
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

import pandas as pd

from pte.files import read_json
from pte.report.tables import NONE, humanise

PACKAGES = [
    *("snakemake", "numpy", "numba", "pandas", "scipy", "scikit-learn", "liblinear-official"),
    *("torch", "fasttext-community", "matplotlib"),
]


def code_and_machine(folder: Path) -> pd.DataFrame:
    """The commit of a checkout, the packages and the machine that this runs on, as strings."""
    facts = {"commit": commit(folder)}
    facts |= {"processor": processor(), "cores": str(os.cpu_count())}
    facts |= {"memory": memory(), "system": platform.platform(terse=True)}
    facts |= {"Python": platform.python_version()}
    facts |= {name: installed(name) for name in PACKAGES}
    return pd.DataFrame({"what": list(facts), "which": list(facts.values())})


def commit(folder: Path) -> str:
    """The commit that is checked out, and whether files differ from it; "unknown" outside git."""
    try:
        found = [
            subprocess.run(
                ["git", *asked], cwd=folder, capture_output=True, text=True, check=True
            ).stdout.strip()
            for asked in (["rev-parse", "HEAD"], ["status", "--porcelain", "--untracked-files=no"])
        ]
    except (OSError, subprocess.CalledProcessError):
        return "unknown"
    return found[0] + (", with changes" if found[1] else "")


def processor() -> str:
    """The name of the processor, as far as the system tells."""
    try:
        lines = Path("/proc/cpuinfo").read_text("utf-8").splitlines()
    except OSError:
        lines = []
    named = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return named[0] if named else platform.processor() or platform.machine()


def memory() -> str:
    """The memory of the machine, where the system tells."""
    try:
        return f"{os.sysconf('SC_PAGE_SIZE') * os.sysconf('SC_PHYS_PAGES') / 2**30:.0f} GiB"
    except (AttributeError, OSError, ValueError):
        return "unknown"


def installed(package: str) -> str:
    """The version of a package."""
    try:
        return version(package)
    except PackageNotFoundError:
        return "not installed"


def corpora_cells(corpora: Iterable[Path]) -> pd.DataFrame:
    """A row of strings for each encoded corpus: what it was read from, and what it holds."""
    rows = []
    for folder in corpora:
        record = read_json(folder / "corpus.json")
        counts = record["counts"]
        rows.append(
            {
                "corpus": folder.name,
                "archive": record["archive"]["file"],
                "sha256 of the archive": record["archive"]["sha256"][:16],
                "sha256 of the documents": record["documents_sha256"][:16],
                "documents": f"{counts['documents']:,}",
                "words": f"{counts['vocabulary']:,}",
                "tokens": humanise(counts["tokens"]),
            }
        )
    return pd.DataFrame(rows)


def runs_cells(benchmarks: Iterable[Path], labels: Mapping[str, str]) -> pd.DataFrame:
    """A row of strings for each corpus and method: jobs, their seconds, processor time and memory.

    `benchmarks` are files that Snakemake leaves as CORPUS/METHOD/seedN.tsv. Medians over seeds, and
    the most memory of any. `labels` are the names of methods, in the order of the rows.
    """
    frames = [
        pd.read_csv(path, sep="\t", na_values="NA").assign(
            corpus=path.parts[-3], method=path.parts[-2]
        )
        for path in benchmarks
    ]
    if not frames:
        return pd.DataFrame()
    runs = pd.concat(frames, ignore_index=True)
    summary = runs.groupby(["corpus", "method"], sort=False).agg(
        jobs=("s", "size"), s=("s", "median"), cpu=("cpu_time", "median"), rss=("max_rss", "max")
    )
    order = {name: place for place, name in enumerate(labels)}
    summary = summary.reset_index().assign(place=lambda frame: frame["method"].map(order))
    summary = summary.sort_values(["corpus", "place"])
    return pd.DataFrame(
        {
            "method": summary["method"].map(labels),
            "corpus": summary["corpus"],
            "seeds": summary["jobs"].astype(str),
            "seconds": summary["s"].map(_whole),
            "of processor": summary["cpu"].map(_whole),
            "MB": summary["rss"].map(_whole),
        }
    )


def _whole(value: float) -> str:
    return NONE if pd.isna(value) else f"{value:,.0f}"
