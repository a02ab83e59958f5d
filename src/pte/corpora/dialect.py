"""How a table is written: its delimiter, quotes, encoding and header; and its rows."""

import codecs
import csv
import re
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, fields, replace
from io import BytesIO, TextIOWrapper
from pathlib import Path
from typing import Any

from pte.corpora.text_files import LONGEST_LINE, decoded_lines, undecoded
from pte.errors import PteError

DELIMITERS = {"comma": ",", "semicolon": ";", "tab": "\t", "bar": "|"}
"""The delimiters that are found, by their names; the user may give any character."""

BACKSLASH = "\\"
QUOTES = {"double": '"', "single": "'", "backslash": BACKSLASH, "none": ""}
"""The quotes by their names.

A backslash stands for double quotes around fields with a backslash before a quote or a backslash in
them. With the empty quote, every quote is a character of its field.
"""

_ESCAPED = re.compile(r'\\(["\\])')


@dataclass(frozen=True)
class Dialect:
    """How a table is written."""

    delimiter: str
    """The character between fields."""
    quote: str
    """The character around fields, which is doubled in them, or another of `QUOTES`."""
    encoding: str
    """The encoding, as Python names it; `utf-8-sig` and `utf-16` begin with a byte order mark."""
    header: bool
    """Whether the first row names the columns."""
    sep_line: bool = False
    """Whether the file begins with Excel's line that says the delimiter, such as `sep=;`."""
    line_end: str = "\n"
    """The end of the first line."""
    spaces: bool = False
    """Whether spaces behind delimiters are no part of fields, so that quotes may follow them."""

    def said(self) -> str:
        """Return a phrase for people, such as "utf-8, comma, double quotes, a header"."""
        quotes = f"{named(QUOTES, self.quote)} quotes" if self.quote else "no quotes"
        header = "a header" if self.header else "no header"
        return f"{self.encoding}, {named(DELIMITERS, self.delimiter)}, {quotes}, {header}"


@dataclass(frozen=True, kw_only=True)
class GivenDialect:
    """What a user says of a dialect; what is None is found."""

    delimiter: str | None = None
    """A character, or a name in `DELIMITERS`."""
    quote: str | None = None
    """`"`, `'`, or a name in `QUOTES`."""
    encoding: str | None = None
    """An encoding that Python knows."""
    header: bool | None = None
    """Whether the first row names the columns."""

    def checked(self, path: Path) -> "GivenDialect":
        """Return a copy with characters in place of names.

        Raises `PteError` for a delimiter that is no character, another quote, and an encoding that
        Python does not know.
        """
        delimiter, quote = self.delimiter, self.quote
        if delimiter is not None:
            delimiter = "\t" if delimiter == r"\t" else DELIMITERS.get(delimiter, delimiter)
            if len(delimiter) != 1 or delimiter in "\r\n\"' \0\\":
                known = ", ".join(DELIMITERS)
                raise PteError(f"{path}: delimiter {delimiter!r} is no character; or give {known}")
        if quote is not None:
            quote = QUOTES.get(quote, quote)
            if quote not in QUOTES.values():
                known = ", ".join(QUOTES)
                raise PteError(f"{path}: quote {quote!r} is not one of {known}")
        if self.encoding is not None:
            _check_encoding(path, self.encoding)
        return replace(self, delimiter=delimiter, quote=quote)

    def named(self) -> dict[str, Any]:
        """Return the values that the user gave, by their keys."""
        return {key: value for key, value in asdict(self).items() if value is not None}


DIALECT_KEYS = tuple(each.name for each in fields(GivenDialect))


def named(names: dict[str, str], character: str) -> str:
    """Return the name of a character, or the character itself if it has none."""
    return next((name for name, each in names.items() if each == character), repr(character))


def rows_of(path: Path, dialect: Dialect) -> Iterator[tuple[int, list[str]]]:
    """Yield the line where each row begins, and its fields; an empty line is a row without fields.

    The header is a row like the others. Raises `PteError` for quotes that are not as the dialect
    has them, and as `read_lines` does.
    """
    try:
        yield from split_rows(table_lines(path, dialect.encoding, dialect.sep_line), dialect)
    except BadRow as error:
        raise PteError(f"{path}: {error}") from None


class BadRow(Exception):
    """A row that cannot be read with some delimiter and quote: its line, and what is wrong."""

    def __init__(self, line: int, fault: str) -> None:
        """Keep the line; the fault stands behind it in the message."""
        super().__init__(f"line {line}{fault}")
        self.line = line


def split_rows(lines: Iterator[str], dialect: Dialect) -> Iterator[tuple[int, list[str]]]:
    """Yield what `rows_of` does, from the lines of a table. Raises `BadRow`."""
    csv.field_size_limit(LONGEST_LINE)
    quotes: dict[str, Any] = {"quotechar": dialect.quote, "skipinitialspace": dialect.spaces}
    if not dialect.quote:
        quotes = {"quoting": csv.QUOTE_NONE, "quotechar": None}
    elif dialect.quote == BACKSLASH:
        lines = (_ESCAPED.sub(lambda found: found[1] * (1 + (found[1] == '"')), x) for x in lines)
        quotes["quotechar"] = '"'
    rows = csv.reader(lines, delimiter=dialect.delimiter, strict=True, **quotes)
    skipped = int(dialect.sep_line)
    begins = 1
    try:
        for row in rows:
            yield begins + skipped, row
            begins = rows.line_num + 1
    except csv.Error as error:
        if "field limit" in str(error):
            raise BadRow(
                begins + skipped,
                f": a field has more than {LONGEST_LINE:,} characters; cut it, or, if quotes are "
                "characters of the text: quote=none",
            ) from None
        quote = dialect.quote if dialect.quote == "'" else '"'
        raise BadRow(
            begins + skipped,
            f": {error}; put a field that holds a quote, a delimiter or a line end into quotes, "
            f"and double the quotes in it: {quote}say {2 * quote}yes{3 * quote}; or, if quotes are "
            "characters of the text: quote=none",
        ) from None


def is_blank(row: Sequence[str]) -> bool:
    """Return whether a row is a line of spaces, or empty."""
    return not row or (len(row) == 1 and not row[0].strip())


def table_lines(path: Path, encoding: str, skip: bool) -> Iterator[str]:
    """Yield the lines of a table; with `skip`, all but the first."""
    plain = "utf-8" if encoding == "utf-8-sig" else encoding
    for number, line in enumerate(decoded_lines(path, encoding), start=1):
        if (near := undecoded(line, plain)) is not None:
            raise PteError(
                f"{path}: line {number} is not {encoding} near {near!r}; mend it, or give the "
                "encoding of the file: encoding=…"
            )
        if number > 1 or not skip:
            yield line


def _check_encoding(path: Path, encoding: str) -> None:
    try:
        TextIOWrapper(BytesIO(), encoding)
        codecs.lookup(encoding).decode(b"", "surrogateescape")
    except (LookupError, ValueError):
        raise PteError(
            f"{path}: encoding {encoding!r} is not known; known are utf-8, utf-16, cp1252, cp1251, "
            "gbk and others of Python"
        ) from None
