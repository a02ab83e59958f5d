"""Functions that write a file whole or not at all, and that refuse to read a damaged file.

An array is an ordinary `.npy` file with a seal behind it: 16 bytes with a mark, and with the CRC-32
and the length of all bytes before the seal. `numpy.load` does not look at what follows the array. A
JSON object has its seal as the last key: the CRC-32 of the other keys and their values.

A file that is being written has a temporary name, and a lock that ends with its writer. So the next
writer of the same file recognises what a killed writer left, and removes it.
"""

import fcntl
import glob
import hashlib
import json
import os
import shutil
import struct
import tempfile
import threading
import zlib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, Any, BinaryIO

import numpy as np
from numpy.typing import DTypeLike, NDArray

from pte.array_file import check_header, parsed
from pte.errors import PteError, naming

REMEDY = "delete it; the next run makes it again"
_SEAL = struct.Struct("<4sIQ")  # the mark, the CRC-32 and the length of the bytes before
_MARK = b"PTE\x01"
_JSON_SEAL = "crc32"
_LONG = 100  # bytes of a name; a file system takes 255, and temporary names are longer
_BLOCK = 1 << 20  # bytes that are hashed at a time


@contextmanager
def atomic_file(path: Path, asked: Path | None = None, mode: int | None = None) -> Iterator[Path]:
    """Yield a temporary path beside `path`; it becomes `path` when the block succeeds.

    Its name ends as `path`, or as `asked`, the link to `path` by which a user named it. The file
    gets `mode`, or that of any new file.
    """
    path = _ready(path)
    handle, name = tempfile.mkstemp(_suffix(asked or path), _prefix(path), path.parent)
    temporary = Path(name)
    with _held(handle):
        try:
            with naming(path):
                yield temporary
                temporary.chmod(0o666 & ~_umask() if mode is None else mode)
                temporary.replace(path)
        finally:
            temporary.unlink(missing_ok=True)


@contextmanager
def atomic_directory(path: Path) -> Iterator[Path]:
    """Yield a temporary directory beside `path`; it replaces `path` when the block succeeds.

    At any time `path` is the old directory, missing, or the new directory; it is never incomplete.
    """
    path = _ready(path)
    room = Path(tempfile.mkdtemp(_suffix(path), _prefix(path), path.parent))
    new, old = room / "new", room / "old"
    with _held(os.open(room, os.O_RDONLY)):
        try:
            new.mkdir()
            yield new
            if path.exists():
                path.rename(old)
            new.rename(path)
        finally:
            shutil.rmtree(room, ignore_errors=True)


def _ready(path: Path) -> Path:
    """Make the folder of `path`, and remove the files that killed writers of `path` left there."""
    path = Path(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    pattern = f"{glob.escape(_prefix(path))}*{glob.escape(_suffix(path))}"
    for left in path.parent.glob(pattern):
        with suppress(OSError):  # its writer lives, or another process removes it
            _remove_unheld(left)
    return path


def _prefix(path: Path) -> str:
    """Return the beginning of the temporary names of `path`; a hash stands for a long name."""
    stem = os.fsencode(path.stem)
    return f".tmp-{path.stem if len(stem) <= _LONG else hashlib.sha256(stem).hexdigest()}-"


def _suffix(path: Path) -> str:
    """Return the end of the temporary names of `path`, which says what the file holds."""
    return path.suffix if len(os.fsencode(path.suffix)) <= _LONG else ""


_MASK = threading.Lock()
"""Held while the mask of the process is another, which only setting one can tell."""


def _umask() -> int:
    """Return the bits that a new file of this process does not get."""
    with _MASK:
        mask = os.umask(0o077)
        os.umask(mask)
    return mask


@contextmanager
def _held(handle: int) -> Iterator[None]:
    """Lock an open file for the block, where its file system knows locks, and then close it."""
    try:
        with suppress(OSError):
            fcntl.flock(handle, fcntl.LOCK_EX)
        yield
    finally:
        os.close(handle)


def _remove_unheld(left: Path) -> None:
    """Remove a file or a directory; raises `OSError` when a process holds its lock."""
    handle = os.open(left, os.O_RDONLY)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        shutil.rmtree(left) if left.is_dir() else left.unlink()
    finally:
        os.close(handle)


def write_json(path: Path, value: Any) -> None:
    """Write `value` as indented JSON, atomically, and seal it if it is an object."""
    if isinstance(value, dict):
        value = {**value, _JSON_SEAL: _seal_of(value)}
    with atomic_file(path) as temporary:
        temporary.write_text(
            json.dumps(value, indent=2, ensure_ascii=False) + "\n", encoding="utf-8"
        )


def read_json(path: Path, *keys: str) -> Any:
    """Read a value that `write_json` wrote; return an object without its seal.

    If `keys` are given, the file must hold an object that has these keys. Raises `PteError`, naming
    the file, when the file is missing or broken, when it lacks a key, and when the seal of an
    object does not fit. A list has no seal.
    """
    try:
        value = parsed(Path(path).read_bytes())
    except FileNotFoundError:
        raise PteError(f"{path}: no such file; run the step that writes it first") from None
    except OSError as error:
        raise _unreadable(path, error) from None
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


class _Summed:
    """A file that keeps the length and the CRC-32 of all bytes that are written to it."""

    def __init__(self, file: BinaryIO) -> None:
        self._file, self._crc, self._length = file, 0, 0

    def write(self, content: bytes) -> int:
        self._crc = zlib.crc32(content, self._crc)
        self._length += len(content)
        return self._file.write(content)

    @property
    def seal(self) -> bytes:
        return _SEAL.pack(_MARK, self._crc, self._length)


def save_array(path: Path, array: NDArray[Any]) -> None:
    """Write `array` as a sealed .npy file, atomically."""
    with atomic_file(path) as temporary, temporary.open("wb") as file:
        summed = _Summed(file)
        np.save(summed, array, allow_pickle=False)
        file.write(summed.seal)


def load_array(path: Path, *, mapped: bool = False) -> NDArray[Any]:
    """Read an array that `save_array` wrote; memory-map the array if `mapped`.

    The whole file is compared with its seal. Raises `PteError`, naming the file, when the file is
    missing, cut off or changed, when `save_array` did not write it, and when its header says
    another size.
    """
    path = Path(path)
    try:
        length = path.stat().st_size - _SEAL.size
        with path.open("rb") as file:
            file.seek(max(length, 0))
            seal = file.read()
        if len(seal) != _SEAL.size or seal[: len(_MARK)] != _MARK:
            raise ValueError("cut off, or not written by this pipeline")
        if seal != _SEAL.pack(_MARK, checksum(path, length), length):
            raise ValueError("damaged: its checksum is not the one that was written with it")
        with path.open("rb") as file:
            check_header(file, length)
        array: NDArray[Any] = np.load(path, mmap_mode="r" if mapped else None)
    except FileNotFoundError:
        raise PteError(f"{path}: no such file; run the step that writes it first") from None
    except (ValueError, EOFError) as error:
        raise PteError(f"{path}: {error}; {REMEDY}") from None
    except OSError as error:
        raise _unreadable(path, error) from None
    return array


def _unreadable(path: Path, error: OSError) -> PteError:
    return PteError(f"{path}: {error.strerror or error}; give yourself the permission to read it")


def load_arrays(folder: Path, names: Mapping[str, DTypeLike]) -> dict[str, NDArray[Any]]:
    """Memory-map the array `name`.npy of a folder for each name in `names`.

    Raises `PteError` as `load_array` does, and when an array does not have the type that `names`
    gives.
    """
    arrays = {name: load_array(Path(folder) / f"{name}.npy", mapped=True) for name in names}
    for name, dtype in names.items():
        if arrays[name].dtype != dtype:
            found = f"its numbers are {arrays[name].dtype}, not {np.dtype(dtype)}"
            raise PteError(f"{folder}/{name}.npy: {found}; {REMEDY}")
    return arrays


def map_file(file: IO[bytes], dtype: DTypeLike) -> NDArray[Any]:
    """Return the numbers in an open file, mapped; they stay when the file is closed."""
    file.flush()
    return np.memmap(file, dtype, "r") if file.tell() else np.zeros(0, dtype)


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
