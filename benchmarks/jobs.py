"""Processor seconds of a run, by kind of job and by part: `python -m benchmarks.jobs dblp`.

What is given goes to snakemake. `pte_study.plan.stopwatch` says what the parts are. A kind of job
is a rule, and for what learns or is scored also the method.
"""

import os
import resource
import subprocess
import sys
import tempfile
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from benchmarks.common import ROOT, journal
from pte.files import read_json

PARTS = (
    "start",
    "imports",
    "loading",
    "kernels",
    "networks",
    "features",
    "method",
    "classifier",
    "files",
    "other",
)
"""Of a job. `start` is all before its script has read its imports; `method` is training."""

WORK = ("networks", "method", "classifier")
"""The parts that nothing but a faster algorithm can save."""


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        before = of_children()
        command = [sys.executable, "-m", "snakemake", *sys.argv[1:]]
        subprocess.run(command, check=True, cwd=ROOT, env=os.environ | {"PTE_PARTS": folder})
        whole = of_children() - before
        found = [read_json(path) for path in sorted(Path(folder).iterdir())]
    kinds = by_kind(found)
    write = journal("jobs")
    for kind, (jobs, parts) in kinds.items():
        write(kind=kind, jobs=jobs, seconds=parts.total(), **parts)
    parts = sum((parts for _, parts in kinds.values()), Counter[str]())
    work = sum(parts[name] for name in WORK)
    rest = whole - parts.total()  # Snakemake's own process, and the ends of jobs
    write(kind="all", jobs=len(found), seconds=whole, snakemake=rest, work=work / whole, **parts)
    print(table(kinds))


def of_children() -> float:
    """The processor seconds of the processes that this one has waited for, and of theirs."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def by_kind(found: Iterable[Mapping[str, Any]]) -> dict[str, tuple[int, Counter[str]]]:
    """The number of jobs of each kind and their seconds by part; the costliest kind first."""
    many: Counter[str] = Counter()
    spent: dict[str, Counter[str]] = defaultdict(Counter)
    for one in found:
        job = one["job"]
        kind = " ".join(filter(None, (job["rule"], job.get("method"))))
        many[kind] += 1
        spent[kind].update(one["parts"])
    ordered = sorted(spent, key=lambda kind: -spent[kind].total())
    return {kind: (many[kind], spent[kind]) for kind in ordered}


def table(kinds: Mapping[str, tuple[int, Counter[str]]]) -> str:
    """Markdown, a line for each kind of job."""
    lines = [
        f"| job | number | all | {' | '.join(PARTS)} |",
        "| :-- |" + " --: |" * (2 + len(PARTS)),
    ]
    for kind, (jobs, parts) in kinds.items():
        cells = (f"{parts[part]:.1f}" for part in PARTS)
        lines.append(f"| {kind} | {jobs} | {parts.total():.1f} | {' | '.join(cells)} |")
    return "\n".join(lines)


if __name__ == "__main__":
    main()
