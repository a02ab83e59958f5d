"""Chains of jobs and of commands, in forks that are killed, starved or locked out.

`python tests/faults/chain.py CHECKOUT KILLS` runs each chain in the folder CHECKOUT, first
undisturbed: the scripts of the quickstart, and commands of `pte`. Each fork
then does the same in a folder of its own until something is done to it. Prints one JSON object with
what was found.
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
import zipfile
from collections import Counter
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from tqdm import tqdm

from pte.command.main import app
from pte.files import read_json

ARCHIVES = "resources/archives"
SCRIPTS = Path("workflow/scripts").resolve()
TIMES = ("seconds", "train_seconds", "made", "cost", "crc32", "date")
"""What may differ between two runs."""
HANGS = 60  # seconds after which a fork is ended by SIGALRM; the chain takes a tenth of one
ENDS = (signal.SIGKILL, signal.SIGKILL, signal.SIGTERM, signal.SIGINT)
QUICKSTART = (
    ("encode", {"corpus": "tiny"}),
    ("network", {"corpus": "tiny", "labels": "given", "network": "wl"}),
    ("represent", {"corpus": "tiny", "method": "pte_wl", "protocol": "paper", "seed": "1"}),
    ("score", {"corpus": "tiny", "method": "pte_wl", "protocol": "paper", "seed": "1"}),
    ("choose", {"corpus": "tiny", "method": "pte_wl"}),
    ("represent", {"corpus": "tiny", "method": "pte_wl", "protocol": "chosen", "seed": "1"}),
)


SMALL = ("--dim", "8", "--threads", "1", "--samples", "chosen")
COMMANDS = {
    "fit": (("fit", "made/t.csv", *SMALL, "--method", "pte-joint", "-o", "made/m.npz"),),
    "evaluate": (
        ("evaluate", "made/t.csv", "--method", "bow", "--method", "majority", "--folds", "2",
         "--jobs", "2", "--page", "made/page.html", "--predictions", "made/tested.csv"),
    ),
    "predict": (
        ("fit", "made/t.csv", "--method", "bow", "-o", "made/m.npz"),
        ("predict", "made/m.npz", "made/t.csv", "-o", "made/filled.csv"),
    ),
}  # fmt: skip
Step = Callable[[], object]


def job(name: str, **wildcards: str) -> Any:
    """The `snakemake` object that the script of a rule sees, from the Snakefile of this folder."""
    import snakemake.api  # noqa: F401  it must be the first of Snakemake's modules
    from snakemake.dag import DAG
    from snakemake.jobs import Job
    from snakemake.logging import LoggerManager, logger
    from snakemake.script import Snakemake
    from snakemake.settings import types
    from snakemake.workflow import Workflow

    workflow = Workflow(
        types.ConfigSettings(),
        types.ResourceSettings(cores=1),
        types.WorkflowSettings(),
        LoggerManager(logger, types.OutputSettings()),
        types.StorageSettings(),
        types.DAGSettings(),
        storage_provider_settings={},
    )
    workflow.include(Path("Snakefile").resolve(), overwrite_default_target=True)
    (rule,) = (each for each in workflow.rules if each.name == name)
    made = Job(rule, DAG(workflow, rules=[rule]), wildcards)
    values = made.input, made.output, made.params, made.wildcards, made.threads, made.resources
    return Snakemake(*values, made.log, {}, name, None, scriptdir=SCRIPTS)


def run(steps: list[Step]) -> None:
    for step in steps:
        step()


def scripts(jobs: list[Any]) -> list[Step]:
    """What runs the scripts of some jobs in this folder, each as Snakemake would."""

    def script(each: Any) -> None:
        for path in (*each.output, *each.log):
            Path(path).parent.mkdir(parents=True, exist_ok=True)
        runpy.run_path(str(SCRIPTS / f"{each.rule}.py"), {"snakemake": each}, "__main__")

    return [partial(script, each) for each in jobs]


def command(words: tuple[str, ...]) -> None:
    app(list(words), standalone_mode=False)


def write_text(path: Path) -> None:
    """A table of 60 short documents, of which some have no label."""
    path.parent.mkdir()
    words = {"sport": "team match goal striker", "money": "bank rate price market"}
    chance = random.Random(1)
    rows = ["text,label"]
    for i in range(60):
        label = chance.choice(sorted(words))
        text = " ".join(chance.choices([*words[label].split(), "the", "a", f"w{i % 9}"], k=8))
        rows.append(f"{text},{label if i % 5 else ''}")
    path.write_text("\n".join(rows) + "\n")


def fork(folder: Path, work: Callable[[], object]) -> int:
    """A process that does some work in a folder, and says what is wrong by its exit code."""
    child = os.fork()
    if child == 0:
        code = 1
        try:
            os.setpgrp()
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


def processes_left(child: int) -> bool:
    """Whether a child that has ended leaves processes of its own for longer than a second."""
    for _ in range(100):
        try:
            os.killpg(child, 0)
        except ProcessLookupError:
            return False
        time.sleep(0.05)
    os.killpg(child, signal.SIGKILL)
    return True


def without_times(value: Any) -> Any:
    """A value of JSON, without what may differ between two runs."""
    if isinstance(value, dict):
        return {key: without_times(each) for key, each in value.items() if key not in TIMES}
    return list(map(without_times, value)) if isinstance(value, list) else value


def content(path: Path) -> Any:
    """What a file holds, but for times."""
    if path.suffix == ".json":
        read_json(path) if "made" not in path.parts else None  # its checksum
        return without_times(json.loads(path.read_text("utf-8")))
    if path.suffix == ".html":
        return path.read_text("utf-8").strip().endswith("</html>")
    if not zipfile.is_zipfile(path):
        return path.read_bytes()
    with zipfile.ZipFile(path) as archive:
        members = {name: archive.read(name) for name in archive.namelist()}
    facts = {n: without_times(json.loads(c)) for n, c in members.items() if n.endswith(".json")}
    return members | facts


def kept(folder: Path) -> dict[str, Any]:
    """What the jobs have left below the names of their outputs, but for times and costs."""
    found: dict[str, Any] = {}
    paths = (path for top in ("resources", "results", "made") for path in (folder / top).rglob("*"))
    for path in paths:
        name = path.relative_to(folder).as_posix()
        if path.is_dir() or any(each in name for each in ("/.tmp-", "costs/", ARCHIVES)):
            continue
        found[name] = content(path)
    return found


class Chain:
    """Steps, the folder in which they ran undisturbed, and what they left there."""

    def __init__(self, checkout: Path, name: str, steps: list[Step]) -> None:
        """Run them once here: kernels are loaded, and every fork has them."""
        self.checkout, self.name, self.steps, self.seconds = checkout, name, steps, 0.0
        self.whole: dict[str, Any] = {}
        run(steps)
        timed = self.folder("timed")
        self.finish(timed)
        self.whole, here = kept(timed), kept(checkout)  # of this chain alone; of all before it, too
        differ = [name for name, value in self.whole.items() if here.get(name) != value]
        assert not differ, f"{name}: two runs differ in {differ}"

    def finish(self, folder: Path) -> list[str]:
        """Run all jobs in a folder, undisturbed; returns what is wrong there."""
        began = time.perf_counter()
        code = ended(fork(folder, lambda: run(self.steps)))
        self.seconds = time.perf_counter() - began  # as the machine is now
        return self.wrong(folder, whole=True) + ["a rerun failed"] * (code != 0)

    def folder(self, name: str) -> Path:
        """A folder in which none of the steps has run."""
        made = self.checkout.parent / name
        shutil.rmtree(made, ignore_errors=True)
        shutil.copytree(self.checkout / ARCHIVES, made / ARCHIVES)
        write_text(made / "made" / "t.csv")
        return made

    def wrong(self, folder: Path, whole: bool) -> list[str]:
        """The files that are not those of the undisturbed run; if `whole`, also those that lack."""
        found = kept(folder)
        faults = [name for name, value in found.items() if self.whole.get(name) != value]
        return faults + ([name for name in self.whole if name not in found] if whole else [])


def kill(chains: list[Chain], kills: int, chance: random.Random) -> dict[str, Any]:
    """Kill each chain in turn, at any moment; after each kill, run what is left to the end."""
    wrong, places, left = list[str](), Counter[str](), 0
    while places.total() < kills:
        chain, end = chains[places.total() % len(chains)], chance.choice(ENDS)
        folder = chain.folder("killed")
        child = fork(folder, lambda: run(chain.steps))  # noqa: B023
        time.sleep(chance.uniform(0, 1.1 * chain.seconds))
        os.kill(child, end)
        if ended(child) == 0:
            continue  # it was done before
        places[f"{chain.name}: {end.name}"] += 1
        wrong += [f"{chain.name}: processes left"] if processes_left(child) else []
        left += sum(1 for _ in folder.rglob(".tmp-*"))
        if end != signal.SIGINT or chain.name != "evaluate":  # which shows what there is
            wrong += chain.wrong(folder, whole=False)
        wrong += chain.finish(folder)
        wrong += [f"left: {path.name}" for path in folder.rglob(".tmp-*")]
    return {"kills": places.total(), "of": places, "temporary files left": left, "wrong": wrong}


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
        run(chain.steps)

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
    run(scripts([job("fetch", file="tiny.tar.gz")]))
    write_text(checkout / "made" / "t.csv")
    quickstart = scripts([job(rule, **wildcards) for rule, wildcards in QUICKSTART])
    steps = {"quickstart": quickstart}
    steps |= {name: [partial(command, each) for each in one] for name, one in COMMANDS.items()}
    chains = [Chain(checkout, name, each) for name, each in steps.items()]
    found = {"faults": {fault: fail(chains[0], fault) for fault in FAULTS}}
    found |= {"killed": kill(chains, kills, random.Random(kills))}
    found |= {"seconds": {each.name: each.seconds for each in chains}}
    print(json.dumps(found))


if __name__ == "__main__":
    main()
