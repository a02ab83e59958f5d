"""JSON Lines: an object on each line."""

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import chain, islice
from pathlib import Path
from typing import Any, NamedTuple

from pte.corpora.columns import Columns, TableRow, head_of
from pte.corpora.document import Document
from pte.corpora.text_files import read_lines
from pte.errors import PteError

_LOOKED_AT = 100
"""How many objects say which columns there are."""


def read(path: Path, counts: Counter[str] | None = None, **columns: Any) -> Iterator[Document]:
    """Read a document from each line; `columns` has fields of `pte.corpora.columns.Columns`.

    A label may be a text, a number, a list of texts and numbers, or null. Empty lines are skipped.
    `counts` gets how often each text stands for no label. Raises `PteError`, naming the line, for a
    line that is not an object, and for an object without a text.
    """
    lines = open_lines(path, **columns)
    if lines.said:
        print(f"{path}: {', '.join(lines.said)}")
    return lines.documents(path, counts)


class JsonLines(NamedTuple):
    """A file of JSON Lines: its keys, its columns, and its objects, which can be read once."""

    head: Sequence[str]
    """The keys of the first objects; a later object may have more keys, or fewer."""
    columns: Columns
    """The columns, with those of the text and the label found."""
    given: Columns
    """The columns that the user named."""
    rows: Iterator[TableRow]

    @property
    def said(self) -> tuple[str, ...]:
        """Phrases about what was found, and not given."""
        return tuple(self.given.said_of(self.columns))

    def facts(self) -> dict[str, Any]:
        """Return which columns the file has, for people and machines."""
        return dict(self.columns.facts(self.given))

    def documents(self, path: Path, counts: Counter[str] | None = None) -> Iterator[Document]:
        """Yield the document of each object; see `Columns.documents`."""
        return self.columns.documents(path, self.rows, counts=counts)


def open_lines(path: Path, **columns: Any) -> JsonLines:
    """Find the columns of a file; `columns` has fields of `pte.corpora.columns.Columns`.

    Raises `PteError` for a file without an object, and as `Columns.found_in` does.
    """
    rows = _rows(path)
    first = list(islice(rows, _LOOKED_AT))
    if not first:
        raise PteError(f"{path}: it is empty; put an object on each line")
    head = head_of(row.values for row in first)
    wanted = Columns.of(path, columns)
    found = wanted.found_in(path, head)
    return JsonLines(head, found, wanted, chain(first, rows))


def names_of(path: Path) -> list[str]:
    """Return the keys of the first objects of a file."""
    return head_of(row.values for row in islice(_rows(path), _LOOKED_AT))


def _rows(path: Path) -> Iterator[TableRow]:
    for number, line in enumerate(read_lines(path), start=1):
        if not line.strip():
            continue
        try:
            values = json.loads(line)
        except (ValueError, RecursionError) as error:
            raise PteError(
                f"{path}: line {number} is not JSON ({error}); {_advice(line)}"
            ) from None
        if not isinstance(values, dict):
            raise PteError(f"{path}: line {number} is not an object; {_advice(line)}")
        yield TableRow(number, values)


def _advice(line: str) -> str:
    if line.lstrip().startswith("["):
        return "to write the objects of a list on lines of their own: jq -c '.[]'"
    return 'each line must be like {"text": "…", "label": "…"}'
