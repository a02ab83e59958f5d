"""Files with a document on each line: `label<TAB>text`."""

from collections.abc import Iterator
from io import BytesIO
from pathlib import Path

from pte.corpora.archives import read_members
from pte.corpora.document import PARTS, Document, label_of, require
from pte.errors import PteError


def read(path: Path, train: str, test: str, header: int) -> Iterator[Document]:
    """Read the members `train` and `test`, each after `header` lines, and skip empty lines.

    Raises `PteError` for a missing member and for a line without a tab.
    """
    contents = dict(read_members(path, lambda name: name in (train, test)))
    for part, member in (("train", train), ("test", test)):
        require(member in contents, path, member)
        lines = BytesIO(contents.pop(member))  # yields one line at a time, and copies no text
        for number, line in enumerate((line.removesuffix(b"\n") for line in lines), start=1):
            if number <= header or not line.strip():
                continue
            label, tab, text = line.partition(b"\t")
            if not tab:
                raise PteError(f"{path}: line {number} of {member} has no tab")
            yield Document(text, label_of(label), PARTS[part])
