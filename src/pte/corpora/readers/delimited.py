"""Tables of text, such as CSV and TSV; how they are written is found from all of the file."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pte.corpora.columns import LABELS, TEXTS, Columns, RowsOfFile, TableRow
from pte.corpora.dialect import (
    DELIMITERS,
    DIALECT_KEYS,
    QUOTES,
    Dialect,
    GivenDialect,
    is_blank,
    named,
    rows_of,
)
from pte.corpora.dialect_search import find_dialect
from pte.corpora.document import Document
from pte.errors import PteError


@dataclass(frozen=True, kw_only=True)
class TextTable(RowsOfFile):
    """A table of text: how it is written, and where its texts and labels are."""

    dialect: Dialect
    is_tsv: bool
    """Whether the name of the file says that tabs are the delimiter."""
    head: tuple[str, ...]
    """The names of the columns, or their numbers from 1 if there is no header."""

    @property
    def said(self) -> tuple[str, ...]:
        """Phrases about what was found, and not given."""
        usual = Dialect("\t" if self.is_tsv else ",", '"', "utf-8", header=True)
        is_usual = self.dialect.said() == usual.said()
        return (*(() if is_usual else [f"read as {self.dialect.said()}"]), *super().said)

    def facts(self) -> dict[str, Any]:
        """Return how the table is written and which columns it has, for people and machines."""
        dialect = self.dialect
        written = {
            "encoding": dialect.encoding,
            "delimiter": named(DELIMITERS, dialect.delimiter),
            "quote": named(QUOTES, dialect.quote),
            "header": dialect.header,
        }
        return written | super().facts()

    def rows(self) -> Iterator[tuple[int, list[str]]]:
        """Yield the line where each row begins, and its fields; a blank line has no fields.

        If there is one column, a line of spaces is a document.
        """
        rows = rows_of(self.path, self.dialect)
        wanted = self.dialect.header
        for line, row in rows:
            if wanted and not is_blank(row):
                wanted = False
                continue
            yield line, [] if is_blank(row) and (wanted or len(self.head) > 1) else row

    def with_text(self) -> Iterator[TableRow]:
        """Yield the rows without empty lines."""
        for line, row in self.rows():
            if row:
                yield TableRow(line, dict(zip(self.head, row, strict=True)))


def read(
    path: Path, tabs: bool = False, counts: Counter[str] | None = None, **options: Any
) -> Iterator[Document]:
    """Read a document from each row, as `open_table` finds the table.

    `counts` gets how often each text stands for no label. What was found is printed.
    """
    return open_table(path, tabs, **options).told(counts)


def open_table(path: Path, tabs: bool = False, **options: Any) -> TextTable:
    """Find how a table is written, and its columns.

    `options` has fields of `pte.corpora.columns.Columns` and of
    `pte.corpora.dialect.GivenDialect`. A column may be named by its number, from 1. With `tabs`,
    the name of the file says that tabs are the delimiter. Raises `PteError`, naming the line, for a
    table that no dialect agrees with, and as `Columns.found_in` does.
    """
    given = GivenDialect(**{key: options.pop(key) for key in DIALECT_KEYS if key in options})
    wanted = Columns.of(path, options)
    names = list(wanted.names().values())
    dialect, first, doubts = find_dialect(path, given, names, (*TEXTS, *LABELS), tabs)
    head = [name.strip() for name in first]
    if not dialect.header:
        head = [str(number + 1) for number in range(len(first))]
    wanted = wanted.by_name(head)
    try:
        found = wanted.found_in(path, head, () if dialect.header else first)
    except PteError as error:
        if len(head) > 1:
            raise
        raise type(error)(f"{error}; if there are more columns: delimiter=…") from None
    return TextTable(
        path=path,
        columns=found,
        given=wanted,
        doubts=doubts,
        dialect=dialect,
        is_tsv=tabs,
        head=tuple(head),
    )
