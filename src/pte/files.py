"""Writing files so that no half of one is left, and reading them so that no damaged one is used.

An array is an ordinary `.npy` file with a seal behind it: 16 bytes with the length and the CRC-32
of all that stands before. `numpy.load` does not look at what follows the array.
"""

import hashlib
import json
import os
import shutil
import struct
import tempfile
import zlib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import DTypeLike, NDArray

from pte.errors import PteError

REMEDY = "delete it; the next run makes it again"
_SEAL = struct.Struct("<4sIQ")  # the mark, the CRC-32 and the length of what stands before
_MARK = b"PTE\x01"
_BLOCK = 1 << 20  # bytes that are hashed at a time


@contextmanager
def atomic_file(path: Path) -> Iterator[Path]:
    """Yield a temporary path beside `path`; it becomes `path` when the block succeeds."""
    path = Path(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.stem}.", suffix=path.suffix)
    os.close(handle)
    temporary = Path(name)
    try:
        yield temporary
        temporary.chmod(0o644)
        temporary.replace(path)
    finally:
        temporary.unlink(missing_ok=True)


@contextmanager
def atomic_directory(path: Path) -> Iterator[Path]:
    """Yield a temporary directory beside `path`; it replaces `path` when the block succeeds."""
    path = Path(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = Path(tempfile.mkdtemp(dir=path.parent, prefix=f".{path.name}."))
    try:
        yield temporary
        temporary.chmod(0o755)
        if path.exists():
            shutil.rmtree(path)
        temporary.replace(path)
    finally:
        shutil.rmtree(temporary, ignore_errors=True)


def write_json(path: Path, value: Any) -> None:
    """Write `value` as indented JSON, atomically."""
    with atomic_file(path) as temporary:
        temporary.write_text(
            json.dumps(value, indent=2, ensure_ascii=False) + "\n", encoding="utf-8"
        )


def read_json(path: Path, *keys: str) -> Any:
    """Read a JSON file; a missing or broken one raises `PteError` that names it.

    If `keys` are given, the file must hold an object that has them.
    """
    try:
        value = json.loads(Path(path).read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise PteError(f"{path}: no such file; run the step that writes it first") from None
    except (OSError, ValueError) as error:
        raise PteError(f"{path}: not valid JSON ({error}); {REMEDY}") from None
    for key in keys:
        if not isinstance(value, dict) or key not in value:
            raise PteError(f"{path}: it has no {key!r}; {REMEDY}")
    return value


def save_array(path: Path, array: NDArray[Any]) -> None:
    """Write `array` as a sealed .npy file, atomically."""
    with atomic_file(path) as temporary:
        with temporary.open("wb") as file:
            np.save(file, array, allow_pickle=False)
        length = temporary.stat().st_size
        seal = _SEAL.pack(_MARK, checksum(temporary, length), length)
        with temporary.open("ab") as file:
            file.write(seal)


def load_array(path: Path, *, mapped: bool = False) -> NDArray[Any]:
    """Read what `save_array` wrote; memory-map it if `mapped`.

    The whole file is compared with its seal. Raises `PteError`, naming the file, when it is
    missing, cut or changed, or was written by something else.
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
        array: NDArray[Any] = np.load(path, mmap_mode="r" if mapped else None)
    except FileNotFoundError:
        raise PteError(f"{path}: no such file; run the step that writes it first") from None
    except (OSError, ValueError, EOFError) as error:
        raise PteError(f"{path}: {error}; {REMEDY}") from None
    return array


def load_arrays(folder: Path, names: Mapping[str, DTypeLike]) -> dict[str, NDArray[Any]]:
    """Memory-map `name`.npy for each name; raises `PteError` as `load_array` does.

    It raises it for an array of another type than `names` says, too.
    """
    arrays = {name: load_array(Path(folder) / f"{name}.npy", mapped=True) for name in names}
    for name, dtype in names.items():
        if arrays[name].dtype != dtype:
            found = f"its numbers are {arrays[name].dtype}, not {np.dtype(dtype)}"
            raise PteError(f"{folder}/{name}.npy: {found}; {REMEDY}")
    return arrays


def checksum(path: Path, length: int) -> int:
    """The CRC-32 of the first `length` bytes of a file."""
    crc, buffer = 0, memoryview(bytearray(_BLOCK))
    with Path(path).open("rb", buffering=0) as file:
        while length > 0 and (count := file.readinto(buffer[: min(_BLOCK, length)])):
            crc = zlib.crc32(buffer[:count], crc)
            length -= count
    return crc


def sha256_of(path: Path) -> str:
    """The sha256 of a file, as 64 hexadecimal digits."""
    with Path(path).open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
