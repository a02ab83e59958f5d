"""Limits of control groups: those of a process and of all around it, of both versions."""

import os

import pytest

from pte import control_groups, machine
from pte.control_groups import counted, memory_left, processors


@pytest.fixture
def made(tmp_path, monkeypatch):
    """Make files of control groups, by their paths below the mount, and the list of groups."""
    monkeypatch.setattr(control_groups, "MOUNTED", tmp_path / "mounted")
    monkeypatch.setattr(control_groups, "GROUPS", tmp_path / "groups")

    def make(groups, **files):
        (tmp_path / "groups").write_text(groups)
        for name, content in files.items():
            path = tmp_path / "mounted" / name.replace("__", "/").replace("_D_", ".")
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(content)

    return make


def test_a_group_around_may_leave_less(made):
    made(
        "0::/a/b\n",
        a__b__memory_D_max="max\n",
        a__b__memory_D_current="10\n",
        a__memory_D_max="100\n",
        a__memory_D_current="70\n",
        a__b__cpu_D_max="250000 100000\n",
        a__cpu_D_max="max 100000\n",
    )
    assert (memory_left(), processors()) == (30, 3)


def test_groups_of_the_first_version(made):
    made(
        "5:memory:/x\n3:cpu,cpuacct:/y/z\n0::/\n",
        memory__x__memory_D_limit_in_bytes="50\n",
        memory__x__memory_D_usage_in_bytes="60\n",
        memory__memory_D_limit_in_bytes="9223372036854771712\n",
        memory__memory_D_usage_in_bytes="60\n",
    )
    assert memory_left() == 0 and processors() is None
    made(
        "3:cpu,cpuacct:/y/z\n",
        **{"cpu,cpuacct__y__cpu_D_cfs_quota_us": "50000\n"},
        **{"cpu,cpuacct__y__cpu_D_cfs_period_us": "100000\n"},
        **{"cpu,cpuacct__y__z__cpu_D_cfs_quota_us": "-1\n"},
        **{"cpu,cpuacct__y__z__cpu_D_cfs_period_us": "100000\n"},
    )
    assert processors() == 1


def test_copies_of_files_are_free_memory(made):
    """A container that has read files up to its limit has memory left."""
    made(
        "0::/a\n",
        a__memory_D_max="100\n",
        a__memory_D_current="98\n",
        a__memory_D_stat="anon 20\nfile 78\ninactive_file 60\nactive_file 18\n",
    )
    assert memory_left() == 62
    made(
        "5:memory:/x\n",
        memory__x__memory_D_limit_in_bytes="50\n",
        memory__x__memory_D_usage_in_bytes="50\n",
        memory__x__memory_D_stat="inactive_file 1\ntotal_inactive_file 30\n",
    )
    assert memory_left() == 30


def test_a_number_stands_behind_its_name(tmp_path):
    (tmp_path / "f").write_text("MemTotal: 9 kB\nVmData:\t  2 kB\nbad x\n")
    found = [counted(tmp_path / "f", name) for name in ("VmData:", "VmHWM:", "bad")]
    assert [*found, counted(tmp_path / "no", "VmData:")] == [2, None, None, None]


def test_where_there_are_no_groups_nothing_is_limited(made):
    assert (memory_left(), processors()) == (None, None)
    made("0::/gone/../strange:x\n")
    assert (memory_left(), processors()) == (None, None)


@pytest.mark.parametrize(
    ("quota", "asked", "cores"),
    [(None, "", 8), (3, "", 3), (9, "", 8), (None, "2", 2), (3, "6,2", 3), (None, "x", 8)],
)
def test_cores_follow_affinity_quota_and_the_environment(monkeypatch, quota, asked, cores):
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: set(range(8)))
    monkeypatch.setattr(machine, "processors", lambda: quota)
    monkeypatch.setenv("OMP_NUM_THREADS", asked)
    assert machine.cores() == cores
