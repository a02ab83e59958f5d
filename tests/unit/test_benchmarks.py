"""The benchmarks run by hand. What they import, and read at once, must be there."""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
NAMES = sorted(path.stem for path in (ROOT / "benchmarks").glob("[a-z]*.py"))


def test_benchmarks_find_what_they_import():
    code = ";".join(f"import benchmarks.{name}" for name in NAMES)
    run = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True)
    assert run.returncode == 0, run.stderr
