"""How commands show what they found: JSON for machines, aligned tables for people."""

import csv
import json
import re
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from io import StringIO
from itertools import chain
from math import isfinite
from pathlib import Path
from typing import Any

import click

from pte.corpora.compressed import text_to_write, uncompressed
from pte.corpora.own import FORMATS
from pte.corpora.readers.json_lines import SourceNumber
from pte.corpora.text_files import readable
from pte.errors import naming
from pte.spreadsheets import spreadsheet_safe

_KEY = re.compile(
    r"(?<!\w)(?P<quote>['\"])(?:\\.|(?!(?P=quote))[^…])*(?P=quote)"
    r"|(?<=: |, |\? )(?P<key>text|label|missing|separator|delimiter|quote|encoding)=(?=…)"
    r"|(?<=: |\? )(?P<given>same|ignore_case|missing|separator|quote|encoding|header|format)=(?=\S)"
)
"""A text in quotes, which stays; or a key of the workflow, where messages name one."""

JSON_LINES = FORMATS["jsonl"].endings
"""Endings of files that are written with a JSON object on each line, as they are read."""


def say(line: str) -> None:
    """Print a line to standard output; an `OSError` that this raises names standard output."""
    with naming("standard output"):
        click.echo(readable(line), color=True)  # else click would drop what looks like colours


def spoken(message: str) -> str:
    """Return a message with keys of the workflow, such as `text=…`, as options of the command."""
    said = _KEY.sub(_option, message).replace("--header false", "--no-header")
    return said.replace("--ignore_case true", "--ignore-case")


def _option(found: re.Match[str]) -> str:
    key = found["key"] or found["given"]
    return f"--{key} " if key else found[0]


def json_text(
    value: Any,
    encoding: str = "utf-8",
    indent: int | None = None,
    default: Callable[[Any], str] | None = None,
) -> str:
    """Return a value as JSON, with null for NaN and infinity, which JSON does not have.

    Without `indent`, each `SourceNumber` is written as in its file, also those that are not JSON.
    Where the `encoding` lacks a letter, all letters that are not ASCII are escaped.
    """
    written: Callable[..., str]
    written = partial(json.dumps, indent=indent, default=default, allow_nan=False)
    if indent is None and _has_source(value):
        written = partial(as_in_source, written)
    try:
        text = written(value, ensure_ascii=False)
    except ValueError:
        value = _finite(value)
        text = written(value, ensure_ascii=False)
    try:
        text.encode(encoding)
    except UnicodeEncodeError:  # such as half of a pair of surrogates, which JSON may escape
        return written(value)
    return text


def as_in_source(written: Callable[..., str], value: Any, **options: Any) -> str:
    """Return a value as JSON, with each `SourceNumber` as in its file; `written` does the rest."""
    if isinstance(value, SourceNumber):
        return value.source
    parts = []  # loops, as JSON may be so deep that each call must take one frame only
    if isinstance(value, dict):
        for name, each in value.items():
            parts.append(f"{written(name, **options)}: {as_in_source(written, each, **options)}")
        return f"{{{', '.join(parts)}}}"
    if isinstance(value, list):
        for each in value:
            parts.append(as_in_source(written, each, **options))
        return f"[{', '.join(parts)}]"
    return written(value, **options)


def _has_source(value: Any) -> bool:
    """Return whether a value is a `SourceNumber`, or holds one."""
    left = [value]
    while left:
        each = left.pop()
        if isinstance(each, SourceNumber):
            return True
        if isinstance(each, dict | list):
            left += each.values() if isinstance(each, dict) else each
    return False


def _finite(value: Any) -> Any:
    """Return a value of JSON with None for each number that is not finite."""
    if isinstance(value, Mapping):
        return {name: _finite(each) for name, each in value.items()}
    if isinstance(value, list | tuple):
        return [_finite(each) for each in value]
    return None if isinstance(value, float) and not isfinite(value) else value


def show_json(value: Any) -> None:
    """Print a value as JSON."""
    say(json_text(value, _encoding(), indent=2))


def _encoding() -> str:
    return getattr(sys.stdout, "encoding", None) or "utf-8"


def show_facts(facts: Mapping[str, Any], as_json: bool) -> None:
    """Print facts: as JSON, or one on each line."""
    if as_json:
        show_json(facts)
        return
    width = max(map(len, facts), default=0)
    for name, value in facts.items():
        say(f"{name.ljust(width)}  {plain(value)}")


def plain(value: Any) -> str:
    """Return a value as text that people read."""
    if value is None:
        return "unknown"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, Mapping):
        return ", ".join(f"{name} {plain(each)}" for name, each in value.items())
    if isinstance(value, list | tuple):
        return ", ".join(map(plain, value))
    if isinstance(value, int):
        return f"{value:,}"
    return f"{value:.6g}" if isinstance(value, float) else str(value)


def write_records(
    head: Sequence[str],
    records: Iterable[tuple[Sequence[str], Mapping[str, Any]]],
    output: Path | None,
    as_json: bool,
    named: bool = False,
) -> None:
    """Write records, each given as cells and as an object, to standard output or a file.

    A file is written whole or not at all. The end of its name says what it holds: a table with
    `head` in CSV or TSV; JSON; or cells between tabs, below `head` if it is `named`. No spreadsheet
    takes cells of a file for formulas.
    """
    lines: Iterable[str]
    ending = _ending(output)
    if has_objects(output, as_json):
        encoding = _encoding() if output is None else "utf-8"
        lines = (json_text(value, encoding) for _, value in records)
    elif ending == ".csv":
        lines = map(_csv_line, chain([head], (cells for cells, _ in records)))
    else:
        named = named or ending in FORMATS["tsv"].endings
        rows = chain([head] if named else [], (cells for cells, _ in records))
        safe = spreadsheet_safe if output else str
        lines = ("\t".join(safe(" ".join(each.split())) for each in cells) for cells in rows)
    if output is None:
        for line in lines:
            say(line)
        return
    from pte.files import output_file

    with output_file(output) as temporary, text_to_write(temporary) as file:
        file.writelines(f"{line}\n" for line in lines)


def has_objects(output: Path | None, as_json: bool) -> bool:
    """Return whether `write_records` writes records as objects, and not as cells."""
    return as_json or _ending(output) in JSON_LINES


def _ending(output: Path | None) -> str:
    return "" if output is None else Path(uncompressed(output.name)).suffix.lower()


def _csv_line(cells: Sequence[str]) -> str:
    line = StringIO()
    csv.writer(line, lineterminator="").writerow(map(spreadsheet_safe, cells))
    return line.getvalue()
