"""Tables of text, workbooks, JSON Lines and Parquet: read as a whole, with a column at hand."""

import json
import re
import sys
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from io import BytesIO, StringIO
from itertools import chain
from pathlib import Path
from typing import Any

from pte.corpora.cells import Records
from pte.corpora.compressed import ALWAYS_ALLOWED, DAMAGE, MOST_RATIO, allowed, refuse_more
from pte.errors import PteError, counted
from pte.tables.columns import (
    DIALECT,
    LABELS,
    PROBABILITY,
    ROLES,
    TEXTS,
    Labels,
    Options,
    are_probabilities,
    find_columns,
    labels_of,
)
from pte.tables.dialect import SAMPLE, Dialect, found_dialect, given_dialect, read_rows
from pte.tables.exports import plain, records_of
from pte.tables.formats import called, content_of, decoded, format_of, split_lines

MOST_TITLES = 10  # rows above the names of columns that are looked for
CTRL_Z = b"\x1a"  # programs of DOS end a file with it

_SEP = re.compile(r'"?sep=(.)"?[ \t]*(\r\n|\n|\r)', re.IGNORECASE)
_JSON = re.compile(r'\s*[\[{]\s*([\[{"]|$)')
_RULE = re.compile(r"[\s:]*-*[\s:]*")
_FORM = 'each must be like {"text": "…", "label": "…"}'


@dataclass(frozen=True, kw_only=True)
class FileTable:
    """The rows of a file with named cells, which columns hold what, and what it came from."""

    file: str
    kind: str
    head: list[str]
    numbers: Sequence[int]  # the number of each row, as a spreadsheet or an editor counts it
    cells: Callable[[int], Sequence[Any]]  # of a column, one a row; None where an object lacks it
    options: Options = field(default_factory=Options)
    first: Sequence[Any] = ()  # the cells of the first row, if none has the names of columns
    said: Sequence[str] = ()  # phrases about what was found, and not given
    doubts: Sequence[str] = ()
    no_labels: PteError | None = None
    unit: str = "row"
    odd: Mapping[int, Sequence[Any]] = field(default_factory=dict)
    """Rows that are no documents, by their numbers: the header and empty ones."""
    dialect: Dialect | None = None
    returns: bool = True  # whether there may be a CR in a cell
    lines: Sequence[str] = ()  # the objects of JSON Lines, as they are written
    found: Sequence[dict[str, Any]] = ()  # the objects of JSON
    arrow: Any = None  # the content of a Parquet file

    @property
    def where(self) -> str:
        return f"{self.file}: {self.unit}"

    def column(self, name: str) -> Sequence[Any]:
        """Return the cells of a column; a number is one whose name is there twice."""
        return self.cells(self.head.index(name) if name in self.head else int(name) - 1)

    def labels(self, name: str) -> tuple[list[Labels], Counter[str]]:
        """Return labels as `labels_of` does, and none where `pte predict` has filled one in."""
        named, absent = labels_of(self.where, self.column(name), self.numbers, self.options)
        if self.options.predicted or PROBABILITY not in self.head:
            return named, absent
        filled = are_probabilities(self.column(PROBABILITY))
        n = sum(bool(labels) and is_one for labels, is_one in zip(named, filled, strict=True))
        if n:
            what = f"{counted(n, 'label', 'labels')} with a {PROBABILITY} beside"
            said = f"{what}: predicted, so not counted; to count what was predicted: --predicted"
            print(f"{self.file}: {said}", file=sys.stderr)
        kept = [() if is_one else labels for labels, is_one in zip(named, filled, strict=True)]
        return kept, absent

    def facts(self) -> dict[str, Any]:
        named = self.options.given(ROLES)
        how = {key: "found" if key in self.options.found else "named" for key in named}
        columns = {k: f"{n} ({how[k]})" for k, n in named.items() if n}
        return {"format": self.kind} | columns | (self.dialect.facts() if self.dialect else {})


def open_table(file: str, options: Options, learnt: Mapping[str, Any] | None = None) -> FileTable:
    """Read a file with named cells, and find its columns, as `find_columns` says."""
    kind, name = format_of(file, options.format), called(file)
    if kind not in ("csv", "tsv") and (given := options.given(DIALECT)):
        raise PteError(f"{name}: format {kind} is no table of text; leave --{min(given)} out")
    readers = {"xlsx": _workbook, "ods": _workbook, "jsonl": _json, "parquet": _parquet}
    table = readers.get(kind, _delimited)(name, kind, content_of(file), options)
    try:
        columns, said, fault = find_columns(name, options, table.head, table.first, learnt)
    except PteError:
        if number := _number_of_names(table):
            what = f"row {number} looks like the names of columns"
            raise PteError(f"{name}: {what}; take out what stands above it") from None
        raise
    return replace(table, options=columns, said=[*table.said, *said], no_labels=fault)


def _number_of_names(table: FileTable) -> int | None:
    """Return the number of the first row whose cells are usual names of a text and of a label."""
    for i, number in enumerate(table.numbers[:MOST_TITLES]):
        row = [str(table.cells(at)[i] or "") for at in range(len(table.head))]
        cells = {each.strip().lower() for cell in row for each in re.split(r"[,;\t|]", cell)}
        if cells & {*TEXTS} and cells & {*LABELS}:
            return number
    return None


# Tables of text


def _without_ctrl_z(content: bytes) -> tuple[bytes, list[str]]:
    """Leave out a last Ctrl-Z, and return a phrase on it."""
    kept = content.rstrip(b"\r\n")
    if not kept.endswith(CTRL_Z):
        return content, []
    return kept.removesuffix(CTRL_Z), ["without its last Ctrl-Z"]


def _delimited(file: str, kind: str, content: bytes, options: Options) -> FileTable:
    content, said = _without_ctrl_z(content)
    text = decoded(file, content, options.encoding)
    lines = text.open()
    head = lines.read(2 * SAMPLE)
    while len(head.lstrip()) < SAMPLE and (more := lines.read(SAMPLE)):
        head += more
    head += lines.readline()
    sep = _SEP.match(head)
    begin = sep.end() if sep else 0
    wanted = [name for name in options.given(ROLES).values() if name]
    if not options.delimiter and not sep and _JSON.match(head):
        raise PteError(f"{file}: this is JSON; end its name in .jsonl, or give --format jsonl")
    delimiter, quote = given_dialect(file, options)
    delimiter = delimiter or (sep[1] if sep else None)
    quoted = text.holds('"', begin)
    delimiter, quote, spaces = found_dialect(head[begin:], kind, delimiter, quote, wanted, quoted)
    left = chain(StringIO(head[begin:], newline=""), lines)
    records = Records(read_rows(file, left, delimiter, quote, spaces))
    _check_rows(file, records, delimiter)
    doubts = [text.doubt] if text.doubt else []
    if not quote and options.quote is None and quoted:
        doubts.append("quotes are read as characters; if they are around texts: --quote double")
    header = options.header
    if header is None:
        header = (
            not wanted
            or not all(map(str.isdecimal, wanted))
            or any(
                name.strip().lower() in (*TEXTS, *LABELS) and name not in records.column(i)
                for i, name in enumerate(records.first)
            )
        )
        if not header:
            doubts.append("its first row is taken for a document; if it has names, give --header")
    if not header:
        records.take_first()
    ends = Counter(re.findall(r"\r\n|\n|\r", head[begin:][:SAMPLE])) or Counter("\n")
    end = ends.most_common(1)[0][0]
    dialect = Dialect(delimiter, quote, text.encoding, header, sep is not None, end)
    usual_delimiter = delimiter if len(records.first) == 1 else "\t" if kind == "tsv" else ","
    facts = dialect.facts()
    if facts != Dialect(usual_delimiter, '"', "utf-8").facts():
        quotes = f"{facts['quote']} quotes" if quote else "no quotes"
        named = f"{'a' if header else 'no'} header"
        said.append(f"read as {text.encoding}, {facts['delimiter']}, {quotes}, {named}")
    first = records.first
    return FileTable(
        file=file,
        kind=kind,
        head=[name.strip() if header else str(i) for i, name in enumerate(first, start=1)],
        numbers=records.numbers,
        cells=records.column,
        first=() if header else first,
        said=said,
        doubts=doubts,
        odd=records.odd,
        dialect=dialect,
        returns=b"\r" in content,
    )


def _check_rows(file: str, records: Records, delimiter: str) -> None:
    """Raise `PteError` if no row has a name, or if one has another number of cells than these."""
    if not records.first:
        raise PteError(f"{file}: it is empty; the first line must name the columns")
    if delimiter == "|" and records.second and all(map(_RULE.fullmatch, records.second)):
        number = records.numbers[0]
        raise PteError(f"{file}: row {number} is the rule of a table in Markdown; delete it")
    if records.bad:
        number, width = records.bad
        raise PteError(
            f"{file}: row {number} has {width} cells, but the first row has {len(records.first)}: "
            "put texts that hold a delimiter into quotes, or say how the table is written: "
            "--delimiter …, --quote …; if all rows have one more than the first, give its column "
            "a name there"
        )


# Workbooks


def _workbook(file: str, kind: str, content: bytes, options: Options) -> FileTable:
    from zipfile import BadZipFile, ZipFile

    import pandas as pd

    engine: Any = {"xlsx": "openpyxl", "ods": "odf"}[kind]
    try:
        with ZipFile(BytesIO(content)) as members:
            size = sum(each.file_size for each in members.infolist())
        refuse_more(Path(file), size, max(10 * ALWAYS_ALLOWED, MOST_RATIO * len(content)))
        book = pd.ExcelFile(BytesIO(content), engine=engine)
        frame = pd.read_excel(book, header=None, dtype=object, na_filter=False)
    except ImportError:
        package = {"xlsx": "openpyxl", "ods": "odfpy"}[kind]
        raise PteError(
            f"{file}: .{kind} needs a package that is not installed: pip install {package}"
        ) from None
    except (BadZipFile, KeyError, ValueError, SyntaxError, *DAMAGE) as error:
        raise PteError(
            f"{file}: it is no .{kind} that can be read ({error}); save it anew"
        ) from None
    records = frame.to_numpy(dtype=object).tolist()
    filled = [i for i, row in enumerate(records) if any(str(cell).strip() for cell in row)]
    if not filled:
        raise PteError(f"{file}: its first sheet is empty; the first row must name the columns")
    names = book.sheet_names
    said = [] if len(names) == 1 else [f"read from {names[0]!r}, the first of {len(names)} sheets"]
    return FileTable(
        file=file,
        kind=kind,
        head=[str(name).strip() for name in records[filled[0]]],
        numbers=[place + 1 for place in filled[1:]],
        cells=lambda at: [records[place][at] for place in filled[1:]],
        said=said,
        odd={i: row for i, row in enumerate(records, 1) if i - 1 not in {*filled[1:]}},
    )


# JSON


def _json(file: str, kind: str, content: bytes, options: Options) -> FileTable:
    given = decoded(file, content)
    text = given.open().read()
    whole = _whole(file, text)
    if whole is not None:
        unit, lines, found = "object", [], whole
        numbers = list(range(1, len(found) + 1))
    else:
        unit, lines = "line", split_lines(text)
        numbers = [number for number, line in enumerate(lines, 1) if line.strip()]
        found = [_parsed(file, f"line {n}", lines[n - 1]) for n in numbers]
    for number, each in zip(numbers, found, strict=True):
        if not isinstance(each, dict):
            raise PteError(f"{file}: {unit} {number} is no object; {_FORM}")
    if not found:
        raise PteError(f"{file}: it is empty; put an object on each line")
    found, name = plain(found)
    head = list(dict.fromkeys(chain.from_iterable(found)))
    return FileTable(
        file=file,
        kind=kind,
        head=head,
        numbers=numbers,
        cells=lambda at: [each.get(head[at]) for each in found],
        doubts=[given.doubt] if given.doubt else [],
        said=[f"read as an export of {name}"] if name else [],
        unit=unit,
        lines=[lines[number - 1] for number in numbers] if lines and not name else (),
        found=found,
    )


def _whole(file: str, text: str) -> Any:
    """Return the list that the whole text is or holds; None if each line is an object."""
    if text.lstrip().startswith("["):
        return _parsed(file, "it", text)
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):  # as of several lines
        return None
    return records_of(file, value) if isinstance(value, dict) else None


def _parsed(file: str, what: str, text: str) -> Any:
    try:
        values = json.loads(text)
        if isinstance(values, dict) and text.count('":') == len(values):
            return values
        return json.loads(text, object_pairs_hook=_object)  # it refuses a key that is there twice
    except (ValueError, RecursionError) as error:
        advice = _FORM
        if not text.lstrip().startswith(("{", "[")):
            advice += "; if it is a table, give --format csv"
        elif not text.rstrip().endswith(("}", "]")):
            advice += ", on one line, as jq -c writes it"
        why = str(error).partition(";")[0]  # behind it is advice for programmers
        raise PteError(f"{file}: {what} is not JSON ({why}); {advice}") from None


def _object(pairs: Sequence[tuple[str, Any]]) -> dict[str, Any]:
    values = dict(pairs)
    if len(values) < len(pairs):
        again = next(key for key, n in Counter(key for key, _ in pairs).items() if n > 1)
        raise ValueError(f"the key {again!r} is there twice")
    return values


# Parquet


def _parquet(file: str, kind: str, content: bytes, options: Options) -> FileTable:
    try:
        from pyarrow import ArrowException, string
        from pyarrow.parquet import ParquetFile
    except ImportError:
        raise PteError(
            f"{file}: Parquet needs pyarrow, which is not installed: pip install pyarrow"
        ) from None
    try:
        opened = ParquetFile(BytesIO(content))
        groups = map(opened.metadata.row_group, range(opened.num_row_groups))
        size = sum(each.total_byte_size for each in groups)
        refuse_more(Path(file), size, allowed(len(content)))
        table, schema = opened.read(), opened.schema_arrow
        for i, each in enumerate(schema):
            if str(each.type) == "string_view":  # few functions of pyarrow know it
                schema = schema.set(i, each.with_type(string()))
        table = table.cast(schema)
    except (ArrowException, OSError, ValueError) as error:
        raise PteError(f"{file}: it is not a Parquet file ({error}); write it again") from None
    return FileTable(
        file=file,
        kind=kind,
        head=schema.names,
        numbers=range(1, table.num_rows + 1),
        cells=lambda at: list(table.column(at).to_pylist()),
        arrow=table,
    )
