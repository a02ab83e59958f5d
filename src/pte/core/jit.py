"""How every kernel is compiled, said once."""

from collections.abc import Callable
from typing import TypeVar, cast

from numba import njit

Kernel = TypeVar("Kernel", bound=Callable[..., object])

# Reassociation lets LLVM vectorise reductions. `nnan` and `ninf` stay out: a diverging run must
# show NaN and infinity, not undefined values.
FASTMATH = {"nsz", "arcp", "contract", "afn", "reassoc"}


def kernel(function: Kernel) -> Kernel:
    """Compile a function: cached on disk, without the GIL, with the project's fastmath set.

    numba's cache notices an edit of the decorated file only, not of the modules it calls. Set
    `NUMBA_CACHE_DIR` to a folder named after `pte.fingerprint.fingerprint("pte.core")`, as the
    workflow and the tests do, and no stale machine code is ever run.
    """
    compiled = njit(cache=True, nogil=True, error_model="numpy", fastmath=FASTMATH)(function)
    return cast(Kernel, compiled)
