"""JSON Lines: an object on each line."""

import json
from collections import Counter
from collections.abc import Iterator
from itertools import chain, islice
from pathlib import Path
from typing import Any

from pte.corpora.columns import Columns, TableRow, head_of
from pte.corpora.document import Document
from pte.corpora.text_files import read_lines
from pte.errors import PteError

_LOOKED_AT = 100
"""How many objects say which columns there are; a later object may have more keys, or fewer."""


def read(path: Path, counts: Counter[str] | None = None, **columns: Any) -> Iterator[Document]:
    """Read a document from each line; `columns` has fields of `pte.corpora.columns.Columns`.

    A label may be a text, a number, a list of texts and numbers, or null. Empty lines are skipped.
    `counts` gets how often each text stands for no label. Raises `PteError`, naming the line, for a
    line that is not an object, and for an object without a text.
    """
    rows = _rows(path)
    first = list(islice(rows, _LOOKED_AT))
    if not first:
        raise PteError(f"{path}: it is empty; put an object on each line")
    head = head_of(row.values for row in first)
    wanted = Columns.of(path, columns)
    found = wanted.found_in(path, head)
    if said := wanted.said_of(found):
        print(f"{path}: {', '.join(said)}")
    return found.documents(path, chain(first, rows), counts=counts)


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
