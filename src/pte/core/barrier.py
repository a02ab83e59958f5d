"""How threads inside compiled code wait for each other."""

from typing import Any

from llvmlite import ir
from numba import config, types
from numba.core import cgutils
from numba.extending import intrinsic

from pte.core.jit import kernel
from pte.core.types import IntArray

FLAG_STRIDE = 16
"""Places between the flags of two threads, so that no two flags share a cache line."""

# How often a thread looks at a flag before it offers the processor to another thread. That many
# looks take some microseconds.
_SPINS = 2000


def plain_publish(flags: IntArray, i: int, value: int) -> None:
    """Set flags[i] to `value`; a thread that sees it also sees everything written before it."""
    flags[i] = value


def plain_observe(flags: IntArray, i: int) -> int:
    """Return flags[i]; the caller then sees everything that was written before that value."""
    return int(flags[i])


def plain_give_way() -> None:
    """Offer the processor to another thread; without a compiler this does nothing."""


def _item(context: Any, builder: Any, signature: Any, args: Any) -> Any:
    kind = signature.args[0]
    view = context.make_array(kind)(context, builder, args[0])
    return builder.gep(view.data, [args[1]])


def _compile_publish(context: Any, builder: Any, signature: Any, args: Any) -> Any:
    place = _item(context, builder, signature, args)
    builder.store_atomic(args[2], place, ordering="release", align=8)
    return context.get_dummy_value()


def _compile_observe(context: Any, builder: Any, signature: Any, args: Any) -> Any:
    place = _item(context, builder, signature, args)
    return builder.load_atomic(place, ordering="acquire", align=8)


def _compile_give_way(context: Any, builder: Any, signature: Any, args: Any) -> Any:
    kind = ir.FunctionType(ir.IntType(32), [])
    builder.call(cgutils.get_or_insert_function(builder.module, kind, "sched_yield"), [])
    return context.get_dummy_value()


if config.DISABLE_JIT:
    publish, observe, give_way = plain_publish, plain_observe, plain_give_way
else:

    @intrinsic
    def publish(context, flags, i, value):  # type: ignore[no-untyped-def]
        """Do what `plain_publish` does, as an atomic store."""
        return types.void(flags, types.intp, types.int64), _compile_publish

    @intrinsic
    def observe(context, flags, i):  # type: ignore[no-untyped-def]
        """Do what `plain_observe` does, as an atomic load."""
        return types.int64(flags, types.intp), _compile_observe

    @intrinsic
    def give_way(context):  # type: ignore[no-untyped-def]
        """Call sched_yield of POSIX."""
        return types.void(), _compile_give_way


@kernel
def meet(flags: IntArray, thread: int, threads: int, count: int) -> None:
    """Wait until all threads have called this function with at least `count`.

    `count` grows with each call. `flags` is int64, shape (threads · FLAG_STRIDE,), zero at the
    beginning.
    """
    publish(flags, thread * FLAG_STRIDE, count)
    for other in range(threads):
        spins = 0
        while observe(flags, other * FLAG_STRIDE) < count:
            spins += 1
            if spins > _SPINS:
                give_way()
