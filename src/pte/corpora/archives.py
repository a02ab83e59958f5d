"""Reads the regular files in tar, zip and compressed files into memory; it extracts nothing."""

import codecs
import io
import posixpath
import re
import stat
import struct
import tarfile
import zipfile
from collections.abc import Iterable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

from pte.corpora.compressed import DAMAGE, HEAD, allowed, by_head, naming_damage, refuse_more
from pte.errors import PteError

# Of the standard library on damaged input. RuntimeError: an encrypted zip entry.
_OF_ARCHIVES = (tarfile.TarError, zipfile.BadZipFile, struct.error, RuntimeError, LookupError)
_DAMAGE = (*DAMAGE, *_OF_ARCHIVES, ValueError)


def read_members(path: Path, pattern: str) -> Iterator[tuple[re.Match[str], bytes]]:
    """Yield each regular file whose name matches: the match, and the content; extract nothing."""
    path, match = Path(path), re.compile(pattern).fullmatch
    _require(path)
    with naming_damage(str(path), _DAMAGE):
        with path.open("rb") as file:
            members = _zipped if file.read(2) == b"PK" else _tarred
        most, whole = allowed(path.stat().st_size), 0
        for name, size, read in members(path):
            refuse_more(path, whole := whole + size, most)
            if found := match(posixpath.normpath(name)):
                yield found, read()


def stream_lines(path: Path, member: str | None = None) -> Iterator[bytes]:
    """Yield the lines, with their ends, of a text file or of the `member` of a zip archive."""
    path = Path(path)
    _require(path)
    if member is None:
        with naming_damage(str(path)), path.open("rb") as raw:
            kind = by_head(raw.peek(HEAD))
            yield from kind.unpacked(str(path), raw, path.stat().st_size) if kind else raw
        return
    with naming_damage(str(path), _DAMAGE), zipfile.ZipFile(path) as archive:
        named = [n for n in archive.namelist() if member in (n, posixpath.basename(n))]
        if len(named) != 1:
            raise PteError(f"{path}: {len(named)} files are named {member}; one must be")
        with archive.open(named[0]) as file:
            yield from io.BufferedReader(file)  # type: ignore[type-var]


def _require(path: Path) -> None:
    if not path.is_file():
        raise PteError(f"{path}: no such file; fetch it first")


def without_mark(lines: Iterable[bytes]) -> Iterator[bytes]:
    """Yield the lines of a text in UTF-8 without the byte order mark that the first may have."""
    for number, line in enumerate(lines):
        yield line if number else line.removeprefix(codecs.BOM_UTF8)


_Member = tuple[str, int, Any]  # the name, the size, and a function that reads the content


def _tarred(path: Path) -> Iterator[_Member]:
    with path.open("rb") as raw:
        kind = by_head(raw.peek(HEAD))
        with tarfile.open(fileobj=kind.open(raw) if kind else raw, mode="r:") as tar:
            while member := tar.next():
                tar.members.clear()  # type: ignore[attr-defined]  # millions would fill the memory
                file = tar.extractfile(member) if member.isreg() else None
                yield from [(member.name, member.size, file.read)] if file else []
            if tar.fileobj is not None:
                _check_end(tar.fileobj, tar.offset)


def _check_end(file: Any, offset: int) -> None:
    """Check that tarfile reached the end: it also stops at a damaged header."""
    file.seek(offset)
    if file.read(tarfile.BLOCKSIZE) != bytes(tarfile.BLOCKSIZE):
        raise tarfile.ReadError("no end-of-archive mark after the last readable member")
    while file.read(1 << 20):  # the checksum of a compressed stream is compared at its end
        pass


def _zipped(path: Path) -> Iterator[_Member]:
    with zipfile.ZipFile(path) as archive:
        for info in archive.infolist():
            kind = stat.S_IFMT(info.external_attr >> 16)
            if kind in (0, stat.S_IFREG) and not info.is_dir():
                yield info.filename, info.file_size, partial(archive.read, info)
