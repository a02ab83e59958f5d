"""The one place that decides how kernels are compiled, and where their machine code is kept."""

import hashlib
import os
import pickle
import shutil
import sys
import time
import uuid
import warnings
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any, TypeVar, cast

import llvmlite
import numba
import numpy as np
from numba.core.caching import NullCache
from numba.core.compiler import CompileResult
from numba.core.serialize import dumps

Kernel = TypeVar("Kernel", bound=Callable[..., object])

# Reassociation lets LLVM vectorise reductions. `nnan` and `ninf` stay out: a diverging run must
# show NaN and infinity, not undefined values.
FASTMATH = {"nsz", "arcp", "contract", "afn", "reassoc"}

MONTH = 30 * 24 * 3600
"""Seconds after which a folder of machine code that no process has used is removed."""

_SETTINGS = (
    *("BOUNDSCHECK", "DEBUGINFO_DEFAULT", "EXTEND_VARIABLE_LIFETIMES"),
    *("LOOP_VECTORIZE", "OPT", "SLP_VECTORIZE", "USING_SVML"),
)
"""The settings of numba that change machine code."""


def kernel(function: Kernel) -> Kernel:
    """Compile a function of this package: kept on disk, without the GIL, with `FASTMATH`.

    A function from elsewhere is compiled in each process, because `CODE` does not include it.
    """
    compiled = numba.njit(nogil=True, error_model="numpy", fastmath=FASTMATH)(function)
    ours = function.__module__.startswith(f"{__package__}.")
    if compiled is not function and ours:  # NUMBA_DISABLE_JIT leaves the function as it is
        compiled._cache = KeptCode(function)
    return cast(Kernel, compiled)


class KeptCode(NullCache):  # type: ignore[misc]
    """The machine code of a kernel on disk: a file for each signature, processor and setting.

    numba's own cache does not notice an edit in a module that a kernel calls, and it fails where
    it cannot read or write. Here each version of the sources has its own folder, and a file never
    changes, so that processes need not wait for one another. Where the folder fails, each process
    compiles for itself.
    """

    def __init__(self, function: Callable[..., object]) -> None:
        """Keep the machine code of a function."""
        line = function.__code__.co_firstlineno
        self._name = f"{function.__module__}.{function.__qualname__}-{line}"

    def load_overload(self, sig: Any, target_context: Any) -> CompileResult | None:
        """Return the machine code for a signature, or None if it is missing or damaged."""
        target_context.refresh()
        try:
            file = self._file(sig, target_context.codegen())
            _use(file.parent)
            kept = file.read_bytes()
            if kept[:32] == hashlib.sha256(kept[32:]).digest():
                return CompileResult._rebuild(target_context, *pickle.loads(kept[32:]))
        except Exception:  # whatever it is, compiling anew mends it
            return None
        return None

    def save_overload(self, sig: Any, data: CompileResult) -> None:
        """Keep the machine code for a signature, unless the sources changed since the import."""
        if data.library.has_dynamic_globals or _code() != CODE:
            return
        content = dumps(data._reduce())
        try:
            _write(self._file(sig, data.codegen), hashlib.sha256(content).digest() + content)
        except (OSError, RuntimeError) as error:  # RuntimeError: nobody knows the home folder
            _say_once(str(getattr(error, "strerror", error)))

    def _file(self, sig: Any, codegen: Any) -> Path:
        settings = [getattr(numba.config, name) for name in _SETTINGS]
        key = repr((sig, codegen.magic_tuple(), settings)).encode()
        return folder() / f"{self._name}-{hashlib.sha256(key).hexdigest()[:16]}.nbc"


def folder() -> Path:
    """Return the folder of machine code that was made from `CODE`.

    It lies in NUMBA_CACHE_DIR, else in the folder `pte` of XDG_CACHE_HOME or ~/.cache. Raises
    `RuntimeError` if the home folder is not known.
    """
    own = Path(os.environ.get("XDG_CACHE_HOME") or "~/.cache") / "pte"
    base = Path(os.environ.get("NUMBA_CACHE_DIR") or own).expanduser()
    return base / f"pte-kernels-{CODE}"


def _code() -> str:
    """Hash the sources of this package, and the versions of what compiles them."""
    digest = hashlib.sha256()
    versions = (numba.__version__, llvmlite.__version__, np.__version__, sys.version)
    digest.update(repr(versions).encode())
    for path in sorted(Path(__file__).parent.glob("*.py")):
        digest.update(repr((path.name, path.read_bytes())).encode())
    return digest.hexdigest()[:16]


CODE = _code()
"""The hash of the sources and versions when this module was imported."""


@cache
def _use(folder: Path) -> None:
    """Mark a folder as used today, and remove those beside it that nobody has used for a month."""
    with suppress(OSError):
        os.utime(folder)
        for other in folder.parent.glob(f"pte-kernels-{'[0-9a-f]' * len(CODE)}"):
            if time.time() - other.stat().st_mtime > MONTH:
                shutil.rmtree(other, ignore_errors=True)


def _write(file: Path, content: bytes) -> None:
    """Write a file at one go. No reader ever sees a part of it."""
    file.parent.mkdir(parents=True, exist_ok=True)
    part = file.with_name(f"{uuid.uuid4().hex}.part")
    try:
        part.write_bytes(content)
        part.replace(file)
    except OSError:
        part.unlink(missing_ok=True)
        raise


@cache
def _say_once(why: str) -> None:
    warnings.warn(
        f"compiled kernels cannot be kept ({why}), so every process compiles them again: set "
        "NUMBA_CACHE_DIR to a folder that you may write to",
        RuntimeWarning,
        stacklevel=2,
    )
