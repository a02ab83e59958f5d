"""The trials of a contest in processes of this machine, each on one thread."""

import multiprocessing
import os
import signal
import sys
import threading
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool

from pte.classify.learning import Settings
from pte.classify.registry import kernel_sets_of
from pte.classify.trial import Tested, Trials, Work
from pte.errors import PteError
from pte.warm_up import compile_kernels

START = "fork" if sys.platform == "linux" else "spawn"
"""How processes start. A fork shares the texts and the loaded kernels with this process."""


class LostProcess(PteError):
    """The error when the system ends a process of a contest."""


_trials: list[Trials] = []
"""The trials that this process runs, in a worker."""


def run(trials: Trials, works: Sequence[Work], processes: int) -> Iterator[Tested]:
    """Run trials, and yield each as it ends; they begin in their order.

    An interrupt ends all processes. Raises `LostProcess` when the system ends one.
    """
    if processes == 1 or len(works) <= 1:
        for work in works:
            yield trials.run(work)
        return
    pool = ProcessPoolExecutor(
        min(processes, len(works)),
        multiprocessing.get_context(START),
        _begin,
        (trials,),
    )
    try:
        for future in as_completed([pool.submit(_run, work) for work in works]):
            yield future.result()
    except BrokenProcessPool:
        raise LostProcess(
            "the system ended a process of the contest, perhaps for want of memory; take fewer "
            "--threads"
        ) from None
    finally:
        pool.shutdown(wait=False, cancel_futures=True)
        for process in multiprocessing.active_children():
            process.terminate()


def warm_up(settings: Settings, methods: Iterable[str]) -> None:
    """Compile or load the kernels that methods call, so that no trial pays for this."""
    for name in kernel_sets_of(methods):
        compile_kernels(name, [settings.hyperparameters])


def _begin(trials: Trials) -> None:
    """Prepare a worker; an interrupt is the business of the process that waits for it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, daemon=True).start()
    _trials[:] = [trials]


def _end_with_parent() -> None:
    """End this process when the one that waits for it is killed; else it would wait for work."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


def _run(work: Work) -> Tested:
    return _trials[0].run(work)
