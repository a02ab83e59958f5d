"""Machine code on disk, when many processes compile at once."""

import os
import subprocess
import sys

import pytest

MODULE = """
from pte.core.jit import kernel

@kernel
def double(x):
    return x + x
"""
CALL = """
import sys
import numpy as np
from doubling import double

types = sys.argv[1:]
assert [double(np.dtype(name).type(3)) for name in types] == [6] * len(types)
print(sum(double.stats.cache_hits.values()))
"""
TYPES = ["int32", "int64", "float32", "float64"]


@pytest.fixture
def call(tmp_path):
    """Start a process that calls a kernel with numbers of some types."""
    (tmp_path / "doubling.py").write_text(MODULE, "utf-8")
    own = {"PYTHONPATH": str(tmp_path), "NUMBA_CACHE_DIR": str(tmp_path / "cache")}

    def start(*types):
        command = [sys.executable, "-c", CALL, *types]
        env = os.environ | own
        return subprocess.Popen(command, env=env, stdout=subprocess.PIPE, text=True)

    return start


def hits(process):
    said, _ = process.communicate()
    assert process.returncode == 0
    return int(said)


@pytest.mark.long
def test_no_signature_is_lost_when_many_processes_compile_at_once(call):
    at_once = [call(name) for name in TYPES]
    assert [hits(process) for process in at_once] == [0] * len(TYPES)
    assert hits(call(*TYPES)) == len(TYPES)
