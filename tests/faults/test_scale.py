"""A run of many jobs that sleep is stopped while it is busy: it ends, and goes on where it was."""

import signal
import subprocess
import sys
import time

import pytest
from benchmarks.load import SCRIPT
from workflow.conftest import Checkout, write_checkout

pytestmark = pytest.mark.long

SLEEPING = r'shell:\n\1"sh sleep.sh {output}"'
SLEEPER = """\
: > "$1"  # a part of the outputs
sleep "$(printf %s "$1" | cksum | awk '{print $1 % 30 / 10}')"
for file; do : > "$file"; done
echo "$1" >> jobs.txt
"""
METHODS, SEEDS = ["line_ww_wd", "pte_joint"], range(1, 13)
JOBS = 8 * len(SEEDS)  # of each seed, two protocols of two methods, each learnt and scored


@pytest.fixture
def sleeping(tmp_path):
    """A checkout in which the jobs `represent` and `score` sleep, and write down that they end."""
    write_checkout(tmp_path)
    made = Checkout(tmp_path / "checkout", tmp_path / "mirror")

    def configure(config):
        config.update(seeds=list(SEEDS), methods=METHODS)
        config["tables"]["quickstart"].pop("one_seed")

    made.rewrite("config.yaml", configure)
    for rules in ("represent", "score"):
        path = made.folder / "workflow" / "rules" / f"{rules}.smk"
        path.write_text(SCRIPT.sub(SLEEPING, path.read_text("utf-8")), "utf-8")
    (made.folder / "sleep.sh").write_text(SLEEPER, "utf-8")
    return made


def begin(checkout, *more):
    command = ["quickstart", "--until", "score", "--quiet", "all", "--cores", "40", *more]
    return subprocess.Popen(
        [sys.executable, "-m", "snakemake", *command],
        cwd=checkout.folder,
        env=checkout.environment({}),
        start_new_session=True,
    )


def ended(checkout):
    path = checkout.folder / "jobs.txt"
    return path.read_text("utf-8").split() if path.exists() else []


def test_a_run_ends_on_sigterm_however_busy_it_is_and_goes_on(sleeping):
    run = begin(sleeping)
    while len(ended(sleeping)) < 3:
        assert run.poll() is None
        time.sleep(0.1)
    for _ in range(60):  # one of them comes while Snakemake has a lock
        run.send_signal(signal.SIGTERM)
        time.sleep(0.05)
    assert run.wait(timeout=300) != 0
    assert begin(sleeping, "--unlock").wait() == 0
    assert begin(sleeping).wait() == 0
    jobs = ended(sleeping)
    assert len(set(jobs)) > JOBS  # and some that choose
    assert len(jobs) <= len(set(jobs)) + 40  # again at most what had just ended
    assert begin(sleeping).wait() == 0 and ended(sleeping) == jobs
