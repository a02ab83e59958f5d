"""The proof of speed: scripts that measure, and one that draws. See README.md."""

import os
from pathlib import Path

# Where the workflow keeps compiled kernels, too.
os.environ.setdefault("NUMBA_CACHE_DIR", str(Path(__file__).parents[1] / "resources" / "numba"))
