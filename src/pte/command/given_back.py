"""Gives a file of documents back with predictions: all of its rows and columns, as they were."""

import csv
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import partial
from io import StringIO
from pathlib import Path
from typing import Any, NamedTuple

from pte.command.parquet_back import ParquetSink
from pte.command.predictor import SEPARATOR, Prediction, Predictor, batches, joined
from pte.command.shown import as_in_source, json_text, spoken
from pte.corpora.columns import LABELS, TableRow, by_number, decoded, head_of
from pte.corpora.compressed import text_to_write, uncompressed
from pte.corpora.dialect import BACKSLASH, Dialect, is_blank, rows_of
from pte.corpora.finding import counted
from pte.corpora.own import OwnText, format_of_name, reading_of
from pte.corpora.readers.delimited import TextTable
from pte.corpora.readers.json_lines import JsonLines
from pte.corpora.readers.parquet import ParquetTable
from pte.errors import PteError, shortened
from pte.spreadsheets import guarded, spreadsheet_safe

LABEL, PROBABILITY, PROBABILITIES = "label", "probability", "probabilities"
"""Columns that are added, if the file does not have them; the last one to objects only."""

_ENDS = "\r\n"

Opened = TextTable | JsonLines | ParquetTable
"""A file whose rows come back."""


class SourceRow(NamedTuple):
    """A row of a file, or an empty line, which has no text."""

    text: str | None
    labels: Sequence[str]
    """The labels that the file gives the document; a document without any is predicted."""
    cells: list[str] | dict[str, Any]
    number: int = 0
    """The number of the row in a Parquet table."""


def source_rows(opened: Opened, target: str, as_parquet: bool) -> Iterator[SourceRow]:
    """Yield the rows of a file; the column `target` has the labels, if there is such a column.

    Of a Parquet table that comes back `as_parquet`, only texts and labels are read.
    """
    columns = opened.columns
    assert columns.text is not None
    if isinstance(opened, TextTable):
        text, place = opened.head.index(columns.text), _place(opened.head, target)
        for line, row in opened.rows():
            labels: Sequence[str] = ()
            if row and place is not None:
                labels = columns.labels(f"{opened.path}: line {line}", row[place])
            yield SourceRow(row[text] if row else None, labels, row)
        return
    if isinstance(opened, ParquetTable):
        needed = [each for each in opened.head if not as_parquet or each in (columns.text, target)]
        numbered = opened.rows(needed)
    else:
        numbered = opened.with_text()
    last = 0
    for number, values in numbered:
        yield from [SourceRow(None, (), {})] * (number - last - 1)
        last = number
        where = f"{opened.path}: {opened.unit} {number}"
        labels = columns.labels(where, values.get(target))
        yield SourceRow(columns.text_of(where, values), labels, dict(values), number)


@dataclass(frozen=True)
class Spelling:
    """How a file writes the labels that it has, so that others are written in the same way."""

    names: Mapping[str, Any] = field(default_factory=dict)
    """The field of each label: a text, a number or a bool."""
    lists: bool = False
    """Whether fields are lists of labels."""
    separated: bool = False
    """Whether a field is a text of several labels."""
    of_table: bool = False
    """Whether the file is a table of text."""

    @classmethod
    def of(cls, opened: Opened, target: str) -> "Spelling":
        """Read the column `target` of a file, if it is there."""
        columns, names, lists = opened.columns, dict[str, Any](), False
        several = columns.separator is not None
        for where, value in _column(opened, target):
            lists |= isinstance(value, list)
            for each in value if isinstance(value, list) else [value]:
                for name in columns.labels(where, each):
                    names.setdefault(name, name if several else each)
        separated = several and bool(names) and not lists
        return cls(names, lists, separated, isinstance(opened, TextTable))

    def value(self, name: str) -> Any:
        """Return a label in JSON: one that the file lacks is a number if all others are."""
        if name in self.names or any(isinstance(each, str) for each in self.names.values()):
            return self.names.get(name, name)
        try:
            return json.loads(name) if self.names else name
        except ValueError:
            return name

    def cell(self, name: str) -> str:
        """Return a label in a table; no spreadsheet runs what the file does not have itself."""
        is_own = self.of_table and name in self.names
        return str(self.names[name]) if is_own else spreadsheet_safe(name)


def _column(opened: Opened, name: str) -> Iterator[tuple[str, Any]]:
    """Yield the fields of a column, and where they are."""
    if name not in opened.head:
        return
    if isinstance(opened, ParquetTable):
        rows: Iterable[TableRow] = opened.rows([name])
    else:
        rows = opened.with_text()
    for number, values in rows:
        yield f"{opened.path}: {opened.unit} {number}", decoded(values.get(name))


@dataclass(frozen=True)
class Places:
    """The columns that predictions go to."""

    label: str
    classes: Sequence[str] = ()
    """The classes whose probabilities get a column each."""
    separator: str = SEPARATOR
    spelling: Spelling = Spelling()
    several: bool = False
    """Whether documents may have several labels."""

    @property
    def names(self) -> list[str]:
        """The names of all columns that predictions go to."""
        return [self.label, PROBABILITY, *(f"{PROBABILITY} {name}" for name in self.classes)]

    def written(self, kind: str | None) -> list[str]:
        """Return the names that predictions go to in a file of a format: columns, or keys."""
        if kind != "jsonl":
            return self.names
        return [self.label, PROBABILITY, *([PROBABILITIES] if self.classes else [])]

    def cells(self, found: Prediction) -> list[str | None]:
        """Return the cells of a prediction, as texts that no spreadsheet runs; None stays as is."""
        numbers = (found.probability, *(found.probabilities.get(name) for name in self.classes))
        return [
            self.cell(found.labels),
            *(None if number is None else f"{number:.4f}" for number in numbers),
        ]

    def cell(self, labels: Sequence[str]) -> str:
        """Return the cell of a document's labels."""
        return self.joined([self.spelling.cell(name) for name in labels])

    def joined(self, labels: Sequence[str]) -> str:
        """Return a document's labels as one text; see `pte.command.predictor.joined`."""
        return joined(labels, self.separator, self.several)

    def value(self, labels: Sequence[str]) -> Any:
        """Return a document's labels in JSON: a list if it may have several, or others do."""
        if self.spelling.separated:
            return self.joined(labels) or None
        fields = [self.spelling.value(name) for name in labels]
        return fields if self.several or self.spelling.lists else next(iter(fields), None)

    def columns(self, found: Sequence[Prediction | None]) -> dict[str, list[Any]]:
        """Return the columns of predictions: lists of labels, and probabilities."""
        columns: dict[str, list[Any]] = {
            self.label: [each and (each.labels or None) for each in found],
            PROBABILITY: [each and each.probability for each in found],
        }
        for name in self.classes:
            column = f"{PROBABILITY} {name}"
            columns[column] = [each and each.probabilities.get(name) for each in found]
        return columns


def target_of(source: Opened, column: str | None, learnt: str | None) -> str:
    """Return the column that is filled, which may be a new one.

    It is the `column` that the user named to be filled, that of the labels, the one that the model
    learnt from, the only one with a usual name, or `LABEL`. Raises `PteError` as `_named_column`.
    """
    columns = source.columns
    if column or columns.label:
        return _named_column(source, column) if column else str(columns.label)
    if learnt and not learnt.isdecimal() and learnt != columns.text:
        return learnt
    usual = [name for name in source.head if name.strip().lower() in LABELS]
    only = [name for name in usual if name != columns.text]
    return only[0] if len(only) == 1 else LABEL


def _named_column(source: Opened, name: str) -> str:
    """Return the column that a user names, or the number of a table's column; it may be a new one.

    Raises `PteError` for a number that no column has, and for a new name that differs from that of
    a column only by case or spaces.
    """
    head = source.head
    if name in head:
        return name
    name = name.strip()
    found = by_number(name, head) if isinstance(source, TextTable) else name
    if found in head:
        return found
    if not name:
        raise PteError("--column: the name is empty; name a column")
    if isinstance(source, TextTable) and name.isdecimal():
        what = "has no name" if 1 <= int(name) <= len(head) else "is not there"
        there = f"{source.path} has {counted(len(head), 'column', 'columns')}"
        raise PteError(f"--column: column {name} {what}; {there}; name another")
    if alike := next((each for each in head if _plainest(each) == _plainest(name)), None):
        raise PteError(
            f"--column: {source.path} has no {name!r}; did you mean {alike!r}? Else give a name "
            "that differs by more than case and spaces"
        )
    return name


def _plainest(name: str) -> str:
    return "".join(name.split()).casefold()


class TableSink:
    """A table, with the columns of predictions in it or after its own."""

    def __init__(
        self, dialect: Dialect, head: Sequence[str], raw: Sequence[str], places: Places
    ) -> None:
        """Keep how the table is written, its columns, and their names as they stand in the file."""
        self.dialect, self.head, self.raw, self.places = dialect, head, raw, places

    @contextmanager
    def opened(self, path: Path) -> Iterator[None]:
        """Write Excel's line and the header, if there are any, then rows in the block."""
        with text_to_write(path, self.dialect.encoding) as self._file:
            if self.dialect.sep_line:
                self._file.write(f"sep={self.dialect.delimiter}{self.dialect.line_end}")
            if self.dialect.header:
                new = [name for name in self.places.names if name not in self.head]
                self._write([*self.raw, *map(spreadsheet_safe, new)])
            yield

    def blank(self) -> None:
        """Write an empty line."""
        self._file.write(self.dialect.line_end)

    def row(self, row: SourceRow, found: Prediction | None) -> None:
        """Write a row, with the prediction if there is one."""
        names, given = self.places.names, row.cells
        cells = list(given) if isinstance(given, list) else _texts(self.head, given)
        if row.labels and isinstance(given, dict):
            cells[self.head.index(self.places.label)] = self.places.cell(row.labels)
        values = [None] * len(names) if found is None else self.places.cells(found)
        for name, value in zip(names, values, strict=True):
            place = _place(self.head, name)
            if place is None:
                cells.append(value or "")
            elif value is not None:
                cells[place] = value
        self._write(cells)

    def _write(self, cells: Sequence[str]) -> None:
        delimiter, quote = self.dialect.delimiter, self.dialect.quote
        line = StringIO()
        if quote:
            # csv puts those line ends into quotes that are in its own, until Python 3.13
            form: Any = {"delimiter": delimiter, "quotechar": quote, "lineterminator": _ENDS}
            if quote == "'":  # few of them would be read as apostrophes
                form["quoting"] = csv.QUOTE_ALL
            csv.writer(line, **form).writerow(cells)
        elif bad := [cell for cell in cells if delimiter in cell or "\n" in cell or "\r" in cell]:
            raise PteError(
                f"--output: the table has no quotes, so no cell of it can be {bad[0]!r}; write a "
                "file that ends in .jsonl"
            )
        else:
            line.write(delimiter.join(cells))
        self._file.write(line.getvalue().removesuffix(_ENDS) + self.dialect.line_end)


class ObjectSink:
    """A file of JSON Lines, or of one list of objects."""

    def __init__(self, head: Sequence[str], places: Places, as_list: bool) -> None:
        """Keep the names of the cells of a table, and whether one list has all objects."""
        self.head, self.places, self.as_list = head, places, as_list

    @contextmanager
    def opened(self, path: Path) -> Iterator[None]:
        """Open the file for the rows of the block."""
        self._between = "[\n" if self.as_list else ""
        with text_to_write(path) as self._file:
            yield
            if self.as_list:
                self._file.write("\n]\n" if self._between == ",\n" else "[]\n")

    def blank(self) -> None:
        """Write an empty line."""
        self._file.write("\n")

    def row(self, row: SourceRow, found: Prediction | None) -> None:
        """Write an object, with the prediction if there is one."""
        values: dict[str, Any] = {}
        given = row.cells
        values |= given if isinstance(given, dict) else zip(self.head, given, strict=True)
        if found is not None:
            values[self.places.label] = self.places.value(found.labels)
            if found.probability is not None:
                values[PROBABILITY] = found.probability
            if found.probabilities:
                values[PROBABILITIES] = found.probabilities
        line = json_text(values, default=_plain)
        self._file.write(f"{self._between}{line}" if self.as_list else f"{line}\n")
        self._between = ",\n"


def source_of(path: Path, kind: str | None, values: Mapping[str, Any]) -> Opened:
    """Open a table or a file of JSON Lines, and print what was found of its columns.

    `kind` is the format, if the user gives it, and `values` has the options of the reader. Only the
    text must be found. Raises `PteError` as the readers do.
    """
    given = {name: value for name, value in values.items() if value is not None}
    reading = reading_of(OwnText.of({"file": str(path), "format": kind, "label": "", **given}))
    opened = reading.opened
    assert isinstance(opened, Opened)
    if isinstance(opened, JsonLines):  # its head may lack keys of later objects
        opened = replace(opened, head=head_of(row.values for row in opened.with_text()))
    if opened.said:
        print(f"{path}: {', '.join(opened.said)}")
    for doubt in opened.doubts:
        print(f"Warning: {path}: {spoken(doubt)}")
    return opened


Sink = TableSink | ObjectSink | ParquetSink
"""A file that is written, with predictions."""


def sink_of(source: Opened, name: str, places: Places) -> Sink:
    """Return what writes a file of this name: a table as the source is, if it is one."""
    kind = format_of_name(name)
    if kind == "parquet":
        assert isinstance(source, ParquetTable)
        return ParquetSink(source, places)
    if kind == "jsonl":
        if len(set(source.head)) < len(source.head):
            raise PteError("--output: two columns have one name; write a table, or rename them")
        was_list = isinstance(source, JsonLines) and source.unit == "object"
        return ObjectSink(
            source.head, places, was_list and uncompressed(name.lower()).endswith(".json")
        )
    delimiter = "\t" if kind == "tsv" else ","
    dialect = Dialect(delimiter, '"', "utf-8", header=True)
    if isinstance(source, TextTable):
        dialect = source.dialect
        if dialect.quote == BACKSLASH:
            dialect = replace(dialect, quote='"')
        if source.is_tsv != (kind == "tsv"):
            dialect = replace(dialect, delimiter=delimiter, quote='"', sep_line=False)
    return TableSink(dialect, source.head, _raw_head(source), places)


def give_back(source: Opened, sink: Sink, predictor: Predictor, only_predicted: bool) -> None:
    """Write all rows, with predictions for those without a label.

    Labels that counted as others in training become these. With `only_predicted`, rows that have a
    label and empty lines are left out.
    """
    for batch in batches(source_rows(source, sink.places.label, isinstance(sink, ParquetSink))):
        filled = [row for row in batch if row.text is not None]
        texts = [str(row.text).encode("utf-8", "replace") for row in filled]
        answers = iter(predictor.answers(texts, [row.labels for row in filled]))
        for row in batch:
            found = None if row.text is None else next(answers)
            if only_predicted and (row.text is None or row.labels):
                continue
            sink.blank() if row.text is None else sink.row(row, found)
    predictor.require_vectors()


def _raw_head(source: Opened) -> Sequence[str]:
    """Return the names of the columns as they stand in the file."""
    if isinstance(source, TextTable) and source.dialect.header:
        rows = rows_of(source.path, source.dialect)
        return next(row for _, row in rows if not is_blank(row))
    return source.head


def _place(head: Sequence[str], name: str) -> int | None:
    return head.index(name) if name in head else None


def _texts(head: Sequence[str], values: Mapping[str, Any]) -> list[str]:
    """Return the values of an object as cells of a table."""
    return [_text(values.get(name)) for name in head]


def _text(value: Any) -> str:
    """Return a value as text: what JSON has as JSON, and others, such as dates, as they print.

    A text that no table had is `guarded`.
    """
    value = decoded(value)
    if value is None or isinstance(value, str):
        return guarded(value or "")
    is_json = isinstance(value, bool | int | float | list | dict)
    return as_in_source(partial(json.dumps, default=_plain), value) if is_json else _plain(value)


def _plain(value: Any) -> str:
    """Return what JSON does not know as text. Raises `PteError` for bytes that are none."""
    text = decoded(value)
    if isinstance(text, bytes):
        raise PteError(
            f"--output: {shortened(text)} is no text in UTF-8; write a file that ends in .parquet"
        )
    return str(text)
