"""The proof of speed: scripts that measure, and one that draws. See README.md."""

import os
from pathlib import Path

from pte_study.plan.fingerprint import fingerprint

# Before any import of pte.core, as in the tests.
_KERNELS = Path(__file__).parents[1] / "resources" / "numba" / fingerprint("pte.core")
os.environ.setdefault("NUMBA_CACHE_DIR", str(_KERNELS))
