"""The code that OpenBLAS takes in the jobs of the study."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

INFO = Path("/proc/cpuinfo")
AVX2 = INFO.exists() and "avx2" in INFO.read_text("utf-8", "replace").split()
ASKED = "import pte_study; from pte.machine import blas; print(blas())"


@pytest.mark.skipif(not AVX2, reason="this processor has no AVX2")
@pytest.mark.parametrize("given", [None, "Sandybridge"])
def test_openblas_takes_the_same_code_on_all_processors(given):
    there = {name: each for name, each in os.environ.items() if name != "OPENBLAS_CORETYPE"}
    there |= {"OPENBLAS_CORETYPE": given} if given else {}
    ran = subprocess.run(
        [sys.executable, "-c", ASKED], env=there, capture_output=True, text=True, check=True
    )
    if "openblas" not in ran.stdout:
        pytest.skip(f"numpy multiplies with {ran.stdout.strip()}")
    assert ran.stdout.strip() == f"openblas {given or 'Haswell'}"
