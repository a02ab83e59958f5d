"""Reads the regular files in tar, zip and compressed files into memory; it extracts nothing."""

import codecs
import gzip
import io
import lzma
import posixpath
import re
import stat
import struct
import tarfile
import zipfile
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import IO, Any

from pte.corpora.compressed import DAMAGE, HEAD, Bounded, allowed, by_head, refuse_more
from pte.errors import PteError

_TARS: dict[str, Callable[[Path], Any]] = {
    ".tar.gz": gzip.open,
    ".tgz": gzip.open,
    ".tar.xz": lzma.open,
    ".tar": partial(open, mode="rb"),
}
_ZIP_SUFFIXES = (".zip", ".whl")

# The exceptions of the standard library on damaged input. RuntimeError: an encrypted zip entry.
_DAMAGE = (*DAMAGE, ValueError, RuntimeError, struct.error, tarfile.TarError, zipfile.BadZipFile)

LARGEST_MEMBER = 2**31  # the most bytes of a member of an archive, which is read as a whole

LONGEST_LINE = 1 << 26

# The normalised name of a member, and a function that reads its bytes.
_Member = tuple[str, Callable[[], bytes]]


def read_members(path: Path, pattern: str) -> Iterator[tuple[re.Match[str], bytes]]:
    """Yield each regular file whose name matches: the match, and the content; extract nothing."""
    path, match = Path(path), re.compile(pattern).fullmatch
    if not path.is_file():
        raise PteError(f"{path}: no such file; fetch it first")
    with _damage_reported(path):
        for name, read in _members(path):
            if found := match(name):
                yield found, read()


def stream_lines(path: Path, member: str | None = None) -> Iterator[bytes]:
    """Yield the lines, with their ends, of a text file or of the `member` of a zip archive."""
    path = Path(path)
    if not path.is_file():
        raise PteError(f"{path}: no such file; fetch it first")
    with _damage_reported(path), _opened(path, member) as file:
        yield from bounded_lines(path, file)


def bounded_lines(path: Path, file: IO[bytes]) -> Iterator[bytes]:
    """Yield the lines of an open file, none of more than `LONGEST_LINE` bytes."""
    while line := file.readline(LONGEST_LINE + 1):
        if len(line) > LONGEST_LINE:
            raise PteError(f"{path}: a line has more than {LONGEST_LINE} bytes; is it text?")
        yield line


def without_mark(lines: Iterable[bytes]) -> Iterator[bytes]:
    """Yield the lines of a text in UTF-8 without the byte order mark that the first may have."""
    for number, line in enumerate(lines):
        yield line if number else line.removeprefix(codecs.BOM_UTF8)


@contextmanager
def _opened(path: Path, member: str | None) -> Iterator[IO[bytes]]:
    if member is not None:
        with zipfile.ZipFile(path) as archive:
            named = [n for n in archive.namelist() if member in (n, posixpath.basename(n))]
            if len(named) != 1:
                raise PteError(f"{path}: {len(named)} files are named {member}; one must be")
            with archive.open(named[0]) as file:
                yield io.BufferedReader(Bounded(file, path, allowed(path)))
        return
    with path.open("rb") as raw:
        kind = by_head(raw.peek(HEAD))
        yield kind.unpacked(path, raw) if kind else raw


def _members(path: Path) -> Iterator[_Member]:
    name = path.name.lower()
    if name.endswith(_ZIP_SUFFIXES):
        return _zip_members(path)
    for suffix, opened in _TARS.items():
        if name.endswith(suffix):
            return _tar_members(path, opened)
    known = ", ".join([*_TARS, *_ZIP_SUFFIXES])
    raise PteError(f"{path}: unknown kind of archive; the name must end in one of {known}")


@contextmanager
def _damage_reported(path: Path) -> Iterator[None]:
    try:
        yield
    except _DAMAGE as error:
        if isinstance(error, OSError) and error.errno is not None:
            raise PteError(f"{path}: {error.strerror}; see that you can read it") from error
        raise PteError(
            f"{path}: truncated or corrupt archive ({error}); delete it and fetch it again"
        ) from error


def _tar_members(path: Path, opened: Callable[[Path], Any]) -> Iterator[_Member]:
    most, whole = allowed(path), 0
    # Headers and padding count, too: a file may be twice as long as what its members hold.
    with (
        Bounded(opened(path), path, 2 * most) as content,
        tarfile.open(fileobj=content, mode="r:") as tar,
    ):
        while member := tar.next():
            tar.members.clear()  # type: ignore[attr-defined]  # millions would fill the memory
            refuse_more(path, whole := whole + member.size, most)
            if member.isreg():
                name = _checked_name(path, member.name, member.size)
                yield name, partial(_tar_content, tar, member)
        _check_end(tar)


def _tar_content(tar: tarfile.TarFile, member: tarfile.TarInfo) -> bytes:
    file = tar.extractfile(member)
    return file.read() if file else b""


def _check_end(tar: tarfile.TarFile) -> None:
    """Check that the iteration reached the end, because tarfile also stops at a damaged header."""
    if tar.fileobj is None:
        return
    tar.fileobj.seek(tar.offset)
    if tar.fileobj.read(tarfile.BLOCKSIZE) != bytes(tarfile.BLOCKSIZE):
        raise tarfile.ReadError("no end-of-archive mark after the last readable member")
    # The checksum of a compressed stream is only compared once all of it has been read.
    while tar.fileobj.read(1 << 20):
        pass


def _zip_members(path: Path) -> Iterator[_Member]:
    with zipfile.ZipFile(path) as archive:
        infos = archive.infolist()
        refuse_more(path, sum(info.file_size for info in infos), allowed(path))
        for info in infos:
            name = _checked_name(path, info.filename, info.file_size)
            kind = stat.S_IFMT(info.external_attr >> 16)
            if kind in (0, stat.S_IFREG) and not info.is_dir():
                yield name, partial(_zip_content, archive, info)


def _zip_content(archive: zipfile.ZipFile, info: zipfile.ZipInfo) -> bytes:
    # An entry may lie about its size, so no more than the declared size, already checked, is read.
    with archive.open(info) as file:
        return file.read(info.file_size)


def _checked_name(path: Path, name: str, size: int) -> str:
    if not name or size > LARGEST_MEMBER:
        what = f"has {size} bytes, more than {LARGEST_MEMBER}" if name else "has no name"
        raise PteError(f"{path}: refused, because member {name!r} {what}")
    return posixpath.normpath(name)
