"""Parquet tables."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pte.bounds import allowed, refuse_more
from pte.corpora.columns import Columns, RowsOfFile, TableRow
from pte.corpora.compressed import HEAD, by_head
from pte.corpora.document import Document
from pte.corpora.text_files import check_file
from pte.errors import PteError

BATCH = 1024
"""Rows that are decoded at a time."""

_LEAST = 8  # bytes that even an empty field counts
_AT_ONCE = 2**26  # bytes of a batch of fields that the file has in a shorter form


@dataclass(frozen=True, kw_only=True)
class ParquetTable(RowsOfFile):
    """A Parquet file: its columns, and where the texts and the labels are."""

    file: Any
    """The `ParquetFile` of pyarrow."""
    unit: str = "row"

    @property
    def head(self) -> Sequence[str]:
        """The names of the columns."""
        return list(self.file.schema_arrow.names)

    def rows(self, names: Sequence[str]) -> Iterator[TableRow]:
        """Yield the rows, with the fields of some columns. Raises `PteError` for a damaged file."""
        number = 0
        try:
            for batch in self.batches(names):
                for row in range(batch.num_rows):  # a batch may repeat one long text
                    (values,) = batch.slice(row, 1).to_pylist()
                    number += 1
                    yield TableRow(number, values)
        except damage() as error:
            raise PteError(
                f"{self.path}: row {number + 1} cannot be read ({error}); write it again"
            ) from None

    def batches(self, names: Sequence[str]) -> Iterator[Any]:
        """Yield batches of rows, with some columns, in which a text that repeats is there once.

        No batch has rows of two row groups. Raises `PteError` before all batches together would
        take more bytes, once each text is there as often as it repeats, than `pte.bounds` allow.
        """
        from pyarrow.parquet import ParquetFile

        facts, taken, most = self.file.metadata, 0, allowed(self.path)
        copied = _copied(self.file)
        columns = map(facts.schema.column, range(facts.num_columns))
        texts = [
            column.path
            for i, column in enumerate(columns)
            if column.physical_type == "BYTE_ARRAY" and i not in copied
        ]
        opened = ParquetFile(self.path, read_dictionary=texts)
        for group in range(facts.num_row_groups):
            size = _rows_at_once(facts, facts.row_group(group), copied)
            for batch in opened.iter_batches(size, row_groups=[group], columns=list(names)):
                taken += _LEAST * batch.num_rows * len(names) + sum(map(_size, batch.columns))
                refuse_more(self.path, taken, most)
                yield batch

    def with_text(self) -> Iterator[TableRow]:
        """Return the rows, with the fields of the columns alone."""
        return self.rows(list(dict.fromkeys(self.columns.names().values())))


def read(path: Path, counts: Counter[str] | None = None, **columns: Any) -> Iterator[Document]:
    """Read a document from each row; `columns` has fields of `pte.corpora.columns.Columns`.

    A label may be a text, a number, a list of texts or numbers, or null. `counts` gets how often
    each text stands for no label. Raises `PteError` if pyarrow is missing, and for a file that is
    not as it should be.
    """
    return open_parquet(path, **columns).told(counts)


def open_parquet(path: Path, **columns: Any) -> ParquetTable:
    """Open a file, and find its columns; `columns` has fields of `pte.corpora.columns.Columns`.

    Raises `PteError` as `read` does.
    """
    file = _opened(path)
    wanted = Columns.of(path, columns)
    found = wanted.found_in(path, list(file.schema_arrow.names))
    return ParquetTable(path=path, columns=found, given=wanted, file=file)


def names_of(path: Path) -> list[str]:
    """Return the names of the columns. Raises `PteError` as `read` does."""
    return list(_opened(path).schema_arrow.names)


def damage() -> tuple[type[Exception], ...]:
    """Return the exceptions of pyarrow for a file, or a value, that is not as it should be."""
    from pyarrow import ArrowException

    return ArrowException, OSError, ValueError


def _opened(path: Path) -> Any:
    check_file(path)
    _refuse_packed(path)
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


def _refuse_packed(path: Path) -> None:
    """Raise `PteError` if a file is compressed as a whole; Parquet compresses its columns."""
    with path.open("rb") as file:
        packed = by_head(file.read(HEAD))
    if packed:
        raise PteError(f"{path}: this is {packed.title}, and Parquet is read as it is; unpack it")


def _refuse_bomb(path: Path, metadata: Any) -> None:
    """Raise `PteError` if a file says that it holds more than a file of its size may."""
    for group in map(metadata.row_group, range(metadata.num_row_groups)):
        columns = [group.column(i) for i in range(metadata.num_columns)]
        refuse_more(path, sum(each.total_uncompressed_size for each in columns), allowed(path))


def _copied(file: Any) -> set[int]:
    """Return the columns of bytes that pyarrow can only read with each text as often as it is."""
    facts, kinds = file.metadata, zip(file.schema_arrow.names, file.schema_arrow.types, strict=True)
    views = tuple(f"{name}." for name, kind in kinds if "view" in str(kind))
    groups = list(map(facts.row_group, range(facts.num_row_groups)))
    return {
        i
        for i in range(facts.num_columns)
        if f"{facts.schema.column(i).path}.".startswith(views)
        or any("DELTA_BYTE_ARRAY" in group.column(i).encodings for group in groups)
    }


def _rows_at_once(facts: Any, group: Any, copied: set[int]) -> int:
    """Return how many rows of a group are decoded at a time; those of long fields are few."""
    columns = map(facts.schema.column, range(facts.num_columns))
    longest = max([1, *(column.length for column in columns)])
    for i in copied:  # no field is longer than its column in the file
        longest = max(longest, group.column(i).total_uncompressed_size)
    return max(1, min(BATCH, _AT_ONCE // int(longest)))


def _size(column: Any) -> int:
    """Return how many bytes a column of a batch takes, once it has each text as often as it is."""
    import pyarrow as pa
    from pyarrow import compute

    kind = column.type
    if pa.types.is_dictionary(kind):
        counts = compute.value_counts(column.indices.drop_null())
        texts = column.dictionary.take(counts.field("values"))
        sizes = compute.multiply(compute.binary_length(texts), counts.field("counts"))
        return int(compute.sum(sizes).as_py() or 0)
    if pa.types.is_map(kind):  # which `flatten` does not know
        first, end = column.offsets[0].as_py(), column.offsets[-1].as_py()
        return sum(_size(each.slice(first, end - first)) for each in (column.keys, column.items))
    if pa.types.is_nested(kind):
        parts = column.flatten()
        return sum(map(_size, parts if isinstance(parts, list) else (parts,)))
    return int(column.nbytes)
