"""What a killed or failing writer leaves is never taken for a file, and goes with the next one."""

import json
import multiprocessing
import os
import resource
import signal

import numpy as np
import pytest

from pte.errors import PteError
from pte.files import atomic_directory, atomic_file, load_array, read_json, save_array, write_json

FORK = multiprocessing.get_context("fork")


def killed_writer(atomic, path):
    """A process that is killed while it writes."""

    def write():
        with atomic(path) as temporary:
            (temporary / "part" if temporary.is_dir() else temporary).write_text("half")
            os.kill(os.getpid(), signal.SIGKILL)

    process = FORK.Process(target=write)
    process.start()
    process.join()
    assert process.exitcode == -signal.SIGKILL


def put(atomic, path):
    with atomic(path) as temporary:
        (temporary / "part" if temporary.is_dir() else temporary).write_text("whole")


@pytest.mark.parametrize("atomic", [atomic_file, atomic_directory])
@pytest.mark.parametrize("name", ["seed1.json", "a [b]*"])
def test_the_next_writer_removes_what_a_killed_one_left(tmp_path, atomic, name):
    other = tmp_path / "seed1.cost.json"
    killed_writer(atomic, tmp_path / name)
    (left,) = tmp_path.iterdir()
    assert left.name.startswith(".tmp-")
    other.write_text("another file")
    put(atomic, tmp_path / name)
    assert sorted(tmp_path.iterdir()) == sorted([tmp_path / name, other])


def test_a_file_that_may_not_grow_is_named_and_leaves_nothing(tmp_path):
    """The limit stands for a full disk: both fail a write."""
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (50_000, limits[1]))
    try:
        with pytest.raises(OSError, match=r"a\.npy") as error:
            save_array(tmp_path / "a.npy", np.zeros(100_000))
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    assert error.value.errno == 27
    assert not list(tmp_path.iterdir())


def test_json_is_what_was_written_or_an_error_whichever_bit_changes(tmp_path):
    path, value = (
        tmp_path / "a.json",
        {"seed": 1, "micro_f1": 83.91, "curve": [{"T": 10}], "n": None},
    )
    write_json(path, value)
    content, refused = path.read_bytes(), 0
    for place in range(8 * len(content)):
        changed = bytearray(content)
        changed[place // 8] ^= 1 << place % 8
        path.write_bytes(changed)
        try:
            assert read_json(path) == value
        except PteError as error:
            refused += "the next run makes it again" in str(error)
    assert refused > 7 * len(content)


def test_json_without_a_seal_is_refused(tmp_path):
    (tmp_path / "a.json").write_text(json.dumps({"seed": 1}))
    with pytest.raises(PteError, match=r"a\.json: damaged, or changed since it was written"):
        read_json(tmp_path / "a.json")


def test_an_array_in_any_order_comes_back(tmp_path):
    for array in (np.ones((3, 4), order="F"), np.arange(12)[::3], np.empty(0, np.int32)):
        save_array(tmp_path / "a.npy", array)
        assert np.array_equal(load_array(tmp_path / "a.npy"), array)
