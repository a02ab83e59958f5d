"""The one place that decides how kernels are compiled."""

import fcntl
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar, cast

from numba import njit
from numba.core.caching import FunctionCache

Kernel = TypeVar("Kernel", bound=Callable[..., object])

# Reassociation lets LLVM vectorise reductions. `nnan` and `ninf` stay out: a diverging run must
# show NaN and infinity, not undefined values.
FASTMATH = {"nsz", "arcp", "contract", "afn", "reassoc"}


def kernel(function: Kernel) -> Kernel:
    """Compile a function: cached on disk, without the GIL, with the project's fastmath set.

    numba's cache notices only edits of the file of the function, not of the modules that the
    function calls. Set `NUMBA_CACHE_DIR` to a folder named after the fingerprint of `pte.core`, as
    the workflow and the tests do. Then no stale machine code is ever run.
    """
    compiled = njit(nogil=True, error_model="numpy", fastmath=FASTMATH)(function)
    if compiled is not function:  # NUMBA_DISABLE_JIT leaves the function as it is
        compiled._cache = SharedCache(function)
    return cast(Kernel, compiled)


class SharedCache(FunctionCache):  # type: ignore[misc]
    """numba's cache on disk, safe when many processes compile for the first time at once.

    numba reads a function's index, adds a signature, and writes the index and the machine code. Two
    processes that do so for two signatures may give both signatures the same file. A third process
    would then run code made for other types. So only one process at a time may add a signature.
    """

    def save_overload(self, sig: Any, data: Any) -> None:
        """Add machine code for a signature."""
        folder = Path(self.cache_path)
        folder.mkdir(parents=True, exist_ok=True)
        with (folder / ".lock").open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            super().save_overload(sig, data)
