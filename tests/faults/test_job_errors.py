"""A job that fails leaves the reason and what to do in its log."""

import subprocess
import sys
from pathlib import Path

import pytest

SCRIPTS = Path(__file__).parents[2] / "workflow" / "scripts"
BEFORE = """
import sys
from types import SimpleNamespace
class Names(dict): pass
snakemake = SimpleNamespace(log=[sys.argv[1]], rule="r", wildcards={}, output=Names())
sys.path.insert(0, sys.argv[2])
from job import logged
"""


def log_of(script, folder):
    log = folder / "job.log"
    done = subprocess.run(
        [sys.executable, "-c", BEFORE + script, log, SCRIPTS], capture_output=True, text=True
    )
    assert done.returncode != 0
    return log.read_text("utf-8")


def test_an_error_stands_in_the_log_once(tmp_path):
    log = log_of("with logged(snakemake): import no_such_module", tmp_path)
    assert log.count("ModuleNotFoundError: No module named 'no_such_module'") == 1


@pytest.mark.parametrize(
    ("script", "said"),
    [
        ("raise OSError(28, 'No space left on device', 'a.npy')", "a.npy: No space left on device"),
        ("raise PermissionError(13, 'Permission denied', 'a.npy')", "a.npy: Permission denied"),
        ("raise MemoryError", "out of memory"),
        ("import numpy; numpy.empty(2**50)", "out of memory: Unable to allocate 8.00 PiB"),
    ],
)
def test_a_fault_of_the_machine_is_one_line_with_what_to_do(tmp_path, script, said):
    (line,) = log_of(f"with logged(snakemake): {script}", tmp_path).splitlines()
    assert line.startswith(f"error in r {{}}: {said}")
    assert "run" in line.rpartition(";")[2]


@pytest.mark.parametrize("script", ["with logged(snakemake): print('x' * 9999)", "1 / 0"])
def test_a_log_on_a_full_disk_leaves_the_cause_on_the_terminal(script):
    """Whatever the job says; /dev/full takes nothing."""
    done = subprocess.run(
        [sys.executable, "-c", BEFORE + script, "/dev/full", SCRIPTS],
        capture_output=True,
        text=True,
    )
    assert done.returncode == 1
    assert ("No space left" if "logged" in script else "ZeroDivisionError") in done.stderr
