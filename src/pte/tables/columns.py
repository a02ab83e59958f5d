"""Which columns of a table hold texts, labels, ids, groups and the split; and what cells say."""

import json
import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, fields, replace
from datetime import date, time
from decimal import Decimal
from difflib import get_close_matches
from typing import Any

from pte.corpora.cells import Cells
from pte.errors import PteError, listed, shortened, shown

TEXTS = (
    *("text", "review", "sentence", "title", "document", "body", "content", "message", "comment"),
    *("abstract", "description", "tweet", "post", "question", "headline"),
)
LABELS = (
    *("label", "labels", "class", "category", "categories", "stars", "rating", "sentiment"),
    *("topic", "topics", "tag", "tags", "target", "judgement", "judgment", "annotation"),
)
"""Usual column names of texts and labels, in lower case, used if the user names no column."""

MISSING = ("NaN", "NA", "n/a", "null")  # missing values of other programs, in any case
ROLES = ("text", "label", "split", "id", "group")  # the options that name a column
DIALECT = ("delimiter", "quote", "encoding", "header")  # say how a table of text is written

_MOST_SHOWN = 20

Labels = tuple[str, ...]


class NoLabels(PteError):
    """The error for a file in which nothing says which labels its documents have."""


@dataclass(frozen=True, kw_only=True)
class Options:
    """What a user says about a file; what is None is found."""

    format: str | None = None
    text: str | None = None
    label: str | None = None  # column of the labels; an empty name: none
    split: str | None = None
    id: str | None = None
    group: str | None = None
    separator: str | None = None  # the text between several labels in one cell
    missing: Sequence[str] | None = None  # stand for no label, beside an empty cell
    delimiter: str | None = None
    quote: str | None = None
    encoding: str | None = None
    header: bool | None = None
    guess_label: bool = True  # whether a column with a usual name may be that of the labels
    found: Sequence[str] = ()  # which of the columns the user did not name
    same: Sequence[str] = ()
    ignore_case: bool = False
    predicted: bool = False  # whether labels that `pte predict` has filled in count, too

    @classmethod
    def of(cls, file: str, values: Mapping[str, Any]) -> "Options":
        """Take the options out of values, without those that are None."""
        known = {each.name for each in fields(cls)}
        made = cls(**{n: value for n, value in values.items() if n in known and value is not None})
        if made.separator == "":
            raise PteError(f"{file}: --separator is empty; give what stands between labels")
        return made

    def given(self, names: Iterable[str]) -> dict[str, Any]:
        found = {name: getattr(self, name) for name in names}
        return {
            name: value
            for name, value in found.items()
            if value not in (None, ()) and (value is not False or name == "header")
        }


def by_number(name: str, head: Sequence[str]) -> str:
    """Return the name of the column of a number, from 1; the number if the name is there twice."""
    if name in head or not name.isdecimal() or not 1 <= int(name) <= len(head):
        return name
    named = head[int(name) - 1]
    return named if named and head.count(named) == 1 else name


def find_columns(
    file: str,
    options: Options,
    head: Sequence[str],
    first: Sequence[Any] = (),
    learnt: Mapping[str, Any] | None = None,
) -> tuple[Options, list[str], PteError | None]:
    """Fill in the columns that the user leaves out; return phrases on them, and an error of labels.

    A column is that of `learnt`, which a model had, or the only one with a usual name. Without a
    header, `first` has the cells of the first row.
    """
    given, learnt = options.given(ROLES), learnt or {}
    named: dict[str, Any] = {key: by_number(str(name), head) for key, name in given.items()}
    cells = [f"{n} ({shortened(cell)})" for n, cell in zip(head, first, strict=False)]
    there = f"there are {shown(cells or head, _MOST_SHOWN, quoted=not cells)}"
    for key, name in named.items():
        if name.isdecimal() and 1 <= int(name) <= len(head) and head.count(head[int(name) - 1]) > 1:
            continue  # its name is there twice, so the number stays
        if name and head.count(name) != 1:
            fault = "no column" if name not in head else "more than one column"
            hint = "rename one, or give its number; " if name in head else meant(name, head)
            raise PteError(f"{file}: {fault} {name!r} for --{key}; {hint}{there}")
    taken, own = [], dict(named)
    for key, other in (("text", "label"), ("label", "text"), ("id", "")):
        known = [name for name in head if learnt.get(key) and _like(name) == _like(learnt[key])]
        if learnt.get(key) in known:
            known = [name for name in known if name == learnt[key]]
        if key not in named and len(known) == 1 and known[0] != own.get(other):
            named[key] = known[0]
            taken.append(f"the {key} in column {known[0]!r}")
    said = [f"{listed(taken)}, as in training"] if taken else []
    if named.get("label") and _like(named["label"]) == _like(learnt.get("label") or ""):
        for key in ("separator", "missing"):
            named.setdefault(key, getattr(options, key) or learnt.get(key))
    lacking: PteError | None = None
    if not options.guess_label:
        named.setdefault("label", "")
    for key, usual in (("text", TEXTS), ("label", LABELS)):
        if key in named:
            continue
        like = [n for n in head if n.strip().lower() in usual and n != named.get("text")]
        if first and key == "text" and len(head) == 1:
            like = list(head)
        named[key] = like[0] if len(like) == 1 else ""
        if named[key]:
            said.append(f"the {key} is in column {named[key]!r}")
            continue
        what = "several columns have usual names" if like else "no column has a usual name"
        what = "there seems to be no header" if first else what
        more = "; if there are more columns: --delimiter" if len(head) == 1 else ""
        fault_of = PteError if key == "text" or like else NoLabels
        lacking = fault_of(
            f"{file}: {what} for the {key}; name its column: --{key} …; {there}{more}"
        )
        if key == "text":
            raise lacking
    if named["text"] == named["label"]:
        raise PteError(f"{file}: {named['text']!r} is the column of the text and of the label")
    return replace(options, found=tuple(named.keys() - given.keys()), **named), said, lacking


def _like(name: str) -> str:
    """Return what is left of a column's name where case and outer spaces do not count."""
    return str(name).strip().casefold()


# What cells say


def texts_of(where: str, column: Sequence[Any], numbers: Sequence[int]) -> Sequence[bytes]:
    """Return the texts of a column in UTF-8; null and NaN are empty texts."""
    if isinstance(column, Cells):
        return column.encoded()
    if _are_texts(column):
        return [cell.encode("utf-8", "replace") for cell in column]
    found = []
    for number, cell in zip(numbers, column, strict=True):
        if not isinstance(plain := _plain(cell), str):
            raise PteError(f"{where} {number}: {shortened(plain)} is no text; name another: --text")
        found.append(plain.encode())
    return found


def labels_of(
    where: str, column: Sequence[Any], numbers: Sequence[int], options: Options
) -> tuple[list[Labels], Counter[str]]:
    """Return the labels in each cell of a column, and how often words stand for none."""
    given = MISSING if options.missing is None else options.missing
    missing = {each.strip().casefold() for each in ([given] if isinstance(given, str) else given)}
    known: dict[Any, tuple[Labels, Labels]] = {}
    # 1, 1.0 and true are equal to Python, and a list is no key
    keys = column if _are_texts(column) else [(type(cell), str(cell)) for cell in column]
    for key, cell, number in zip(keys, column, numbers, strict=True):
        if key not in known:
            cells = _several(cell) if isinstance(cell, str) else cell
            cells = cells if isinstance(cells, list | tuple) else [cells]
            words = words_of(where, cells, [number] * len(cells))
            if options.separator is not None:
                words = [part.strip() for each in words for part in each.split(options.separator)]
            words = list(dict.fromkeys(filter(None, words)))
            lost = tuple(each for each in words if each.casefold() in missing)
            known[key] = tuple(each for each in words if each not in lost), lost
    absent: Counter[str] = Counter()
    if any(lost for _, lost in known.values()):
        absent.update(each for key in keys for each in known[key][1])
    return [known[key][0] for key in keys], absent


def _several(cell: str) -> Any:
    """Return the labels that Label Studio writes into a cell, or the cell."""
    if cell.startswith('{"choices":'):
        with suppress(ValueError, KeyError):
            return json.loads(cell)["choices"]
    return cell


PROBABILITY = "probability"  # the column that `pte predict` adds, empty beside labels of people


def are_probabilities(column: Sequence[Any]) -> list[bool]:
    """Return which cells hold a probability."""
    return [_is_probability(_plain(cell)) for cell in column]


def _is_probability(cell: Any) -> bool:
    try:
        return cell != "" and not isinstance(cell, bool) and 0 <= float(cell) <= 1
    except (TypeError, ValueError):
        return False


def _are_texts(column: Sequence[Any]) -> bool:
    return isinstance(column, Cells) or {*map(type, column)} == {str}


def words_of(where: str, column: Sequence[Any], numbers: Sequence[int]) -> list[str]:
    """Return cells as text, as JSON writes them, but 2.0 as 2, and "" for a missing value."""
    if _are_texts(column) and all(map(str.isascii, column)):
        return [cell.strip() for cell in column]
    return [_word(f"{where} {n}", cell) for n, cell in zip(numbers, column, strict=True)]


def _word(where: str, value: Any) -> str:
    value = _plain(value)
    if isinstance(value, str):
        return value.strip()
    if isinstance(value, date | time | Decimal):
        return str(value)
    if isinstance(value, float) and math.isinf(value):
        raise PteError(f"{where}: {value} is no label and no name; give a text or a finite number")
    if isinstance(value, bool | int | float):
        return json.dumps(int(value) if isinstance(value, float) and value.is_integer() else value)
    raise PteError(f"{where}: {shortened(value)} must be a text or a number")


def _plain(value: Any) -> Any:
    """Return a cell with "" for null and NaN, and with text for bytes in UTF-8."""
    if value is None or value != value:
        return ""
    try:
        value = value.decode() if isinstance(value, bytes) else value
    except UnicodeDecodeError:
        return value
    return value.encode("utf-8", "replace").decode() if isinstance(value, str) else value


PARTS = ("train", "training", "dev", "val", "valid", "validation", "test")  # of a split


def fault_of_ids(where: str, column: str, ids: Sequence[str], numbers: Sequence[int]) -> str | None:
    """Say so if an id is empty, or is there twice."""
    seen: dict[str, int] = {}
    for name, number in zip(ids, numbers, strict=True):
        if not name:
            return f"{where} {number}: {column!r} is empty; give each document an id"
        if (first := seen.setdefault(name, number)) != number:
            what = f"id {name!r} is that of {first}, too; make ids unique, or name no column of ids"
            return f"{where} {number}: {what}"
    return None


def tested(
    where: str, column: Sequence[str], labels: Sequence[Labels], numbers: Sequence[int]
) -> list[bool]:
    """Return which documents a column of the split gives to the test; all others train."""
    for number, part, names in zip(numbers, column, labels, strict=True):
        if names and part.lower() not in PARTS:
            raise PteError(f"{where} {number}: {part!r} is no part; it must be train or test")
    return [bool(n) and part.lower() == "test" for part, n in zip(column, labels, strict=True)]


def meant(name: str, known: Iterable[str]) -> str:
    """Return a question that names what is most like `name`; nothing if nothing is like it."""
    alike = {each.casefold(): each for each in known}
    found = get_close_matches(name.casefold(), alike, n=1)
    return f"did you mean {alike[found[0]]!r}? " if found else ""


# Labels that a user says are the same
