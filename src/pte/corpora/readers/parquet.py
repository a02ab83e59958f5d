"""Parquet tables."""

from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from pte.bounds import allowed, refuse_more
from pte.corpora.columns import Columns, TableRow
from pte.corpora.document import Document
from pte.corpora.text_files import check_file
from pte.errors import PteError

BATCH = 1024
"""Rows that are decoded at a time."""

_LEAST = 8  # bytes that even an empty field counts


class ParquetTable(NamedTuple):
    """A Parquet file: its columns, and where the texts and the labels are."""

    path: Path
    file: Any
    """The `ParquetFile` of pyarrow."""
    columns: Columns
    """The columns, with those of the text and the label found."""
    given: Columns
    """The columns that the user named."""

    @property
    def head(self) -> Sequence[str]:
        """The names of the columns."""
        return list(self.file.schema_arrow.names)

    @property
    def said(self) -> tuple[str, ...]:
        """Phrases about what was found, and not given."""
        return tuple(self.given.said_of(self.columns))

    def facts(self) -> dict[str, Any]:
        """Return which columns the file has, for people and machines."""
        return dict(self.columns.facts(self.given))

    def rows(self, names: Sequence[str]) -> Iterator[TableRow]:
        """Yield the rows, with the fields of some columns. Raises `PteError` for a damaged file."""
        number = taken = 0
        most = allowed(self.path)
        try:
            for batch in self._with_texts_once().iter_batches(
                batch_size=BATCH, columns=list(names)
            ):
                for row in range(batch.num_rows):  # a batch may repeat one long text
                    (values,) = batch.slice(row, 1).to_pylist()
                    number += 1
                    taken += sum(map(_size, values.values()))
                    refuse_more(self.path, taken, most)
                    yield TableRow(number, values)
        except damage() as error:
            raise PteError(
                f"{self.path}: row {number + 1} cannot be read ({error}); write it again"
            ) from None

    def _with_texts_once(self) -> Any:
        """Open the file again; a text that repeats is one text in memory until a row is read."""
        from pyarrow.parquet import ParquetFile

        schema = self.file.schema_arrow
        kinds = zip(schema.names, map(str, schema.types), strict=True)
        texts = [name for name, kind in kinds if kind in ("string", "large_string")]
        return ParquetFile(self.path, read_dictionary=texts)

    def documents(self, counts: Counter[str] | None = None) -> Iterator[Document]:
        """Yield the document of each row; see `Columns.documents`."""
        names = list(dict.fromkeys(self.columns.names().values()))
        return self.columns.documents(self.path, self.rows(names), "row", counts)


def read(path: Path, counts: Counter[str] | None = None, **columns: Any) -> Iterator[Document]:
    """Read a document from each row; `columns` has fields of `pte.corpora.columns.Columns`.

    A label may be a text, a number, a list of texts or numbers, or null. `counts` gets how often
    each text stands for no label. Raises `PteError` if pyarrow is missing, and for a file that is
    not as it should be.
    """
    table = open_parquet(path, **columns)
    if table.said:
        print(f"{path}: {', '.join(table.said)}")
    return table.documents(counts)


def open_parquet(path: Path, **columns: Any) -> ParquetTable:
    """Open a file, and find its columns; `columns` has fields of `pte.corpora.columns.Columns`.

    Raises `PteError` as `read` does.
    """
    file = _opened(path)
    wanted = Columns.of(path, columns)
    found = wanted.found_in(path, list(file.schema_arrow.names))
    return ParquetTable(path, file, found, wanted)


def names_of(path: Path) -> list[str]:
    """Return the names of the columns. Raises `PteError` as `read` does."""
    return list(_opened(path).schema_arrow.names)


def damage() -> tuple[type[Exception], ...]:
    """Return the exceptions of pyarrow for a file, or a value, that is not as it should be."""
    from pyarrow import ArrowException

    return ArrowException, OSError, ValueError


def _opened(path: Path) -> Any:
    check_file(path)
    try:
        faults = damage()
        from pyarrow.parquet import ParquetFile
    except ImportError:
        raise PteError(
            f"{path}: Parquet needs pyarrow, which is not installed: pip install pyarrow"
        ) from None
    try:
        file = ParquetFile(path)
        _refuse_bomb(path, file.metadata)
        return file
    except faults as error:
        raise PteError(f"{path}: it is not a Parquet file ({error}); write it again") from None


def _refuse_bomb(path: Path, metadata: Any) -> None:
    """Raise `PteError` if a file says that it holds more than a file of its size may."""
    for group in map(metadata.row_group, range(metadata.num_row_groups)):
        columns = [group.column(i) for i in range(metadata.num_columns)]
        refuse_more(path, sum(each.total_uncompressed_size for each in columns), allowed(path))


def _size(field: Any) -> int:
    """Return about how many bytes a field takes."""
    return _LEAST + (sum(map(_size, field)) if isinstance(field, list) else len(str(field)))
