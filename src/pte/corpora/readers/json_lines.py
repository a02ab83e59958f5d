"""JSON: an object on each line, or one list of objects."""

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, islice
from pathlib import Path
from typing import Any

from pte.corpora.columns import LABELS, Columns, RowsOfFile, TableRow, head_of
from pte.corpora.document import Document
from pte.corpora.text_files import read_lines
from pte.errors import PteError

_LOOKED_AT = 100
"""How many objects say which keys there are, unless a key that is looked for is in none of them."""


class SourceNumber(float):
    """A number of a file that Python would write in another way, or not at all."""

    source: str
    """How the file writes the number."""

    def __new__(cls, source: str) -> "SourceNumber":
        """Make the nearest number, which may be infinity, and keep how it is written."""
        number = super().__new__(cls, source)
        number.source = source
        return number


def read(path: Path, counts: Counter[str] | None = None, **columns: Any) -> Iterator[Document]:
    """Read a document from each line; `columns` has fields of `pte.corpora.columns.Columns`.

    A file whose first line begins with `[` is a list of objects, each a document. A label may be a
    text, a number, a list of texts and numbers, or null. Empty lines are skipped. `counts` gets how
    often each text stands for no label. Raises `PteError`, naming the line, for a line that is not
    an object, and for an object without a text.
    """
    return open_lines(path, **columns).told(counts)


@dataclass(frozen=True, kw_only=True)
class JsonLines(RowsOfFile):
    """A file of JSON: its keys, its columns, and its objects."""

    head: Sequence[str]
    """The keys of objects; a later object may have more keys."""

    def with_text(self) -> Iterator[TableRow]:
        """Return the objects."""
        return _objects(self.path)[1]


def open_lines(path: Path, **columns: Any) -> JsonLines:
    """Find the columns of a file; `columns` has fields of `pte.corpora.columns.Columns`.

    Raises `PteError` for a file without an object, and as `Columns.found_in` does.
    """
    wanted = Columns.of(path, columns)
    unit, rows = _objects(path)
    first = list(islice(rows, _LOOKED_AT))
    if not first:
        raise PteError(f"{path}: it is empty; put an object on each line")
    head = head_of(row.values for row in first)
    no_label = wanted.label is None and not any(name.strip().lower() in LABELS for name in head)
    if no_label or not {*wanted.names().values()} <= {*head}:
        head = head_of(row.values for row in chain(first, rows))
    found = wanted.found_in(path, head)
    return JsonLines(path=path, columns=found, given=wanted, unit=unit, head=head)


def names_of(path: Path, wanted: Iterable[str]) -> list[str]:
    """Return the keys of the first objects of a file, and of those up to the last `wanted` key."""
    rows = _objects(path)[1]
    head = dict.fromkeys(head_of(row.values for row in islice(rows, _LOOKED_AT)))
    missing = {*wanted} - head.keys()
    while missing and (row := next(rows, None)):
        head |= dict.fromkeys(row.values)
        missing -= row.values.keys()
    return list(head)


def _objects(path: Path) -> tuple[str, Iterator[TableRow]]:
    """Return what the numbers of the objects count, and the objects."""
    start = next((part for part in read_lines(path, cut=True) if part.strip()), "")
    if start.lstrip().startswith("[") and not _is_of_lists(path):
        items = _parsed(path, "it", "".join(read_lines(path, cut=True)))
        return "object", _rows(path, "item {} of the list", enumerate(items, start=1))
    lines = ((number, line) for number, line in enumerate(read_lines(path), 1) if line.strip())
    parsed = ((number, _parsed(path, f"line {number}", line)) for number, line in lines)
    return "line", _rows(path, "line {}", parsed)


def _is_of_lists(path: Path) -> bool:
    """Return whether a file has a list on each of several lines, and is no list itself."""
    parts = (part for part in read_lines(path, cut=True) if part.strip())
    first, more = next(parts), next(parts, None)
    try:
        return more is not None and isinstance(json.loads(first), list)
    except (ValueError, RecursionError):
        return False


def _rows(path: Path, what: str, found: Iterable[tuple[int, Any]]) -> Iterator[TableRow]:
    for number, values in found:
        if not isinstance(values, dict):
            raise PteError(f"{path}: {what.format(number)} is not an object; {_FORM}")
        yield TableRow(number, values)


_FORM = 'each must be like {"text": "…", "label": "…"}'


def _parsed(path: Path, what: str, text: str) -> Any:
    try:
        return json.loads(
            text,
            object_pairs_hook=_object,
            parse_float=_number,
            parse_int=_whole,
            parse_constant=SourceNumber,
        )
    except (ValueError, RecursionError) as error:
        advice = _FORM
        if not text.lstrip().startswith(("{", "[")):
            advice += "; if it is a table: format=csv"
        elif not text.rstrip().endswith(("}", "]")):
            advice += ", on one line, as jq -c writes it"
        why = str(error).partition(";")[0]  # behind it is advice for programmers
        raise PteError(f"{path}: {what} is not JSON ({why}); {advice}") from None


def _object(pairs: Sequence[tuple[str, Any]]) -> dict[str, Any]:
    values = dict(pairs)
    if len(values) < len(pairs):
        again = next(key for key, n in Counter(key for key, _ in pairs).items() if n > 1)
        raise ValueError(f"the key {again!r} is there twice")
    return values


def _number(text: str) -> float:
    number = float(text)
    return number if repr(number) == text else SourceNumber(text)


def _whole(text: str) -> int | float:
    """Return a whole number; Python makes none of thousands of digits, and has no -0."""
    try:
        return SourceNumber(text) if text == "-0" else int(text)
    except ValueError:
        return SourceNumber(text)
