"""Gives a Parquet table back with predictions: its columns, their order and types as they were."""

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pte.command.predictor import Prediction
from pte.corpora.readers.parquet import ParquetTable, damage
from pte.errors import PteError

if TYPE_CHECKING:
    from pte.command.given_back import Places, SourceRow


class ParquetSink:
    """A Parquet table, which is written at the end, by the row groups of the source."""

    def __init__(self, table: ParquetTable, places: "Places") -> None:
        """Keep the source, and the columns of predictions."""
        self.table, self.places = table, places
        self._numbers: list[int] = []
        self._found: list[Prediction | None] = []

    @contextmanager
    def opened(self, path: Path) -> Iterator[None]:
        """Write the table after the block, when all predictions are known; see `Sink`.

        Raises `PteError` for a label that cannot stand in the column of labels.
        """
        from pyarrow import concat_tables
        from pyarrow.parquet import ParquetWriter

        yield
        source, begin = self.table.file, 0
        batches = self.table.batches(self.table.head)
        with ParquetWriter(path, self._schema, compression=_codec(source)) as writer:
            for group in range(source.num_row_groups):
                end, filled = begin + source.metadata.row_group(group).num_rows, []
                while begin < end:
                    batch = next(batches)
                    filled.append(self._with_predictions(batch, begin))
                    begin += batch.num_rows
                if filled:
                    writer.write_table(concat_tables(filled))

    def _with_predictions(self, batch: Any, begin: int) -> Any:
        """Return the rows to keep of a batch that comes behind `begin` rows, with predictions."""
        from pyarrow import Table, concat_tables

        first, end = (bisect_left(self._numbers, begin + n) for n in (1, batch.num_rows + 1))
        rows = Table.from_batches([batch]).cast(self.table.file.schema_arrow)
        if end - first < batch.num_rows:  # `take` does not know every type of column
            places = (number - 1 - begin for number in self._numbers[first:end])
            rows = concat_tables([rows.slice(0, 0), *(rows.slice(i, 1) for i in places)])
        return self._filled(rows, self._found[first:end])

    def blank(self) -> None:
        """Do nothing: a Parquet table has no empty lines."""

    def row(self, row: "SourceRow", found: Prediction | None) -> None:
        """Keep the number of the row, and its prediction."""
        self._numbers.append(row.number)
        self._found.append(found)

    @cached_property
    def _schema(self) -> Any:
        """The schema of the source, with the columns that are added.

        A column without any value, which has no type, gets that of predictions.
        """
        import pyarrow as pa

        label = pa.list_(pa.string()) if self.places.several else pa.string()
        added = {
            name: pa.field(name, label if name == self.places.label else pa.float64())
            for name in self.places.names
        }
        source = self.table.file.schema_arrow
        own = [added.get(f.name, f) if pa.types.is_null(f.type) else f for f in source]
        new = [each for name, each in added.items() if name not in self.table.head]
        return pa.schema([*own, *new], source.metadata)

    def _filled(self, rows: Any, found: Sequence[Prediction | None]) -> Any:
        """Return rows with their predictions in them."""
        import pyarrow as pa

        for name, column in self.places.columns(found).items():
            kind = self._schema.field(name).type
            values = self._labels(column, kind) if name == self.places.label else pa.array(column)
            place = rows.schema.get_field_index(name)
            try:
                if place < 0:
                    rows = rows.append_column(name, values.cast(kind))
                else:
                    known = pa.array([each is not None for each in column], pa.bool_())
                    filled = _replaced(rows.column(place).cast(kind), known, values)
                    rows = rows.set_column(place, self._schema.field(name), filled)
            except damage() as error:
                raise PteError(
                    f"--output: column {name!r} holds {kind}, and cannot hold predictions "
                    f"({error}); name another: --column"
                ) from None
        return rows.cast(self._schema)

    def _labels(self, labels: Sequence[Sequence[str] | None], kind: Any) -> Any:
        """Return the labels of rows as a column of lists, or of texts."""
        import pyarrow as pa

        if pa.types.is_list(kind) or pa.types.is_large_list(kind):
            return pa.array(labels, pa.list_(pa.string()))
        joined = (self.places.joined(each or ()) or None for each in labels)
        return pa.array(list(joined), pa.string())


def _replaced(column: Any, known: Any, values: Any) -> Any:
    """Return a column with `values`, where `known`, in place of its own."""
    import pyarrow as pa
    from pyarrow.compute import if_else

    kind = column.type
    plain = kind.value_type if pa.types.is_dictionary(kind) else kind
    plain = pa.string() if str(plain) == "string_view" else plain  # if_else does not know it
    return if_else(known, values.cast(plain), column.cast(plain)).cast(kind)


def _codec(source: Any) -> str:
    """Return how the first column of a Parquet file is compressed."""
    facts = source.metadata
    known = facts.num_row_groups and facts.num_columns
    name = facts.row_group(0).column(0).compression.lower() if known else "snappy"
    return "none" if name == "uncompressed" else str(name)
