"""Output files whose paths a user gives; a symlink or a FIFO there stays a symlink or a FIFO."""

import shutil
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from pte.errors import PteError
from pte.files import atomic_file


@contextmanager
def output_file(path: str | Path) -> Iterator[Path]:
    """Yield a temporary path; `path` gets the content of the file there if the block succeeds.

    A regular file is replaced as a whole, and keeps its mode. A symlink stays, and its target is
    replaced. If `path` is no regular file, such as a FIFO or `/dev/stdout`, the content is written
    to it. Raises `PteError` when the folder of `path` is not there.
    """
    path = Path(path)
    check_folder(path)
    if path.exists() and not path.is_file():
        with _copied_to(path) as temporary:
            yield temporary
        return
    target = path.resolve()
    mode = stat.S_IMODE(target.stat().st_mode) if target.exists() else None
    with atomic_file(target) as temporary:
        yield temporary
    if mode is not None:
        target.chmod(mode)


def check_folder(path: Path) -> None:
    """Raise `PteError` when the folder that is to hold `path` is not there."""
    if not path.parent.is_dir():
        raise PteError(f"{path.parent}: no such folder; make it first, or name another")


@contextmanager
def _copied_to(path: Path) -> Iterator[Path]:
    """Yield a temporary path, where a writer may seek, and copy the file there into `path`."""
    with TemporaryDirectory() as folder:
        temporary = Path(folder) / f"output{path.suffix}"
        yield temporary
        try:
            with temporary.open("rb") as made, path.open("wb") as sink:
                shutil.copyfileobj(made, sink)
        except OSError as error:
            error.filename = error.filename or str(path)  # a failed write does not name its file
            raise
