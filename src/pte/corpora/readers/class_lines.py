"""Archives that hold a file for each class, with a document on each line."""

from collections.abc import Iterator
from pathlib import Path

from pte.corpora.archives import read_members
from pte.corpora.document import Document, require, unescaped
from pte.corpora.parts import TRAIN


def read(path: Path, pattern: str, html_entities: bool = False) -> Iterator[Document]:
    """Read the members whose names match `pattern`, a regular expression with the group `label`.

    The documents come in the order of label and line, all for training. Empty lines are skipped.
    With `html_entities`, HTML entities become characters. Raises `PteError` when no member matches,
    or when no member that matches has a document.
    """
    found = [(fields["label"], content) for fields, content in read_members(path, pattern)]
    require(any(c.strip() for _, c in found), path, f"a document in a file named like {pattern}")
    for label, content in sorted(found):
        for line in filter(bytes.strip, content.split(b"\n")):
            text = line.removesuffix(b"\r")
            if html_entities:
                said = unescaped(text.decode("utf-8", "surrogateescape"))
                text = said.encode("utf-8", "surrogateescape")
            yield Document(text, label, TRAIN)
