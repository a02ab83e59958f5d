"""Compressed files, and files that are no plain text: by endings and first bytes, and no bombs."""

import bz2
import gzip
import io
import lzma
import re
import zlib
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from io import BufferedReader, TextIOWrapper
from pathlib import Path
from typing import IO, Any, NamedTuple

from pte.errors import PteError

MOST_CONTENT = 2**34  # the most bytes that a compressed file or an archive may hold: 16 GiB
MOST_RATIO = 250  # the largest ratio of content to file; text is compressed to a third or a tenth
ALWAYS_ALLOWED = 2**22  # bytes that any file may hold, too few to do harm: 4 MiB


def allowed(size: int) -> int:
    """Return the most bytes that a compressed file of this size may hold."""
    return min(MOST_CONTENT, max(ALWAYS_ALLOWED, MOST_RATIO * size))


def refuse_more(path: Path, size: int, most: int) -> None:
    """Refuse a file of more than `most` bytes."""
    if size > most:
        raise PteError(
            f"{path}: refused, because it holds more than {most:,} bytes, which no text of this "
            "size does; unpack it yourself if you trust it"
        )


class _Bounded(io.RawIOBase):
    """A binary file that refuses to be read beyond `most` bytes."""

    def __init__(self, file: Any, path: Path, most: int) -> None:
        super().__init__()
        self._file, self._path, self._most = file, path, most

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        """Read into a buffer; return how many bytes were read."""
        content = self._file.read(len(buffer))
        buffer[: len(content)] = content
        refuse_more(self._path, self._file.tell(), self._most)
        return len(content)


DAMAGE = (OSError, EOFError, zlib.error, lzma.LZMAError)  # of a truncated or corrupt file
HEAD = 10  # first bytes that say how a file is compressed; empty bzip2 needs all


_EXPORT = "export it as CSV or .xlsx"
_SIGNATURES = {
    rb"PK\x03\x04": f"a zip archive, or a workbook, whose name ends in .xlsx; or {_EXPORT}",
    rb"7z\xbc\xaf|Rar!\x1a": "an archive; unpack it",
    rb"\x28\xb5\x2f\xfd|\x1f\x9d|\x04\x22\x4d\x18": "compressed; unpack it, or use gzip",
    rb"\xd0\xcf\x11\xe0": f"an old workbook of Excel; {_EXPORT}",
    rb"PAR1[\x00-\x1f]": "a Parquet file; end its name in .parquet, or give --format parquet",
    rb"%PDF-|\{\\rtf": "a PDF or a document in RTF; save it as plain text",
    rb"\s*(?i:<!doctype html|<html)": "a page of HTML; save its table as CSV",
    rb"version https://git-lfs": "a pointer of Git LFS; get the file itself: git lfs pull",
}


class Compression(NamedTuple):
    """A kind of compressed file; `open` takes a path or a binary file."""

    ending: str
    begins: re.Pattern[bytes]
    open: Callable[..., Any]

    def unpacked(self, name: str, file: IO[bytes], size: int) -> BufferedReader:
        """Read what an open file of this size holds, but no more than is `allowed`."""
        return BufferedReader(_Bounded(self.open(file), Path(name), allowed(size)), 1 << 16)


_COMPRESSIONS = (
    Compression(".gz", re.compile(rb"\x1f\x8b"), gzip.open),
    Compression(".bz2", re.compile(rb"BZh[1-9](1AY&SY|\x17rE8P\x90)"), bz2.open),
    Compression(".xz", re.compile(rb"\xfd7zXZ\x00"), lzma.open),
)
ENDINGS = tuple(each.ending for each in _COMPRESSIONS)


def by_name(path: Path) -> Compression | None:
    """Return the compression that the end of a file's name says; None if it says none."""
    return next((each for each in _COMPRESSIONS if each.ending == path.suffix.lower()), None)


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
    return next((each for each in _COMPRESSIONS if each.begins.match(head)), None)


def refuse_other_files(name: str, content: bytes) -> None:
    """Raise `PteError` for what is no text, as its first bytes say."""
    for begin, what in _SIGNATURES.items():
        if re.match(begin, content[:1024]):
            raise PteError(f"{name}: this is {what}")


@contextmanager
def naming_damage(name: str, damage: tuple[type[Exception], ...] = DAMAGE) -> Iterator[None]:
    """Raise `PteError` for what reading a damaged file raises in the block."""
    try:
        yield
    except damage as error:
        raise PteError(
            f"{name}: it cannot be read to its end ({error}); if it is truncated or corrupt, "
            "delete it and fetch it again, or copy or compress it again"
        ) from error
