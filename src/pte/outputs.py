"""Output files whose paths a user gives; a symlink or a FIFO there stays a symlink or a FIFO."""

import os
import shutil
import stat
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from tempfile import TemporaryDirectory, TemporaryFile
from typing import BinaryIO

from pte.errors import PteError, naming
from pte.files import atomic_file


@contextmanager
def output_file(path: str | Path) -> Iterator[Path]:
    """Yield a temporary path; `path` gets the content of the file there if the block succeeds.

    A regular file is replaced as a whole, and keeps its mode, owner and group. A symlink stays, and
    its target is replaced. The content is written to `path` itself if it is no regular file, such
    as a FIFO, if it has other names (hard links), and if its folder takes no further file; where
    `path` is standard output or error, it follows what is there. Raises `PteError` where
    `check_output` does. A message of the block that names the temporary path names `path`.
    """
    path = Path(path)
    check_output(path)
    target, stream = path.resolve(), _stream_of(path)
    if stream is not None or (path.exists() and not (path.is_file() and _is_replaced(target))):
        with _copied_to(path, stream) as temporary, _named_in_errors(temporary, path):
            yield temporary
        return
    state = target.stat() if target.exists() else None
    mode = None if state is None else stat.S_IMODE(state.st_mode)
    with atomic_file(target, path, mode) as temporary, _named_in_errors(temporary, path):
        yield temporary
        if state is not None:
            made = temporary.stat()
            if (made.st_uid, made.st_gid) != (state.st_uid, state.st_gid):
                with suppress(PermissionError):  # the group is not one of this user
                    os.chown(temporary, state.st_uid, state.st_gid)


@contextmanager
def _named_in_errors(temporary: Path, path: Path) -> Iterator[None]:
    try:
        yield
    except PteError as error:
        if str(temporary) not in str(error):
            raise
        raise PteError(str(error).replace(str(temporary), str(path))) from None


def _stream_of(path: Path) -> int | None:
    """Return the descriptor of standard output or error if a path leads there."""
    for descriptor in (1, 2):
        with suppress(OSError):
            if os.path.samestat(path.stat(), os.fstat(descriptor)):
                return descriptor
    return None


def _is_replaced(target: Path) -> bool:
    """Return whether another file can take the place of a file, and nobody sees a difference."""
    state = target.stat()
    may_give = os.geteuid() in (0, state.st_uid)
    return state.st_nlink == 1 and may_give and os.access(target.parent, os.W_OK)


def check_output(path: Path) -> None:
    """Raise `PteError` for a path that cannot be written; no file is left or changed.

    It is a folder, is read-only, has too long a name, or is a link that leads to itself; or its
    folder is missing, is read-only or takes no new file.
    """
    try:
        has_folder, exists, target = path.parent.is_dir(), path.exists(), path.resolve()
    except OSError as error:
        raise PteError(f"{path}: {error.strerror}; name another file") from None
    except RuntimeError:
        raise PteError(f"{path}: this is a link that leads to itself; name another file") from None
    if not has_folder:
        raise PteError(f"{path.parent}: no such folder; make it first, or name another")
    if path.is_dir():
        raise PteError(f"{path}: this is a folder; name a file")
    if exists and not os.access(path, os.W_OK):
        raise PteError(f"{path}: it may not be written; give yourself the permission")
    if not exists:
        _check_folder(target.parent)


def _check_folder(folder: Path) -> None:
    """Raise `PteError` if a folder takes no new file, whatever its permissions say, as /proc."""
    try:
        with TemporaryFile(dir=folder):
            return
    except OSError as error:
        why = error.strerror
    raise PteError(f"{folder}: nothing can be written there ({why}); name another folder")


@contextmanager
def _copied_to(path: Path, stream: int | None) -> Iterator[Path]:
    """Yield a temporary path, where a writer may seek, and copy the file there into `path`.

    An open `stream` of this file gets it behind what was written.
    """
    with TemporaryDirectory() as folder:
        temporary = Path(folder) / f"output{path.suffix}"
        yield temporary
        sys.stdout.flush(), sys.stderr.flush()
        with naming(path), temporary.open("rb") as made, _opened(path, stream) as sink:
            shutil.copyfileobj(made, sink)


def _opened(path: Path, stream: int | None) -> BinaryIO:
    return path.open("wb") if stream is None else os.fdopen(os.dup(stream), "wb")
