"""Finds how a table is written, from all of the table.

Each way to read it is tried on the whole file. A way that gives rows of different lengths is
dropped.
"""

import math
import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice
from pathlib import Path
from typing import Any

from pte.corpora.dialect import (
    BACKSLASH,
    DELIMITERS,
    BadRow,
    Dialect,
    GivenDialect,
    is_blank,
    split_rows,
    table_lines,
)
from pte.corpora.encodings import WINDOWS, find_encoding
from pte.corpora.text_files import decoded_lines
from pte.errors import PteError

_SEP = re.compile(r'"?sep=(.)"?\s*', re.IGNORECASE)
_LONGEST_NAME = 60
"""How many characters the name of a column has at most, where nothing else shows a header."""

_FEWEST_QUOTED = 5
"""So many fields in quotes, with no field that contradicts them, are no accident."""

_JSON = re.compile(r'\s*[\[{]\s*([\[{"]|$)')
_RULE = re.compile(r"[\s:]*-*[\s:]*")

_FOREIGN = {
    r"[^\W\x00-\x7f]": r"\w*[^\W\x00-\x7f]\w*",
    r"[^\x00-\x7f]": r"\S*[^\x00-\x7f]\S*",
}
"""Characters outside ASCII, letters first, and the words around them."""

_NEAR = 30
"""So many characters to each side of such a character are shown."""

_MOST_IN_NAMES = 100
"""The most lines of a header whose names hold line ends."""


def find_dialect(
    path: Path, given: GivenDialect, names: Collection[str], usual: Collection[str], tabs: bool
) -> tuple[Dialect, tuple[str, ...], tuple[str, ...]]:
    """Find how a table is written, from all of it: its dialect, its first row, and its doubts.

    `names` are the columns that the user names. `usual` are names that columns often have, in lower
    case. With `tabs`, the name of the file says that tabs are the delimiter. Raises `PteError` for
    an empty file, naming the line where the best way to read the file fails, and as `read_lines`
    does.
    """
    given = given.checked(path)
    encoding = given.encoding or find_encoding(path)
    top = next(decoded_lines(path, encoding), "")
    sep = _SEP.fullmatch(top)
    delimiter = given.delimiter or (sep[1] if sep else None)
    skip = sep is not None
    head = _top(table_lines(path, encoding, skip))
    if not head:
        raise PteError(f"{path}: it is empty; the first line must name the columns")
    if delimiter is None and _JSON.match(head):
        raise PteError(f"{path}: line 1: this is JSON; end its name in .jsonl, or: format=jsonl")
    likely = "\t" if tabs else ","
    candidates = [each for each in DELIMITERS.values() if each in head]
    candidates = candidates or [likely, *(each for each in DELIMITERS.values() if each != likely)]
    trials = [
        _best_quote(path, encoding, each, given.quote, skip)
        for each in ([delimiter] if delimiter else candidates)
    ]
    right = [trial for trial, _ in trials if trial.is_right]
    if not right:
        error = max((trial for trial, _ in trials), key=lambda each: each.reach).error
        raise PteError(f"{path}: {error}")
    best = max(right, key=lambda trial: _rank(trial, names, usual, tabs))
    header, unsure = (given.header, "") if given.header is not None else _header(best, names, usual)
    end = head[len(head.rstrip("\r\n")) :][:2] or "\n"
    dialect = Dialect(best.delimiter, best.quote, encoding, header, skip, end, best.skips_spaces)
    doubts = [doubt for trial, doubt in trials if trial is best and doubt]
    doubts += [unsure] if unsure else []
    if encoding == WINDOWS and given.encoding is None:
        doubts.append(_windows_doubt(path))
    return dialect, tuple(best.first), tuple(doubts)


def _top(lines: Iterator[str]) -> str:
    """Return the first line that is not blank, with those that a name in quotes may reach into."""
    top = next((line for line in lines if line.strip()), "")
    for line in islice(lines, _MOST_IN_NAMES):
        if top.count('"') % 2 == 0:
            break
        top += line
    return top


@dataclass
class _Trial:
    """A table, read with one delimiter and one quote."""

    delimiter: str
    quote: str
    skips_spaces: bool = False
    """Whether spaces behind delimiters are no part of fields."""
    first: list[str] = field(default_factory=list)
    rows: int = 0
    error: BadRow | None = None
    spaces: int = 0
    """Delimiters before a space, which are rather punctuation."""
    long: int = 0
    """Fields with a line end in them."""
    long_line: int = 0
    """The line of the first row with a field that holds a line end."""
    merged: int = 0
    """Fields with a line end in them and a delimiter that stands before no space."""
    needed: int = 0
    """Fields on one line that hold a delimiter, so that they must have been in quotes."""
    begun: dict[str, int] = field(default_factory=lambda: {'"': 0, "'": 0})
    """Fields that begin with a quote; only counted if quotes are characters."""
    wrapped: dict[str, int] = field(default_factory=lambda: {'"': 0, "'": 0})
    """Fields of these that also end with the same quote."""
    inside: int = 0
    """Fields that hold `"` and do not begin with it, which tables with quotes put into quotes."""
    spaced: int = 0
    """Fields of these with spaces before quotes around the rest."""
    again: list[int] = field(default_factory=list)
    """For each field of the first row, how many other rows have it in the same column."""

    @property
    def is_right(self) -> bool:
        """Whether all rows can be read, and have as many fields as the first."""
        return self.error is None

    @property
    def reach(self) -> float:
        """The line of the first bad row; infinity if there is none."""
        return math.inf if self.error is None else self.error.line


def _rank(
    trial: _Trial, names: Collection[str], usual: Collection[str], tabs: bool
) -> tuple[Any, ...]:
    """Return how well a trial that is right fits what is known, for comparing it with others."""
    head = [name.strip() for name in trial.first]
    return (
        sum(name in head for name in names),
        len(head) > 1,
        tabs and trial.delimiter == "\t",
        -trial.spaces / trial.rows if len(head) > 1 else 0,
        sum(name.lower() in usual for name in head),
        len(head),
    )


def _best_quote(
    path: Path, encoding: str, delimiter: str, quote: str | None, skip: bool
) -> tuple[_Trial, str]:
    """Return the trial of the quote that fits the table best, and what is doubtful about it."""

    def tried(each: str, spaces: bool = False) -> _Trial:
        dialect = Dialect(delimiter, each, encoding, False, skip, spaces=spaces)
        return _tried(table_lines(path, encoding, skip), dialect)

    if quote is not None:
        return tried(quote), ""
    plain = tried("")
    if plain.is_right and not any(plain.begun.values()) and not plain.spaced:
        return replace(plain, quote="" if plain.inside else '"'), ""
    double = tried('"')
    if not double.is_right or 2 * double.spaced >= double.rows:
        for other in (tried('"', spaces=True), tried(BACKSLASH)):
            if other.is_right and not other.spaced and not _is_strange(other):
                return other, ""
    single = tried("'") if not plain.is_right or plain.begun["'"] else replace(plain, quote="'")
    if double.is_right and plain.is_right:
        if _is_single(single, plain):
            return single, ""
        return _double_or_plain(double, plain)
    if plain.is_right:
        return _single_or_plain(double, single, plain), ""
    if double.is_right and single.is_right:
        return max(double, single, key=lambda each: each.rows), ""
    if double.is_right:
        return double, _doubt(double) if _is_strange(double) else ""
    return max(double, single, plain, key=lambda each: each.reach), ""


def _double_or_plain(double: _Trial, plain: _Trial) -> tuple[_Trial, str]:
    """Choose between quotes and none, where both give rows of one length."""
    if double.rows == plain.rows:
        return (plain if plain.inside > plain.wrapped['"'] else double), ""
    if _is_strange(double) and not _is_wrapped(plain, '"'):
        return plain, (
            f"quotes are read as characters; else line {double.long_line} would go on, and "
            f"{plain.rows:,} rows would be {double.rows:,}; if they are around fields: quote=double"
        )
    return double, _doubt(double)


def _single_or_plain(double: _Trial, single: _Trial, plain: _Trial) -> _Trial:
    """Choose where quotes as characters are right, and double quotes around fields are not."""
    begun, wrapped = plain.begun['"'], plain.wrapped['"']
    if begun >= _FEWEST_QUOTED and wrapped >= 0.9 * begun:
        return double  # nearly all quotes are around fields, so the bad row is a fault
    return single if _is_single(single, plain) else plain


def _is_single(single: _Trial, plain: _Trial) -> bool:
    """Whether single quotes are around fields; they are often characters of a text."""
    if not single.is_right or single.rows != plain.rows:
        return False
    many = plain.wrapped["'"] >= _FEWEST_QUOTED or _is_wrapped(plain, "'")
    return many or 2 * single.needed >= single.rows


def _is_strange(trial: _Trial) -> bool:
    """Whether fields run over lines and delimiters, though no field on one line needs quotes."""
    return trial.merged > 0 and not trial.needed


def _is_wrapped(plain: _Trial, quote: str) -> bool:
    """Whether about every second row has a field in these quotes."""
    return 2 * plain.wrapped[quote] >= plain.rows > 0


def _doubt(trial: _Trial) -> str:
    what = "1 field in quotes holds" if trial.long == 1 else f"{trial.long:,} fields in quotes hold"
    return (
        f"{what} line ends, the first in the row at line {trial.long_line}; if quotes are "
        "characters of the text: quote=none"
    )


def _tried(lines: Iterator[str], dialect: Dialect) -> _Trial:
    """Read the whole table, or as far as rows can be read and are of one length."""
    trial = _Trial(dialect.delimiter, dialect.quote, dialect.spaces)
    firsts: set[str] = set()
    try:
        for line, row in split_rows(_counting(trial, lines), dialect):
            if not row or (len(trial.first) != 1 and is_blank(row)):  # of one column, it is a row
                continue
            if not trial.first:
                trial.first, trial.again = row, [0] * len(row)
                firsts = set(row)
            elif len(row) != len(trial.first):
                raise BadRow(line, _lengths(trial, row))
            elif trial.rows == 1 and trial.delimiter == "|" and _is_rule(row):
                raise BadRow(line, " is the rule of a table in Markdown; delete this line")
            elif not firsts.isdisjoint(row) and row != trial.first:
                trial.again = [
                    n + (a == b) for n, a, b in zip(trial.again, row, trial.first, strict=True)
                ]
            trial.rows += 1
            _count_fields(trial, line, row)
    except BadRow as error:
        trial.error = error
    return trial


def _is_rule(row: Sequence[str]) -> bool:
    return "--" in "".join(row) and all(_RULE.fullmatch(each) for each in row)


def _counting(trial: _Trial, lines: Iterator[str]) -> Iterator[str]:
    punctuation = f"{trial.delimiter} "
    for line in lines:
        trial.spaces += line.count(punctuation)
        yield line


def _count_fields(trial: _Trial, line: int, row: Sequence[str]) -> None:
    """Count the fields of a row that say something about quotes."""
    for text in row:
        if text[:1] == " " and text.strip()[:1] == '"' == text.strip()[-1:]:
            trial.spaced += 1
        if not trial.quote:
            trial.inside += '"' in text and text[0] != '"'
            if text[:1] in trial.begun:
                trial.begun[text[0]] += 1
                trial.wrapped[text[0]] += len(text) > 1 and text[-1] == text[0]
        elif "\n" in text or "\r" in text:
            trial.long += 1
            trial.long_line = trial.long_line or line
            cut = text.count(trial.delimiter)
            trial.merged += cut > text.count(f"{trial.delimiter} ")
        elif trial.delimiter in text:
            trial.needed += 1


def _lengths(trial: _Trial, row: Sequence[str]) -> str:
    advice = (
        "put texts that hold a delimiter into quotes, or say how the table is written: "
        "delimiter=…, quote=…"
    )
    if trial.rows == 1 and len(row) == len(trial.first) + 1:
        one_more = "if all lines have one more than the first, give its column a name there"
        advice = f"{one_more}; else {advice}"
    return f" has {len(row)} fields, but the first line has {len(trial.first)}; {advice}"


def _header(trial: _Trial, names: Collection[str], usual: Collection[str]) -> tuple[bool, str]:
    """Say whether the first row names the columns, and what is doubtful about it.

    It does if the user names columns, and not only by numbers, or if it has a usual name that
    stands in no other row of its column. Else it does if all its fields look like names, and none
    is there again; then, if the user names columns by numbers, nothing else shows it.
    """
    head = [name.strip() for name in trial.first]
    known = [name.lower() in usual for name in head]
    if not all(name.isdigit() for name in names) or any(
        is_known and not n for is_known, n in zip(known, trial.again, strict=True)
    ):
        return True, ""
    if any(trial.again) or len(set(head)) < len(head) or not all(head[1:]):
        return False, ""  # the first name may be missing: it is that of row numbers
    if not all(len(each) <= _LONGEST_NAME and not _is_number(each) for each in head):
        return False, ""
    if not names:
        return True, ""  # the reader looks for usual names, and says that there are none
    said = f"the first row is taken for names of columns, such as {head[0]!r}"
    return True, f"{said}; if it is a document: header=false"


def _is_number(text: str) -> bool:
    try:
        float(text.replace(",", "."))
    except ValueError:
        return False
    return True


def _windows_doubt(path: Path) -> str:
    """Say that a file is read as Windows-1252, with a word that shows whether this is right."""
    line = next(line for line in decoded_lines(path, WINDOWS) if not line.isascii())
    foreign = next(each for each in _FOREIGN if re.search(each, line))
    at = next(re.finditer(foreign, line)).start()
    near = re.findall(_FOREIGN[foreign], line[max(0, at - _NEAR) : at + _NEAR])
    return (
        f"it is not UTF-8, and is read as Windows-1252 ({WINDOWS}), such as {near[0]!r}; if that "
        "is wrong: encoding=…"
    )
