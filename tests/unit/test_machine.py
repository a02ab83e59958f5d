"""What a process may use: the least of what the machine and its limits leave."""

import resource

import joblib
import psutil
import pytest

from pte import machine


@pytest.fixture
def made(tmp_path, monkeypatch):
    """Make files of control groups, by their paths below the mount, and the list of groups."""
    monkeypatch.setattr(machine, "MOUNTED", tmp_path)
    monkeypatch.setattr(machine, "GROUPS", tmp_path / "groups")

    def make(groups, files):
        (tmp_path / "groups").write_text(groups)
        for name, content in files.items():
            (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
            (tmp_path / name).write_text(content)

    return make


@pytest.mark.parametrize(
    ("groups", "files", "left"),
    [
        (
            "0::/a/b\n",
            {"a/b/_max": "max", "a/b/_current": 10, "a/_max": 100, "a/_current": 70},
            [30],
        ),
        ("0::/a\n", {"a/_max": 100, "a/_current": 98, "a/_stat": "anon 9\ninactive_file 60"}, [62]),
        ("0::/gone/../strange:x\n", {}, []),
        ("", {}, []),
    ],
    ids=["a group around", "copies of files", "no limit", "no groups"],
)
def test_groups_leave_what_their_limits_say(made, groups, files, left):
    made(groups, {name.replace("_", "memory.", 1): f"{text}\n" for name, text in files.items()})
    assert list(machine._left_by_groups()) == left


def test_what_is_free_is_the_least_of_what_limits_say(monkeypatch):
    class Has:
        available, data = 4096, 2048

    monkeypatch.setattr(psutil, "virtual_memory", Has)
    monkeypatch.setattr(psutil.Process, "memory_info", lambda _: Has)
    for limit, groups, free in (
        (resource.RLIM_INFINITY, [], 4096),
        (resource.RLIM_INFINITY, [3000], 3000),
        (5000, [3000], 2952),
        (1000, [3000], 0),
    ):
        monkeypatch.setattr(machine, "_left_by_groups", lambda groups=groups: iter(groups))
        monkeypatch.setattr(resource, "getrlimit", lambda _, limit=limit: (limit, -1))
        assert machine.free_bytes() == free


@pytest.mark.parametrize(("asked", "cores"), [("", 8), ("2", 2), ("6,2", 6), ("x", 8), ("0", 8)])
def test_cores_follow_what_joblib_counts_and_the_environment(monkeypatch, asked, cores):
    monkeypatch.setattr(joblib, "cpu_count", lambda: 8)
    monkeypatch.setenv("OMP_NUM_THREADS", asked)
    assert machine.cores() == cores
