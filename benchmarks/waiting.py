"""What a user waits for besides the work itself: `python -m benchmarks.waiting`.

Starting Python, imports, loading and compiling kernels, planning a run. After `make run` also the
seconds of its jobs, by rule.
"""

import os
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Mapping
from pathlib import Path
from statistics import median

from benchmarks.common import ROOT, journal
from pte.files import read_json

ROUNDS = 5
SNAKEMAKE = "from snakemake import script"  # what Snakemake puts before every script
STARTS = {
    "Python": "pass",
    "import pte": "import pte",
    "before a script": SNAKEMAKE,
    "a job that scores": f"{SNAKEMAKE}; import pte.training.scores, pte.training.contract",
    "a job that trains": f"{SNAKEMAKE}; import pte.training.edges",
}
COMPILE = "from pte.warm_up import compile_kernels;compile_kernels()"
TARGETS = ("quickstart", "all")


def seconds(command: list[str], env: Mapping[str, str]) -> float:
    began = time.perf_counter()
    subprocess.run(command, check=True, cwd=ROOT, env=env, capture_output=True)
    return time.perf_counter() - began


def of_python(code: str, cache: Path) -> float:
    env = os.environ | {"NUMBA_CACHE_DIR": str(cache), "PYTHONDONTWRITEBYTECODE": ""}
    return seconds([sys.executable, "-c", code], env)


def main() -> None:
    write = journal("waiting")
    with tempfile.TemporaryDirectory() as folder:
        cache = Path(folder)
        cold = {"kernels": of_python(COMPILE, cache)}
        codes = STARTS | {"kernels": COMPILE}
        taken: dict[str, list[float]] = defaultdict(list)
        for _ in range(ROUNDS):
            for name, code in codes.items():
                taken[name].append(of_python(code, cache))
    for name, each in taken.items():
        write(what=name, seconds=median(each), first_time=cold.get(name))
    for target in TARGETS:
        plan = [sys.executable, "-m", "snakemake", "--dry-run", "--quiet", "all", "--", target]
        each = [seconds(plan, os.environ) for _ in range(ROUNDS)]
        write(what=f"snakemake -n {target}", seconds=median(each))
    for rule, each in jobs().items():
        write(rule=rule, jobs=len(each), seconds=sum(each))


def jobs() -> dict[str, list[float]]:
    """The seconds of the jobs that were run here, by what they made; of training by method."""
    found: dict[str, list[float]] = defaultdict(list)
    folder = ROOT / "results" / "costs"
    for path in sorted(folder.rglob("*.json")):
        made, *rest = path.relative_to(folder).parts
        kind = f"{made} {rest[1]}" if made == "representations" else made
        found[kind].append(float(read_json(path)["seconds"]))
    return dict(sorted(found.items(), key=lambda item: -sum(item[1])))


if __name__ == "__main__":
    main()
