"""Texts in a column of a table of tab-separated columns."""

from collections.abc import Iterator, Mapping
from pathlib import Path

from pte.corpora.document import Document, read_table
from pte.corpora.parts import TRAIN


def read(path: Path, column: str, where: Mapping[str, str]) -> Iterator[Document]:
    """Read the texts in `column` of the rows whose other columns have the values in `where`.

    All documents are unlabelled and for training. Raises `PteError` as `read_table` does.
    """
    wanted = [value.encode() for value in where.values()]
    for _, (text, *fields) in read_table(path, [column, *where]):
        if fields == wanted:
            yield Document(text, None, TRAIN)
