"""Texts in a file instead of in memory."""

import os
import tempfile
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


class Texts(Protocol):
    """Bytes of many texts, one after the other."""

    def read(self, begin: int, size: int) -> bytes:
        """Read `size` bytes from `begin` on. Threads may read at once."""


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

    def mapped(self) -> "NDArray[np.uint8]":
        """All bytes that were added, mapped."""
        import numpy as np  # registries are read without it

        self._file.flush()
        return np.memmap(self._file, np.uint8, "r") if self._size else np.zeros(0, np.uint8)


@dataclass(frozen=True)
class MappedTexts:
    """Texts in a file that is mapped."""

    content: "NDArray[np.uint8]"

    def read(self, begin: int, size: int) -> bytes:
        """Read `size` bytes from `begin` on."""
        return self.content[begin : begin + size].tobytes()


@dataclass(frozen=True, slots=True, eq=False)
class SpooledText:
    """Where a text lies in a file of texts."""

    texts: Texts
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
        return self.texts.read(self.begin, self.size)
