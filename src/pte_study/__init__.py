"""The study of the paper: what is run, kept and shown. It imports `pte`, never the reverse.

OpenBLAS rounds differently on other processors, so trainings of the CNN would differ. The study
takes the code of `CORE` on all processors that can run it, unless `OPENBLAS_CORETYPE` is set."""

import os
from contextlib import suppress
from importlib.util import find_spec
from pathlib import Path

CORE = "Haswell"  # code for all processors with AVX2
with suppress(OSError):
    if "avx2" in Path("/proc/cpuinfo").read_text("utf-8", "replace").split():
        os.environ.setdefault("OPENBLAS_CORETYPE", CORE)

_NEEDED = ("jinja2", "jsonschema", "liblinear", "matplotlib", "pandas", "pooch", "yaml")

if _MISSING := [name for name in _NEEDED if find_spec(name) is None]:
    raise ModuleNotFoundError(
        f"pte_study needs {', '.join(_MISSING)}; in a clone of the repository, `make run` or "
        'pip install --editable ".[workflow]" brings them'
    )
