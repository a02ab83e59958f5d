"""Real text for the notebooks: corpora of the registry, fetched as the workflow fetches them."""

import os
from pathlib import Path
from typing import NamedTuple

import yaml

from pte.corpora.encode_entry import encode_entry, read_entry
from pte.corpora.encoded import TRAIN, EncodedCorpus
from pte.corpora.entry import Archive, CorpusEntry
from pte_study.fetch import fetch

ROOT = Path(__file__).resolve().parents[1]
REGISTRY = ROOT / "workflow" / "registry" / "corpora.yaml"


class Texts(NamedTuple):
    """Documents, and a label for each."""

    texts: list[str]
    labels: list[str]


def load(name: str) -> tuple[Texts, Texts]:
    """Return the training and the test documents of a corpus, such as "r8".

    The archive comes from `resources/archives` if it is there, from the folder `PTE_MIRROR`, or
    from where the registry says. Raises `PteError` when no source has it.
    """
    entry, path = _fetched(name)
    train, test = Texts([], []), Texts([], [])
    for document in read_entry({"archive": path}, entry):
        part = train if document.part == TRAIN else test
        part.texts.append(document.text.decode("utf-8", "replace"))
        part.labels.append(document.label or "")
    return train, test


def encoded(name: str) -> EncodedCorpus:
    """Return the same corpus with its words as numbers, as networks are built from it."""
    entry, path = _fetched(name)
    return encode_entry(read_entry({"archive": path}, entry), entry)


def _fetched(name: str) -> tuple[CorpusEntry, Path]:
    registry = yaml.safe_load(REGISTRY.read_text("utf-8"))
    entry = CorpusEntry.from_mapping(registry["corpora"][name])
    archive = Archive.from_mapping(registry["archives"][entry.archive])
    path = ROOT / "resources" / "archives" / archive.file
    mirror = os.environ.get("PTE_MIRROR")
    fetch(archive, path, Path(mirror) if mirror else None)
    return entry, path
