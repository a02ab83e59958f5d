"""Tables of text, CSV or TSV, with the names of their columns on the first line."""

import csv
from collections.abc import Iterator
from pathlib import Path

from pte.corpora.columns import Columns, TableRow
from pte.corpora.document import Document
from pte.corpora.text_files import LONGEST_LINE, read_lines
from pte.errors import PteError


def read(path: Path, tabs: bool = False, **columns: str) -> Iterator[Document]:
    """Read a document from each row; `columns` has fields of `pte.corpora.columns.Columns`.

    With `tabs`, tabs stand between fields. Otherwise commas do, or semicolons if the first line has
    semicolons and no comma. Quotes are as in RFC 4180: a field in quotes may hold line ends, and a
    quote in it is doubled. Empty lines are skipped. Raises `PteError`, naming the line, for quotes
    that are not so, and for a row with more or fewer fields than the first line.
    """
    wanted = Columns.of(path, columns)
    rows = _rows(path, tabs)
    _, head = next(rows, (0, []))
    if not head:
        raise PteError(f"{path}: it is empty; the first line must name the columns")
    head = [name.strip() for name in head]
    found = wanted.found_in(path, head)
    return found.documents(path, _named(path, head, rows))


def _rows(path: Path, tabs: bool) -> Iterator[tuple[int, list[str]]]:
    """Yield the line where a row begins, and its fields; skip rows without fields."""
    lines = read_lines(path)
    first = next(lines, "")
    delimiter = "\t" if tabs else ";" if ";" in first and "," not in first else ","
    csv.field_size_limit(LONGEST_LINE)
    rows = csv.reader(_again(first, lines), delimiter=delimiter, strict=True)
    begins = 1
    try:
        for row in rows:
            if row:
                yield begins, row
            begins = rows.line_num + 1
    except csv.Error as error:
        raise PteError(
            f"{path}: line {begins}: {error}; put a field that holds a quote, a delimiter or a "
            'line end into quotes, and double the quotes in it: "say ""yes"""'
        ) from None


def _again(first: str, lines: Iterator[str]) -> Iterator[str]:
    yield first
    yield from lines


def _named(
    path: Path, head: list[str], rows: Iterator[tuple[int, list[str]]]
) -> Iterator[TableRow]:
    for number, row in rows:
        if len(row) != len(head):
            raise PteError(
                f"{path}: line {number} has {len(row)} fields, but the first line has {len(head)}; "
                "put texts that hold a delimiter into quotes"
            )
        yield TableRow(number, dict(zip(head, row, strict=True)))
