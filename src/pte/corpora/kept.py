"""Keeps documents in a folder, so that several jobs can work on the same documents."""

import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from pte.corpora.document import Document
from pte.corpora.spool import MappedTexts, SpooledText
from pte.files import atomic_directory, load_array, map_file, read_json, save_array, write_json


def keep_documents(documents: Sequence[Document], facts: Mapping[str, Any], path: Path) -> None:
    """Write the folder `path`: the texts one after the other, and the rest of the documents.

    `facts` are kept with the documents, as JSON.
    """
    rest = {
        "labels": [document.labels for document in documents],
        "groups": [document.group for document in documents],
        "facts": dict(facts),
    }
    with tempfile.TemporaryFile(buffering=1 << 20) as texts, atomic_directory(path) as folder:
        sizes = [texts.write(document.text) for document in documents]
        save_array(folder / "texts.npy", map_file(texts, np.uint8))
        save_array(folder / "offsets.npy", np.cumsum([0, *sizes]))
        save_array(folder / "parts.npy", np.array([each.part for each in documents], np.uint8))
        write_json(folder / "documents.json", rest)


def kept_documents(path: Path) -> tuple[list[Document], dict[str, Any]]:
    """Return the documents of a folder that `keep_documents` wrote, without ids, and the facts.

    Texts stay in their file until they are asked for. Raises `PteError` if anything is broken.
    """
    rest = read_json(path / "documents.json", "labels", "groups", "facts")
    texts = MappedTexts(load_array(path / "texts.npy", mapped=True).data)
    offsets = load_array(path / "offsets.npy").tolist()
    parts = load_array(path / "parts.npy").tolist()
    fields = zip(offsets[:-1], offsets[1:], parts, rest["labels"], rest["groups"], strict=True)
    documents = [
        Document(
            content=SpooledText(texts, begin, end - begin),
            label=labels[0] if labels else None,
            part=part,
            more_labels=tuple(labels[1:]),
            group=group,
        )
        for begin, end, part, labels, group in fields
    ]
    return documents, rest["facts"]
