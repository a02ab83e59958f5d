"""Turns rows with named fields into documents: finds the columns, and checks their fields."""

import json
import math
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from datetime import date, time
from decimal import Decimal
from difflib import get_close_matches
from pathlib import Path
from typing import Any, NamedTuple
from unicodedata import normalize

from pte.corpora.document import PARTS, Document
from pte.corpora.finding import shown
from pte.corpora.parts import TRAIN
from pte.errors import PteError, shortened

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

NOT_NAMES = ("separator", "missing")
"""Fields of `Columns` that do not name a column."""

_MOST_SHOWN = 20


class NoLabels(PteError):
    """The error for a file in which nothing says which labels its documents have."""


class SeveralLabels(PteError):
    """The error for a file with several columns that may be those of the labels."""


class NoIds(PteError):
    """The error for a column of ids that repeat, or are empty."""


class TableRow(NamedTuple):
    """A row of a table: its fields, and the number of the line or row where it begins, from 1."""

    number: int
    values: Mapping[str, Any]


@dataclass(frozen=True, kw_only=True)
class Columns:
    """The columns that a user names, and how a field says which labels a document has."""

    text: str | None = None
    """The column of the text. If `text` or `label` is None, the reader looks for that column."""
    label: str | None = None
    """The column of the label or labels. A document whose field is empty is unlabelled.

    An empty name of the column says that no column holds labels.
    """
    split: str | None = None
    """The column that says `train` or `test`. If it is None, a share is held out for the test."""
    id: str | None = None
    """The column of the ids. If it is None, the number of the line, or of the row, is the id."""
    group: str | None = None
    """The column of the groups, such as authors. An empty field, and `MISSING`, mean no group.

    If a share is held out, the labelled documents of a group are all for training or all for test.
    """
    separator: str | None = None
    """The text between several labels in one field, such as ";"."""
    missing: Sequence[str] | None = None
    """Texts that stand for no label, in place of `MISSING`; an empty field always does."""

    def __post_init__(self) -> None:
        """Make `missing` a tuple; a single text stands for a tuple of one."""
        if self.missing is not None:
            given = (self.missing,) if isinstance(self.missing, str) else self.missing
            object.__setattr__(self, "missing", tuple(given))

    @classmethod
    def of(cls, path: Path, options: Mapping[str, Any]) -> "Columns":
        """Make the columns from options. Raises `PteError` for an option that is not a field."""
        known = [field.name for field in fields(cls)]
        for name in options:
            if name not in known:
                raise PteError(f"{path}: {name!r} is not an option; there are {', '.join(known)}")
        return cls(**options)

    def named(self) -> dict[str, Any]:
        """Return the values that the user gave, by their keys."""
        return {key: value for key, value in vars(self).items() if value is not None}

    def names(self) -> dict[str, str]:
        """Return the names of columns that the user gave, by their keys."""
        given = self.named().items()
        return {key: name for key, name in given if key not in NOT_NAMES and name}

    def found_in(self, path: Path, head: Sequence[str], first: Sequence[str] = ()) -> "Columns":
        """Return a copy in which the columns of the text and the label are filled in.

        If the user did not name one of these columns, it is the only column in `head` with a usual
        name. Without a header, `head` has numbers and `first` the fields of the first row. Raises
        `PteError` when a named column is not in `head`, or is there twice, and when no column, or
        more than one, has a usual name.
        """
        for key, name in self.names().items():
            if head.count(name) != 1:
                fault = "no column" if name not in head else "more than one column"
                there = _listed(head, first)
                hint = "rename one; " if name in head else meant(name, head)
                raise PteError(f"{path}: {fault} {name!r} for `{key}`; {hint}{there}")
        usual = {"text": TEXTS, "label": LABELS}
        missing = usual.keys() - self.named().keys()
        guessed = {
            key: _guess(path, key, usual[key], head, first) for key in usual if key in missing
        }
        found = replace(self, **guessed)
        if found.text == found.label:
            raise PteError(f"{path}: {found.text!r} is the column of the text and of the label")
        return found

    def by_name(self, head: Sequence[str]) -> "Columns":
        """Return a copy in which the numbers of columns are their names, as by `by_number`."""
        return replace(self, **{key: by_number(n, head) for key, n in self.names().items()})

    def documents(
        self,
        path: Path,
        rows: Iterable[TableRow],
        unit: str = "line",
        counts: Counter[str] | None = None,
    ) -> Iterator[Document]:
        """Yield the document of each row. The columns of the text and the label must be known.

        A document without a label is for training, whatever the column of the split says. If no
        column of ids is named, the number of the row is the id. `counts` gets how often each text
        stands for no label. Raises `PteError`, naming the row
        by its `unit`, for a field of a wrong kind and for an id that is empty or is there twice.
        """
        assert self.label is not None
        seen: dict[str, int] = {}
        for number, values in rows:
            where = f"{path}: {unit} {number}"
            text = self.text_of(where, values)
            labels = self.labels(where, values.get(self.label), counts) if self.label else []
            tested = self.split is not None and labels
            part = _part(where, str(self.split), values) if tested else TRAIN
            name = self._id(where, number, values)
            if self.id is not None and seen.setdefault(name, number) != number:
                first = f"{unit} {seen[name]}"
                raise NoIds(
                    f"{where}: id {name!r} is that of {first}, too; make ids unique, or name no "
                    "column of ids"
                )
            group = None if self.group is None else _group(where, values.get(self.group))
            yield make_document(text, labels, part, name, group)

    def text_of(self, where: str, values: Mapping[str, Any]) -> str:
        """Return the text of a row, "" for null and NaN. Raises `PteError` if it is no text."""
        assert self.text is not None
        if self.text not in values:
            raise PteError(f"{where}: it has no {self.text!r}; it must be a text")
        text = values[self.text]
        text = "" if text is None or text != text else decoded(text)
        if not isinstance(text, str):
            raise PteError(f"{where}: {self.text!r} is {shortened(text)}; it must be a text")
        return text

    def labels(self, where: str, value: Any, counts: Counter[str] | None = None) -> list[str]:
        """Return the labels in a field, without those that stand for no label.

        Raises `PteError` for a field of a wrong kind.
        """
        given = MISSING if self.missing is None else self.missing
        missing = {each.strip().casefold() for each in given}
        found = labels_of(where, value, self.separator)
        left = [label for label in found if label.casefold() not in missing]
        if counts is not None and len(left) < len(found):
            counts.update(f"{label!r} in place of a label" for label in found if label not in left)
        return left

    def _id(self, where: str, number: int, values: Mapping[str, Any]) -> str:
        if self.id is None:
            return str(number)
        name = _word(where, values.get(self.id))
        if not name:
            raise NoIds(f"{where}: {self.id!r} is empty; give each document an id")
        return name


@dataclass(frozen=True, kw_only=True)
class RowsOfFile(ABC):
    """A file of rows with named fields: its path, its columns, and what was found of them."""

    path: Path
    columns: Columns
    """The columns, with those of the text and the label found."""
    given: Columns
    """The columns that the user named."""
    unit: str = "line"
    """What the numbers of rows count."""
    doubts: tuple[str, ...] = ()
    """Sentences about what is doubtful in how the file is read."""

    @property
    def said(self) -> tuple[str, ...]:
        """Phrases about what was found, and not given."""
        found, given = vars(self.columns), vars(self.given)
        wanted = [key for key in ("text", "label") if given[key] is None]
        return tuple(f"the {key} is in column {found[key]!r}" for key in wanted)

    def facts(self) -> dict[str, Any]:
        """Return the column of each key that has one, and whether the user named it."""
        given = self.given.names()
        return {
            key: f"{name} ({'named' if key in given else 'found'})"
            for key, name in self.columns.names().items()
        }

    @abstractmethod
    def with_text(self) -> Iterable[TableRow]:
        """Return the rows, with the fields of the columns at least."""

    def documents(self, counts: Counter[str] | None = None) -> Iterator[Document]:
        """Yield the document of each row; see `Columns.documents`."""
        return self.columns.documents(self.path, self.with_text(), self.unit, counts)

    def told(self, counts: Counter[str] | None = None) -> Iterator[Document]:
        """Print what was found; return `documents`."""
        for line in (*self.doubts, *filter(None, [", ".join(self.said)])):
            print(f"{self.path}: {line}")
        return self.documents(counts)


def by_number(name: str, head: Sequence[str]) -> str:
    """Return the name in `head` of a column that is named by its number, from 1.

    A number that is itself the name of a column, or that of one without a name, stays as it is.
    """
    if name in head or not name.isdecimal() or not 1 <= int(name) <= len(head):
        return name
    return head[int(name) - 1] or name


def make_document(
    text: str, labels: Sequence[str], part: int, name: str, group: str | None = None
) -> Document:
    """Make a document with any number of labels. A document without a label is for training."""
    first, *more = labels or (None,)
    return Document(
        content=text.encode("utf-8", "replace"),
        label=first,
        part=part if labels else TRAIN,
        more_labels=tuple(str(label) for label in more),
        id=name,
        group=group,
    )


def labels_of(where: str, value: Any, separator: str | None) -> list[str]:
    """Return the labels in a field: one label, a list, or labels with `separator` between them.

    Each label occurs once, without white space around it. Empty labels are left out.
    """
    fields = value if isinstance(value, list | tuple) else [value]
    words = [_word(where, field) for field in fields]
    if separator is not None:
        words = [part.strip() for word in words for part in word.split(separator)]
    return list(dict.fromkeys(word for word in words if word))


def head_of(rows: Iterable[Mapping[str, Any]]) -> list[str]:
    """Return the names of all fields of some rows, in the order in which they first occur."""
    return list(dict.fromkeys(name for row in rows for name in row))


def _word(where: str, value: Any) -> str:
    """Return a field as text: numbers and bools as JSON writes them, and "" for a missing value.

    A whole number has no decimals: a column of whole numbers that lacks some has floats.
    """
    if value is None or value != value:  # tables of numbers have NaN for a missing value
        return ""
    value = decoded(value)
    if isinstance(value, date | time | Decimal):
        return str(value)
    if isinstance(value, str):
        return value.strip().encode("utf-8", "replace").decode()
    if isinstance(value, float) and math.isinf(value):
        raise PteError(f"{where}: {value} is no label and no name; give a text or a finite number")
    if isinstance(value, bool | int | float):
        return json.dumps(int(value) if isinstance(value, float) and value.is_integer() else value)
    raise PteError(f"{where}: {shortened(value)} must be a text or a number")


def _group(where: str, value: Any) -> str | None:
    """Return the group in a field; None if it is empty, or a word of `MISSING`."""
    name = _word(where, value)
    return None if name.casefold() in ("", *map(str.casefold, MISSING)) else name


def decoded(value: Any) -> Any:
    """Return bytes as text if they are UTF-8, and other values as they are."""
    try:
        return value.decode() if isinstance(value, bytes) else value
    except UnicodeDecodeError:
        return value


def _part(where: str, column: str, values: Mapping[str, Any]) -> int:
    given = _word(where, values.get(column))
    if given.lower() not in PARTS:
        raise PteError(f"{where}: {column!r} is {shortened(given)}; it must be train or test")
    return PARTS[given.lower()]


def _guess(
    path: Path, key: str, plausible: Sequence[str], head: Sequence[str], first: Sequence[str]
) -> str:
    if first and key == "text" and len(head) == 1:
        return head[0]
    found = [name for name in head if name.strip().lower() in plausible]
    if len(found) == 1:
        return found[0]
    what = "several columns have usual names" if found else "no column has a usual name"
    if first:
        what = "there seems to be no header"
    fault = PteError if key != "label" else SeveralLabels if found else NoLabels
    there = _listed(head, first)
    raise fault(f"{path}: {what} for the {key}; name its column: {key}=…; {there}")


def meant(name: str, known: Iterable[str]) -> str:
    """Return a question that names what is most like `name`; nothing if nothing is like it."""
    alike = {each.casefold(): each for each in known}
    found = get_close_matches(name.casefold(), alike, n=1)
    if not found:
        return ""
    same = normalize("NFKC", found[0]) == normalize("NFKC", name.casefold())
    return f"did you mean {(ascii if same else repr)(alike[found[0]])}? "


def _listed(head: Sequence[str], first: Sequence[str] = ()) -> str:
    """Return which columns there are; without a header, with the fields of the first row."""
    if not head:
        return "there are no columns"
    fields = [f"{n} ({shortened(text)})" for n, text in zip(head, first, strict=False)]
    return f"there are {shown(fields or head, _MOST_SHOWN, quoted=not fields)}"
