"""Compressed files: the ends of their names, their first bytes, and functions that open them."""

import bz2
import gzip
import lzma
import re
import zlib
from collections.abc import Callable
from io import BufferedReader
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
    open: Callable[[Any], Any]

    def unpacked(self, path: Path, file: IO[bytes] | None = None) -> IO[bytes]:
        """Open a file, or the open `file` of this path, for reading what it holds.

        What is read raises `PteError` when it is more than `pte.bounds` allow a file of this size.
        """
        return BufferedReader(Bounded(self.open(file or path), path, allowed(path)), 1 << 16)


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


def by_head(head: bytes) -> Compression | None:
    """Return the compression that the first `HEAD` bytes of a file say; None if they say none."""
    return next((each for each in COMPRESSIONS if each.begins.match(head)), None)
