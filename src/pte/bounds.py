"""How much a file may hold when it is unpacked, by ratio and in total, checked while it is read."""

import io
from pathlib import Path
from typing import Any

from pte.errors import PteError

MOST_CONTENT = 2**34
"""The most bytes that a compressed file or an archive may hold: 16 GiB."""

MOST_RATIO = 250
"""The largest ratio of content to file; text is compressed to a third or a tenth."""

ALWAYS_ALLOWED = 2**22
"""How many bytes any file may hold, because they are too few to do harm: 4 MiB."""


def allowed(path: Path) -> int:
    """Return the most bytes that a compressed file of this size may hold."""
    return min(MOST_CONTENT, max(ALWAYS_ALLOWED, MOST_RATIO * Path(path).stat().st_size))


def refuse_more(path: Path, size: int, most: int) -> None:
    """Refuse a file of more than `most` bytes."""
    if size > most:
        raise PteError(
            f"{path}: refused, because it holds more than {most:,} bytes, which no text of this "
            "size does; unpack it yourself if you trust it"
        )


class Bounded(io.RawIOBase):
    """A binary file that refuses to be read beyond `most` bytes, or more than `at_once`, if set."""

    def __init__(self, file: Any, path: Path, most: int) -> None:
        """Take an open binary file, which is closed with this one."""
        super().__init__()
        self._file, self._path, self._most = file, path, most
        self.at_once: int | None = None

    def readable(self) -> bool:
        """Return True."""
        return True

    def seekable(self) -> bool:
        """Return whether the file can be read from another place."""
        return bool(self._file.seekable())

    def tell(self) -> int:
        """Return the place in the unpacked content."""
        return int(self._file.tell())

    def seek(self, offset: int, whence: int = io.SEEK_SET) -> int:
        """Go to a place; it must not be behind the bound."""
        if whence == io.SEEK_SET:
            refuse_more(self._path, offset, self._most)
        return int(self._file.seek(offset, whence))

    def read(self, size: int = -1) -> bytes:
        """Read at most `size` bytes, or all."""
        refuse_more(self._path, size, self._most if self.at_once is None else self.at_once)
        left = max(self._most - self._file.tell(), 0) + 1
        content: bytes = self._file.read(left if size < 0 else min(size, left))
        refuse_more(self._path, self._file.tell(), self._most)
        return content

    def readinto(self, buffer: Any) -> int:
        """Read into a buffer; return how many bytes were read."""
        content = self.read(len(buffer))
        buffer[: len(content)] = content
        return len(content)

    def close(self) -> None:
        """Close the file."""
        self._file.close()
        super().close()
