"""A note on standard error while the compiler is at work."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager

from numba.core.event import Event, Listener, install_listener


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
