"""The workflow through profiles/slurm, on a Slurm that start_slurm.sh starts on this machine.

`make test-slurm` runs these tests; `make test` does not, because they need Debian's packages of
Slurm, the extra `cluster`, root and some minutes.
"""

import json
import os
import re
import signal
import subprocess
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

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


def checkout_of(base: Path, **few: Any) -> Checkout:
    """A checkout whose `config.yaml` differs in a few keys."""
    write_checkout(base)
    made = Checkout(base / "checkout", base / "mirror")
    made.rewrite("config.yaml", lambda config: config.update(few))
    made.rewrite("config.yaml", lambda config: config["tables"]["quickstart"].pop("one_seed", None))
    return made


@pytest.fixture(scope="session")
def untouched(tmp_path_factory: pytest.TempPathFactory) -> Checkout:
    """A checkout with the corpus `tiny` and few methods."""
    return checkout_of(tmp_path_factory.mktemp("checkout"), methods=METHODS)


@pytest.fixture(scope="session")
def local(untouched: Checkout, tmp_path_factory: pytest.TempPathFactory) -> Checkout:
    """The same after a run of this machine alone."""
    made = untouched.copy(tmp_path_factory.mktemp("local"))
    run = made.snakemake("quickstart")
    assert run.returncode == 0, run.stdout
    return made


@pytest.fixture
def begin(slurm: Slurm, tmp_path: Path) -> Callable[..., subprocess.Popen[str]]:
    """Start Snakemake through the profile, in a checkout."""
    path = f"{slurm.folder / 'bin'}{os.pathsep}{os.environ['PATH']}"

    def snakemake(made: Checkout, *args: str) -> subprocess.Popen[str]:
        with (tmp_path / "said.txt").open("w") as said:
            return subprocess.Popen(
                ["snakemake", *THROUGH_SLURM, *args],
                cwd=made.folder,
                env=made.environment({"PATH": path}),
                stdout=said,
                stderr=subprocess.STDOUT,
                text=True,
            )

    return snakemake


@pytest.fixture
def start(
    begin: Callable[..., subprocess.Popen[str]], untouched: Checkout, tmp_path: Path
) -> Callable[..., tuple[Checkout, subprocess.Popen[str]]]:
    """The same in a copy of the checkout, or of another one."""

    def copied(
        *args: str, checkout: Checkout = untouched
    ) -> tuple[Checkout, subprocess.Popen[str]]:
        made = checkout.copy(tmp_path)
        return made, begin(made, *args)

    return copied


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


def scores(made: Checkout) -> dict[str, Any]:
    """What score files hold, but for seconds and the checksum: predictions, and each F1."""
    found: dict[str, Any] = {}
    for path in sorted(made.folder.glob("results/scores/**/*.npy")):
        score = json.loads(path.with_suffix(".json").read_text("utf-8"))
        known = {key: score[key] for key in score if not key.endswith(("seconds", "crc32"))}
        found[str(path.relative_to(made.folder))] = known | {"hits": np.load(path).tolist()}
    return found


def test_scores_are_those_of_a_local_run(start, local, tmp_path):
    made, run = start("quickstart")
    said = finish(run, tmp_path)
    assert not re.search("rule_(score|represent|comparison)", said)  # they come in groups
    assert len(scores(local)) == 2 * (1 + 2 + 2)  # two protocols, two seeds of what needs a seed
    assert scores(made) == scores(local)
    assert (made.folder / "results" / "quickstart.html").exists()


FITS = [f"results/representations/tiny/pte_joint/paper/seed{seed}.npy" for seed in (1, 2, 3)]


def test_a_group_asks_for_its_largest_job_and_all_minutes_and_is_tried_again(
    start, slurm, tmp_path
):
    """Three fits, one after another: half an hour each, and too little memory at first."""
    before = len(slurm.jobs())
    _, run = start(*FITS, "--set-resources", "represent:mem_mb=attempt * attempt * 200")
    finish(run, tmp_path)
    lines = slurm.ask("squeue", "--noheader", "--states=all", "--sort=i", "--format=%C %m %l")
    asked = lines.splitlines()[before:]
    first = asked.index("1 200M 1:30:00")
    assert asked[first + 1] == "1 800M 3:00:00"


def test_a_group_with_a_failed_job_is_made_again(start, untouched, tmp_path):
    """The second fit fails once; then the first is made again, too."""
    fails = untouched.copy(tmp_path / "fails")
    script = fails.folder / "workflow" / "scripts" / "represent.py"
    once = "with open('calls', 'a+') as calls:\n"
    once += "    if calls.write('x') and calls.tell() == 2:\n        raise SystemExit('once')\n"
    script.write_text(once + script.read_text("utf-8"), "utf-8")
    made, run = start(*FITS, checkout=fails)
    assert "Trying to restart job" in finish(run, tmp_path)
    assert (made.folder / "calls").read_text("utf-8") == "x" * (2 + len(FITS))


def test_a_cancelled_job_is_tried_again(start, slurm, tmp_path):
    before = len(slurm.jobs())
    _, run = start("resources/corpora/tiny")
    until(lambda: "RUNNING" in [state for _, state in slurm.jobs()[before:]], "running")
    slurm.ask("scancel", slurm.jobs()[before][0])
    assert "Trying to restart job" in finish(run, tmp_path)


def test_a_node_that_is_drained_ends_its_job_and_gets_no_other(start, slurm, tmp_path):
    before = len(slurm.jobs())
    _, run = start("resources/corpora/tiny")
    until(lambda: "RUNNING" in [state for _, state in slurm.jobs()[before:]], "running")
    number = slurm.jobs()[before][0]
    node = slurm.ask("squeue", "--noheader", "--jobs", number, "--format=%N").strip()
    slurm.ask("scontrol", "update", f"NodeName={node}", "State=drain", "Reason=test")
    try:
        finish(run, tmp_path)
        lines = slurm.ask("squeue", "--noheader", "--states=all", "--sort=i", "--format=%T %N")
        (_, first), *others = map(str.split, lines.splitlines()[before:])
        assert first == node
        assert others and {tuple(each) for each in others} == {
            ("COMPLETED", "two" if node == "one" else "one")
        }
    finally:
        slurm.ask("scontrol", "update", f"NodeName={node}", "State=resume")


def test_a_killed_snakemake_goes_on_while_its_groups_run(begin, start, local, slurm, tmp_path):
    """What it had submitted runs on; nothing is wrong in the end."""
    made, run = start("quickstart")

    def fits_run() -> bool:
        return "Group job fit" in (tmp_path / "said.txt").read_text("utf-8") and (
            slurm.jobs()[-1][1] == "RUNNING"
        )

    until(fits_run, "running fits")
    run.kill()
    run.wait()
    assert "RUNNING" in slurm.states()
    finish(begin(made, "--unlock"), tmp_path)
    finish(begin(made, "quickstart"), tmp_path)
    until(lambda: "RUNNING" not in slurm.states(), "ended")
    assert scores(made) == scores(local)
    assert begin(made, "quickstart", "--dry-run").wait() == 0
    assert "Nothing to be done" in (tmp_path / "said.txt").read_text("utf-8")
