"""Tables of text, workbooks, JSON Lines and Parquet: read as a whole, with a column at hand."""

import csv
import json
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from io import BytesIO, StringIO
from itertools import chain
from pathlib import Path
from typing import Any, NamedTuple

from pte.corpora.compressed import ALWAYS_ALLOWED, DAMAGE, MOST_RATIO, allowed, refuse_more
from pte.errors import PteError
from pte.tables.columns import DIALECT, LABELS, ROLES, TEXTS, Options, find_columns
from pte.tables.formats import LONGEST_LINE, called, content_of, decoded, format_of, split_lines

DELIMITERS = {"comma": ",", "semicolon": ";", "tab": "\t", "bar": "|"}
"""The delimiters that are found, by their names; the user may give any character."""

QUOTES = {"double": '"', "single": "'", "backslash": "\\", "none": ""}
"""The quotes by their names; a backslash stands for double quotes with backslashes before them."""

NO_DELIMITER = "\x1f"  # what stands for a delimiter in a table of one column

_SAMPLE = 20_000
_SEP = re.compile(r'"?sep=(.)"?[ \t]*(\r\n|\n|\r)', re.IGNORECASE)
_ESCAPED = re.compile(r'\\(["\\])')
_JSON = re.compile(r'\s*[\[{]\s*([\[{"]|$)')
_LONG = re.compile(r"([\w-]{30})[\w-]+")
_RULE = re.compile(r"[\s:]*-*[\s:]*")
_FORM = 'each must be like {"text": "…", "label": "…"}'


class Dialect(NamedTuple):
    """How a table of text is written."""

    delimiter: str
    quote: str
    encoding: str
    header: bool = True
    sep_line: bool = False  # whether Excel's line `sep=;` comes first
    line_end: str = "\n"

    def facts(self) -> dict[str, Any]:
        known = DELIMITERS | QUOTES | {"none": NO_DELIMITER}
        named = {each: name for name, each in known.items()} | {"": "none"}
        delimiter = named.get(self.delimiter, repr(self.delimiter))
        facts = {"encoding": self.encoding, "delimiter": delimiter, "quote": named[self.quote]}
        return {**facts, "header": self.header}


@dataclass(frozen=True, kw_only=True)
class FileTable:
    """The rows of a file with named cells, which columns hold what, and what it came from."""

    file: str
    kind: str
    head: list[str]
    numbers: Sequence[int]  # the number of each row, as a spreadsheet or an editor counts it
    column: Callable[[str], list[Any]]  # its cells, one a row; None where an object lacks it
    options: Options = field(default_factory=Options)
    first: Sequence[Any] = ()  # the cells of the first row, if none has the names of columns
    said: Sequence[str] = ()  # phrases about what was found, and not given
    doubts: Sequence[str] = ()
    no_labels: PteError | None = None
    unit: str = "row"
    records: Sequence[list[Any]] = ()  # all rows as in the file, header and empty ones, too
    dialect: Dialect | None = None
    lines: Sequence[str] = ()  # the objects of JSON Lines, as they are written
    found: Sequence[dict[str, Any]] = ()  # the objects of JSON
    arrow: Any = None  # the content of a Parquet file

    @property
    def where(self) -> str:
        return f"{self.file}: {self.unit}"

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
    columns, said, fault = find_columns(name, options, table.head, table.first, learnt)
    return replace(table, options=columns, said=[*table.said, *said], no_labels=fault)


# Tables of text


def _delimited(file: str, kind: str, content: bytes, options: Options) -> FileTable:
    text, encoding, doubt = decoded(file, content, options.encoding)
    sep = _SEP.match(text)
    body = text[sep.end() :] if sep else text
    wanted = [name for name in options.given(ROLES).values() if name]
    if not options.delimiter and not sep and _JSON.match(body):
        raise PteError(f"{file}: this is JSON; end its name in .jsonl, or give --format jsonl")
    delimiter, quote = _given(file, options)
    delimiter = delimiter or (sep[1] if sep else None)
    delimiter, quote, spaces = _dialect(body, kind, delimiter, quote, wanted)
    records = [*_records(file, body, delimiter, quote, spaces)]
    top = next((i for i, row in enumerate(records) if any(map(str.strip, row))), None)
    if top is None:
        raise PteError(f"{file}: it is empty; the first line must name the columns")
    doubts = [doubt] if doubt else []
    if not quote and options.quote is None and '"' in body:
        doubts.append("quotes are read as characters; if they are around texts: --quote double")
    places = _places(file, records, top, delimiter)
    header = options.header
    if header is None:
        header = (
            not wanted
            or not all(map(str.isdecimal, wanted))
            or any(
                name.strip().lower() in (*TEXTS, *LABELS)
                and all(records[p][i] != name for p in places)
                for i, name in enumerate(records[top])
            )
        )
        if not header:
            doubts.append("its first row is taken for a document; if it has names, give --header")
    ends = Counter(re.findall(r"\r\n|\n|\r", body[:_SAMPLE])) or Counter("\n")
    end = ends.most_common(1)[0][0]
    dialect = Dialect(delimiter, quote, encoding, header, sep is not None, end)
    usual_delimiter = delimiter if len(records[top]) == 1 else "\t" if kind == "tsv" else ","
    facts, said = dialect.facts(), ""
    if facts != Dialect(usual_delimiter, '"', "utf-8").facts():
        quotes = f"{facts['quote']} quotes" if quote else "no quotes"
        named = f"{'a' if header else 'no'} header"
        said = f"read as {encoding}, {facts['delimiter']}, {quotes}, {named}"
    table = _of_rows(file, kind, records, [top, *places], header)
    return replace(table, said=[said] if said else [], doubts=doubts, dialect=dialect)


def _of_rows(
    file: str, kind: str, records: Sequence[list[Any]], places: list[int], header: bool = True
) -> FileTable:
    """Return the table of the records at some places; the first may be the header."""
    first = records[places[0]]
    head = [str(name).strip() if header else str(i) for i, name in enumerate(first, start=1)]
    places = places[1:] if header else places

    def column(name: str) -> list[Any]:
        at = head.index(name)
        return [records[place][at] for place in places]

    return FileTable(
        file=file,
        kind=kind,
        head=head,
        numbers=[place + 1 for place in places],
        column=column,
        first=() if header else first,
        records=records,
    )


def _places(file: str, records: list[list[str]], top: int, delimiter: str) -> Sequence[int]:
    """Return where the rows below the first one are; all must have as many cells."""
    width, places = len(records[top]), range(top + 1, len(records))
    found: Sequence[int] = places
    if width == 1 or {*map(len, records)} != {width}:
        filled = (i for i in places if records[i])
        found = [i for i in filled if width == 1 or len(records[i]) > 1 or records[i][0].strip()]
    if delimiter == "|" and found and all(map(_RULE.fullmatch, records[found[0]])):
        raise PteError(f"{file}: row {found[0] + 1} is the rule of a table in Markdown; delete it")
    if bad := next((i for i in found if len(records[i]) != width), None):
        raise PteError(
            f"{file}: row {bad + 1} has {len(records[bad])} cells, but the first row has {width}: "
            "put texts that hold a delimiter into quotes, or say how the table is written: "
            "--delimiter …, --quote …; if all rows have one more than the first, give its column "
            "a name there"
        )
    return found


def _given(file: str, options: Options) -> tuple[str | None, str | None]:
    """Return the delimiter and the quote that the user gives."""
    delimiter, quote = options.delimiter, options.quote
    if quote is not None and (quote := QUOTES.get(quote, quote)) not in QUOTES.values():
        raise PteError(f"{file}: --quote {options.quote!r} is not one of {', '.join(QUOTES)}")
    if delimiter is not None:
        delimiter = "\t" if delimiter == r"\t" else DELIMITERS.get(delimiter, delimiter)
        if len(delimiter) != 1 or delimiter in "\r\n\"' \0\\":
            known = ", ".join(DELIMITERS)
            raise PteError(f"{file}: --delimiter {delimiter!r} is no character; or give {known}")
    return delimiter, quote


def _dialect(
    body: str, kind: str, given: str | None, quote: str | None, wanted: Sequence[str]
) -> tuple[str, str, bool]:
    """Return the delimiter of the best first row, the quote, and whether spaces stand there."""
    from clevercsv.detect import Detector

    sample = _LONG.sub(r"\1", body.lstrip()[:_SAMPLE])
    found = Detector().detect(sample, delimiters=[*DELIMITERS.values()])
    if quote is None:
        quote = "\\" if found and found.escapechar else str((found and found.quotechar) or "")
        quote = quote or ('"' if '"' not in body or not found else "")

    def first_row(by: str) -> list[str]:
        return next(csv.reader(StringIO(sample, newline=""), delimiter=by), [])

    def rank(by: str) -> tuple[int, bool]:
        row = [name.strip() for name in first_row(by)]
        return sum(n in wanted or n.lower() in (*TEXTS, *LABELS) for n in row), len(row) > 1

    delimiter = given or ""
    if not given:
        detected = str((found and found.delimiter) or "")
        likely = ["\t" if kind == "tsv" else detected, detected]
        delimiter = max([*filter(None, likely), *DELIMITERS.values()], key=rank)
        if len(first_row(delimiter)) == 1:  # one column needs no delimiter
            delimiter, quote = NO_DELIMITER, quote or '"'
    begin = f"{delimiter}{quote}"
    spaces = bool(quote) and f"{delimiter} {quote}" in sample and begin not in sample
    return delimiter, quote, spaces


def _records(file: str, body: str, delimiter: str, quote: str, spaces: bool) -> Iterator[list[str]]:
    csv.field_size_limit(LONGEST_LINE)
    quotes: dict[str, Any] = {"quotechar": quote, "skipinitialspace": spaces}
    if not quote:
        quotes = {"quoting": csv.QUOTE_NONE, "quotechar": None}
    elif quote == "\\":
        body = _ESCAPED.sub(lambda found: found[1] * (1 + (found[1] == '"')), body)
        quotes["quotechar"] = '"'
    number = 1
    try:
        rows = csv.reader(StringIO(body, newline=""), delimiter=delimiter, strict=True, **quotes)
        for row in rows:
            yield row
            number += 1
    except csv.Error as error:
        raise PteError(
            f"{file}: row {number}: {error}; put a text that holds a quote, a delimiter or a "
            "line end into quotes, and double the quotes in it; or, if quotes are characters of "
            "the text, give --quote none"
        ) from None


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
    return replace(_of_rows(file, kind, records, filled), said=said)


# JSON


def _json(file: str, kind: str, content: bytes, options: Options) -> FileTable:
    text, _, doubt = decoded(file, content)
    if text.lstrip().startswith("["):
        unit, lines, found = "object", [], _parsed(file, "it", text)
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
    return FileTable(
        file=file,
        kind=kind,
        head=list(dict.fromkeys(chain.from_iterable(found))),
        numbers=numbers,
        column=lambda name: [each.get(name) for each in found],
        doubts=[doubt] if doubt else [],
        unit=unit,
        lines=[lines[number - 1] for number in numbers] if lines else (),
        found=found,
    )


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
        column=lambda name: list(table.column(name).to_pylist()),
        arrow=table,
    )
