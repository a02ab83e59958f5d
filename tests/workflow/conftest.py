"""A copy of the workflow over a corpus so small that all of it runs in a test.

One run of it is shared by all tests that only read what it made, whichever process they are in.
"""

import csv
import fcntl
import json
import os
import re
import shutil
import socket
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import yaml
from made import ONE_SEED, tar_of

from pte.corpora.encode_entry import documents_sha256
from pte.corpora.readers import read
from pte.files import sha256_of
from pte_study.plan.study import Study
from pte_study.report.publish import study_here

ROOT = Path(__file__).parents[2]
SIMILAR = (
    *("line_ww", "line_wd", "pte_wl", "pte_ww_wl", "pte_wd_wl", "pte_pretrain", "cnn"),
    *("pte_joint_unit", "pvdm", "bow_pairs", "fasttext_pairs", "svm_letters"),
    *("svm_pairs", "pte_auto_words", "pte_auto_vectors", "encoder", "pte_auto_encoder"),
    *("nb_svm_pairs", "line_ww_wd", "random"),
)
"""Rows like others, or of an encoder; tests/methods has all rows."""
NO_NETWORK = dict.fromkeys(["http_proxy", "https_proxy"], "http://127.0.0.1:9")


@dataclass(frozen=True)
class Checkout:
    """A copied checkout, the mirror that its archives come from, and the package's source.

    That is the project's own, so that its kernels are compiled once for all tests, unless a test
    edits it.
    """

    folder: Path
    mirror: Path
    source: Path = ROOT / "src"

    def run(self, *command: str, **env: str) -> subprocess.CompletedProcess[str]:
        """Run a module of Python here, with this checkout's package; stderr joins stdout."""
        return forked("jobs", self.folder, ("-m", *command), self.environment(env))

    def environment(self, changes: dict[str, str]) -> dict[str, str]:
        """The variables of a command here; a PYTHONPATH comes before this checkout's package."""
        path = filter(None, [changes.get("PYTHONPATH", ""), str(self.source)])
        own = {"PTE_MIRROR": str(self.mirror), "PTE_KERNELS": str(ROOT / "resources" / "numba")}
        return os.environ | NO_NETWORK | own | changes | {"PYTHONPATH": os.pathsep.join(path)}

    def snakemake(self, *args: str, **env: str) -> subprocess.CompletedProcess[str]:
        """Run Snakemake here in a fork, and its jobs in forks; an edited source only plans."""
        command, env = ("-m", "snakemake", "--cores", "2", *args), self.environment(env)
        if self.source == ROOT / "src" and (self.folder / "workflow").is_dir():
            return forked("jobs", self.folder, command, env | {"PTE_FORKS": forks("jobs")})
        assert "--dry-run" in args
        return forked("plans", self.folder, command, env)

    def succeeds(self, *args: str, **env: str) -> str:
        """What Snakemake says, which must come to its end."""
        run = self.snakemake(*args, **env)
        assert run.returncode == 0, run.stdout
        return run.stdout

    def refused(self, *args: str, **env: str) -> str:
        """What Snakemake says, which must fail, and not with a bug."""
        run = self.snakemake(*args, **env)
        assert run.returncode != 0 and "Traceback" not in run.stdout, run.stdout
        return run.stdout

    def plan(self, *args: str) -> dict[str, int]:
        """How many jobs of each rule a run would have."""
        said = self.succeeds("--dry-run", *args)
        jobs = dict(re.findall(r"^(\w+) +(\d+)$", said, re.MULTILINE))
        assert jobs or "Nothing to be done" in said, said
        return {rule: int(count) for rule, count in jobs.items() if rule != "total"}

    def copy(self, folder: Path) -> "Checkout":
        """Another checkout of the same files, with a mirror of its own."""
        shutil.copytree(self.folder, folder / "checkout")
        shutil.copytree(self.mirror, folder / "mirror")
        return Checkout(folder / "checkout", folder / "mirror")

    def with_own_source(self) -> "Checkout":
        """The same checkout with a copy of the package, free to edit."""
        ignored = shutil.ignore_patterns("__pycache__", "*.egg-info")
        shutil.copytree(ROOT / "src", self.folder / "src", ignore=ignored)
        return replace(self, source=self.folder / "src")

    def rows(self, path: str) -> list[dict[str, str]]:
        """The rows of a table of the results."""
        with (self.folder / "results" / path).open(encoding="utf-8") as file:
            return list(csv.DictReader(file))

    def listed(self, *files: Path) -> None:
        """Add files of the mirror to the list of their hashes."""
        with (self.mirror / "SHA256SUMS").open("a", encoding="utf-8") as sums:
            for file in files:
                print(f"{sha256_of(file)}  {file.name}", file=sums)

    def rewrite(self, path: str, change: Callable[[Any], object]) -> None:
        """Let `change` edit what a YAML file holds, in place."""
        value = yaml.safe_load((self.folder / path).read_text("utf-8"))
        change(value)
        (self.folder / path).write_text(yaml.safe_dump(value, sort_keys=False), "utf-8")


SERVERS: list[subprocess.Popen[str]] = []


@cache
def forks(of: str) -> str:
    """The process that has imported Snakemake, or also what `jobs` need, by its socket."""
    path = tempfile.mkdtemp() + "/socket"
    server = subprocess.Popen(
        [sys.executable, str(ROOT / "tests" / "forks.py"), path, of],
        cwd=ROOT,  # some names of files are settled by an import
        env=os.environ | {"PYTHONPATH": str(ROOT / "src")} if of == "jobs" else None,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert server.stdout is not None and server.stdout.readline() == "ready\n"
    SERVERS.append(server)
    return path


def pytest_sessionfinish() -> None:
    """End these processes, and wait for them."""
    for server in SERVERS:
        server.communicate()


def forked(
    of: str, folder: Path, arguments: tuple[str, ...], env: dict[str, str]
) -> subprocess.CompletedProcess[str]:
    """What `python ARGUMENTS` does in a folder, without its imports."""
    with (
        tempfile.NamedTemporaryFile("r", encoding="utf-8") as said,
        Path(os.devnull).open() as nothing,
        socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET) as server,
    ):
        server.connect(forks(of))
        request = {"folder": str(folder), "arguments": arguments, "env": env}
        out = os.open(said.name, os.O_WRONLY | os.O_APPEND)
        socket.send_fds(server, [json.dumps(request).encode()], [nothing.fileno(), out, out])
        os.close(out)
        code = int(server.recv(16) or 1)
        return subprocess.CompletedProcess(arguments, code, said.read())


def write_archive(path: Path) -> None:
    """Documents of three classes, each with words of its own, in the authors' format."""
    rng, members = np.random.default_rng(0), {}
    for part, size in {"train": 80, "test": 40}.items():
        labels = [min(i % 4, 2) for i in range(size)]  # the third class is half of them
        texts = [
            " ".join(f"c{label}w{word}" for word in rng.integers(0, 12, 10))
            + " "
            + " ".join(f"any{word}" for word in rng.integers(0, 20, 10))
            for label in labels
        ]
        for kind, lines in {"text": texts, "label": map(str, labels)}.items():
            content = "".join(f"{line}\n" for line in lines).encode()
            members[f"tiny/{kind}_{part}.txt"] = content
    tar_of(path, members)


@contextmanager
def alone(path: Path) -> Iterator[None]:
    """One process at a time."""
    with path.open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


@pytest.fixture(scope="session")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder for all processes of this run of the tests."""
    own = tmp_path_factory.getbasetemp()
    return own.parent if "PYTEST_XDIST_WORKER" in os.environ else own


@pytest.fixture(scope="session")
def checkout(shared: Path) -> Checkout:
    """A checkout with the corpus `tiny` in which nothing was run; copy it to change it."""
    base = shared / "workflow"
    with alone(shared / "workflow.lock"):
        if not base.exists():
            write_checkout(base)
    return Checkout(base / "checkout", base / "mirror")


def write_checkout(base: Path) -> None:
    folder, mirror = base / "checkout", base / "mirror"
    folder.mkdir(parents=True)
    mirror.mkdir()
    for name in ("Snakefile", "config.yaml", "environment.yml"):
        shutil.copy(ROOT / name, folder)
    for name in ("profiles", "workflow"):
        ignored = shutil.ignore_patterns("__pycache__")
        shutil.copytree(ROOT / name, folder / name, ignore=ignored)
    made = Checkout(folder, mirror)

    archive = mirror / "tiny.tar.gz"
    write_archive(archive)
    made.listed(archive)

    def register(registry: Any) -> None:
        registry["archives"]["tiny"] = registry["archives"]["pte-mr"] | {
            "file": "tiny.tar.gz",
            "urls": [],
        }
        options = {"folder": "tiny"}
        registry["corpora"]["tiny"] = registry["corpora"]["mr"] | {
            "title": "Tiny",
            "archive": "tiny",
            "options": options,
            "table1": {"row": None, "match": "none", "why": "made up"},
            "documents_sha256": documents_sha256(read(archive, "parallel_lines", options)),
        }

    real = yaml.safe_load((ROOT / "config.yaml").read_text("utf-8"))
    methods = yaml.safe_load((ROOT / "workflow/registry/methods.yaml").read_text("utf-8"))
    curve = real["curves"]["labelled"]
    table = {"corpora": ["tiny"], "caption": "Tiny documents", "one_seed": list(ONE_SEED)}
    paper = {"step": {"kind": "edge"}, "c": 1}
    chosen = {"step": {"kind": "grouped"}, "c": "chosen"}
    config = {
        "seeds": [1, 2],
        "tables": {"quickstart": table},
        "hyperparameters": {"dim": 16, "negatives": 5, "learning_rate": 0.025, "window": 5},
        "methods": [n for n, m in methods.items() if m.get("row", True) and n not in SIMILAR],
        "samples": {"tiny": 200_000},
        "curves": {"labelled": curve | {"corpora": {"mr": {"labelled": [10, 100]}}}},
        "choices": {"tiny": {"pvdbow": {"epochs": 20}}},
        "protocols": {"paper": paper, "chosen": chosen},
    }
    made.rewrite("workflow/registry/corpora.yaml", register)
    made.rewrite("config.yaml", lambda value: value.update(config))


@pytest.fixture(scope="session")
def first_run(checkout: Checkout, shared: Path) -> tuple[Checkout, str]:
    """A checkout after `snakemake quickstart`, and what that run said if it failed."""
    base = shared / "first_run"
    done = Checkout(base / "checkout", base / "mirror")
    with alone(shared / "first_run.lock"):
        if not base.exists():
            run = checkout.copy(base).snakemake("quickstart")
            (base / "said.txt").write_text(run.stdout if run.returncode else "", "utf-8")
    return done, (base / "said.txt").read_text("utf-8")


@pytest.fixture
def finished(first_run: tuple[Checkout, str]) -> Checkout:
    """The checkout of the first run; copy it to change it."""
    done, failure = first_run
    assert not failure, failure
    return done


@pytest.fixture
def edited(finished: Checkout, tmp_path: Path) -> Checkout:
    """A copy of the finished checkout with a source of its own, to be edited."""
    return finished.copy(tmp_path).with_own_source()


@pytest.fixture
def edit(edited: Checkout) -> Callable[[str, str, str], None]:
    """Replace the first of some text in a file of the edited checkout."""

    def replace(path: str, old: str, new: str) -> None:
        file = edited.folder / path
        text = file.read_text("utf-8")
        assert old in text
        file.write_text(text.replace(old, new, 1), "utf-8")

    return replace


@pytest.fixture
def loads(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Callable[[Checkout], Study]]:
    """Loads the study of a checkout in this process, which forgets its plugins at the end."""

    def load(checkout: Checkout) -> Study:
        monkeypatch.chdir(checkout.folder)
        monkeypatch.setattr(sys, "path", [*sys.path])
        monkeypatch.setenv("PTE_KERNELS", str(ROOT / "resources" / "numba"))
        return study_here()

    yield load
    files = {name: getattr(each, "__file__", None) for name, each in sys.modules.items()}
    for name, file in files.items():
        if file and Path(file).is_relative_to(tmp_path):
            del sys.modules[name]


@pytest.fixture
def scratch(checkout: Checkout, tmp_path: Path) -> Checkout:
    """A checkout that a test may spoil."""
    return checkout.copy(tmp_path)
