"""Writing files so that an interrupted run never leaves half of one behind."""

import hashlib
import json
import os
import shutil
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pte.errors import PteError


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


def read_json(path: Path) -> Any:
    """Read a JSON file; a missing or broken one raises `PteError` that names it."""
    try:
        return json.loads(Path(path).read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise PteError(f"{path}: no such file; run the step that writes it first") from None
    except json.JSONDecodeError as error:
        raise PteError(f"{path}: not valid JSON ({error}); delete it and run again") from None


def load_arrays(folder: Path, names: Iterable[str]) -> dict[str, NDArray[Any]]:
    """Memory-map `name`.npy for each name; a missing or broken one raises `PteError`."""
    arrays = {}
    for name in names:
        try:
            arrays[name] = np.load(folder / f"{name}.npy", mmap_mode="r")
        except (OSError, ValueError) as error:
            raise PteError(f"{folder}: {name}.npy: {error}; delete it and run again") from None
    return arrays


def sha256_of(path: Path) -> str:
    """The sha256 of a file, as 64 hexadecimal digits."""
    with Path(path).open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
