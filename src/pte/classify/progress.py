"""The progress that a training shows, notes about the compiler, and the effect of Ctrl-C."""

import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any

from numba.core.event import Event, Listener, install_listener
from tqdm import tqdm

from pte.training.setup import Progress


@contextmanager
def shown(unit: str, verbose: int, name: str) -> Iterator[Progress | None]:
    """Yield a function that draws a bar for each training, or None if `verbose` is 0."""
    if not verbose:
        yield None
        return
    bars = list["tqdm[Any]"]()

    def show(done: int, whole: int) -> None:
        if not bars or done < bars[-1].n or whole != bars[-1].total:
            if bars:
                bars[-1].close()
            of = f"{name}, training {len(bars) + 1}"
            bars.append(tqdm(desc=of, total=whole, unit=unit, unit_scale=True))
        bars[-1].update(done - bars[-1].n)

    try:
        yield show
    finally:
        if bars:
            bars[-1].close()


class _CompilingNote(Listener):  # type: ignore[misc]
    """A listener that says once that the compiler is at work."""

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


@contextmanager
def stop_at_interrupt() -> Iterator[Callable[[], bool]]:
    """Yield a function that says whether Ctrl-C was pressed; only the main thread can see it."""
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
