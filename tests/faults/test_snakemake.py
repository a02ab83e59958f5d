"""A run that is killed or disturbed says why, and the next one comes to the same results."""

import os
import random
import resource
import shutil
import signal
import subprocess
import sys
import time

import pytest
from chain import kept

from pte.files import sha256_of

pytestmark = pytest.mark.long

SCORES = "results/scores/tiny/pte_wl/paper/seed1.json"
WL, FIT = "resources/networks/tiny/given/wl", "results/representations/tiny/pte_wl/paper/seed1"


def begin(checkout, *command, limit=None):
    """Snakemake in a process group of its own; `limit` is the most bytes that a file may have."""

    def limited():
        if limit is not None:
            resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))

    return subprocess.Popen(
        [sys.executable, "-m", "snakemake", "--cores", "1", *(command or (SCORES,))],
        cwd=checkout.folder,
        env=checkout.environment({"PYTHONDONTWRITEBYTECODE": "1"}),  # a full disk cuts it
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        start_new_session=True,
        preexec_fn=limited,
    )


def said_by(process):
    """All that it says, and its exit code."""
    said, _ = process.communicate()
    return said, process.returncode


def remove(path):
    shutil.rmtree(path) if path.is_dir() else path.unlink()


@pytest.fixture(scope="module")
def whole(checkout, tmp_path_factory):
    """A checkout after an undisturbed run, and what that left."""
    copy = checkout.copy(tmp_path_factory.mktemp("whole"))
    said, code = said_by(begin(copy))
    assert code == 0, said
    return copy, kept(copy.folder)


@pytest.fixture
def done(whole, tmp_path):
    """A copy of that checkout, to be spoilt."""
    return whole[0].copy(tmp_path)


def finish(checkout, expected, *targets):
    """Run to the end, and find the results of the undisturbed run."""
    said, code = said_by(begin(checkout, *targets))
    assert code == 0, said
    assert kept(checkout.folder) == expected
    assert not list(checkout.folder.glob("res*/**/.tmp-*"))


def test_killed_runs_are_taken_up_again(scratch, whole, kills):
    """Each time after the command that the lock's message names."""
    chance, landed, runs = random.Random(1), 0, 0
    wanted = max(2, kills // 10)
    while landed < wanted:
        run = begin(scratch)
        runs += 1
        time.sleep(chance.uniform(1, 10))
        os.killpg(run.pid, signal.SIGKILL)
        if said_by(run)[1] != -signal.SIGKILL:  # it was done before
            finish(scratch, whole[1])
            shutil.rmtree(scratch.folder / "results")
            shutil.rmtree(scratch.folder / "resources/corpora")
            continue
        landed += 1
        if any((scratch.folder / ".snakemake/locks").glob("*")):
            said, code = said_by(begin(scratch))
            assert code != 0 and "--unlock" in said, said
            said, code = said_by(begin(scratch, "--unlock"))
            assert code == 0, said
    finish(scratch, whole[1])
    print(f"{landed} kills of Snakemake in {runs} runs")


@pytest.mark.parametrize(
    ("damaged", "gone"),
    [("resources/archives/tiny.tar.gz", "resources/corpora/tiny"), (f"{FIT}.npy", SCORES)],
)
def test_a_damaged_intermediate_is_named_and_made_again(done, whole, damaged, gone):
    """`gone` is what a job makes of it; tests/faults/test_corruption.py damages the others."""
    file, lacks = done.folder / damaged, done.folder / gone
    times = file.stat().st_atime_ns, file.stat().st_mtime_ns
    file.write_bytes(file.read_bytes()[:-20])
    os.utime(file, ns=times)
    remove(lacks)
    said, code = said_by(begin(done, gone))
    assert code != 0 and "error in " in said, said
    (line,) = {line.strip() for line in said.splitlines() if "error in " in line}
    assert file.name in line and "delete " in line
    assert "Traceback" not in said
    file.unlink()
    finish(done, whole[1], gone, SCORES)


def test_a_full_disk_is_said_early_and_a_rerun_completes(scratch, whole):
    """The limit leaves room for Snakemake's own files."""
    said, code = said_by(begin(scratch, limit=11_000))
    assert code != 0 and "File too large; make room, or raise your limits" in said, said
    assert "Traceback" not in said
    lines = said.splitlines()
    first = next(number for number, line in enumerate(lines) if "returned non-zero" in line)
    assert any("File too large; make" in line for line in lines[first : first + 20])
    finish(scratch, whole[1])


def test_one_corpus_that_fails_stops_no_other(scratch, whole):
    def register(registry):
        entry = registry["corpora"]["tiny"]
        registry["archives"]["other"] = registry["archives"]["tiny"] | {"file": "other.tar.gz"}
        registry["corpora"]["other"] = entry | {"archive": "other", "title": "Other"}

    scratch.rewrite("workflow/registry/corpora.yaml", register)
    other = SCORES.replace("tiny", "other")
    with (scratch.mirror / "SHA256SUMS").open("a") as sums:
        sums.write(f"{sha256_of(scratch.mirror / 'tiny.tar.gz')}  other.tar.gz\n")
    (scratch.mirror / "other.tar.gz").write_bytes(b"damaged")
    said, code = said_by(begin(scratch, SCORES, other))
    assert code != 0 and "cannot fetch other.tar.gz" in said and "wrong sha256" in said, said
    assert kept(scratch.folder) == whole[1]
    shutil.copy(scratch.mirror / "tiny.tar.gz", scratch.mirror / "other.tar.gz")
    said, code = said_by(begin(scratch, SCORES, other))
    assert code == 0, said
