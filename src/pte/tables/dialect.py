"""How tables of text are written: delimiters, quotes and more, found in the text or given."""

import csv
import re
from collections.abc import Iterator, Sequence
from functools import partial
from io import StringIO
from itertools import count
from operator import itemgetter
from typing import Any, NamedTuple

from pte.errors import PteError
from pte.tables.columns import LABELS, TEXTS, Options
from pte.tables.formats import LONGEST_LINE

DELIMITERS = {"comma": ",", "semicolon": ";", "tab": "\t", "bar": "|"}
"""The delimiters that are found, by their names; the user may give any character."""

QUOTES = {"double": '"', "single": "'", "backslash": "\\", "none": ""}
"""The quotes by their names; a backslash stands for double quotes with backslashes before them."""

NO_DELIMITER = "\x1f"  # what stands for a delimiter in a table of one column

SAMPLE = 20_000
_ESCAPED = re.compile(r'\\(["\\])')
_LONG = re.compile(r"([\w-]{30})[\w-]+")


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


def given_dialect(file: str, options: Options) -> tuple[str | None, str | None]:
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


def found_dialect(
    head: str, kind: str, given: str | None, quote: str | None, wanted: Sequence[str], quoted: bool
) -> tuple[str, str, bool]:
    """Return the delimiter of the best first row, the quote, and whether spaces stand there.

    A text is `quoted` if a double quote is anywhere in it.
    """
    from clevercsv.detect import Detector

    sample = _LONG.sub(r"\1", head.lstrip()[:SAMPLE])
    found = Detector().detect(sample, delimiters=[*DELIMITERS.values()])
    if quote is None:
        quote = "\\" if found and found.escapechar else str((found and found.quotechar) or "")
        quote = quote or ('"' if not (quoted and found) else "")

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


def read_rows(
    file: str, lines: Iterator[str], delimiter: str, quote: str, spaces: bool
) -> Iterator[list[str]]:
    csv.field_size_limit(LONGEST_LINE)
    quotes: dict[str, Any] = {"quotechar": quote, "skipinitialspace": spaces}
    if not quote:
        quotes = {"quoting": csv.QUOTE_NONE, "quotechar": None}
    elif quote == "\\":
        doubled = partial(_ESCAPED.sub, lambda found: found[1] * (1 + (found[1] == '"')))
        lines = map(doubled, lines)
        quotes["quotechar"] = '"'
    numbers = count(1)
    try:
        rows = csv.reader(lines, delimiter=delimiter, strict=True, **quotes)
        yield from map(itemgetter(0), zip(rows, numbers, strict=False))
    except csv.Error as error:
        raise PteError(
            f"{file}: row {next(numbers)}: {error}; put a text that holds a quote, a delimiter or "
            "a line end into quotes, and double the quotes in it; or, if quotes are characters of "
            "the text, give --quote none"
        ) from None
