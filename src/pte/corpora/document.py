"""A document of a corpus, and functions that the readers of documents share."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from pte.corpora.archives import read_gzip
from pte.corpora.parts import TEST, TRAIN
from pte.corpora.spool import Spool, SpooledText
from pte.errors import PteError

PARTS = {"train": TRAIN, "test": TEST}
"""The numbers of the parts, by the names that archives give to the parts."""


@dataclass(frozen=True, slots=True)  # slots save memory: a corpus may have a million documents
class Document:
    """A document as its archive has it. `label` is None if the document has no label."""

    content: bytes | SpooledText
    """The text, in memory or in a file; the property `text` returns it in both cases."""
    label: str | None
    part: int
    """`TRAIN` or `TEST`."""
    more_labels: tuple[str, ...] = ()
    """The labels after the first label, if the document has several labels."""
    id: str | None = None
    """The name of the document in its archive."""
    group: str | None = None
    """The group, such as an author; `held_out` does not divide a group's labelled documents."""

    @property
    def text(self) -> bytes:
        """The text, read from the file if it is in a file."""
        return self.content.read() if isinstance(self.content, SpooledText) else self.content

    @property
    def labels(self) -> tuple[str, ...]:
        """All labels of the document, beginning with `label`; empty if it has no label."""
        return () if self.label is None else (self.label, *self.more_labels)


def spooled(documents: Iterable[Document]) -> list[Document]:
    """Return the same documents with their texts in a temporary file instead of in memory."""
    spool = Spool()
    return [replace(each, content=spool.add(each.text)) for each in documents]


def require(found: object, path: Path, what: str) -> None:
    """Raise `PteError` if `found` is false: the archive at `path` does not hold `what`."""
    if not found:
        raise PteError(f"{path}: the archive does not hold {what}; is it the right file?")


def label_of(field: bytes) -> str | None:
    """Return the label that a field of an archive holds; None if the field is empty."""
    return field.decode(errors="backslashreplace") or None


def read_table(path: Path) -> tuple[list[bytes], list[list[bytes]]]:
    """Return the head line and the rows of a table of tab-separated columns, compressed by gzip."""
    head, *rows = (line.split(b"\t") for line in read_gzip(path).splitlines() or [b""])
    return head, rows


def columns(path: Path, head: Sequence[bytes], names: Sequence[str]) -> dict[str, int]:
    """Return the place of each named column. Raises `PteError` for a name that `head` lacks."""
    found = [name.decode(errors="backslashreplace") for name in head]
    for name in names:
        if name not in found:
            raise PteError(f"{path}: no column {name!r}; there are {', '.join(found)}")
    return {name: found.index(name) for name in names}
