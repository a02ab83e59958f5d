"""Parquet tables."""

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from pte.corpora.columns import Columns, TableRow
from pte.corpora.document import Document
from pte.corpora.text_files import check_file
from pte.errors import PteError

BATCH = 1024
"""Rows that are in memory at a time, as objects of Python."""


def read(path: Path, counts: Counter[str] | None = None, **columns: Any) -> Iterator[Document]:
    """Read a document from each row; `columns` has fields of `pte.corpora.columns.Columns`.

    A label may be a text, a number, a list of texts or numbers, or null. `counts` gets how often
    each text stands for no label. Raises `PteError` if pyarrow is
    missing, and for a file that is not as it should be.
    """
    check_file(path)
    table, damage = _opened(path)
    wanted = Columns.of(path, columns)
    found = wanted.found_in(path, list(table.schema_arrow.names))
    if said := wanted.said_of(found):
        print(f"{path}: {', '.join(said)}")
    return found.documents(path, _rows(path, table, found, damage), "row", counts)


def names_of(path: Path) -> list[str]:
    """Return the names of the columns. Raises `PteError` as `read` does."""
    check_file(path)
    return list(_opened(path)[0].schema_arrow.names)


def _opened(path: Path) -> tuple[Any, tuple[type[Exception], ...]]:
    """Return the table, and the exceptions that reading it raises if the file is damaged."""
    try:
        from pyarrow import ArrowException
        from pyarrow.parquet import ParquetFile
    except ImportError:
        raise PteError(
            f"{path}: Parquet needs pyarrow, which is not installed: pip install pyarrow"
        ) from None
    damage = (ArrowException, OSError, ValueError)
    try:
        return ParquetFile(path), damage
    except damage as error:
        raise PteError(f"{path}: it is not a Parquet file ({error}); write it again") from None


def _rows(
    path: Path, table: Any, found: Columns, damage: tuple[type[Exception], ...]
) -> Iterator[TableRow]:
    names = [found.text, found.label, found.split, found.id, found.group]
    number = 0
    try:
        wanted = [name for name in names if name is not None]
        for batch in table.iter_batches(batch_size=BATCH, columns=wanted):
            for values in batch.to_pylist():
                number += 1
                yield TableRow(number, values)
    except damage as error:
        raise PteError(
            f"{path}: row {number + 1} cannot be read ({error}); write it again"
        ) from None
