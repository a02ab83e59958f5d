"""Texts in a column of a table of tab-separated columns, compressed by gzip."""

from collections.abc import Iterator, Mapping
from pathlib import Path

from pte.corpora.document import Document, columns, read_table
from pte.corpora.parts import TRAIN
from pte.errors import PteError


def read(path: Path, column: str, where: Mapping[str, str]) -> Iterator[Document]:
    """Read the texts in `column` of the rows whose other columns have the values in `where`.

    The table has a head line. All documents are unlabelled and for training. Raises `PteError` for
    a missing column, and for a row with more or fewer columns than the head line.
    """
    head, rows = read_table(path)
    places = columns(path, head, [column, *where])
    wanted = [(places[name], value.encode()) for name, value in where.items()]
    for number, row in enumerate(rows, start=2):
        if len(row) != len(head):
            raise PteError(f"{path}: line {number} needs {len(head)} columns and has {len(row)}")
        if all(row[place] == value for place, value in wanted):
            yield Document(row[places[column]], None, TRAIN)
