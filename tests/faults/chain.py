"""A chain of jobs over the tiny corpus, in forks that are killed, starved or locked out.

`python tests/faults/chain.py CHECKOUT KILLS` runs the scripts of encode, network, represent and
score in the folder CHECKOUT, first undisturbed. Each fork then does the same in a folder of its own
until something is done to it. Prints one JSON object with what was found.
"""

import ctypes
import io
import json
import os
import random
import re
import resource
import runpy
import shutil
import signal
import sys
import tarfile
import threading
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

from tqdm import tqdm

from pte.files import read_json
from pte_study.plan.debug import job

ARCHIVES = "resources/archives"
SCRIPTS = Path("workflow/scripts").resolve()
TIMES = ("seconds", "train_seconds")
"""What may differ between two runs."""
HANGS = 60
"""Seconds after which a fork is ended by SIGALRM; the chain takes a tenth of one."""
ASKED = (
    ("encode", {"corpus": "tiny"}),
    ("network", {"corpus": "tiny", "labels": "given", "network": "wl"}),
    ("represent", {"corpus": "tiny", "method": "pte_wl", "protocol": "paper", "seed": "1"}),
    ("score", {"corpus": "tiny", "method": "pte_wl", "protocol": "paper", "seed": "1"}),
)


def run(jobs: list[Any]) -> None:
    """Run the scripts of some jobs in this folder, each as Snakemake would."""
    for each in jobs:
        for path in (*each.output, *each.log):
            Path(path).parent.mkdir(parents=True, exist_ok=True)
        runpy.run_path(str(SCRIPTS / f"{each.rule}.py"), {"snakemake": each}, "__main__")


def fork(folder: Path, work: Callable[[], object]) -> int:
    """A process that does some work in a folder, and says what is wrong by its exit code."""
    child = os.fork()
    if child == 0:
        code = 1
        try:
            signal.alarm(HANGS)
            os.chdir(folder)
            quiet = os.open("terminal.txt", os.O_WRONLY | os.O_CREAT | os.O_APPEND)
            os.dup2(quiet, 1)
            os.dup2(quiet, 2)
            work()
            code = 0
        except SystemExit as end:
            code = int(end.code or 0)
        finally:
            os._exit(code)
    return child


def ended(child: int) -> int:
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


def kept(folder: Path) -> dict[str, Any]:
    """What the jobs have left below the names of their outputs, but for times and costs."""
    found: dict[str, Any] = {}
    paths = (path for top in ("resources", "results") for path in (folder / top).rglob("*"))
    for path in paths:
        name = path.relative_to(folder).as_posix()
        if path.is_dir() or any(each in name for each in ("/.tmp-", "costs/", ARCHIVES)):
            continue
        if path.suffix == ".json":
            values = read_json(path)
            found[name] = {key: value for key, value in values.items() if key not in TIMES}
        else:
            found[name] = path.read_bytes()
    return found


class Chain:
    """The jobs, the folder in which they ran undisturbed, and what they left there."""

    def __init__(self, checkout: Path) -> None:
        """Run them once here: kernels are loaded, and every fork has them."""
        self.jobs = [job(rule, **wildcards) for rule, wildcards in ASKED]
        run([job("fetch", file="tiny.tar.gz")])
        run(self.jobs)
        self.whole, self.checkout, self.seconds = kept(checkout), checkout, 0.0
        self.finish(self.folder("timed"))

    def finish(self, folder: Path) -> list[str]:
        """Run all jobs in a folder, undisturbed; returns what is wrong there."""
        began = time.perf_counter()
        code = ended(fork(folder, lambda: run(self.jobs)))
        self.seconds = time.perf_counter() - began  # as the machine is now
        return self.wrong(folder, whole=True) + ["a rerun failed"] * (code != 0)

    def folder(self, name: str) -> Path:
        """A folder in which none of the jobs has run."""
        made = self.checkout.parent / name
        shutil.rmtree(made, ignore_errors=True)
        shutil.copytree(self.checkout / ARCHIVES, made / ARCHIVES)
        return made

    def wrong(self, folder: Path, whole: bool) -> list[str]:
        """The files that are not those of the undisturbed run; if `whole`, also those that lack."""
        found = kept(folder)
        faults = [name for name, value in found.items() if self.whole.get(name) != value]
        return faults + ([name for name in self.whole if name not in found] if whole else [])


def kill(chain: Chain, kills: int, chance: random.Random) -> dict[str, Any]:
    """Kill the chain so often, at any moment; after each kill, run what is left to the end."""
    landed, wrong, places, left = 0, list[str](), Counter[str](), 0
    while landed < kills:
        folder = chain.folder("killed")
        child = fork(folder, lambda: run(chain.jobs))
        time.sleep(chance.uniform(0, 1.1 * chain.seconds))
        os.kill(child, signal.SIGKILL)
        if ended(child) != -signal.SIGKILL:
            continue  # it was done before
        landed += 1
        logs = sorted(folder.glob("logs/**/*.log"), key=lambda log: log.stat().st_mtime_ns)
        places[logs[-1].relative_to(folder / "logs").parts[0] if logs else "before"] += 1
        left += sum(1 for _ in folder.rglob(".tmp-*"))
        wrong += chain.wrong(folder, whole=False)
        wrong += chain.finish(folder)
        wrong += [f"left: {path.name}" for path in folder.rglob(".tmp-*")]
    return {"kills": landed, "in": places, "temporary files left": left, "wrong": wrong}


def without_rights() -> None:
    """Give up what lets root write and read everything; others have none of it."""
    header = (ctypes.c_uint32 * 2)(0x20080522, 0)
    ctypes.CDLL(None).capset(header, (ctypes.c_uint32 * 6)())


def limited(what: int, value: int) -> None:
    resource.setrlimit(what, (value, resource.getrlimit(what)[1]))


def read_only(folder: Path) -> None:
    (folder / "results/representations/tiny/pte_wl/paper").mkdir(parents=True)
    (folder / "results/representations/tiny/pte_wl/paper").chmod(0o555)
    without_rights()


def unreadable(folder: Path) -> None:
    (folder / "resources/archives/tiny.tar.gz").chmod(0)
    without_rights()


def out_of_memory(folder: Path) -> None:
    """A text of 100 MB where a job may take 50 MB."""
    member = tarfile.TarInfo("tiny/text_train.txt")
    member.size = 10**8
    with tarfile.open(folder / "resources/archives/tiny.tar.gz", "w:gz", compresslevel=1) as tar:
        tar.addfile(member, io.BytesIO(bytes(member.size)))
    status = Path("/proc/self/status").read_text()
    taken = int(re.search(r"VmData:\s*(\d+) kB", status)[1]) * 1024
    limited(resource.RLIMIT_DATA, taken + member.size // 2)


FAULTS: dict[str, Callable[[Path], object]] = {
    "disk full": lambda folder: limited(resource.RLIMIT_FSIZE, 3000),
    "read-only folder": read_only,
    "unreadable archive": unreadable,
    "out of memory": out_of_memory,
}


def fail(chain: Chain, fault: str) -> dict[str, Any]:
    """Run the chain with a fault, and again without it."""
    folder = chain.folder("failed")

    def work() -> None:
        FAULTS[fault](folder)
        run(chain.jobs)

    code = ended(fork(folder, work))
    said = "".join(log.read_text() for log in sorted(folder.glob("logs/**/*.log")))
    wrong = chain.wrong(folder, whole=False)
    for path in (folder, *folder.rglob("*")):
        path.chmod(0o755 if path.is_dir() else 0o644)
    shutil.copytree(chain.checkout / ARCHIVES, folder / ARCHIVES, dirs_exist_ok=True)
    return {"code": code, "said": said, "wrong": wrong + chain.finish(folder)}


def main() -> None:
    checkout, kills = Path(sys.argv[1]).resolve(), int(sys.argv[2])
    os.chdir(checkout)
    sys.path.insert(0, str(SCRIPTS))
    # Forks share tqdm's own lock; one that is killed while it holds it would stop all later ones.
    tqdm.set_lock(threading.RLock())
    chain = Chain(checkout)
    found = {"faults": {fault: fail(chain, fault) for fault in FAULTS}}
    found |= {"killed": kill(chain, kills, random.Random(kills)), "seconds": chain.seconds}
    print(json.dumps(found))


if __name__ == "__main__":
    main()
