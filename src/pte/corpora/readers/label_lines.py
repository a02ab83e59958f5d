"""The format of fastText: each line has labels, each label with a prefix, and then a text."""

from collections.abc import Iterator
from pathlib import Path

from pte.corpora.columns import NoLabels, make_document
from pte.corpora.document import Document
from pte.corpora.parts import TRAIN
from pte.corpora.text_files import read_lines

PREFIX = "__label__"


def read(path: Path) -> Iterator[Document]:
    """Read lines like `__label__good __label__long The text.`.

    Labels stand before the text. A line without labels is an unlabelled document. The number of the
    line is the id. Empty lines are skipped. Raises `NoLabels` for a file in which no line has a
    label, such as an empty file.
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
            yield make_document(rest, list(dict.fromkeys(labels)), TRAIN, str(number))
    if not any_label:
        raise NoLabels(
            f"{path}: none of its {number} lines begins with {PREFIX}; write {PREFIX}good before a "
            "text, or use another format, such as csv"
        )
