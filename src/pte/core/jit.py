"""The one place that decides how kernels are compiled, and where their machine code is kept."""

import hashlib
import os
import shutil
import sys
import time
import warnings
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any, TypeVar, cast

import llvmlite
import numba
import numpy as np
from numba.core.caching import IndexDataCacheFile, NullCache
from numba.core.compiler import CompileResult

Kernel = TypeVar("Kernel", bound=Callable[..., object])

# Reassociation lets LLVM vectorise reductions. `nnan` and `ninf` stay out: a diverging run must
# show NaN and infinity, not undefined values.
FASTMATH = {"nsz", "arcp", "contract", "afn", "reassoc"}

MONTH = 30 * 24 * 3600  # seconds until a folder of machine code that is not used goes

_SETTINGS = (
    *("BOUNDSCHECK", "DEBUGINFO_DEFAULT", "EXTEND_VARIABLE_LIFETIMES"),
    *("LOOP_VECTORIZE", "OPT", "SLP_VECTORIZE", "USING_SVML"),
)


def kernel(function: Kernel) -> Kernel:
    """Compile a function with `FASTMATH`, without the GIL, and keep it if `CODE` includes it."""
    compiled, inner = (
        numba.njit(
            nogil=True,
            error_model="numpy",
            fastmath=FASTMATH,
            no_cfunc_wrapper=True,  # only C would call it, and compiling it takes a tenth of all
            no_cpython_wrapper=is_inner,
        )(function)
        for is_inner in (False, True)
    )
    if compiled is function:  # NUMBA_DISABLE_JIT leaves the function as it is
        return function
    # What other kernels call needs no wrapper for Python, which takes a fifth of the time.
    compiled.get_call_template = inner.get_call_template
    compiled.get_overload = inner.get_overload
    if function.__module__.startswith(f"{__package__}."):
        compiled._cache, inner._cache = KeptCode(function), KeptCode(function, "-inner")
    return cast(Kernel, compiled)


class KeptCode(NullCache):  # type: ignore[misc]
    """The machine code of a kernel on disk: a folder for each version, files for each signature.

    numba's own cache overlooks edits of called modules, and fails where it cannot read or write.
    """

    def __init__(self, function: Callable[..., object], kind: str = "") -> None:
        line = function.__code__.co_firstlineno
        self._name = f"{function.__module__}.{function.__qualname__}-{line}{kind}"

    def load_overload(self, sig: Any, target_context: Any) -> CompileResult | None:
        """Return the machine code for a signature, or None if it is missing or damaged."""
        target_context.refresh()
        try:
            _use(folder())
            kept = self._file(sig, target_context.codegen()).load(CODE)
            return kept and CompileResult._rebuild(target_context, *kept)
        except Exception:  # whatever it is, compiling anew mends it
            return None

    def save_overload(self, sig: Any, data: CompileResult) -> None:
        if data.library.has_dynamic_globals or _code() != CODE:
            return
        reduced = data._reduce()
        try:
            folder().mkdir(parents=True, exist_ok=True)
            self._file(sig, data.codegen).save(CODE, reduced)
        except (OSError, RuntimeError) as error:  # RuntimeError: nobody knows the home folder
            _say_once(str(getattr(error, "strerror", error)))

    def _file(self, sig: Any, codegen: Any) -> "CheckedFile":
        settings = [getattr(numba.config, name) for name in _SETTINGS]
        key = repr((sig, codegen.magic_tuple(), settings)).encode()
        name = f"{self._name}-{hashlib.sha256(key).hexdigest()[:16]}"
        return CheckedFile(str(folder()), name, CODE)


class CheckedFile(IndexDataCacheFile):  # type: ignore[misc]
    """numba's files of one signature, where the name of the data is the hash of the data."""

    def save(self, key: str, data: Any) -> None:
        content = self._dump(data)
        name = f"{hashlib.sha256(content).hexdigest()}.nbc"
        with self._open_for_write(self._data_path(name)) as file:
            file.write(content)
        self._save_index({key: name})

    def _load_data(self, name: str) -> Any:
        content = Path(self._data_path(name)).read_bytes()
        if f"{hashlib.sha256(content).hexdigest()}.nbc" != name:
            raise OSError(f"{name}: damaged")
        return super()._load_data(name)


def folder() -> Path:
    """Return the folder of `CODE`: in NUMBA_CACHE_DIR, or `pte` in XDG_CACHE_HOME or ~/.cache."""
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


CODE = _code()  # the hash of the sources and versions when this module was imported


@cache
def _use(folder: Path) -> None:
    """Mark a folder as used today, and remove those beside it that nobody has used for a month."""
    with suppress(OSError):
        os.utime(folder)
        for other in folder.parent.glob(f"pte-kernels-{'[0-9a-f]' * len(CODE)}"):
            if time.time() - other.stat().st_mtime > MONTH:
                shutil.rmtree(other, ignore_errors=True)


@cache
def _say_once(why: str) -> None:
    warnings.warn(
        f"compiled kernels cannot be kept ({why}), so every process compiles them again: set "
        "NUMBA_CACHE_DIR to a folder that you may write to",
        RuntimeWarning,
        stacklevel=2,
    )
