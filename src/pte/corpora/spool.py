"""Texts in a file instead of in memory."""

import os
import tempfile
from dataclasses import dataclass


class Spool:
    """Texts in a temporary file without a name, deleted when nothing refers to its texts."""

    def __init__(self) -> None:
        """Make the file in the folder for temporary files, which TMPDIR names."""
        self._file = tempfile.TemporaryFile(buffering=1 << 20)  # noqa: SIM115
        self._size = 0

    def add(self, text: bytes) -> "SpooledText":
        """Write a text to the end of the file, and return its place."""
        self._file.write(text)
        self._size += len(text)
        return SpooledText(self, self._size - len(text), len(text))

    def read(self, begin: int, size: int) -> bytes:
        """Read `size` bytes from `begin` on. Several threads may read when all texts are added."""
        self._file.flush()
        return os.pread(self._file.fileno(), size, begin)


@dataclass(frozen=True, slots=True, eq=False)
class SpooledText:
    """The place of a text in a file of texts."""

    texts: Spool
    begin: int
    size: int

    def __len__(self) -> int:
        """Return the number of bytes of the text."""
        return self.size

    def __eq__(self, other: object) -> bool:
        """Return whether `other`, which may be in memory, is the same text."""
        return self.read() == (other.read() if isinstance(other, SpooledText) else other)

    def __hash__(self) -> int:
        """Return the hash of the text."""
        return hash(self.read())

    def read(self) -> bytes:
        """Read the text."""
        return self.texts.read(self.begin, self.size)
