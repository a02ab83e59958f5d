"""Blocks of work on threads; each thread takes the next block when the thread is free."""

import threading
from collections.abc import Callable, Iterable
from concurrent.futures import FIRST_EXCEPTION, ThreadPoolExecutor, wait
from typing import TypeVar

Block = TypeVar("Block")

_POLL_SECONDS = 0.2


def run_blocks(
    work: Callable[[Block, int], None],
    blocks: Iterable[Block],
    threads: int,
    progress: Callable[[int], None] | None = None,
) -> None:
    """Call `work(block, thread)` once for each of `blocks`; calls start in the order of `blocks`.

    `thread` is 0 … `threads − 1`; no two calls with one thread overlap. `work` must release the
    GIL to run in parallel. With one thread the order is exact. `progress` is called now and then,
    from the calling thread, with the number of blocks that are done. An exception in a block, or an
    interrupt in the caller, stops every thread after its block and is raised here.
    """
    lock = threading.Lock()
    waiting = iter(blocks)
    finished = 0
    stopping = False

    def worker(thread: int) -> None:
        nonlocal finished
        while True:
            with lock:
                block = None if stopping else next(waiting, None)
            if block is None:
                return
            work(block, thread)
            with lock:
                finished += 1

    with ThreadPoolExecutor(threads) as pool:
        try:
            pending = {pool.submit(worker, thread) for thread in range(threads)}
            while pending:
                done, pending = wait(pending, _POLL_SECONDS, FIRST_EXCEPTION)
                for future in done:
                    future.result()
                if progress:
                    progress(finished)
        finally:
            stopping = True
