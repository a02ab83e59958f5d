"""Files that are written whole or not at all, and that are refused when they are damaged.

A `.npy` file has a seal that `numpy.load` does not see: a mark, CRC-32 and length. A JSON object
has its seal as the last key.
"""

import hashlib
import json
import os
import shutil
import stat
import struct
import sys
import zlib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from tempfile import TemporaryDirectory, TemporaryFile
from types import SimpleNamespace
from typing import Any
from uuid import uuid4

import numpy as np
from numpy.typing import DTypeLike, NDArray

from pte.array_file import parsed
from pte.errors import PteError, naming

REMEDY = "delete it; the next run makes it again"
_SEAL = struct.Struct("<4sIQ")  # the mark, the CRC-32 and the length of the bytes before
_MARK = b"PTE\x01"
_JSON_SEAL = "crc32"
_LONG = 100  # bytes of an ending; a file system takes names of 255
_BLOCK = 1 << 20  # bytes that are hashed at a time


@contextmanager
def atomic_file(
    path: Path, asked: Path | None = None, like: os.stat_result | None = None
) -> Iterator[Path]:
    """Yield a temporary path that becomes `path` if the block succeeds, with the mode of `like`."""
    ending = (asked or path).suffix
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = _hidden(path, ending if len(os.fsencode(ending)) <= _LONG else "")
    try:
        with naming(path):
            temporary.touch(0o600 if like else 0o666, exist_ok=False)
            yield temporary
            if like:
                temporary.chmod(stat.S_IMODE(like.st_mode))
                with suppress(PermissionError):  # the group is not one of this user
                    os.chown(temporary, like.st_uid, like.st_gid)
            temporary.replace(path)
    finally:
        temporary.unlink(missing_ok=True)


@contextmanager
def atomic_directory(path: Path) -> Iterator[Path]:
    """Yield a temporary directory that replaces `path`, never incomplete, if the block succeeds."""
    room = _hidden(path)
    new = room / "new"
    try:
        new.mkdir(parents=True)
        yield new
        if path.exists():
            path.rename(room / "old")
        new.rename(path)
    finally:
        shutil.rmtree(room, ignore_errors=True)


def _hidden(path: Path, ending: str = "") -> Path:
    """Return a new name beside `path`, and remove what a killed writer of `path` left there."""
    begin = f".tmp-{hashlib.sha256(os.fsencode(path.name)).hexdigest()[:32]}-"
    for left in path.parent.glob(f"{begin}*"):
        with suppress(OSError):  # another process removes it
            shutil.rmtree(left) if left.is_dir() else left.unlink()
    return path.parent / f"{begin}{uuid4().hex}{ending}"


@contextmanager
def output_file(path: str | Path) -> Iterator[Path]:
    """Yield a temporary path; the file that a user named gets its content if the block succeeds.

    A regular file is replaced, with its mode and owner; others, and hard links, are written to.
    """
    path = Path(path)
    check_output(path)
    target, state = path.resolve(), path.stat() if path.exists() else None
    is_alone = state is None or (stat.S_ISREG(state.st_mode) and state.st_nlink == 1)
    is_stdout = state is not None and os.path.samestat(state, os.fstat(1))
    if is_alone and not is_stdout and os.access(target.parent, os.W_OK):
        made = atomic_file(target, path, state)
    else:
        made = _copied_to(path, is_stdout)
    with made as temporary:
        try:
            yield temporary
        except PteError as error:
            raise PteError(str(error).replace(str(temporary), str(path))) from None


@contextmanager
def _copied_to(path: Path, is_stdout: bool) -> Iterator[Path]:
    """Yield a temporary path, where a writer may seek, and copy the file there into `path`."""
    with TemporaryDirectory() as folder:
        temporary = Path(folder) / f"output{path.suffix}"
        yield temporary
        sys.stdout.flush()
        sink = os.fdopen(os.dup(1), "wb") if is_stdout else path.open("wb")
        with naming(path), temporary.open("rb") as made, sink:
            shutil.copyfileobj(made, sink)


def check_output(path: Path) -> None:
    """Refuse a path that cannot be written; no file is left or changed."""
    try:
        if not path.parent.is_dir():
            raise PteError(f"{path.parent}: no such folder; make it first, or name another")
        if path.is_dir():
            raise PteError(f"{path}: this is a folder; name a file")
        if not path.exists():
            TemporaryFile(dir=path.resolve().parent).close()  # whatever permissions say
        elif not os.access(path, os.W_OK):
            raise PteError(f"{path}: it may not be written; give yourself the permission")
    except (OSError, RuntimeError) as error:
        why = getattr(error, "strerror", None) or "a link leads to itself"
        raise PteError(f"{path}: nothing can be written there ({why}); name another file") from None


def write_json(path: Path, value: Any) -> None:
    """Write `value` as indented JSON, atomically, and seal it if it is an object."""
    if isinstance(value, dict):
        value = {**value, _JSON_SEAL: _seal_of(value)}
    with atomic_file(path) as temporary:
        text = json.dumps(value, indent=2, ensure_ascii=False)
        temporary.write_text(f"{text}\n", encoding="utf-8")


def read_json(path: Path, *keys: str) -> Any:
    """Read what `write_json` wrote, without its seal; an object must have the `keys`."""
    try:
        with _readable(path):
            value = parsed(Path(path).read_bytes())
    except ValueError as error:
        raise PteError(f"{path}: not valid JSON ({error}); {REMEDY}") from None
    if isinstance(value, dict) and value.pop(_JSON_SEAL, None) != _seal_of(value):
        raise PteError(f"{path}: damaged, or changed since it was written; {REMEDY}")
    for key in keys:
        if not isinstance(value, dict) or key not in value:
            raise PteError(f"{path}: it has no {key!r}; {REMEDY}")
    return value


def _seal_of(value: dict[str, Any]) -> str:
    """Return the CRC-32 of an object, without the white space of its file, as 8 hex digits."""
    return f"{zlib.crc32(json.dumps(value).encode()):08x}"


@contextmanager
def _readable(path: Path) -> Iterator[None]:
    try:
        yield
    except FileNotFoundError:
        raise PteError(f"{path}: no such file; run the step that writes it first") from None


def save_array(path: Path, array: NDArray[Any]) -> None:
    """Write `array` as a sealed .npy file, atomically."""
    with atomic_file(path) as temporary:
        with temporary.open("wb") as file:
            sink: Any = SimpleNamespace(write=file.write)  # else errors have no number
            np.save(sink, array, allow_pickle=False)
            length = file.tell()
        with temporary.open("ab") as file:
            file.write(_SEAL.pack(_MARK, checksum(temporary, length), length))


def load_array(path: Path, *, mapped: bool = False) -> NDArray[Any]:
    """Read what `save_array` wrote, compared with its seal; memory-map it if `mapped`."""
    path = Path(path)
    try:
        with _readable(path), path.open("rb") as file:
            length = max(path.stat().st_size - _SEAL.size, 0)
            file.seek(length)
            if file.read() != _SEAL.pack(_MARK, checksum(path, length), length):
                raise ValueError("damaged, cut off, or not written by this pipeline")
            return np.load(path, mmap_mode="r" if mapped else None)  # type: ignore[no-any-return]
    except (ValueError, EOFError) as error:
        raise PteError(f"{path}: {error}; {REMEDY}") from None


def load_arrays(folder: Path, names: Mapping[str, DTypeLike]) -> dict[str, NDArray[Any]]:
    """Memory-map the array `name`.npy of a folder for each name, which must have this type."""
    arrays = {name: load_array(Path(folder) / f"{name}.npy", mapped=True) for name in names}
    for name, dtype in names.items():
        if arrays[name].dtype != dtype:
            found = f"its numbers are {arrays[name].dtype}, not {np.dtype(dtype)}"
            raise PteError(f"{folder}/{name}.npy: {found}; {REMEDY}")
    return arrays


def checksum(path: Path, length: int) -> int:
    """Return the CRC-32 of the first `length` bytes of a file."""
    crc, buffer = 0, memoryview(bytearray(_BLOCK))
    with Path(path).open("rb", buffering=0) as file:
        while length > 0 and (count := file.readinto(buffer[: min(_BLOCK, length)])):
            crc = zlib.crc32(buffer[:count], crc)
            length -= count
    return crc


def sha256_of(path: Path) -> str:
    """Return the sha256 of a file, as 64 hexadecimal digits."""
    with Path(path).open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
