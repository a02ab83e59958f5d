"""The workflow through profiles/slurm, on a Slurm that start_slurm.sh starts on this machine.

`make test-slurm` runs these tests; `make test` does not, because they need Debian's packages of
Slurm, the extra `cluster`, root and some minutes.
"""

import os
import re
import signal
import subprocess
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest
from workflow.conftest import Checkout, write_checkout

HERE = Path(__file__).parent
FASTER = ("--slurm-init-seconds-before-status-checks", "2")
NO_ACCOUNTING = ("--slurm-no-account", "--slurm-status-command", "squeue")
THROUGH_SLURM = ("--workflow-profile", "profiles/slurm", *NO_ACCOUNTING, *FASTER)
METHODS = ["bow", "line_ww_wd", "pte_joint"]
WAIT = 180


@dataclass(frozen=True)
class Slurm:
    """A running Slurm; `folder` has its configuration, logs and commands."""

    folder: Path

    def ask(self, *command: str) -> str:
        """What one of Slurm's commands prints."""
        return subprocess.check_output([self.folder / "bin" / command[0], *command[1:]], text=True)

    def jobs(self) -> list[tuple[str, str]]:
        """The number and state of each job that Slurm remembers, the oldest first."""
        lines = self.ask("squeue", "--noheader", "--states=all", "--format=%i %T", "--sort=i")
        return [(number, state) for number, state in map(str.split, lines.splitlines())]

    def states(self) -> set[str]:
        return {state for _, state in self.jobs()}


@pytest.fixture(scope="session")
def slurm(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Slurm]:
    folder = tmp_path_factory.mktemp("slurm")
    try:
        subprocess.run([HERE / "start_slurm.sh", folder], check=True)
        yield Slurm(folder)
    finally:
        for file in folder.glob("*.pid"):
            os.kill(int(file.read_text("utf-8")), signal.SIGTERM)


@pytest.fixture(scope="session")
def untouched(tmp_path_factory: pytest.TempPathFactory) -> Checkout:
    """A checkout with the corpus `tiny` and few methods, whose vectors any threads make alike."""
    base = tmp_path_factory.mktemp("checkout")
    write_checkout(base)
    made = Checkout(base / "checkout", base / "mirror")
    few = {"methods": METHODS, "deterministic": True}
    made.rewrite("config.yaml", lambda config: config.update(few))
    made.rewrite("config.yaml", lambda config: config["tables"]["quickstart"].pop("one_seed"))
    return made


@pytest.fixture(scope="session")
def local(untouched: Checkout, tmp_path_factory: pytest.TempPathFactory) -> Checkout:
    """The same after a run of this machine alone."""
    made = untouched.copy(tmp_path_factory.mktemp("local"))
    run = made.snakemake("quickstart")
    assert run.returncode == 0, run.stdout
    return made


@pytest.fixture
def start(
    slurm: Slurm, untouched: Checkout, tmp_path: Path
) -> Callable[..., tuple[Checkout, subprocess.Popen[str]]]:
    """Start Snakemake through the profile, in a copy of the checkout."""

    def snakemake(*args: str) -> tuple[Checkout, subprocess.Popen[str]]:
        made = untouched.copy(tmp_path)
        path = f"{slurm.folder / 'bin'}{os.pathsep}{os.environ['PATH']}"
        with (tmp_path / "said.txt").open("w") as said:
            run = subprocess.Popen(
                ["snakemake", *THROUGH_SLURM, *args],
                cwd=made.folder,
                env=made.environment({"PATH": path}),
                stdout=said,
                stderr=subprocess.STDOUT,
                text=True,
            )
        return made, run

    return snakemake


def until(happened: Callable[[], bool], what: str) -> None:
    """Wait for something; the limit is for a Slurm that hangs."""
    end = time.monotonic() + WAIT
    while not happened():
        assert time.monotonic() < end, f"after {WAIT} seconds: not {what}"
        time.sleep(0.2)


def finish(run: subprocess.Popen[str], folder: Path) -> str:
    """What a run said, once it has succeeded."""
    code = run.wait()
    said = (folder / "said.txt").read_text("utf-8")
    assert code == 0, said
    return said


def test_scores_are_those_of_a_local_run(start, local, tmp_path):
    made, run = start("quickstart")
    said = finish(run, tmp_path)
    assert "rule_score" not in said  # they are submitted in groups
    scored = [
        path.relative_to(local.folder) for path in local.folder.glob("results/scores/**/*.npy")
    ]
    assert len(scored) == 2 * (1 + 2 + 2)  # two settings, two seeds of what needs a seed
    for path in scored:
        assert np.array_equal(np.load(made.folder / path), np.load(local.folder / path)), path
    assert (made.folder / "results" / "quickstart.html").exists()


def test_a_job_killed_for_its_memory_is_tried_again_with_more(start, slurm, tmp_path):
    """Snakemake alone takes more than the 200 MB of the first attempt."""
    target = "resources/corpora/tiny"
    _, run = start(target, "--set-resources", "encode:mem_mb=attempt * attempt * 200")
    said = finish(run, tmp_path)
    asked = re.findall(r"^rule encode:.*?mem_mb=(\d+)", said, re.MULTILINE | re.DOTALL)
    assert asked[:2] == ["200", "800"]
    log = "".join(path.read_text("utf-8") for path in slurm.folder.glob("slurmd-*.log"))
    assert "exceeded memory limit" in log


def test_a_drained_node_gets_no_job_until_it_is_resumed(start, slurm, tmp_path):
    nodes = "NodeName=one,two"
    slurm.ask("scontrol", "update", nodes, "State=drain", "Reason=test")
    try:
        before = len(slurm.jobs())
        _, run = start("resources/corpora/tiny")
        until(lambda: len(slurm.jobs()) > before, "submitted")
        assert [state for _, state in slurm.jobs()[before:]] == ["PENDING"]
    finally:
        slurm.ask("scontrol", "update", nodes, "State=resume")
    finish(run, tmp_path)
    assert "PENDING" not in slurm.states()


def test_a_cancelled_job_is_tried_again(start, slurm, tmp_path):
    before = len(slurm.jobs())
    _, run = start("resources/corpora/tiny")
    until(lambda: "RUNNING" in [state for _, state in slurm.jobs()[before:]], "running")
    slurm.ask("scancel", slurm.jobs()[before][0])
    assert "Trying to restart job" in finish(run, tmp_path)
