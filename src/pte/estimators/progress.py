"""What a training shows while it goes on, and how it is interrupted."""

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType

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
