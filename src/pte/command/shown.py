"""How commands show what they found: JSON for machines, aligned tables for people."""

import csv
import json
import sys
from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from io import StringIO
from itertools import chain
from math import isfinite
from pathlib import Path
from typing import Any

import click

from pte.corpora.compressed import text_to_write, uncompressed
from pte.errors import naming
from pte.tables.formats import FORMATS, readable
from pte.tables.writing import spreadsheet_safe

JSON_LINES = FORMATS["jsonl"]  # endings with a JSON object on each line


def say(line: str) -> None:
    """Print a line to standard output; an `OSError` that this raises names standard output."""
    with naming("standard output"):
        click.echo(readable(line), color=True)  # else click would drop what looks like colours


def json_text(value: Any, encoding: str = "utf-8", indent: int | None = None) -> str:
    """Return a value as JSON: null for NaN and infinity, escapes for what `encoding` lacks."""
    written = partial(json.dumps, indent=indent, allow_nan=False)
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


def _finite(value: Any) -> Any:
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
    """Write records, cells and objects, to standard output, or to a file, as its ending says.

    A file is written whole or not at all. No spreadsheet takes cells of a file for formulas.
    """
    lines: Iterable[str]
    ending = _ending(output)
    if has_objects(output, as_json):
        encoding = _encoding() if output is None else "utf-8"
        lines = (json_text(value, encoding) for _, value in records)
    elif ending == ".csv":
        lines = map(_csv_line, chain([head], (cells for cells, _ in records)))
    else:
        named = named or ending in FORMATS["tsv"]
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
