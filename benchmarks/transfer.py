"""How long a cache line takes from one core to another: two pinned threads write it in turn.

On a virtual machine this changes from minute to minute, with the real cores that the virtual ones
run on, and most of the scatter of training with two threads comes from it.
"""

import os
import time
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
from numba import njit, types
from numba.extending import intrinsic

from benchmarks.common import cores
from pte.core import arrays

TURNS = 4_000
REPEATS = 10


@intrinsic
def _load(context, array):  # type: ignore[no-untyped-def]
    """array[0], looked at anew each time."""

    def compile(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        view = context.make_array(signature.args[0])(context, builder, args[0])
        return builder.load_atomic(view.data, "acquire", 8)

    return types.int64(array), compile


@intrinsic
def _store(context, array, value):  # type: ignore[no-untyped-def]
    """Set array[0] where other threads see it."""

    def compile(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        view = context.make_array(signature.args[0])(context, builder, args[0])
        builder.store_atomic(args[1], view.data, "release", 8)
        return context.get_dummy_value()

    return types.void(array, types.int64), compile


@njit(nogil=True)
def _take_turns(line, player, turns):  # type: ignore[no-untyped-def]
    """Count `line` up whenever it is this player's turn."""
    for turn in range(turns):
        mine = 2 * turn + player
        while _load(line) != mine:
            pass
        _store(line, mine + 1)


def nanoseconds() -> float | None:
    """A transfer between the first two cores, the fastest of some tries: others only slow it down.

    None where there are not two cores to pin threads to.
    """
    if not hasattr(os, "sched_setaffinity") or len(cores()) < 2:
        return None
    return min(_once() for _ in range(REPEATS))


def _once() -> float:
    line = arrays.zeros(1, arrays.LANES)[0].view(np.int64)
    _take_turns(line, 0, 0)  # compiles
    places = cores()

    def play(player: int) -> float:
        os.sched_setaffinity(0, {places[player]})  # of this thread alone
        began = time.perf_counter()
        _take_turns(line, player, TURNS)
        return time.perf_counter() - began

    with ThreadPoolExecutor(2) as pool:
        seconds = min(pool.map(play, range(2)))
    return 1e9 * seconds / (2 * TURNS)


if __name__ == "__main__":
    for _ in range(5):
        print(nanoseconds())
