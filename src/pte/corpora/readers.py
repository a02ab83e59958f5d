"""One reader per format: an archive in, documents out, in an order that packing cannot change."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pte.corpora.archives import read_gzip, read_members
from pte.corpora.encoded import TEST, TRAIN
from pte.errors import PteError

PARTS = {"train": TRAIN, "test": TEST}


@dataclass(frozen=True)
class Document:
    """One document as it was published; `label` is None where it has none."""

    text: bytes
    label: str | None
    part: int


def class_folders(path: Path, pattern: str) -> Iterator[Document]:
    """A file a document. `pattern` is a regular expression over member names that names the groups
    `part` (train or test), `label` and `name`. Order: part, label, name, each by its bytes.
    """
    match = re.compile(pattern).fullmatch
    found = []
    for name, text in read_members(path, lambda name: match(name) is not None):
        fields = match(name)
        assert fields is not None
        key = (PARTS[fields["part"]], fields["label"], fields["name"])
        found.append((key, text))
    _require(found, path, f"a file named like {pattern}")
    for (part, label, _), text in sorted(found, key=lambda item: item[0]):
        yield Document(text, label, part)


def parallel_lines(path: Path, folder: str) -> Iterator[Document]:
    """The authors' format: line i of `text_{part}.txt` has its label on line i of
    `label_{part}.txt`, in a folder named `folder` at any depth. Lines end in LF or CRLF.
    """
    wanted = re.compile(rf"(?:.*/)?{re.escape(folder)}/((?:text|label)_(?:train|test)\.txt)")
    lines = {}
    for name, content in read_members(path, lambda name: wanted.fullmatch(name) is not None):
        fields = wanted.fullmatch(name)
        assert fields is not None
        lines[fields[1]] = [line.removesuffix(b"\r") for line in content.split(b"\n")]
        if not lines[fields[1]][-1]:
            lines[fields[1]].pop()
    for part in PARTS:
        names = (f"text_{part}.txt", f"label_{part}.txt")
        for name in names:
            _require(name in lines, path, f"{folder}/{name}")
        texts, labels = (lines[name] for name in names)
        if len(texts) != len(labels):
            raise PteError(
                f"{path}: {names[0]} has {len(texts)} lines and {names[1]} has {len(labels)}"
            )
        for text, label in zip(texts, labels, strict=True):
            yield Document(
                text, label.strip().decode(errors="backslashreplace") or None, PARTS[part]
            )


def labelled_tab(path: Path, train: str, test: str, header: int) -> Iterator[Document]:
    """`label<TAB>text`, one document a line, after `header` lines; one member for each part.

    Empty lines are passed over.
    """
    contents = dict(read_members(path, lambda name: name in (train, test)))
    for part, member in (("train", train), ("test", test)):
        _require(member in contents, path, member)
        lines = contents[member].removesuffix(b"\n").split(b"\n")[header:]
        for number, line in enumerate(lines, start=header + 1):
            if not line.strip():
                continue
            label, tab, text = line.partition(b"\t")
            if not tab:
                raise PteError(f"{path}: line {number} of {member} has no tab")
            yield Document(text, label.decode(errors="backslashreplace") or None, PARTS[part])


def wikiextractor(
    path: Path, labels: Path, id_column: str, label_column: str
) -> Iterator[Document]:
    """Wikipedia as WikiExtractor leaves it: members `AA/wiki_00`, …, of blocks that begin with a
    line `<doc id="…" …>` and end with a line `</doc>`. Order: the number `id`.

    `labels` is a table of tab-separated columns with a head line, compressed by gzip: what it says
    in `label_column` is the label of the document in `id_column`; documents without one there are
    unlabelled. All documents are of the training part.
    """
    label_of = _labels_by_id(labels, id_column, label_column)
    texts: dict[int, bytes] = {}
    wanted = re.compile(r"(?:.*/)?[A-Z]{2}/wiki_\d+")
    for member, content in read_members(path, lambda name: wanted.fullmatch(name) is not None):
        for number, text in _doc_blocks(content, f"{path}: {member}"):
            if number in texts:
                raise PteError(f"{path}: document {number} is there twice; repack the articles")
            texts[number] = text
    _require(texts, path, "a document in a file named like AA/wiki_00")
    for number, text in sorted(texts.items()):
        yield Document(text, label_of.get(number), TRAIN)


def table_column(path: Path, column: str, where: Mapping[str, str]) -> Iterator[Document]:
    """The texts in one column of a table of tab-separated columns with a head line, compressed by
    gzip: of the rows that hold what `where` says in other columns. All unlabelled, for training.
    """
    head, *rows = (line.split(b"\t") for line in read_gzip(path).splitlines() or [b""])
    places = _columns(path, head, [column, *where])
    wanted = [(places[name], value.encode()) for name, value in where.items()]
    for number, row in enumerate(rows, start=2):
        if len(row) != len(head):
            raise PteError(f"{path}: line {number} needs {len(head)} columns and has {len(row)}")
        if all(row[place] == value for place, value in wanted):
            yield Document(row[places[column]], None, TRAIN)


def _columns(path: Path, head: list[bytes], names: Sequence[str]) -> dict[str, int]:
    found = [name.decode(errors="backslashreplace") for name in head]
    for name in names:
        if name not in found:
            raise PteError(f"{path}: no column {name!r}; there are {', '.join(found)}")
    return {name: found.index(name) for name in names}


def _doc_blocks(content: bytes, where: str) -> Iterator[tuple[int, bytes]]:
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
    head, *rows = (line.split(b"\t") for line in read_gzip(path).splitlines() or [b""])
    places = _columns(path, head, [id_column, label_column])
    identifier, label = places[id_column], places[label_column]
    found = {}
    for number, row in enumerate(rows, start=2):
        if len(row) != len(head) or not row[identifier].isdigit():
            raise PteError(
                f"{path}: line {number} needs {len(head)} columns and a number as {id_column}"
            )
        if row[label]:
            found[int(row[identifier])] = row[label].decode(errors="backslashreplace")
    return found


def _require(found: object, path: Path, what: str) -> None:
    if not found:
        raise PteError(f"{path}: the archive does not hold {what}; is it the right file?")


READERS: dict[str, Callable[..., Iterator[Document]]] = {
    "class_folders": class_folders,
    "parallel_lines": parallel_lines,
    "labelled_tab": labelled_tab,
    "wikiextractor": wikiextractor,
    "table_column": table_column,
}
"""The readers by the names that `workflow/registry/corpora.yaml` uses."""


def read(
    path: Path, reader: str, options: Mapping[str, Any], labels: Path | None = None
) -> Iterator[Document]:
    """Read an archive with the reader and the options of its registry entry.

    `labels` is the second archive of readers that take the labels from elsewhere.
    """
    if labels is not None:
        return READERS[reader](path, labels, **options)
    return READERS[reader](path, **options)
