"""A copy of the workflow over a corpus so small that all of it runs in a test."""

import hashlib
import io
import os
import re
import shutil
import subprocess
import sys
import tarfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import yaml

from pte.corpora.encode import documents_sha256
from pte.corpora.readers import read

ROOT = Path(__file__).parents[2]
NO_NETWORK = dict.fromkeys(["http_proxy", "https_proxy"], "http://127.0.0.1:9")


@dataclass(frozen=True)
class Checkout:
    """A copied checkout and the mirror that its archives come from."""

    folder: Path
    mirror: Path

    def run(self, *command: str) -> subprocess.CompletedProcess[str]:
        """Run a module of Python here, with this checkout's package; stderr joins stdout."""
        own = {"PYTHONPATH": str(self.folder / "src"), "PTE_MIRROR": str(self.mirror)}
        return subprocess.run(
            [sys.executable, "-m", *command],
            cwd=self.folder,
            env=os.environ | NO_NETWORK | own,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )

    def snakemake(self, *args: str) -> subprocess.CompletedProcess[str]:
        return self.run("snakemake", "--cores", "2", *args)

    def plan(self, *args: str) -> dict[str, int]:
        """How many jobs of each rule a run would have."""
        dry = self.snakemake("--dry-run", *args)
        assert dry.returncode == 0, dry.stdout
        jobs = dict(re.findall(r"^(\w+) +(\d+)$", dry.stdout, re.MULTILINE))
        assert jobs or "Nothing to be done" in dry.stdout, dry.stdout
        return {rule: int(count) for rule, count in jobs.items() if rule != "total"}

    def copy(self, folder: Path) -> "Checkout":
        """Another checkout of the same files, with a mirror of its own."""
        shutil.copytree(self.folder, folder / "checkout")
        shutil.copytree(self.mirror, folder / "mirror")
        return Checkout(folder / "checkout", folder / "mirror")

    def rewrite(self, path: str, change: Callable[[Any], object]) -> None:
        """Let `change` edit what a YAML file holds, in place."""
        value = yaml.safe_load((self.folder / path).read_text("utf-8"))
        change(value)
        (self.folder / path).write_text(yaml.safe_dump(value, sort_keys=False), "utf-8")


def write_archive(path: Path) -> None:
    """Documents of three classes, each with words of its own, in the authors' format."""
    rng = np.random.default_rng(0)
    with tarfile.open(path, "w:gz") as tar:
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
                member = tarfile.TarInfo(f"tiny/{kind}_{part}.txt")
                member.size = len(content)
                tar.addfile(member, io.BytesIO(content))


@pytest.fixture(scope="session")
def checkout(tmp_path_factory: pytest.TempPathFactory) -> Checkout:
    """A checkout with the corpus `tiny` in which nothing was run; copy it to change it."""
    base = tmp_path_factory.mktemp("workflow")
    folder, mirror = base / "checkout", base / "mirror"
    folder.mkdir()
    mirror.mkdir()
    for name in ("Snakefile", "config.yaml", "environment.yml"):
        shutil.copy(ROOT / name, folder)
    for name in ("profiles", "src", "workflow"):
        ignored = shutil.ignore_patterns("__pycache__", "*.egg-info")
        shutil.copytree(ROOT / name, folder / name, ignore=ignored)
    made = Checkout(folder, mirror)

    archive = mirror / "tiny.tar.gz"
    write_archive(archive)
    digest = hashlib.sha256(archive.read_bytes()).hexdigest()
    (mirror / "SHA256SUMS").write_text(f"{digest}  tiny.tar.gz\n", "utf-8")

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

    setting = {"costs": [1], "unit_length": [False], "folds": 2, "cv_documents": 40}
    config = {
        "seeds": [1, 2],
        "tables": {"quickstart": {"corpora": ["tiny"], "caption": "Tiny documents"}},
        "training": {"dim": 16, "negatives": 5, "rate": 0.025},
        "samples": {"tiny": 200_000},
        "epochs": {"tiny": {"pvdm": 20}},
        "settings": {"paper": setting, "tuned": setting | {"unit_length": [False, True]}},
    }
    made.rewrite("workflow/registry/corpora.yaml", register)
    made.rewrite("config.yaml", lambda value: value.update(config))
    return made


@pytest.fixture(scope="session")
def first_run(
    checkout: Checkout, tmp_path_factory: pytest.TempPathFactory
) -> tuple[Checkout, subprocess.CompletedProcess[str]]:
    """A checkout after `snakemake quickstart`, and what that run was like."""
    copy = checkout.copy(tmp_path_factory.mktemp("first_run"))
    return copy, copy.snakemake("quickstart")


@pytest.fixture
def finished(first_run: tuple[Checkout, subprocess.CompletedProcess[str]]) -> Checkout:
    """The checkout of the first run."""
    copy, run = first_run
    assert run.returncode == 0, run.stdout
    return copy


@pytest.fixture
def edit(finished: Checkout) -> Iterator[Callable[[str, str, str], None]]:
    """Replace the first of some text in a file of the finished checkout, until the test ends."""
    before: dict[Path, str] = {}

    def replace(path: str, old: str, new: str) -> None:
        file = finished.folder / path
        text = file.read_text("utf-8")
        before.setdefault(file, text)
        assert old in text
        file.write_text(text.replace(old, new, 1), "utf-8")

    yield replace
    for file, text in before.items():
        file.write_text(text, "utf-8")


@pytest.fixture
def scratch(checkout: Checkout, tmp_path: Path) -> Checkout:
    """A checkout that a test may spoil."""
    return checkout.copy(tmp_path)
