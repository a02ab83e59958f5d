"""Compressed files: the ends of their names, their first bytes, and functions that open them."""

import bz2
import gzip
import lzma
import re
import zlib
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from io import BufferedReader, TextIOWrapper
from pathlib import Path
from typing import IO, Any, NamedTuple

from pte.bounds import Bounded, allowed

DAMAGE = (OSError, EOFError, zlib.error, lzma.LZMAError)
"""The exceptions that reading a truncated or corrupt file raises."""

HEAD = 10
"""How many first bytes say how a file is compressed; an empty bzip2 file needs all of them."""


class Compression(NamedTuple):
    """A kind of compressed file; `open` takes a path or a binary file."""

    title: str
    ending: str
    begins: re.Pattern[bytes]
    open: Callable[..., Any]

    def unpacked(self, path: Path, file: IO[bytes]) -> BufferedReader:
        """Read what the open `file` of this path holds.

        What is read raises `PteError` when it is more than `pte.bounds` allow a file of this size.
        """
        return BufferedReader(Bounded(self.open(file), path, allowed(path)), 1 << 16)


GZIP = Compression("a gzip file", ".gz", re.compile(rb"\x1f\x8b"), gzip.open)
COMPRESSIONS = (
    GZIP,
    Compression("a bzip2 file", ".bz2", re.compile(rb"BZh[1-9](1AY&SY|\x17rE8P\x90)"), bz2.open),
    Compression("an xz file", ".xz", re.compile(rb"\xfd7zXZ\x00"), lzma.open),
)
ENDINGS = tuple(each.ending for each in COMPRESSIONS)


def by_name(path: Path) -> Compression | None:
    """Return the compression that the end of a file's name says; None if it says none."""
    return next((each for each in COMPRESSIONS if each.ending == path.suffix.lower()), None)


def uncompressed(name: str) -> str:
    """Return the name of a file without the ending that says how it is compressed."""
    return name.rpartition(".")[0] if name.lower().endswith(ENDINGS) else name


@contextmanager
def binary_to_write(path: Path) -> Iterator[Any]:
    """Open a file for bytes, compressed as the end of its name says."""
    with path.open("wb") as file, ExitStack() as stack:
        if path.suffix.lower() == ".gz":  # no name and no time: the same bytes each time
            yield stack.enter_context(gzip.GzipFile("", "wb", fileobj=file, mtime=0))
        elif kind := by_name(path):
            yield stack.enter_context(kind.open(file, "wb"))
        else:
            yield file


@contextmanager
def text_to_write(path: Path, encoding: str = "utf-8") -> Iterator[IO[str]]:
    """Open a file for text as `binary_to_write` does; line ends stay as they are."""
    with binary_to_write(path) as file, TextIOWrapper(file, encoding, newline="") as text:
        yield text


def by_head(head: bytes) -> Compression | None:
    """Return the compression that the first `HEAD` bytes of a file say; None if they say none."""
    return next((each for each in COMPRESSIONS if each.begins.match(head)), None)
