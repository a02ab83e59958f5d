"""Documents without columns: folders of classes, lines with labels, bags of words, plain lines."""

import os
import re
import sys
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from pte.errors import PteError
from pte.tables.columns import Labels
from pte.tables.formats import vocabulary_of
from pte.tables.text import called, content_of, decoded, readable

PREFIX = "__label__"
"""What stands before each label of a line of fastText."""

WITHOUT_LABELS = {
    "fasttext": f"no line begins with {PREFIX}; write {PREFIX}good before a text, or use another "
    "format, such as csv",
    "folders": "it holds no folder with files; put each class into a folder",
}
"""What is wrong with a file or folder in which no document has a label."""

UNLABELLED_FOLDERS = ("unlabelled", "unlabeled", "unsup")
"""Folders with these names hold documents without a label."""

MOST, MOST_WORDS = 1_000_000, 10_000_000
"""How often a bag of words may hold one word, and how many words in all: bytes stand for many."""

_NOT_TEXTS = ("Thumbs.db", "desktop.ini", "__MACOSX")
_DEEPEST = 200
_MOST_BYTES = 1 << 28
_LONGEST_INDEX = 20


class RawDocument(NamedTuple):
    """A document: its text, its labels, its id, and whether it is for the test."""

    text: str
    labels: Labels
    id: str
    is_test: bool = False


def _lines(file: str, doubts: list[str]) -> list[str]:
    text, _, doubt = decoded(called(file), content_of(file))
    doubts += [doubt] if doubt else []
    return re.split(r"\r\n|\n|\r", re.sub(r"(\r\n|\n|\r)\Z", "", text))


def read_lines(file: str, doubts: list[str]) -> Iterator[RawDocument]:
    """Yield a document for each line, without white space around it."""
    lines = _lines(file, doubts)
    if not any(map(str.strip, lines)):
        raise PteError(f"{called(file)}: it holds no text; put a document on each line")
    yield from (
        RawDocument(line.strip(), (), str(number)) for number, line in enumerate(lines, start=1)
    )


def read_label_lines(file: str, doubts: list[str]) -> Iterator[RawDocument]:
    """Yield the documents of lines like `__label__good __label__long The text.`."""
    lines = [line.strip() for line in _lines(file, doubts)]
    plain = not any(line.startswith(PREFIX) for line in lines)
    for number, rest in enumerate(lines, start=1):
        labels = []
        while rest.startswith(PREFIX):
            label, *after = rest.split(None, 1)
            labels.append(label.removeprefix(PREFIX))
            rest = after[0] if after else ""
        labels = list(dict.fromkeys(filter(None, labels)))
        if labels or rest or plain:
            yield RawDocument(rest, tuple(labels), str(number))


# Bags of words


def read_counts(file: str, doubts: list[str]) -> Iterator[RawDocument]:
    """Yield documents of SVMlight's lines: `sport,news 3:2 17:1 # a comment` is `3 3 17`."""
    known = vocabulary_of(file)
    words = _vocabulary(known, doubts) if known.is_file() else None
    for number, line in enumerate(_lines(file, doubts), start=1):
        content = line.partition("#")[0]
        if not content.strip():
            continue
        where = f"{called(file)}: line {number}"
        names, *pairs = "", content
        if not content[0].isspace():  # a label may hold other spaces
            names, *pairs = re.split("[ \t]", content, maxsplit=1)
        labels = dict.fromkeys(filter(None, (each.strip() for each in names.split(","))))
        found: list[str] = []
        for pair in " ".join(pairs).split():
            found += _repeated(where, pair, words)
            if len(found) > MOST_WORDS:
                raise PteError(f"{where}: it has more than {MOST_WORDS:,} words; cut the document")
        yield RawDocument(" ".join(found), tuple(labels), str(number))


def _vocabulary(path: Path, doubts: list[str]) -> list[str]:
    words = [line.strip() for line in _lines(str(path), doubts)]
    for number, word in enumerate(words, start=1):
        if len(word.split()) != 1:
            raise PteError(f"{path}: line {number} must hold one word, and holds {word!r}")
    return words


def _repeated(where: str, pair: str, words: Sequence[str] | None) -> list[str]:
    """Return the word of a pair `index:count`, repeated `count` times; nothing for `qid`."""
    index, _, given = pair.partition(":")
    if index == "qid":
        return []
    try:
        count = float(given)
        is_index = index.isascii() and index.isdigit() and len(index) <= _LONGEST_INDEX
        if not is_index or count % 1 or not 0 <= count <= MOST:
            raise ValueError
    except ValueError:
        raise PteError(
            f"{where}: {pair!r} is not index:count; a count is a whole number from 0 to {MOST:,}"
        ) from None
    if words is None:
        return [index] * int(count)
    if not 1 <= int(index) <= len(words):
        raise PteError(f"{where}: index {index} has no word; indices are 1 to {len(words)}")
    return [words[int(index) - 1]] * int(count)


# Folders


def paths_below(folder: Path, above: frozenset[Path] = frozenset()) -> Iterator[Path]:
    """Yield what is below a folder, ascending, without hidden files and those of systems."""
    if len(above) > _DEEPEST:
        raise PteError(f"{folder}: it is in more than {_DEEPEST} folders; put it higher")
    real = folder.resolve()
    if real in above:
        raise PteError(f"{folder}: this link leads to a folder around it; take it out")
    try:
        found = sorted(each for each in folder.iterdir() if _may_hold_text(each.name))
    except OSError as error:
        raise PteError(f"{folder}: this folder cannot be read: {error.strerror}") from None
    for path in found:
        yield path
        if path.is_dir():
            yield from paths_below(path, above | {real})


def _may_hold_text(name: str) -> bool:
    return not name.startswith(".") and name not in _NOT_TEXTS


def is_divided(path: Path) -> bool:
    """Return whether a folder has folders `train` and `test`, in small or large letters."""
    return {"train", "test"} <= {each.name.lower() for each in path.iterdir() if each.is_dir()}


def read_folders(file: str, doubts: list[str]) -> Iterator[RawDocument]:
    """Yield the files in the folders of classes, in the order of their paths, their ids."""
    path = Path(file)
    divided, files = is_divided(path), [each for each in paths_below(path) if not each.is_dir()]
    places = {each: _place(each.relative_to(path).parts, divided) for each in files}
    outside = [readable(each.relative_to(path).as_posix()) for each in files if not places[each]]
    folders = {each for each in paths_below(path) if each.is_dir()}
    empty = folders.difference(*(each.parents for each in files))
    for what, names in (
        ("files in no folder of a class", outside if len(outside) < len(files) else []),
        ("empty folders", sorted(readable(each.relative_to(path).as_posix()) for each in empty)),
    ):
        if names:
            print(f"{file}: left out {len(names)} {what}: {names[:5]}", file=sys.stderr)
    first = ""
    for each, place in places.items():
        if place or len(outside) == len(files):
            test, label = place or (False, "")
            labels = () if label.lower() in ("", *UNLABELLED_FOLDERS) else (readable(label),)
            text, doubt = _text(each)
            first = first or (doubt and f"{each.relative_to(path)}: {doubt}")
            yield RawDocument(text, labels, readable(each.relative_to(path).as_posix()), test)
    doubts += [first] if first else []


def reads(path: Path, file: Path) -> bool:
    """Return whether `read_folders` takes, or would take, a file of the folder as a document."""
    file = Path(os.path.realpath(file))
    known = next(each for each in (file, *file.parents) if each.exists())
    missing = file.relative_to(known)
    if not all(map(_may_hold_text, missing.parts)):
        return False
    divided, below = is_divided(path), list(paths_below(path))

    def is_of_class(each: Path) -> bool:
        return _place(each.relative_to(path).parts, divided) is not None

    places = [each / missing for each in (path, *below) if _is(each, known)]
    if any(map(is_of_class, places)):
        return True
    files = [each for each in below if not each.is_dir()]
    return bool(places) and bool(files) and not any(map(is_of_class, files))


def _is(one: Path, other: Path) -> bool:
    with suppress(OSError):  # a link may lead nowhere
        return one.samefile(other)
    return False


def _place(inside: Sequence[str], divided: bool) -> tuple[bool, str] | None:
    """Return whether a document is for the test, and the folder of its class; None without one."""
    parts = {"train": False, "test": True}
    top = inside[0].lower() if inside else ""
    if not divided or top in UNLABELLED_FOLDERS:
        return (False, inside[0]) if len(inside) > 1 else None
    return (parts[top], inside[1]) if top in parts and len(inside) > 2 else None


def _text(file: Path) -> tuple[str, str]:
    if not file.is_file():
        what = "a pipe, a device or a link that leads nowhere"
        raise PteError(f"{file}: this is {what}; take it out of the folder")
    if (size := file.stat().st_size) > _MOST_BYTES:
        raise PteError(f"{file}: it has {size:,} bytes, more than {_MOST_BYTES:,}; is it a text?")
    text, _, doubt = decoded(readable(str(file)), file.read_bytes())
    return text, doubt
