"""Which columns of a table hold texts, labels, ids, groups and the split; and what cells say."""

import json
import math
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from datetime import date, time
from decimal import Decimal
from difflib import get_close_matches
from typing import Any
from unicodedata import normalize

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

MISSING = ("NaN", "NA", "n/a", "null")
"""What other programs write where a value is missing; small and large letters are alike."""

ROLES = ("text", "label", "split", "id", "group")
"""The options that name a column."""

_MOST_SHOWN = 20

Labels = tuple[str, ...]


class NoLabels(PteError):
    """The error for a file in which nothing says which labels its documents have."""


class SeveralLabels(PteError):
    """The error for a file with several columns that may be those of the labels."""


class NoIds(PteError):
    """The error for a column of ids that repeat, or are empty."""


@dataclass(frozen=True, kw_only=True)
class Options:
    """What a user says about a file; what is None is found."""

    format: str | None = None
    text: str | None = None
    label: str | None = None
    """The column of the labels. An empty name says that no column holds labels."""
    split: str | None = None
    id: str | None = None
    group: str | None = None
    separator: str | None = None
    """The text between several labels in one cell."""
    missing: Sequence[str] | None = None
    """Texts that stand for no label, in place of `MISSING`; an empty cell always does."""
    delimiter: str | None = None
    quote: str | None = None
    encoding: str | None = None
    header: bool | None = None
    guess_label: bool = True
    """Whether a column with a usual name may be that of the labels."""
    found: Sequence[str] = ()
    """Which of the columns the user did not name."""
    same: Sequence[str] = ()
    ignore_case: bool = False

    @classmethod
    def of(cls, file: str, values: Mapping[str, Any]) -> "Options":
        """Take the options out of values, without those that are None."""
        known = {each.name for each in fields(cls)}
        made = cls(**{n: value for n, value in values.items() if n in known and value is not None})
        if made.separator == "":
            raise PteError(f"{file}: --separator is empty; give what stands between labels")
        return made

    def given(self, names: Iterable[str]) -> dict[str, Any]:
        """Return those of some options that the user gave."""
        found = {name: getattr(self, name) for name in names}
        return {
            name: value
            for name, value in found.items()
            if value not in (None, ()) and (value is not False or name == "header")
        }


def by_number(name: str, head: Sequence[str]) -> str:
    """Return the name in `head` of a column that is named by its number, from 1."""
    if name in head or not name.isdecimal() or not 1 <= int(name) <= len(head):
        return name
    return head[int(name) - 1] or name


def find_columns(
    file: str,
    options: Options,
    head: Sequence[str],
    first: Sequence[Any] = (),
    learnt: Mapping[str, Any] | None = None,
) -> tuple[Options, list[str], PteError | None]:
    """Fill in the columns that the user leaves out; return phrases on them, and an error of labels.

    A column is that of `learnt`, which a model had, or the only one with a usual name.
    """
    named: dict[str, Any] = {
        key: by_number(str(name), head) for key, name in options.given(ROLES).items()
    }
    for key, name in named.items():
        if name and head.count(name) != 1:
            fault = "no column" if name not in head else "more than one column"
            hint = "rename one; " if name in head else meant(name, head)
            raise PteError(f"{file}: {fault} {name!r} for --{key}; {hint}{_there(head, first)}")
    learnt, taken = learnt or {}, list[str]()
    others = {"text": named.get("label"), "label": named.get("text"), "id": None}
    for key, other in others.items():
        known = learnt.get(key)
        if key not in named and head.count(known) == 1 and known != other:
            named[key] = known
            taken.append(f"the {key} in column {known!r}")
    said = [f"{listed(taken)}, as in training"] if taken else []
    if named.get("label") and named["label"] == learnt.get("label"):
        for key in ("separator", "missing"):
            named.setdefault(key, getattr(options, key) or learnt.get(key))
    lacking: PteError | None = None
    for key, usual in (("text", TEXTS), ("label", LABELS)):
        if key == "label" and not options.guess_label:
            named.setdefault(key, "")
        if key not in named:
            try:
                named[key] = _guess(file, key, usual, head, first, named.get("text"))
                said.append(f"the {key} is in column {named[key]!r}")
            except (NoLabels, SeveralLabels) as error:
                named[key], lacking = "", error
    if named["text"] == named["label"]:
        raise PteError(f"{file}: {named['text']!r} is the column of the text and of the label")
    found = tuple(key for key in named if key not in options.given(ROLES))
    return replace(options, found=found, **named), said, lacking


def _guess(
    file: str,
    key: str,
    usual: Collection[str],
    head: Sequence[str],
    first: Sequence[Any],
    taken: str | None,
) -> str:
    if first and key == "text" and len(head) == 1:
        return head[0]
    found = [name for name in head if name.strip().lower() in usual and name != taken]
    if len(found) == 1:
        return found[0]
    what = "several columns have usual names" if found else "no column has a usual name"
    if first:
        what = "there seems to be no header"
    more = "; if there are more columns: --delimiter" if len(head) == 1 else ""
    fault = PteError if key != "label" else SeveralLabels if found else NoLabels
    raise fault(
        f"{file}: {what} for the {key}; name its column: --{key} …; {_there(head, first)}{more}"
    )


def _there(head: Sequence[str], first: Sequence[Any]) -> str:
    cells = [f"{n} ({shortened(cell)})" for n, cell in zip(head, first, strict=False)]
    return f"there are {shown(cells or head, _MOST_SHOWN, quoted=not cells)}"


def texts_of(where: str, column: Sequence[Any], numbers: Sequence[int]) -> list[bytes]:
    """Return the texts of a column in UTF-8; null and NaN are empty texts."""
    if _are_texts(column):
        return [cell.encode("utf-8", "replace") for cell in column]
    found = []
    for number, cell in zip(numbers, column, strict=True):
        if isinstance(cell := _plain(cell), str):
            found.append(cell.encode())
        else:
            raise PteError(f"{where} {number}: {shortened(cell)} is no text; name another: --text")
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
            words = [word(f"{where} {number}", each) for each in _items(cell)]
            if options.separator is not None:
                words = [part.strip() for each in words for part in each.split(options.separator)]
            words = list(dict.fromkeys(filter(None, words)))
            lost = tuple(each for each in words if each.casefold() in missing)
            known[key] = tuple(each for each in words if each not in lost), lost
    absent: Counter[str] = Counter()
    if any(lost for _, lost in known.values()):
        absent.update(each for key in keys for each in known[key][1])
    return [known[key][0] for key in keys], absent


def _are_texts(column: Sequence[Any]) -> bool:
    return {*map(type, column)} == {str}


def _items(cell: Any) -> Sequence[Any]:
    return cell if isinstance(cell, list | tuple) else [cell]


def words_of(where: str, column: Sequence[Any], numbers: Sequence[int]) -> list[str]:
    """Return the cells of a column, such as that of ids, as words."""
    return [word(f"{where} {n}", cell) for n, cell in zip(numbers, column, strict=True)]


def word(where: str, value: Any) -> str:
    """Return a cell as text, as JSON writes it, but 2.0 as 2, and "" for a missing value."""
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


def require_ids(where: str, column: str, ids: Sequence[str], numbers: Sequence[int]) -> None:
    """Raise `NoIds` if an id is empty, or is there twice."""
    if len({*ids} - {""}) == len(ids):
        return
    seen: dict[str, int] = {}
    for name, number in zip(ids, numbers, strict=True):
        if not name:
            raise NoIds(f"{where} {number}: {column!r} is empty; give each document an id")
        if (first := seen.setdefault(name, number)) != number:
            raise NoIds(
                f"{where} {number}: id {name!r} is that of {first}, too; make ids unique, or name "
                "no column of ids"
            )


def tested(
    where: str, column: Sequence[str], labels: Sequence[Labels], numbers: Sequence[int]
) -> list[bool]:
    """Return which documents a column of the split gives to the test; unlabelled ones train."""
    for number, part, names in zip(numbers, column, labels, strict=True):
        if names and part.lower() not in ("train", "test"):
            raise PteError(f"{where} {number}: {part!r} is no part; it must be train or test")
    return [bool(n) and part.lower() == "test" for part, n in zip(column, labels, strict=True)]


def is_missing(name: str) -> bool:
    """Return whether a word stands for no group."""
    return name.casefold() in ("", *map(str.casefold, MISSING))


def meant(name: str, known: Iterable[str]) -> str:
    """Return a question that names what is most like `name`; nothing if nothing is like it."""
    alike = {each.casefold(): each for each in known}
    found = get_close_matches(name.casefold(), alike, n=1)
    if not found:
        return ""
    same = normalize("NFKC", found[0]) == normalize("NFKC", name.casefold())
    return f"did you mean {(ascii if same else repr)(alike[found[0]])}? "
