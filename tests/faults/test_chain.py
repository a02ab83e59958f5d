"""Jobs and commands that are killed, starved or locked out leave nothing wrong behind."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.long

CHAIN = Path(__file__).with_name("chain.py")


@pytest.fixture(scope="module")
def found(checkout, tmp_path_factory, kills):
    """What `chain.py` says."""
    copy = checkout.copy(tmp_path_factory.mktemp("chain"))
    done = subprocess.run(
        [sys.executable, CHAIN, copy.folder, str(kills)],
        cwd=copy.folder,
        env=copy.environment({}),
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout.splitlines()[-1])


def test_what_is_killed_leaves_no_wrong_file_and_a_rerun_completes(found, kills):
    killed = found["killed"]
    print(f"{killed['kills']} kills of jobs and commands: {killed}")
    assert killed["kills"] == kills
    assert len({name.partition(":")[0] for name in killed["of"]}) == min(kills, 4)
    assert killed["wrong"] == []


@pytest.mark.parametrize(
    ("fault", "said"),
    [
        ("disk full", "File too large; make room"),
        ("read-only folder", "Permission denied; give the permission"),
        ("unreadable archive", "Permission denied"),
        ("out of memory", "out of memory: "),
    ],
)
def test_a_fault_is_one_line_and_a_rerun_completes(found, fault, said):
    happened = found["faults"][fault]
    last = happened["said"].splitlines()[-1]
    assert happened["code"] == 1
    assert last.startswith("error in ") and said in last
    assert "Traceback" not in happened["said"]
    assert happened["wrong"] == []
