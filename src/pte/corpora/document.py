"""A document of a corpus, and functions that the readers of documents share."""

import html
import os
import re
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import IO

from pte.corpora.archives import stream_lines, without_mark
from pte.errors import PteError

TRAIN, TEST = 0, 1  # the values of `EncodedCorpus.split` and of `Document.part`
UNLABELLED = -1  # the value of `EncodedCorpus.labels` for a document without a label
PARTS = {"train": TRAIN, "test": TEST}  # numbers of the parts that archives name


@dataclass(frozen=True, slots=True, eq=False)
class SpooledText:
    """The place of a text in a temporary file, which goes when no text refers to it."""

    file: IO[bytes]
    begin: int
    size: int

    def __len__(self) -> int:
        return self.size

    def read(self) -> bytes:
        return os.pread(self.file.fileno(), self.size, self.begin)


@dataclass(frozen=True, slots=True)  # slots save memory: a corpus may have a million documents
class Document:
    """A document as its archive has it. `label` is None if the document has no label."""

    content: bytes | SpooledText  # text, in memory or in a file; `text` returns it
    label: str | None
    part: int
    more_labels: tuple[str, ...] = ()
    id: str | None = None  # the name of the document in its archive
    group: str | None = None  # such as an author; `held_out` divides no group

    @property
    def text(self) -> bytes:
        return self.content.read() if isinstance(self.content, SpooledText) else self.content

    @property
    def labels(self) -> tuple[str, ...]:
        """All labels of the document, beginning with `label`; empty if it has no label."""
        return () if self.label is None else (self.label, *self.more_labels)


def spooled(documents: Iterable[Document]) -> list[Document]:
    """Return the same documents with their texts in a temporary file instead of in memory."""
    found, size = [], 0
    file = tempfile.TemporaryFile(buffering=1 << 20)  # noqa: SIM115
    for each in documents:
        size += file.write(each.text)
        place = SpooledText(file, size - len(each.content), len(each.content))
        found.append(replace(each, content=place))
    file.flush()
    return found


def require(found: object, path: Path, what: str) -> None:
    """Raise `PteError` if `found` is false: the archive at `path` does not hold `what`."""
    if not found:
        raise PteError(f"{path}: the archive does not hold {what}; is it the right file?")


def label_of(field: bytes) -> str | None:
    """Return the label that a field of an archive holds; None if the field is empty."""
    return field.decode(errors="backslashreplace") or None


def unescaped(text: str) -> str:
    """Replace HTML entities by characters; return one line without white space around it."""
    return re.sub(r"[\r\n]+", " ", html.unescape(text)).strip()


def read_table(path: Path, names: Sequence[str]) -> Iterator[tuple[int, list[bytes]]]:
    """Yield the line number and named fields of each row of a tab-separated table with a head."""
    lines = without_mark(stream_lines(path))
    rows = (line.rstrip(b"\r\n").split(b"\t") for line in lines)
    head = [name.decode(errors="backslashreplace") for name in next(rows, [b""])]
    for name in names:
        if name not in head:
            raise PteError(f"{path}: no column {name!r}; there are {', '.join(head)}")
    places = [head.index(name) for name in names]
    for line, row in enumerate(rows, start=2):
        if len(row) != len(head):
            raise PteError(f"{path}: line {line} needs {len(head)} columns and has {len(row)}")
        yield line, [row[place] for place in places]
