"""Files with a document on each line: `label<TAB>text`."""

from collections.abc import Iterator
from pathlib import Path

from pte.corpora.archives import stream_lines
from pte.corpora.document import PARTS, Document, label_of
from pte.errors import PteError


def read(path: Path, train: str, test: str, header: int) -> Iterator[Document]:
    """Read the members `train` and `test` of a zip archive, and skip empty lines.

    The first `header` lines of each member are no documents. Raises `PteError` for a missing member
    and for a line without a tab.
    """
    for part, member in (("train", train), ("test", test)):
        for number, line in enumerate(stream_lines(path, member), start=1):
            if number <= header or not line.strip():
                continue
            label, tab, text = line.removesuffix(b"\n").partition(b"\t")
            if not tab:
                raise PteError(f"{path}: line {number} of {member} has no tab")
            yield Document(text, label_of(label), PARTS[part])
