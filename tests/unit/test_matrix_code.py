"""The code that OpenBLAS takes in the jobs of the study."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

ASKED = "import pte_study; from pte.machine import blas; print(blas())"


@pytest.mark.parametrize("given", [None, "Sandybridge"])
def test_openblas_takes_the_same_code_on_all_processors(given):
    there = {name: each for name, each in os.environ.items() if name != "OPENBLAS_CORETYPE"}
    there |= {"OPENBLAS_CORETYPE": given} if given else {}
    ran = subprocess.run(
        [sys.executable, "-c", ASKED], env=there, capture_output=True, text=True, check=True
    )
    flags = Path("/proc/cpuinfo")
    can = flags.exists() and "avx2" in flags.read_text("utf-8", "replace").split()
    if can and "openblas" in ran.stdout:
        assert ran.stdout.strip() == f"openblas {given or 'Haswell'}"
