"""The workflow with thousands of jobs that only sleep, stopped again and again.

`python tests/faults/scale.py FOLDER JOBS SLOTS STOPS [OPTION…]` makes a checkout below FOLDER, in
which the jobs `represent` and `score` sleep for up to three seconds, and write down when they begin
and end. Snakemake runs there, with further options if there are any; it is stopped at random
moments, and begun again each time. Prints one JSON object: how many jobs ran, and how many ran
again, by their reason.
"""

import json
import os
import random
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

from benchmarks.load import SCRIPT
from workflow.conftest import Checkout, write_checkout

METHODS = ["line_ww_wd", "pte_joint"]
EACH_SEED = 8
"""Jobs of a seed: two protocols of two methods, each learnt and scored."""
ENDS = (signal.SIGKILL, signal.SIGTERM, signal.SIGINT)
RECORDED = 10.0
"""Seconds before a stop in which a job may have ended, and Snakemake has not written it down.

Slurm is asked every half minute or so.
"""
SLEEPING = r'shell:\n\1"sh sleep.sh {output}"'
SLEEPER = """\
echo "$1 ${SLURM_JOB_ID:-$$} $(date +%s.%N) began" >> jobs.txt
: > "$1"  # a part of the outputs
sleep "$(printf %s "$1" | cksum | awk '{print $1 % 30 / 10}')"
for file; do : > "$file"; done
echo "$1 ${SLURM_JOB_ID:-$$} $(date +%s.%N) ended" >> jobs.txt
"""


class Line(NamedTuple):
    """What a job wrote down: its first output, its process, the second, and `began` or `ended`.

    The process is the job of Slurm, if there is one; other jobs of its group have it, too.
    """

    job: str
    process: str
    second: float
    what: str


class Scale:
    """The checkout, and how Snakemake begins there."""

    def __init__(self, base: Path, jobs: int, options: Sequence[str], **env: str) -> None:
        """Make a checkout with at least so many jobs, most of which sleep."""
        write_checkout(base)
        self.checkout = Checkout(base / "checkout", base / "mirror")
        self.options, self.env, self.folder = options, env, self.checkout.folder
        self.seeds = range(1, -(-jobs // EACH_SEED) + 1)
        self.checkout.rewrite("config.yaml", self._configure)
        for rules in ("represent", "score"):
            path = self.folder / "workflow" / "rules" / f"{rules}.smk"
            path.write_text(SCRIPT.sub(SLEEPING, path.read_text("utf-8")), "utf-8")
        (self.folder / "sleep.sh").write_text(SLEEPER, "utf-8")

    def _configure(self, config: Any) -> None:
        config.update(seeds=list(self.seeds), methods=METHODS)
        config["tables"]["quickstart"].pop("one_seed")

    def begin(self, *more: str) -> subprocess.Popen[str]:
        """Snakemake in a process group of its own."""
        command = ["quickstart", "--until", "score", "--quiet", "all", *self.options, *more]
        with (self.folder / "said.txt").open("a") as said:
            return subprocess.Popen(
                [sys.executable, "-m", "snakemake", *command],
                cwd=self.folder,
                env=self.checkout.environment(self.env),
                stdout=said,
                stderr=subprocess.STDOUT,
                text=True,
                start_new_session=True,
            )

    def lines(self) -> list[Line]:
        path = self.folder / "jobs.txt"
        words = map(str.split, path.read_text("utf-8").splitlines()) if path.exists() else ()
        return [Line(job, process, float(at), what) for job, process, at, what in words]

    def ended(self) -> int:
        """How many jobs have ended at least once."""
        return len({line.job for line in self.lines() if line.what == "ended"})

    def stop(self, moment: int, end: signal.Signals, after: float) -> float:
        """Run until so many jobs have ended, and some seconds more; return when it was stopped."""
        run = self.begin()
        while self.ended() < moment and run.poll() is None:
            time.sleep(0.2)
        time.sleep(after)
        stopped = time.time()
        if end == signal.SIGKILL:
            os.killpg(run.pid, end)
        else:
            run.send_signal(end)
        run.wait()
        assert self.begin("--unlock").wait() == 0, self.said()
        return stopped

    def said(self) -> str:
        return (self.folder / "said.txt").read_text("utf-8")


def again(lines: Sequence[Line], stops: Sequence[float], recorded: float) -> Counter[str]:
    """Why jobs ran again: at a stop they were not done, or just done; or there is no reason."""
    running = dict[tuple[str, str], float]()
    for line in lines:
        running[line.job, line.process] = line.second if line.what == "ended" else float("inf")
    ends = dict[str, float]()
    for (_, process), second in running.items():
        ends[process] = max(second, ends.get(process, 0.0))
    last, reasons = dict[str, Line](), Counter[str]()
    for line in lines:
        if line.what != "began":
            continue
        if before := last.get(line.job):
            stop = next((each for each in stops if before.second < each < line.second), None)
            if stop is None or ends[before.process] < stop - recorded:
                reasons["no reason"] += 1
            else:
                reasons["had just ended" if ends[before.process] < stop else "was not done"] += 1
        last[line.job] = line
    return reasons


def interrupted(
    scale: Scale, stops: int, chance: random.Random, recorded: float = RECORDED
) -> dict[str, Any]:
    """Stop the run so often at random moments, and let it end; say what ran and what is wrong."""
    jobs = EACH_SEED * len(scale.seeds)
    ends = [ENDS[place % len(ENDS)] for place in range(stops)]
    began, when = time.time(), list[float]()
    for moment, end in zip(sorted(chance.sample(range(1, jobs), stops)), ends, strict=True):
        when.append(scale.stop(moment, end, chance.uniform(0, 2)))
    assert scale.begin().wait() == 0, scale.said()
    seconds = time.time() - began
    lines = scale.lines()
    assert scale.begin().wait() == 0 and scale.lines() == lines, "not all was recorded"
    return {
        "jobs": len({line.job for line in lines}),
        "files": sum(1 for _ in scale.folder.glob("results/[rs]*/**/seed*.npy")),
        "stops": Counter(each.name for each in ends),
        "began": sum(line.what == "began" for line in lines),
        "again": again(lines, when, recorded),
        "seconds": round(seconds),
        "slept": round(sum(_seconds(lines))),
    }


def _seconds(lines: Sequence[Line]) -> list[float]:
    began = {(line.job, line.process): line.second for line in lines if line.what == "began"}
    return [line.second - began[line[:2]] for line in lines if line.what == "ended"]


def main() -> None:
    folder, jobs, slots, stops = Path(sys.argv[1]), *map(int, sys.argv[2:5])
    options = sys.argv[5:] or ["--cores", str(slots)]
    scale = Scale(folder, jobs, options)
    recorded = 60.0 if sys.argv[5:] else RECORDED
    print(json.dumps(interrupted(scale, stops, random.Random(stops), recorded)))


if __name__ == "__main__":
    main()
