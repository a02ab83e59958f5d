"""One document of a corpus, and what the readers of documents share."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from pte.corpora.archives import read_gzip
from pte.corpora.parts import TEST, TRAIN
from pte.corpora.spool import Spool, SpooledText
from pte.errors import PteError

PARTS = {"train": TRAIN, "test": TEST}
"""The parts by the names that archives give them."""


@dataclass(frozen=True, slots=True)  # a corpus may have a million
class Document:
    """A document as its archive has it. `label` is None where it has none."""

    content: bytes | SpooledText
    """Its text, in memory or in a file; `text` has it in any case."""
    label: str | None
    part: int
    """`TRAIN` or `TEST`."""
    more_labels: tuple[str, ...] = ()
    """The labels after the first, of a document that has several."""
    id: str | None = None
    """What its archive calls it."""
    group: str | None = None
    """Documents of one group, such as an author, are never on both sides of a split."""

    @property
    def text(self) -> bytes:
        """Its text, read from the file if it is in one."""
        return self.content.read() if isinstance(self.content, SpooledText) else self.content

    @property
    def labels(self) -> tuple[str, ...]:
        """All of its labels, the first one first; none where it has none."""
        return () if self.label is None else (self.label, *self.more_labels)


def spooled(documents: Iterable[Document]) -> list[Document]:
    """The same documents, whose texts are in a temporary file instead of in memory."""
    spool = Spool()
    return [replace(each, content=spool.add(each.text)) for each in documents]


def require(found: object, path: Path, what: str) -> None:
    """Raise `PteError` if `found` is false: the archive at `path` does not hold `what`."""
    if not found:
        raise PteError(f"{path}: the archive does not hold {what}; is it the right file?")


def label_of(field: bytes) -> str | None:
    """The label that a field of an archive holds; None if the field is empty."""
    return field.decode(errors="backslashreplace") or None


def read_table(path: Path) -> tuple[list[bytes], list[list[bytes]]]:
    """Read a table of tab-separated columns, compressed by gzip: its head line and its rows."""
    head, *rows = (line.split(b"\t") for line in read_gzip(path).splitlines() or [b""])
    return head, rows


def columns(path: Path, head: Sequence[bytes], names: Sequence[str]) -> dict[str, int]:
    """Find the place of each named column. Raises `PteError` for one that is not in `head`."""
    found = [name.decode(errors="backslashreplace") for name in head]
    for name in names:
        if name not in found:
            raise PteError(f"{path}: no column {name!r}; there are {', '.join(found)}")
    return {name: found.index(name) for name in names}
