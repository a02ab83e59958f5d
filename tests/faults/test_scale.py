"""Runs of many jobs that are stopped: they end, and go on where they were."""

import os
import random
import signal
import time

import pytest
from faults.scale import EACH_SEED, Scale, interrupted

pytestmark = pytest.mark.long


def test_a_run_ends_on_sigterm_however_busy_it_is(tmp_path):
    scale = Scale(tmp_path, 160, ["--cores", "40"])
    run = scale.begin()
    while scale.ended() < 3:
        assert run.poll() is None, scale.said()
        time.sleep(0.1)
    for _ in range(60):  # one of them comes while Snakemake has a lock
        run.send_signal(signal.SIGTERM)
        time.sleep(0.05)
    assert run.wait(timeout=300) != 0


def test_nothing_is_lost_and_no_job_runs_twice_without_reason(tmp_path):
    """With PTE_JOBS=5000, a run of a quarter of an hour."""
    jobs = int(os.environ.get("PTE_JOBS", "80"))
    scale = Scale(tmp_path, jobs, ["--cores", "40"])
    found = interrupted(scale, 10 if jobs >= 1000 else 3, random.Random(1))
    print(found)
    assert found["jobs"] >= EACH_SEED * len(scale.seeds)
    assert found["began"] == found["jobs"] + sum(found["again"].values())
    assert found["again"]["no reason"] == 0
