"""Gives a table back with columns filled in: all of its rows and columns, as they were."""

import csv
import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from io import BytesIO
from itertools import chain, compress
from pathlib import Path
from typing import Any
from unicodedata import category

from pte.corpora.cells import woven
from pte.corpora.compressed import text_to_write
from pte.errors import PteError, counted
from pte.tables.columns import LABELS, PROBABILITY, Labels, by_number, labels_of
from pte.tables.dialect import NO_DELIMITER, Dialect
from pte.tables.formats import format_of_name
from pte.tables.table import FileTable

LABEL, PROBABILITIES = "label", "probabilities"
"""Columns that are added, if the file does not have them; the last one to objects only."""

_FORMULA = tuple("=+-@＝＋－＠\t\r\n")  # may begin a formula in spreadsheets, also of full width

_HARMLESS = re.compile(r"[+-]|[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?")
"""Text that a spreadsheet does not take for a formula: a sign alone, or a number."""


def guarded(text: str) -> str:
    """Put `'` before text that a spreadsheet takes for a formula, also behind a semicolon."""
    if not any(each in text for each in _FORMULA):
        return text
    return ";".join(
        f"'{part}" if part[:1] in _FORMULA and not _HARMLESS.fullmatch(part) else part
        for part in text.split(";")
    )


def spreadsheet_safe(text: str) -> str:
    """Return text that no spreadsheet takes for a formula, in one line."""
    return "".join(" " if category(each) == "Cc" else each for each in guarded(text))


@dataclass(frozen=True)
class Filled:
    """What goes into the rows of a table; None leaves a cell as it is."""

    column: str  # the column of the labels, which may be a new one
    labels: Sequence[Labels | None]
    probability: Sequence[float | None]
    probabilities: Mapping[str, Sequence[float | None]] = field(default_factory=dict)
    """The probability of each class, if it is asked for."""
    separator: str = ";"
    several: bool = False
    kept: Sequence[bool] | None = None  # rows that come back; None: all, and empty lines

    @property
    def numbers(self) -> dict[str, Sequence[float | None]]:
        classes = {f"{PROBABILITY} {name}": each for name, each in self.probabilities.items()}
        return {PROBABILITY: self.probability, **classes}

    def names(self, kind: str | None) -> list[str]:
        """Return the columns of a table, or the keys of objects, that get something."""
        if kind == "jsonl":
            more = [PROBABILITIES] if self.probabilities else []
            return [self.column, PROBABILITY, *more]
        return [self.column, *self.numbers]


def target_of(table: FileTable, column: str | None, learnt: str | None) -> str:
    """Return the column that is filled: the user's, that of the labels or the model, or `LABEL`."""
    text, head = table.options.text, table.head
    if column is None:
        usual = [name for name in head if name.strip().lower() in LABELS and name != text]
        known = learnt if learnt and not learnt.isdecimal() and learnt != text else None
        return table.options.label or known or (usual[0] if len(usual) == 1 else LABEL)
    if column in head or table.kind in ("jsonl", "parquet"):
        return column
    column = by_number(column.strip(), head)
    if column.isdecimal() and column not in head:
        there = f"{table.file} has {counted(len(head), 'column', 'columns')}"
        raise PteError(f"--column: column {column} is not there; {there}; name another")
    return column


def write_back(table: FileTable, path: Path, name: str, filled: Filled) -> None:
    """Write a table with columns filled in; the `name` of the file says its format."""
    kind = format_of_name(name)
    written = filled.names(kind)
    if len({*written}) < len(written) or table.options.text in written:
        raise PteError(
            f"--output: {filled.column!r} is the column of labels, and that of texts or "
            "probabilities, too; name another: --column"
        )
    spelled = _Spelled(table, filled)
    rows = partial(_rows, table, filled, spelled)
    if kind == "parquet":
        _write_parquet(table, path, filled, spelled)
    elif kind == "jsonl":
        _write_json(table, path, name, filled, spelled)
    elif kind in ("xlsx", "ods"):
        write_workbook(rows(typed=True), path, kind)
    else:
        _write_text(table, path, kind == "tsv", filled.separator, rows)


class _Spelled:
    """How a file writes the labels that it has, so that others are written in the same way."""

    def __init__(self, table: FileTable, filled: Filled) -> None:
        self.filled = filled
        column = table.column(filled.column) if filled.column in table.head else []
        named = labels_of(table.where, column, table.numbers[: len(column)], table.options)[0]
        self.lists = any(isinstance(cell, list) for cell in column)
        self.separated = table.options.separator is not None and any(named) and not self.lists
        self.known: dict[str, Any] = {}
        for cell, labels in zip(column, named, strict=True):
            for each in labels:
                self.known.setdefault(each, each if self.separated or self.lists else cell)
        self.texts = not self.known or any(isinstance(each, str) for each in self.known.values())

    def joined(self, labels: Sequence[str]) -> str:
        """Return a document's labels as one text, which can be read back."""
        separator = self.filled.separator
        if self.filled.several and (bad := next((x for x in labels if separator in x), None)):
            raise PteError(
                f"--separator: label {bad!r} holds {separator!r}, which stands between labels; "
                "give another text"
            )
        return separator.join(labels)

    def cell(self, labels: Labels) -> Any:
        """Return the cell of a table; no spreadsheet runs what the file does not have itself."""
        text = self.joined([x if x in self.known else spreadsheet_safe(x) for x in labels])
        return self.known.get(labels[0], text) if len(labels) == 1 else text

    def value(self, labels: Labels, as_list: bool) -> Any:
        """Return a document's labels in JSON or Parquet."""
        found = [self.one(name) for name in labels]
        if self.separated or (len(labels) > 1 and not as_list):
            return self.joined(labels) or None
        return found if as_list else next(iter(found), None)

    def one(self, name: str) -> Any:
        """Return a label: one that the file lacks is a number if all others are."""
        if name in self.known or self.texts:
            return self.known.get(name, name)
        try:
            return json.loads(name)
        except ValueError:
            return name


# Rows of cells


def _rows(
    table: FileTable, filled: Filled, spelled: _Spelled, typed: bool = False
) -> Iterator[Sequence[Any]]:
    """Yield all rows with columns filled in; numbers are texts unless cells may be `typed`."""
    columns: list[Iterable[Any]] = [*map(table.cells, range(len(table.head)))]
    added: list[Iterable[Any]] = [(x and spelled.cell(x) for x in filled.labels)]
    for numbers in filled.numbers.values():
        added.append(None if x is None else round(x, 4) if typed else f"{x:.4f}" for x in numbers)
    for name, cells in zip(filled.names(None), added, strict=True):
        if name in table.head:
            at = table.head.index(name)
            both = zip(columns[at], cells, strict=True)
            columns[at] = (old if new is None else new or "" for old, new in both)
        else:
            columns.append("" if cell in (None, ()) else cell for cell in cells)
    rows, odd = zip(*columns, strict=True), dict(table.odd)
    if has_header := table.dialect is None or table.dialect.header:
        top = next(n for n, row in odd.items() if "".join(map(str, row)).strip())
        more = (spreadsheet_safe(name) for name in filled.names(None) if name not in table.head)
        odd[top] = [*odd[top], *more]
    if filled.kept is None:
        return woven(rows, odd)
    return chain([odd[top]] if has_header else [], compress(rows, filled.kept))


def _write_text(
    table: FileTable, path: Path, tabs: bool, separator: str, rows: Callable[[], Iterable[Any]]
) -> None:
    dialect = table.dialect or Dialect("", '"', "utf-8")
    quote, end, delimiter = dialect.quote.replace("\\", '"'), dialect.line_end, dialect.delimiter
    if not table.dialect or (table.kind == "tsv") != tabs or delimiter == NO_DELIMITER:
        delimiter, quote, dialect = "\t" if tabs else ",", '"', dialect._replace(sep_line=False)
    # csv puts those line ends into quotes that are in its own, until Python 3.13
    may_hold = end != "\r\n" and (table.returns or "\r" in separator)
    strange = may_hold and any("\r" in "".join(map(str, row)) for row in rows())
    quoting: Any = csv.QUOTE_ALL if quote == "'" or strange else csv.QUOTE_MINIMAL
    quotes: dict[str, Any] = {"quotechar": quote or None, "lineterminator": end}
    quotes["quoting"] = quoting if quote else csv.QUOTE_NONE
    try:
        with text_to_write(path, dialect.encoding) as file:
            file.write(f"sep={delimiter}{end}" if dialect.sep_line else "")
            csv.writer(file, delimiter=delimiter, **quotes).writerows(rows())
    except (csv.Error, UnicodeEncodeError) as error:
        raise PteError(
            f"--output: the table cannot have such cells ({error}); give it quotes, or UTF-8"
        ) from None


def write_workbook(
    rows: Iterable[Sequence[Any]], path: Path, kind: str, classes: Sequence[str] = ()
) -> None:
    """Write rows of cells as a workbook; no spreadsheet takes a text for a formula.

    With `classes`, a person fills in the last column, and may choose one of them in a cell.
    """
    import pandas as pd

    safe = [[guarded(cell) if isinstance(cell, str) else cell for cell in row] for row in rows]
    engine: Any = {"xlsx": "openpyxl", "ods": "odf"}[kind]
    made = BytesIO()
    with pd.ExcelWriter(made, engine=engine) as book:
        pd.DataFrame(safe, dtype=object).to_excel(book, header=False, index=False)
        if classes and kind == "xlsx":
            _let_choose(book.book, classes)
    path.write_bytes(made.getvalue())


WIDEST = 60  # of columns, in letters


def _let_choose(book: Any, classes: Sequence[str]) -> None:
    """Keep the head of the first sheet in sight, widen its columns, and list the classes."""
    from openpyxl.worksheet.datavalidation import DataValidation

    sheet, listed = book.worksheets[0], book.create_sheet("classes")
    sheet.freeze_panes = "A2"
    for column in sheet.columns:
        longest = max(len(str(cell.value)) for cell in column if cell.value is not None)
        sheet.column_dimensions[column[0].column_letter].width = min(WIDEST, longest + 2)
    for name in classes:
        listed.append([guarded(name)])
    choice = DataValidation("list", formula1=f"classes!$A$1:$A${len(classes)}")
    choice.showErrorMessage = False  # a person may write a new class
    sheet.add_data_validation(choice)
    last = sheet.cell(1, sheet.max_column).column_letter
    choice.add(f"{last}2:{last}{max(2, sheet.max_row)}")


# Objects and columns


def _write_json(table: FileTable, path: Path, name: str, filled: Filled, spelled: _Spelled) -> None:
    """Write an object on each line, or one list, if the source is one and the name is of JSON."""
    as_list, written = filled.several or spelled.lists, []
    for i, (source, labels) in enumerate(zip(table.found, filled.labels, strict=True)):
        if filled.kept and not filled.kept[i]:
            continue
        more = {} if labels is None else {filled.column: spelled.value(labels, as_list)}
        if (number := filled.probability[i]) is not None:
            more[PROBABILITY] = number
            if filled.probabilities:
                more[PROBABILITIES] = {n: row[i] for n, row in filled.probabilities.items()}
        line = table.lines[i].strip() if table.lines else ""
        if not line or not source or more.keys() & source.keys():
            line = _dumps(source | more)
        elif more:  # what is there stays as it is
            line = f"{line[:-1].rstrip()}, {_dumps(more)[1:]}"
        written.append(line)
    with text_to_write(path) as file:
        if ".json" in Path(name.lower()).suffixes and not table.lines:
            file.write("[\n" + ",\n".join(written) + "\n]\n" if written else "[]\n")
        else:
            file.writelines(f"{line}\n" for line in written)


def _dumps(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False)
    is_text = text.encode("utf-8", "replace").decode() == text  # it is not with half a surrogate
    return text if is_text else json.dumps(value)


# Parquet


def _write_parquet(table: FileTable, path: Path, filled: Filled, spelled: _Spelled) -> None:
    import pyarrow as pa
    from pyarrow import parquet

    content = table.arrow
    of_labels = pa.list_(pa.string()) if filled.several else pa.string()
    columns: dict[str, Sequence[Any]] = {filled.column: filled.labels, **filled.numbers}
    for name, cells in columns.items():
        at = content.schema.get_field_index(name)
        kind = of_labels if name == filled.column else pa.float64()
        own: Sequence[Any] = [None] * content.num_rows
        if at >= 0 and not pa.types.is_null(content.schema.field(at).type):
            kind, own = content.schema.field(at).type, content.column(at).to_pylist()
        if name == filled.column:
            as_list = pa.types.is_list(kind) or pa.types.is_large_list(kind)
            cells = [spelled.value(labels, as_list) if labels else None for labels in cells]
        both = [old if new is None else new for old, new in zip(own, cells, strict=True)]
        try:
            made = pa.array(both, kind)
        except (pa.ArrowException, ValueError, TypeError) as error:
            raise PteError(
                f"--output: column {name!r} holds {kind}, and cannot hold predictions ({error}); "
                "name another: --column"
            ) from None
        added = content.append_column if at < 0 else partial(content.set_column, at)
        content = added(pa.field(name, kind), made)
    if filled.kept is not None:
        content = content.filter(pa.array(filled.kept, pa.bool_()))
    parquet.write_table(content, path)
