"""The format of the authors' data: texts and labels on the same lines of two files."""

import re
from collections.abc import Iterator
from pathlib import Path

from pte.corpora.archives import read_members
from pte.corpora.document import PARTS, Document, label_of, require
from pte.errors import PteError


def read(path: Path, folder: str) -> Iterator[Document]:
    """Read line i of `text_{part}.txt`, which has its label on line i of `label_{part}.txt`.

    The files are in a folder named `folder` at any depth. Lines end in LF or CRLF. A document is
    unlabelled if its line of labels is empty. Raises `PteError` for a missing file, and for two
    files with different numbers of lines.
    """
    wanted = rf"(?:.*/)?{re.escape(folder)}/((?:text|label)_(?:train|test)\.txt)"
    lines = {}
    for fields, content in read_members(path, wanted):
        lines[fields[1]] = [line.removesuffix(b"\r") for line in content.split(b"\n")]
        if not lines[fields[1]][-1]:
            lines[fields[1]].pop()
    for part in PARTS:
        names = (f"text_{part}.txt", f"label_{part}.txt")
        for name in names:
            require(name in lines, path, f"{folder}/{name}")
        texts, labels = (lines[name] for name in names)
        if len(texts) != len(labels):
            raise PteError(
                f"{path}: {names[0]} has {len(texts)} lines and {names[1]} has {len(labels)}"
            )
        for text, label in zip(texts, labels, strict=True):
            yield Document(text, label_of(label.strip()), PARTS[part])
