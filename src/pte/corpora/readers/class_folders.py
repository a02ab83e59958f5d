"""Archives that hold one file for each document, in folders of classes."""

from collections.abc import Iterator
from pathlib import Path

from pte.corpora.archives import read_members
from pte.corpora.document import PARTS, Document, require


def read(path: Path, pattern: str) -> Iterator[Document]:
    """Read the members whose names match `pattern`, a regular expression.

    `pattern` has the groups `part` (train or test), `label` and `name`. Training documents come
    first. Within a part, the documents come in the order of label and name, by their characters.
    Raises `PteError` when no member matches.
    """
    found = [
        ((PARTS[fields["part"]], fields["label"], fields["name"]), text)
        for fields, text in read_members(path, pattern)
    ]
    require(found, path, f"a file named like {pattern}")
    for (part, label, _), text in sorted(found, key=lambda item: item[0]):
        yield Document(text, label, part)
