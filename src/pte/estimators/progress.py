"""What a training shows while it goes on, and how it is interrupted."""

import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType

from numba.core.event import Event, Listener, install_listener
from tqdm import tqdm

from pte.training.setup import Progress


@contextmanager
def shown(unit: str, verbose: int) -> Iterator[Progress | None]:
    """A bar with the share that is done, the `unit`s in a second, and the time left.

    It is None where `verbose` is 0.
    """
    if not verbose:
        yield None
        return
    with tqdm(unit=unit, unit_scale=True) as bar:

        def show(done: int, whole: int) -> None:
            bar.total = whole
            bar.update(done - bar.n)

        yield show


class _CompilingNote(Listener):  # type: ignore[misc]
    """Says once that the compiler is at work."""

    said = False

    def on_start(self, event: Event) -> None:
        if not self.said:
            print("compiling kernels; they are kept for the next time", file=sys.stderr)
        self.said = True

    def on_end(self, event: Event) -> None:
        pass


@contextmanager
def noted_compiling(verbose: int = 1) -> Iterator[None]:
    """Say on standard error if the block waits for the compiler, unless `verbose` is 0."""
    if not verbose:
        yield
        return
    with install_listener("numba:compile", _CompilingNote()):
        yield


class CompilerClock(Listener):  # type: ignore[misc]
    """Sums up the `seconds` that the compiler is at work. One function may wait for others."""

    seconds = 0.0
    _depth = 0
    _began = 0.0

    def on_start(self, event: Event) -> None:
        """Begin to count, unless the compiler is at work already."""
        if not self._depth:
            self._began = time.perf_counter()
        self._depth += 1

    def on_end(self, event: Event) -> None:
        """Stop to count once nothing is left to compile."""
        self._depth -= 1
        if not self._depth:
            self.seconds += time.perf_counter() - self._began


@contextmanager
def compiler_clock() -> Iterator[CompilerClock]:
    """Yield what counts the seconds that the block waits for the compiler."""
    clock = CompilerClock()
    with install_listener("numba:compile", clock):
        yield clock


@contextmanager
def stop_at_interrupt() -> Iterator[Callable[[], bool]]:
    """Yield what says whether Ctrl-C was pressed in the block; pressed twice, it interrupts.

    Only the main thread can see the key, so that in another thread the answer is always no.
    """
    pressed = threading.Event()
    if threading.current_thread() is not threading.main_thread():
        yield pressed.is_set
        return
    before = signal.getsignal(signal.SIGINT)

    def press(number: int, frame: FrameType | None) -> None:
        if pressed.is_set():
            raise KeyboardInterrupt
        pressed.set()

    signal.signal(signal.SIGINT, press)
    try:
        yield pressed.is_set
    finally:
        signal.signal(signal.SIGINT, before)
