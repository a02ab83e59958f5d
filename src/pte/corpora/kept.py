"""Keeps documents in a folder, so that several jobs can work on the same documents."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from pte.corpora.document import Document
from pte.corpora.spool import MappedTexts, Spool, SpooledText
from pte.files import atomic_directory, load_array, read_json, save_array, write_json

_NAMES = ("labels", "groups")


def keep_documents(documents: Sequence[Document], facts: Mapping[str, Any], path: Path) -> None:
    """Write the folder `path`: the texts one after the other, and the rest of the documents.

    `facts` are kept with the documents, as JSON.
    """
    spool = Spool()
    sizes = [len(spool.add(document.text)) for document in documents]
    rest = {
        "labels": [document.labels for document in documents],
        "groups": [document.group for document in documents],
    }
    with atomic_directory(path) as folder:
        save_array(folder / "texts.npy", spool.mapped())
        save_array(folder / "offsets.npy", np.cumsum([0, *sizes]))
        save_array(folder / "parts.npy", np.array([each.part for each in documents], np.uint8))
        write_json(folder / "documents.json", {**rest, "facts": dict(facts)})


def kept_documents(path: Path) -> tuple[list[Document], dict[str, Any]]:
    """Return the documents of a folder that `keep_documents` wrote, without ids, and the facts.

    Texts stay in their file until they are asked for. Raises `PteError` if anything is broken.
    """
    rest = read_json(path / "documents.json", *_NAMES, "facts")
    texts = MappedTexts(load_array(path / "texts.npy", mapped=True))
    offsets = load_array(path / "offsets.npy").tolist()
    parts = load_array(path / "parts.npy").tolist()
    documents = [
        Document(
            content=SpooledText(texts, begin, end - begin),
            label=labels[0] if labels else None,
            part=part,
            more_labels=tuple(labels[1:]),
            group=group,
        )
        for begin, end, part, labels, group in zip(
            offsets[:-1], offsets[1:], parts, *(rest[name] for name in _NAMES), strict=True
        )
    ]
    return documents, rest["facts"]
