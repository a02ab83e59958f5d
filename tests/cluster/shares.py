"""What jobs of Slurm spend on their work, and what on starts of Snakemake.

After a run with --slurm-keep-successful-logs: python shares.py FOLDER_OF_SLURM FOLDER_OF_LOGS
"""

import re
import sys
from collections.abc import Collection
from datetime import datetime
from pathlib import Path

# Snakemake calls what it runs itself "localrule".
WORK = re.compile(r"^\[([^]]+)\]\nlocalrule .*?^\[([^]]+)\]\nFinished", re.MULTILINE | re.DOTALL)


def seconds_of_jobs(folder: Path, numbers: Collection[str]) -> list[float]:
    """From the allocation of each job to its end, as the log of slurmctld has it."""
    log = (folder / "slurmctld.log").read_text("utf-8")
    events = r"(?:sched: Allocate|\S+ _start_job: Started|_job_complete:)"
    found = []
    for number in numbers:
        lines = rf"^\[(\S+)\] {events} JobId={number} "
        began, *_, ended = map(datetime.fromisoformat, re.findall(lines, log, re.MULTILINE))
        found.append((ended - began).total_seconds())
    return found


def own_seconds(logs: Path) -> float:
    """From the start of each rule's own process to its end, over all jobs."""
    spans = [
        span for path in logs.glob("**/*.log") for span in WORK.findall(path.read_text("utf-8"))
    ]
    return sum((_time(ended) - _time(began)).total_seconds() for began, ended in spans)


def share_of(ran: Collection[float], own: float) -> str:
    """A line that compares the two."""
    share = own / sum(ran)
    return f"{len(ran)} jobs of Slurm ran {sum(ran):.0f} s; their work is {own:.0f} s, {share:.0%}"


def _time(stamp: str) -> datetime:
    return datetime.strptime(stamp, "%a %b %d %H:%M:%S %Y")


if __name__ == "__main__":
    slurm, kept = map(Path, sys.argv[1:])
    ran = seconds_of_jobs(slurm, [path.stem for path in kept.glob("**/*.log")])
    own = own_seconds(kept)
    print(share_of(ran, own))
