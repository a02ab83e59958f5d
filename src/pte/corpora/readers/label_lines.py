"""The format of fastText: labels, each with a prefix, and a text on each line."""

from collections.abc import Iterator
from pathlib import Path

from pte.corpora.columns import NoLabels, document
from pte.corpora.document import Document
from pte.corpora.parts import TRAIN
from pte.corpora.text_files import read_lines

PREFIX = "__label__"


def read(path: Path) -> Iterator[Document]:
    """Read lines like `__label__good __label__long The text.`; a line without a label has none.

    Labels stand before the text. The number of the line is the id. Empty lines are skipped. Raises
    `NoLabels` for an empty file, and for one of which no line has a label.
    """
    any_label = False
    number = 0
    for number, line in enumerate(read_lines(path), start=1):
        labels, rest = [], line.strip()
        while rest.startswith(PREFIX):
            label, *after = rest.split(None, 1)
            labels.append(label.removeprefix(PREFIX))
            rest = after[0] if after else ""
        labels = [label for label in labels if label]
        any_label |= bool(labels)
        if labels or rest:
            yield document(rest, list(dict.fromkeys(labels)), TRAIN, str(number))
    if not any_label:
        raise NoLabels(
            f"{path}: none of its {number} lines begins with {PREFIX}; write {PREFIX}good before a "
            "text, or use another format, such as csv"
        )
