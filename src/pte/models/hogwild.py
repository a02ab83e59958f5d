"""Run numbered blocks of work on threads that take the next block when they are free."""

import threading
from collections.abc import Callable
from concurrent.futures import FIRST_EXCEPTION, ThreadPoolExecutor, wait

Progress = Callable[[int, int], None]
"""Called now and then with (blocks done, blocks in all), from the calling thread."""

_POLL_SECONDS = 0.2


def run_blocks(
    work: Callable[[int], None], blocks: int, threads: int, progress: Progress | None = None
) -> None:
    """Call `work(0)` … `work(blocks − 1)`, each once, in order of their start.

    `work` must release the GIL to run in parallel. With one thread the order is exact. An
    exception in a block, or an interrupt in the caller, stops every thread after its block and is
    raised here.
    """
    lock = threading.Lock()
    started = finished = 0
    stopping = False

    def worker() -> None:
        nonlocal started, finished
        while True:
            with lock:
                if stopping or started == blocks:
                    return
                block, started = started, started + 1
            work(block)
            with lock:
                finished += 1

    with ThreadPoolExecutor(threads) as pool:
        try:
            pending = {pool.submit(worker) for _ in range(threads)}
            while pending:
                done, pending = wait(pending, _POLL_SECONDS, FIRST_EXCEPTION)
                for future in done:
                    future.result()
                if progress:
                    progress(finished, blocks)
        finally:
            stopping = True
