"""How busy Snakemake keeps many cores: `python -m benchmarks.load CORES TARGET…`.

Jobs that choose, learn, score or make tables sleep here for as long as the published runs say that
they took, so that a machine with two cores can stand in for one with forty. Archives are fetched,
and text is encoded and counted, before the clock starts. The work goes on in a clone of the last
commit, so commit first.

`busy` is the share of the cores' time in which jobs slept. No scheduler can end before the longest
job, `longest_seconds`, which may have to wait for others. `snakemake_seconds` and `snakemake_mb`
are those of Snakemake's own process. The start of Python, in which a real job spends half a second,
is left out: forty cores would share it.
"""

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

from benchmarks.common import ROOT, journal
from pte_study import paths
from pte_study.store import packed, read_store

MADE = ("network", "subset")
"""Rules that run as they are, with all before them: planning reads what they make."""

USUAL = {"choose": 60.0, "choose_classifier": 5.0, "score": 2.0, "neighbours": 20.0, "warm_up": 5.0}
"""Seconds of jobs of which the published runs keep none, by rule; of all others, one."""

SCRIPT = re.compile(r'script:\n( +)"\.\./scripts/\w+\.py"')
SLEEPING = r'shell:\n\1"sh sleep.sh {rule} {output}"'
SLEEPER = """\
rule=$1; shift
begun=$(date +%s.%N)
seconds=$(awk -v one="${1%.*}" -v rule="$rule" '
  $1 == one { found = $2; exit } $1 == rule { usual = $2 }
  END { print found ? found : usual ? usual : 1 }' seconds.txt)
sleep "$seconds"
for file; do
  mkdir -p "$(dirname "$file")"
  case $file in *.json|*.npy|*.npz|*.csv|*.md|*.html|*.tex|*.txt|*.pdf|*.svg|*.png) : > "$file" ;;
    *) mkdir -p "$file" ;;
  esac
done
echo "$begun $seconds" >> slept.txt
"""
SNAKEMAKE = """\
import json, resource, sys
from snakemake.cli import main
try:
    main()
finally:
    used = resource.getrusage(resource.RUSAGE_SELF)
    with open("used.json", "w") as file:
        json.dump([used.ru_utime + used.ru_stime, used.ru_maxrss / 1024], file)
"""


class Slept(NamedTuple):
    """When a job began to sleep, in seconds since the epoch, and for how many seconds it slept."""

    begun: float
    seconds: float


def main(cores: int, targets: Sequence[str]) -> None:
    note = journal("load")
    with tempfile.TemporaryDirectory() as folder:
        clone = Path(folder) / "clone"
        subprocess.run(["git", "clone", "--quiet", str(ROOT), str(clone)], check=True)
        archives = ROOT / "resources" / "archives"
        if archives.is_dir():
            shutil.copytree(archives, clone / "resources" / "archives")
        for rule in MADE:
            run(clone, len(os.sched_getaffinity(0)), [*targets, "--until", rule])
        put_to_sleep(clone)
        run(clone, cores, targets)
        processor_seconds, megabytes = json.loads((clone / "used.json").read_text("utf-8"))
        jobs = read_slept(clone / "slept.txt")
        note(
            target=" ".join(targets),
            many_cores=cores,
            **busy(jobs, cores),
            snakemake_seconds=processor_seconds,
            snakemake_mb=megabytes,
        )


def run(clone: Path, cores: int, arguments: Iterable[str]) -> None:
    """Run Snakemake in the clone. What the cores of this machine cannot do, sleeping jobs can."""
    command = [sys.executable, "-c", SNAKEMAKE, "--quiet", "all", "--cores", str(cores)]
    subprocess.run([*command, *arguments], cwd=clone, check=True)


def put_to_sleep(clone: Path) -> None:
    """Let each job of the clone sleep from now on, for as long as such jobs took."""
    for rules in (clone / "workflow" / "rules").glob("*.smk"):
        rules.write_text(SCRIPT.sub(SLEEPING, rules.read_text("utf-8")), "utf-8")
    (clone / "sleep.sh").write_text(SLEEPER, "utf-8")
    known = {**USUAL, **published_seconds()}
    (clone / "seconds.txt").write_text(
        "".join(f"{name} {seconds:.3f}\n" for name, seconds in known.items()), "utf-8"
    )


def published_seconds() -> dict[str, float]:
    """The seconds of fits, scores and trainings of the sensitivity experiment, by their name."""
    found: dict[str, float] = {}
    for path in packed(ROOT / paths.PUBLISHED_RUNS).values():
        for one in read_store(path).runs:
            for name, cost in ((one.name, "cost"), (one.made.get("fit"), "fit_cost")):
                if name and one.made.get(cost):
                    found[name] = float(one.made[cost]["seconds"])
    return found


def read_slept(path: Path) -> list[Slept]:
    """What the jobs wrote down."""
    lines = path.read_text("utf-8").splitlines()
    return [Slept(*map(float, line.split())) for line in lines]


def busy(jobs: Sequence[Slept], cores: int) -> dict[str, float]:
    """How many jobs slept, for how long, and how busy that kept the cores."""
    first = min(job.begun for job in jobs)
    end = max(job.begun + job.seconds for job in jobs)
    slept = sum(job.seconds for job in jobs)
    return {
        "jobs": len(jobs),
        "slept_seconds": slept,
        "wall_seconds": end - first,
        "busy": slept / cores / (end - first),
        "longest_seconds": max(job.seconds for job in jobs),
    }


if __name__ == "__main__":
    main(int(sys.argv[1]), sys.argv[2:])
