"""Texts in a temporary file instead of in memory."""

import os
import tempfile
from dataclasses import dataclass


class Spool:
    """Texts in a temporary file without a name, which goes when nobody holds a text of it."""

    def __init__(self) -> None:
        """Make the file, where `tempfile` puts such files: TMPDIR names the folder."""
        self._file = tempfile.TemporaryFile(buffering=1 << 20)  # noqa: SIM115
        self._size = 0

    def add(self, text: bytes) -> "SpooledText":
        """Write a text to the end of the file."""
        self._file.write(text)
        self._size += len(text)
        return SpooledText(self, self._size - len(text), len(text))

    def read(self, begin: int, size: int) -> bytes:
        """Read `size` bytes from `begin` on. Threads may read at once when all is added."""
        self._file.flush()
        return os.pread(self._file.fileno(), size, begin)


@dataclass(frozen=True, slots=True, eq=False)
class SpooledText:
    """Where a text lies in a `Spool`."""

    spool: Spool
    begin: int
    size: int

    def __len__(self) -> int:
        """Its bytes."""
        return self.size

    def __eq__(self, other: object) -> bool:
        """Whether it is the same text as `other`, which may be in memory."""
        return self.read() == (other.read() if isinstance(other, SpooledText) else other)

    def __hash__(self) -> int:
        """That of the text."""
        return hash(self.read())

    def read(self) -> bytes:
        """The text."""
        return self.spool.read(self.begin, self.size)
