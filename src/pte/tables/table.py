"""Tables of text, workbooks, JSON Lines and Parquet: read as a whole, with a column at hand."""

import csv
import json
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from io import BytesIO, StringIO
from itertools import chain
from pathlib import Path
from typing import Any

from pte.corpora.compressed import ALWAYS_ALLOWED, MOST_RATIO, refuse_more
from pte.errors import PteError
from pte.tables.columns import LABELS, ROLES, TEXTS, Options, find_columns
from pte.tables.formats import format_of
from pte.tables.text import LONGEST_LINE, called, content_of, decoded

DELIMITERS = {"comma": ",", "semicolon": ";", "tab": "\t", "bar": "|"}
"""The delimiters that are found, by their names; the user may give any character."""

QUOTES = {"double": '"', "single": "'", "backslash": "\\", "none": ""}
"""The quotes by their names; a backslash stands for double quotes with backslashes before them."""

DIALECT = ("delimiter", "quote", "encoding", "header")

_NO_DELIMITER = "\x1f"
_SAMPLE = 20_000
_SEP = re.compile(r'"?sep=(.)"?[ \t]*(\r\n|\n|\r)', re.IGNORECASE)
_ESCAPED = re.compile(r'\\(["\\])')
_JSON = re.compile(r'\s*[\[{]\s*([\[{"]|$)')
_LONG = re.compile(r"([\w-]{30})[\w-]+")
_RULE = re.compile(r"[\s:]*-*[\s:]*")
_LONGEST_NAME = 60


@dataclass(frozen=True)
class Dialect:
    """How a table of text is written."""

    delimiter: str
    quote: str
    encoding: str
    header: bool = True
    sep_line: bool = False
    """Whether the file begins with Excel's line that says the delimiter, such as `sep=;`."""
    line_end: str = "\n"
    spaces: bool = False
    """Whether spaces behind delimiters are no part of cells, so that quotes may follow them."""

    def facts(self) -> dict[str, Any]:
        """Return this for people and machines."""
        named = {each: name for name, each in (DELIMITERS | QUOTES).items()}
        one = self.delimiter == _NO_DELIMITER
        return {
            "encoding": self.encoding,
            "delimiter": "none" if one else named.get(self.delimiter, repr(self.delimiter)),
            "quote": named[self.quote],
            "header": self.header,
        }


@dataclass(frozen=True, kw_only=True)
class FileTable:
    """The rows of a file with named cells, and which columns hold what."""

    file: str
    kind: str
    head: list[str]
    options: Options
    said: Sequence[str] = ()
    """Phrases about what was found, and not given."""
    doubts: Sequence[str] = ()
    no_labels: PteError | None = None
    unit: str = "row"

    @property
    def numbers(self) -> Sequence[int]:
        """The number of each row, as a spreadsheet or an editor counts it."""
        raise NotImplementedError

    def column(self, name: str) -> list[Any]:
        """Return the cells of a column, one for each row."""
        raise NotImplementedError

    def objects(self) -> Iterable[Mapping[str, Any]]:
        """Return the rows with their cells by name."""
        columns = [self.column(name) for name in self.head]
        return (dict(zip(self.head, row, strict=True)) for row in zip(*columns, strict=True))

    def facts(self) -> dict[str, Any]:
        """Return how the file is read, for people and machines."""
        named = self.options.given(ROLES)
        how = {key: "found" if key in self.options.found else "named" for key in named}
        return {"format": self.kind} | {k: f"{n} ({how[k]})" for k, n in named.items() if n}


@dataclass(frozen=True, kw_only=True)
class CellTable(FileTable):
    """A table of text, or the first sheet of a workbook."""

    records: list[list[Any]]
    """All rows as they stand in the file: the header, and empty ones, too."""
    places: Sequence[int]
    """Where the rows with cells are among these."""
    dialect: Dialect | None = None

    @property
    def numbers(self) -> Sequence[int]:
        """The number of each row, from 1; the header counts."""
        return [place + 1 for place in self.places]

    def column(self, name: str) -> list[Any]:
        """Return the cells of a column."""
        at, records = self.head.index(name), self.records
        return [records[place][at] for place in self.places]

    def facts(self) -> dict[str, Any]:
        """Return how the file is read."""
        return super().facts() | (self.dialect.facts() if self.dialect else {})


@dataclass(frozen=True, kw_only=True)
class JsonTable(FileTable):
    """Objects of JSON, one on each line or all in one list."""

    found: list[dict[str, Any]]
    lines: Sequence[int]
    text: str

    @property
    def numbers(self) -> Sequence[int]:
        """The line of each object, or its number in the list."""
        return self.lines

    def column(self, name: str) -> list[Any]:
        """Return the values of a key; None where an object lacks it."""
        return [each.get(name) for each in self.found]

    def objects(self) -> Iterable[Mapping[str, Any]]:
        """Return the objects."""
        return self.found

    @cached_property
    def sources(self) -> list[str]:
        """The objects as the file writes them, and its empty lines."""
        return parts(self.text.strip()) if self.unit == "object" else _lines(self.text)


@dataclass(frozen=True, kw_only=True)
class ParquetTable(FileTable):
    """A Parquet file."""

    content: Any
    compression: str

    @property
    def numbers(self) -> Sequence[int]:
        """The numbers of the rows, from 1."""
        return range(1, self.content.num_rows + 1)

    def column(self, name: str) -> list[Any]:
        """Return the cells of a column."""
        found: list[Any] = self.content.column(name).to_pylist()
        return found


def open_table(
    file: str,
    options: Options,
    learnt: Mapping[str, Any] | None = None,
) -> FileTable:
    """Read a file with named cells, and find its columns, as `find_columns` says."""
    kind = format_of(file, options.format)
    name = called(file)
    if kind not in ("csv", "tsv") and (given := options.given(DIALECT)):
        raise PteError(f"{name}: format {kind} is no table of text; leave --{min(given)} out")
    openers: dict[str, Callable[..., FileTable]] = {
        "csv": _delimited,
        "tsv": _delimited,
        "xlsx": _workbook,
        "ods": _workbook,
        "jsonl": _json,
        "parquet": _parquet,
    }
    return openers[kind](name, kind, content_of(file), options, learnt or {})


# Tables of text


def _delimited(
    file: str, kind: str, content: bytes, options: Options, learnt: Mapping[str, Any]
) -> FileTable:
    text, encoding, doubt = decoded(file, content, options.encoding)
    sep = _SEP.match(text)
    body = text[sep.end() :] if sep else text
    wanted = [name for name in options.given(ROLES).values() if name]
    if not options.delimiter and not sep and _JSON.match(body):
        raise PteError(f"{file}: this is JSON; end its name in .jsonl, or give --format jsonl")
    delimiter, quote, spaces = _dialect(file, body, kind, options, sep and sep[1], wanted)
    records = [*_records(file, body, delimiter, quote, spaces)]
    doubts = [each for each in (doubt, _other_rows(body, records, delimiter, quote)) if each]
    top = next((i for i, row in enumerate(records) if any(map(str.strip, row))), None)
    if top is None:
        raise PteError(f"{file}: it is empty; the first line must name the columns")
    width = len(records[top])
    places: Sequence[int] = range(top + 1, len(records))
    if width == 1 or {*map(len, records)} != {width}:
        filled = (i for i in places if records[i])
        places = [i for i in filled if width == 1 or len(records[i]) > 1 or records[i][0].strip()]
    if delimiter == "|" and places and all(map(_RULE.fullmatch, records[places[0]])):
        raise PteError(f"{file}: row {places[0] + 1} is the rule of a table in Markdown; delete it")
    if bad := next((i for i in places if len(records[i]) != width), None):
        if len(records[bad]) == width + 1 and bad == places[0]:
            more = "; if all rows have one more than the first, give its column a name there"
        else:
            more = ""
        raise PteError(
            f"{file}: row {bad + 1} has {len(records[bad])} cells, but the first row has {width}: "
            "put texts that hold a delimiter into quotes, or say how the table is written: "
            f"--delimiter …, --quote …{more}"
        )
    header = options.header
    if header is None:
        header, unsure = _header(records[top], [records[i] for i in places], wanted)
        doubts += [unsure] if unsure else []
    ends = Counter(re.findall(r"\r\n|\n|\r", body[:_SAMPLE])) or Counter("\n")
    dialect = Dialect(
        delimiter, quote, encoding, header, sep is not None, ends.most_common(1)[0][0], spaces
    )
    usual = Dialect("\t" if kind == "tsv" else ",", '"', "utf-8")
    if width == 1:
        usual = replace(usual, delimiter=delimiter)
    said = [f"read as {_said(dialect)}"] if dialect.facts() != usual.facts() else []
    shape = {"kind": kind, "records": records, "dialect": dialect, "doubts": doubts}
    return _cells(file, options, learnt, top, places, header, said, **shape)


def _cells(
    file: str,
    options: Options,
    learnt: Mapping[str, Any],
    top: int,
    places: Sequence[int],
    header: bool,
    said: list[str],
    **shape: Any,
) -> CellTable:
    first = shape["records"][top]
    head = [str(name).strip() for name in first]
    if not header:
        head, places = [str(i) for i in range(1, len(first) + 1)], [top, *places]
    found, more, fault = find_columns(file, options, head, () if header else first, learnt)
    shape |= {"said": [*said, *more], "no_labels": fault}
    return CellTable(file=file, head=head, options=found, places=places, **shape)


def _said(dialect: Dialect) -> str:
    facts = dialect.facts()
    quotes = f"{facts['quote']} quotes" if dialect.quote else "no quotes"
    header = "a header" if dialect.header else "no header"
    return f"{dialect.encoding}, {facts['delimiter']}, {quotes}, {header}"


def _dialect(
    file: str, body: str, kind: str, options: Options, said: str | None, wanted: Sequence[str]
) -> tuple[str, str, bool]:
    """Return the delimiter of the best first row, the quote, and whether spaces stand there."""
    from clevercsv.detect import Detector

    sample = _LONG.sub(r"\1", body.lstrip()[:_SAMPLE])
    found = Detector().detect(sample, delimiters=[*DELIMITERS.values()])
    delimiter, quote = str((found and found.delimiter) or ""), '"'
    if found:
        quote = "\\" if found.escapechar else str(found.quotechar or "")
    if not quote and '"' not in body:
        quote = '"'
    if options.quote is not None:
        quote = QUOTES.get(options.quote, options.quote)
        if quote not in QUOTES.values():
            raise PteError(f"{file}: --quote {options.quote!r} is not one of {', '.join(QUOTES)}")
    if options.delimiter is not None:
        given = "\t" if options.delimiter == r"\t" else options.delimiter
        said = DELIMITERS.get(given, given)
        if len(said) != 1 or said in "\r\n\"' \0\\":
            known = ", ".join(DELIMITERS)
            raise PteError(f"{file}: --delimiter {said!r} is no character; or give {known}")
    if said:
        delimiter = said
    else:
        likely = "\t" if kind == "tsv" else delimiter

        def first_row(by: str) -> list[str]:
            row = next(csv.reader(StringIO(sample, newline=""), delimiter=by), [])
            return [name.strip() for name in row]

        def rank(by: str) -> tuple[int, bool]:
            row = first_row(by)
            hits = sum(name in wanted or name.lower() in (*TEXTS, *LABELS) for name in row)
            return hits, len(row) > 1

        tried = dict.fromkeys([each for each in (likely, delimiter) if each])
        delimiter = max([*tried, *DELIMITERS.values()], key=rank)
        if len(first_row(delimiter)) == 1:  # one column needs no delimiter
            delimiter, quote = _NO_DELIMITER, quote or '"'
    spaces = (
        bool(quote) and f"{delimiter} {quote}" in sample and f"{delimiter}{quote}" not in sample
    )
    return delimiter, quote, spaces


def _records(
    file: str, body: str, delimiter: str, quote: str, spaces: bool = False
) -> Iterator[list[str]]:
    csv.field_size_limit(LONGEST_LINE)
    quotes: dict[str, Any] = {"quotechar": quote, "skipinitialspace": spaces}
    if not quote:
        quotes = {"quoting": csv.QUOTE_NONE, "quotechar": None}
    elif quote == "\\":
        body = _ESCAPED.sub(lambda found: found[1] * (1 + (found[1] == '"')), body)
        quotes["quotechar"] = '"'
    number = 0
    try:
        rows = csv.reader(StringIO(body, newline=""), delimiter=delimiter, strict=True, **quotes)
        for row in rows:
            number += 1
            yield row
    except csv.Error as error:
        raise PteError(
            f"{file}: row {number + 1}: {error}; put a text that holds a quote, a delimiter or a "
            "line end into quotes, and double the quotes in it; or, if quotes are characters of "
            "the text, give --quote none"
        ) from None


def _other_rows(body: str, records: list[list[str]], delimiter: str, quote: str) -> str:
    """Say so if quotes, read as characters or not, would make other rows that are right, too."""
    if '"' not in body or quote == "'":
        return ""
    width, number = 0, 0
    try:
        for row in _records("", body, delimiter, "" if quote else '"'):
            width = width or len(row)
            if row and len(row) != width:
                return ""
            number += bool(row)
    except PteError:
        return ""
    if number == (rows := sum(map(bool, records))):
        return ""
    what, other = ("characters", "double") if not quote else ("around texts", "none")
    return (
        f"quotes are read as {what}, which makes {rows:,} rows; with --quote {other}, there would "
        f"be {number:,}"
    )


def _header(
    first: Sequence[str], rows: Sequence[Sequence[str]], wanted: Sequence[str]
) -> tuple[bool, str]:
    """Say whether the first row, by its cells, names the columns, and what is doubtful about it."""
    head = [name.strip() for name in first]
    usual = {*TEXTS, *LABELS}

    def again(i: int) -> bool:
        return any(row[i] == first[i] for row in rows)

    if any(not name.isdecimal() for name in wanted):
        return True, ""
    if any(name.lower() in usual and not again(i) for i, name in enumerate(head)):
        return True, ""
    if any(map(again, range(len(head)))) or len({*head}) < len(head) or not all(head[1:]):
        return False, ""  # the first name may be missing: it is that of row numbers
    if any(len(each) > _LONGEST_NAME or re.fullmatch(r"[-+\d.,%eE]+", each) for each in head):
        return False, ""
    said = f"the first row is taken for names of columns, such as {head[0]!r}"
    return True, f"{said}; if it is a document, give --no-header" if wanted else ""


# Workbooks


def _workbook(
    file: str, kind: str, content: bytes, options: Options, learnt: Mapping[str, Any]
) -> FileTable:
    from zipfile import BadZipFile, ZipFile

    import pandas as pd

    engine = {"xlsx": "openpyxl", "ods": "odf"}[kind]
    try:
        with ZipFile(BytesIO(content)) as members:
            size = sum(each.file_size for each in members.infolist())
        refuse_more(Path(file), size, max(10 * ALWAYS_ALLOWED, MOST_RATIO * len(content)))
        book = pd.ExcelFile(BytesIO(content), engine=engine)  # type: ignore[arg-type]
        frame = pd.read_excel(book, header=None, dtype=object, na_filter=False)
    except ImportError:
        package = {"xlsx": "openpyxl", "ods": "odfpy"}[kind]
        raise PteError(
            f"{file}: .{kind} needs a package that is not installed: pip install {package}"
        ) from None
    except (BadZipFile, KeyError, ValueError, OSError, SyntaxError) as error:
        raise PteError(
            f"{file}: it is no .{kind} that can be read ({error}); save it anew"
        ) from None
    records = frame.to_numpy(dtype=object).tolist()
    filled = [i for i, row in enumerate(records) if any(str(cell).strip() for cell in row)]
    if not filled:
        raise PteError(f"{file}: its first sheet is empty; the first row must name the columns")
    top, *places = filled
    names = book.sheet_names
    said = [] if len(names) == 1 else [f"read from {names[0]!r}, the first of {len(names)} sheets"]
    return _cells(file, options, learnt, top, places, True, said, kind=kind, records=records)


# JSON

_FORM = 'each must be like {"text": "…", "label": "…"}'
_DECODER = json.JSONDecoder(parse_int=str, parse_float=str, parse_constant=str)
_BETWEEN = re.compile(r"[\s,:]*")


def parts(text: str) -> list[str]:
    """Return the JSON of each item of a list, or of each key and each value of an object."""
    found, at = [], _BETWEEN.match(text, 1).end()  # type: ignore[union-attr]
    while text[at] not in "]}":
        end = _DECODER.raw_decode(text, at)[1]
        found.append(text[at:end])
        at = _BETWEEN.match(text, end).end()  # type: ignore[union-attr]
    return found


def _json(
    file: str, kind: str, content: bytes, options: Options, learnt: Mapping[str, Any]
) -> FileTable:
    text, _, doubt = decoded(file, content)
    first = next(filter(str.strip, _lines(text)), "").lstrip()
    unit = "object" if first.startswith("[") and not _is_list(first, text) else "line"
    if unit == "object":
        found = _parsed(file, "it", text)
        lines = list(range(1, len(found) + 1))
    else:
        numbered = [(n, each) for n, each in enumerate(_lines(text), 1) if each.strip()]
        lines = [n for n, _ in numbered]
        found = [_parsed(file, f"line {n}", each) for n, each in numbered]
    for number, each in zip(lines, found, strict=True):
        if not isinstance(each, dict):
            raise PteError(f"{file}: {unit} {number} is no object; {_FORM}")
    if not found:
        raise PteError(f"{file}: it is empty; put an object on each line")
    head = list(dict.fromkeys(chain.from_iterable(found)))
    columns, said, fault = find_columns(file, options, head, (), learnt)
    shape = {"said": said, "doubts": [doubt] if doubt else [], "unit": unit, "no_labels": fault}
    source: dict[str, Any] = {"found": found, "lines": lines, "text": text, **shape}
    return JsonTable(file=file, kind=kind, head=head, options=columns, **source)


def _lines(text: str) -> list[str]:
    return re.split(r"\r\n|\n|\r", text.removesuffix("\n"))


def _is_list(first: str, text: str) -> bool:
    """Return whether a first line is a list of its own, with more lines below it."""
    try:
        return isinstance(json.loads(first), list) and first.strip() != text.strip()
    except (ValueError, RecursionError):
        return False


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


def _parquet(
    file: str, kind: str, content: bytes, options: Options, learnt: Mapping[str, Any]
) -> FileTable:
    try:
        from pyarrow import ArrowException, string
        from pyarrow.parquet import ParquetFile
    except ImportError:
        raise PteError(
            f"{file}: Parquet needs pyarrow, which is not installed: pip install pyarrow"
        ) from None
    most = max(ALWAYS_ALLOWED, MOST_RATIO * len(content))
    try:
        plain = ParquetFile(BytesIO(content))
        facts = plain.metadata
        schema = plain.schema_arrow
        for i, each in enumerate(schema):
            if str(each.type) == "string_view":  # few functions of pyarrow know it
                schema = schema.set(i, each.with_type(string()))
        groups = [facts.row_group(i) for i in range(facts.num_row_groups)]
        chunks = [group.column(i) for group in groups for i in range(facts.num_columns)]
        refuse_more(Path(file), sum(each.total_uncompressed_size for each in chunks), most)
        texts = [name for name, each in zip(schema.names, schema.types, strict=True)
                 if str(each) in ("string", "large_string", "binary", "large_binary")]  # fmt: skip
        table = ParquetFile(BytesIO(content), read_dictionary=texts).read()
        refuse_more(Path(file), sum(map(_size, table.columns)), most)
        table = table.cast(schema)
    except (ArrowException, OSError, ValueError) as error:
        raise PteError(f"{file}: it is not a Parquet file ({error}); write it again") from None
    head = list(schema.names)
    found, said, fault = find_columns(file, options, head, (), learnt)
    codec = chunks[0].compression.lower() if chunks else "snappy"
    return ParquetTable(
        file=file,
        kind=kind,
        head=head,
        options=found,
        said=said,
        no_labels=fault,
        content=table,
        compression="none" if codec == "uncompressed" else codec,
    )


def _size(column: Any) -> int:
    """Return how many bytes a column takes once it has each text as often as it is there."""
    import pyarrow as pa
    from pyarrow import compute

    if not pa.types.is_dictionary(column.type):
        return int(column.nbytes)
    sizes = (compute.binary_length(c.dictionary).take(c.indices) for c in column.chunks)
    return sum(compute.sum(each).as_py() or 0 for each in sizes)
