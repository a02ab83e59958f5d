"""Wikipedia as WikiExtractor leaves it, with labels from a table."""

import re
from collections.abc import Iterator
from pathlib import Path

from pte.corpora.archives import read_members
from pte.corpora.document import Document, columns, label_of, read_table, require
from pte.corpora.parts import TRAIN
from pte.errors import PteError


def read(path: Path, labels: Path, id_column: str, label_column: str) -> Iterator[Document]:
    """Read members `AA/wiki_00`, …, whose blocks run from `<doc id="…" …>` to `</doc>`.

    The documents come in the order of the number `id`, all for training. `labels` is a table of
    tab-separated columns with a head line, compressed by gzip. A document has the label of its row
    in the table; without a row or with an empty label it is unlabelled. Raises `PteError` when the
    blocks or the table are not of this form, or an `id` occurs twice.
    """
    label_by_id = _labels_by_id(labels, id_column, label_column)
    texts: dict[int, bytes] = {}
    wanted = re.compile(r"(?:.*/)?[A-Z]{2}/wiki_\d+")
    for member, content in read_members(path, lambda name: wanted.fullmatch(name) is not None):
        for number, text in _blocks(content, f"{path}: {member}"):
            if number in texts:
                raise PteError(f"{path}: document {number} is there twice; repack the articles")
            texts[number] = text
    require(texts, path, "a document in a file named like AA/wiki_00")
    for number, text in sorted(texts.items()):
        yield Document(text, label_by_id.get(number), TRAIN)


def _blocks(content: bytes, where: str) -> Iterator[tuple[int, bytes]]:
    *blocks, rest = content.split(b"</doc>\n")
    for count, block in enumerate(blocks, start=1):
        head, _, text = block.partition(b"\n")
        number = re.match(rb'<doc id="(\d+)"', head)
        if number is None or b"\n<doc id=" in text:
            raise PteError(f"{where}: block {count} is not <doc id=…> to </doc>; extract it anew")
        yield int(number[1]), text
    if rest.strip():
        raise PteError(f"{where}: the last document has no </doc>; extract it anew")


def _labels_by_id(path: Path, id_column: str, label_column: str) -> dict[int, str]:
    head, rows = read_table(path)
    places = columns(path, head, [id_column, label_column])
    identifier, label = places[id_column], places[label_column]
    found = {}
    for number, row in enumerate(rows, start=2):
        if len(row) != len(head) or not row[identifier].isdigit():
            raise PteError(
                f"{path}: line {number} needs {len(head)} columns and a number as {id_column}"
            )
        name = label_of(row[label])
        if name is not None:
            found[int(row[identifier])] = name
    return found
