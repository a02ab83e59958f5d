"""Runs that share a folder, and files from tomorrow."""

import multiprocessing
import os
import signal
import time

import pytest

from pte.errors import PteError
from pte_study.plan.before_jobs import lock, no_future


def test_readers_share_a_folder_and_a_writer_has_it_alone(tmp_path):
    folder = tmp_path / "resources"
    assert lock(folder, writes=False) is None  # it makes no folder
    writer = lock(folder, writes=True)
    for writes in (False, True):
        with pytest.raises(PteError, match="resources: another run of Snakemake works with this"):
            lock(folder, writes=writes)
    os.close(writer)
    readers = [lock(folder, writes=False) for _ in range(2)]
    with pytest.raises(PteError, match="begin again when it has ended"):
        lock(folder, writes=True)
    for each in readers:
        os.close(each)
    os.close(lock(folder, writes=True))


def test_a_killed_run_leaves_no_lock(tmp_path):
    def run():
        lock(tmp_path, writes=True)
        os.kill(os.getpid(), signal.SIGKILL)

    killed = multiprocessing.get_context("fork").Process(target=run)
    killed.start()
    killed.join()
    assert (tmp_path / ".lock").exists()
    os.close(lock(tmp_path, writes=True))


def test_outputs_from_tomorrow_get_the_time_of_now_in_their_order(tmp_path):
    day, now = 24 * 3600 * 10**9, time.time_ns()
    (tmp_path / "folder").mkdir()
    ages = {"old": -1, "c": 3, "a": 1, "also a": 1, "folder/.snakemake_timestamp": 2}
    for name, ahead in ages.items():
        (tmp_path / name).touch()
        os.utime(tmp_path / name, ns=(now, now + ahead * day))
    outputs = [str(tmp_path / name) for name in ("c", "folder", "missing", "a", "also a", "old")]
    assert no_future(outputs) == 4
    found = {name: (tmp_path / name).stat().st_mtime_ns for name in ages}
    assert found["old"] == now - day
    assert found["a"] == found["also a"] < found["folder/.snakemake_timestamp"] < found["c"]
    assert now - day < found["a"] and found["c"] < time.time_ns()
    assert no_future(outputs) == 0
