"""Where the command `pte` begins: with its streams, before anything slow is imported."""

import os
import sys
from io import TextIOWrapper
from typing import Any

from pte.errors import CONTROLS, naming


class Plain(TextIOWrapper):
    """A stream of text that any terminal shows: characters that it cannot show are escaped."""

    called = "standard output"  # what errors call the stream

    def write(self, text: str) -> int:
        """Write a text without control characters; a bar of progress begins at a line's begin."""
        back = "\r" if text.startswith("\r") else ""
        with naming(self.called):
            return super().write(back + text.removeprefix(back).translate(CONTROLS))

    def flush(self) -> None:
        """Write what is left; an `OSError` that this raises names the stream."""
        with naming(self.called):
            super().flush()


def main() -> None:
    """Run the command."""
    try:
        open_streams()
        from pte.command.main import main as run

        run()
    except KeyboardInterrupt:
        print("interrupted", file=sys.stderr)
        raise SystemExit(130) from None


def open_streams() -> None:
    """Open streams that the caller has closed: a file that is written could get their number."""
    while (number := os.open(os.devnull, os.O_RDWR)) <= 2:
        os.set_inheritable(number, True)
    os.close(number)
    if sys.stdin is None:
        sys.stdin = open(0, encoding="utf-8")  # noqa: SIM115
    sys.stdout, sys.stderr = _plain(sys.stdout, 1), _plain(sys.stderr, 2)


def _plain(stream: Any, number: int) -> Plain:
    if stream is None:
        made = Plain(open(number, "wb"), "utf-8")  # noqa: SIM115
    else:
        lines = number == 2 or stream.line_buffering
        made = Plain(stream.detach(), stream.encoding, "backslashreplace", line_buffering=lines)
    made.called = "standard error" if number == 2 else "standard output"
    return made
