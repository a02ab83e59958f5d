"""Texts in a column of a table of tab-separated columns."""

from collections.abc import Iterator, Mapping
from pathlib import Path

from pte.corpora.document import Document, columns, read_table
from pte.corpora.parts import TRAIN


def read(path: Path, column: str, where: Mapping[str, str]) -> Iterator[Document]:
    """Read the texts in `column` of the rows whose other columns have the values in `where`.

    The table has a head line. All documents are unlabelled and for training. Raises `PteError` for
    a missing column, and for a row with more or fewer columns than the head line.
    """
    head, rows = read_table(path)
    places = columns(path, head, [column, *where])
    wanted = [(places[name], value.encode()) for name, value in where.items()]
    for _, row in rows:
        if all(row[place] == value for place, value in wanted):
            yield Document(row[places[column]], None, TRAIN)
