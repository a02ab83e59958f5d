"""Archives of texts in common forms: folders or files of classes, lines, columns."""

import re
from collections.abc import Iterator, Mapping
from pathlib import Path

from pte.corpora.archives import read_members, stream_lines
from pte.corpora.document import PARTS, TRAIN, Document, label_of, read_table, require, unescaped
from pte.errors import PteError


def class_folders(path: Path, pattern: str) -> Iterator[Document]:
    """Read members that match `pattern`, ordered by its groups `part`, `label` and `name`."""
    found = [
        ((PARTS[fields["part"]], fields["label"], fields["name"]), text)
        for fields, text in read_members(path, pattern)
    ]
    require(found, path, f"a file named like {pattern}")
    for (part, label, _), text in sorted(found, key=lambda item: item[0]):
        yield Document(text, label, part)


def class_lines(path: Path, pattern: str, html_entities: bool = False) -> Iterator[Document]:
    """Read the lines of members that match `pattern`, with a group `label`; all are training."""
    found = [(fields["label"], content) for fields, content in read_members(path, pattern)]
    require(any(c.strip() for _, c in found), path, f"a document in a file named like {pattern}")
    for label, content in sorted(found):
        for line in filter(bytes.strip, content.split(b"\n")):
            text = line.removesuffix(b"\r")
            if html_entities:
                said = unescaped(text.decode("utf-8", "surrogateescape"))
                text = said.encode("utf-8", "surrogateescape")
            yield Document(text, label, TRAIN)


def parallel_lines(path: Path, folder: str) -> Iterator[Document]:
    """Read line i of `text_{part}.txt`; its label, or none, is line i of `label_{part}.txt`."""
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


def labelled_tab(path: Path, train: str, test: str, header: int) -> Iterator[Document]:
    """Read the members `train` and `test` of a zip archive, without head and empty lines."""
    for part, member in (("train", train), ("test", test)):
        for number, line in enumerate(stream_lines(path, member), start=1):
            if number <= header or not line.strip():
                continue
            label, tab, text = line.removesuffix(b"\n").partition(b"\t")
            if not tab:
                raise PteError(f"{path}: line {number} of {member} has no tab")
            yield Document(text, label_of(label), PARTS[part])


def table_column(path: Path, column: str, where: Mapping[str, str]) -> Iterator[Document]:
    """Read `column`, unlabelled, of the rows whose other columns have the values in `where`."""
    wanted = [value.encode() for value in where.values()]
    for _, (text, *fields) in read_table(path, [column, *where]):
        if fields == wanted:
            yield Document(text, None, TRAIN)
