"""How threads inside compiled code wait for each other."""

import platform
import sys
from typing import Any

from llvmlite import ir
from numba import config, types
from numba.core import cgutils
from numba.extending import intrinsic

from pte.core.arrays import IntArray
from pte.core.jit import kernel

FLAG_STRIDE = 16
"""Places between the flags of two threads, so that no two flags share a cache line."""

# How often a thread looks at a flag before it sleeps. That many looks take some microseconds, about
# as long as it takes to wake up.
_SPINS = 2000

# The numbers of `futex`, a call of Linux. It lets a thread sleep while a flag keeps its value. A
# thread that only yields gives its turn to every other program of a busy machine, again and again.
_FUTEX = {"x86_64": 202, "aarch64": 98}.get(platform.machine()) if sys.platform == "linux" else None
_WAIT, _WAKE, _ALL = 128, 129, 2**31 - 1


def plain_publish(flags: IntArray, i: int, value: int) -> None:
    """Set flags[i] to `value`; a thread that sees it also sees everything written before it."""
    flags[i] = value


def plain_observe(flags: IntArray, i: int) -> int:
    """Return flags[i]; the caller then sees everything that was written before that value."""
    return int(flags[i])


def plain_sleep(flags: IntArray, i: int, value: int) -> None:
    """Sleep while flags[i] is `value`, or less long; without a compiler this does nothing."""


def plain_wake(flags: IntArray, i: int) -> None:
    """Wake all threads that sleep at flags[i]; without a compiler this does nothing."""


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


def _call_futex(context: Any, builder: Any, signature: Any, args: Any, do: int, value: Any) -> Any:
    wide, number = ir.IntType(64), _FUTEX
    if number is None:
        kind = ir.FunctionType(ir.IntType(32), [])
        builder.call(cgutils.get_or_insert_function(builder.module, kind, "sched_yield"), [])
    else:
        kind = ir.FunctionType(wide, [wide], var_arg=True)
        call = cgutils.get_or_insert_function(builder.module, kind, "syscall")
        place = builder.ptrtoint(_item(context, builder, signature, args), wide)
        builder.call(call, [wide(number), place, wide(do), value, wide(0)])
    return context.get_dummy_value()


def _compile_sleep(context: Any, builder: Any, signature: Any, args: Any) -> Any:
    return _call_futex(context, builder, signature, args, _WAIT, args[2])


def _compile_wake(context: Any, builder: Any, signature: Any, args: Any) -> Any:
    return _call_futex(context, builder, signature, args, _WAKE, ir.IntType(64)(_ALL))


if config.DISABLE_JIT:
    publish, observe, sleep, wake = plain_publish, plain_observe, plain_sleep, plain_wake
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
    def sleep(context, flags, i, value):  # type: ignore[no-untyped-def]
        """Do what `plain_sleep` does; where there is no futex, offer the processor to others."""
        return types.void(flags, types.intp, types.int64), _compile_sleep

    @intrinsic
    def wake(context, flags, i):  # type: ignore[no-untyped-def]
        """Do what `plain_wake` does."""
        return types.void(flags, types.intp), _compile_wake


@kernel
def meet(flags: IntArray, thread: int, threads: int, count: int) -> None:
    """Wait until all threads have called this function with at least `count`.

    `count` grows with each call. `flags` is int64, shape (threads · FLAG_STRIDE,), zero at the
    beginning. A thread that waits long sleeps until the thread that it waits for wakes it.
    """
    publish(flags, thread * FLAG_STRIDE, count)
    if threads > 1:
        wake(flags, thread * FLAG_STRIDE)
    for other in range(threads):
        spins = 0
        seen = observe(flags, other * FLAG_STRIDE)
        while seen < count:
            spins += 1
            if spins > _SPINS:
                sleep(flags, other * FLAG_STRIDE, seen)
            seen = observe(flags, other * FLAG_STRIDE)
