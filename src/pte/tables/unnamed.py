"""Documents without columns: folders of classes, lines with labels, plain lines."""

import os
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from pte.errors import PteError
from pte.tables.columns import Labels
from pte.tables.formats import called, content_of, decoded, readable, split_lines

PREFIX = "__label__"  # what stands before each label of a line of fastText

WITHOUT_LABELS = {
    "fasttext": f"no line begins with {PREFIX}; write {PREFIX}good before a text, or use another "
    "format, such as csv",
    "folders": "it holds no folder with files; put each class into a folder",
}
"""What is wrong with a file or folder in which no document has a label."""

UNLABELLED_FOLDERS = ("unlabelled", "unlabeled", "unsup")  # hold documents without a label

_NOT_TEXTS = ("Thumbs.db", "desktop.ini", "__MACOSX")
_MOST_BYTES = 1 << 28


class RawDocument(NamedTuple):
    """A document: its text, its labels, its id, and whether it is for the test."""

    text: str
    labels: Labels
    id: str
    is_test: bool = False


def _lines(file: str, doubts: list[str]) -> list[str]:
    text = decoded(called(file), content_of(file))
    doubts += [text.doubt] if text.doubt else []
    return split_lines(text.open().read())


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


# Folders


def files_below(folder: Path) -> list[Path]:
    """Return the files below a folder, ascending, without hidden ones and those of systems."""

    def refuse(error: OSError) -> None:
        what = f"this folder cannot be read: {error.strerror}"
        raise PteError(f"{error.filename}: {what}") from None

    found: list[Path] = []
    for root, folders, names in os.walk(folder, onerror=refuse, followlinks=True):
        folders[:], shown = (
            [name for name in each if not name.startswith((".", *_NOT_TEXTS))]
            for each in (folders, names)
        )
        around = {each.resolve() for each in (Path(root), *Path(root).parents)}
        if loops := [Path(root, name) for name in folders if Path(root, name).resolve() in around]:
            raise PteError(f"{loops[0]}: this link leads to a folder around it; take it out")
        found += [Path(root, name) for name in shown]
    return sorted(found)


def is_divided(path: Path) -> bool:
    """Return whether a folder has folders `train` and `test`, in small or large letters."""
    return {"train", "test"} <= {each.name.lower() for each in path.iterdir() if each.is_dir()}


def read_folders(file: str, doubts: list[str]) -> Iterator[RawDocument]:
    """Yield the files in the folders of classes, in the order of their paths, their ids."""
    path = Path(file)
    divided, files = is_divided(path), files_below(path)
    names = {each: readable(each.relative_to(path).as_posix()) for each in files}
    places = {each: _place(each.relative_to(path).parts, divided) for each in files}
    outside = [names[each] for each in files if not places[each]]
    flat = len(outside) == len(files)
    if outside and not flat:
        what = f"left out {len(outside)} files in no folder of a class: {outside[:5]}"
        print(f"{file}: {what}", file=sys.stderr)
    for each, place in places.items():
        if place or flat:
            test, label = place or (False, "")
            labels = () if label.lower() in ("", *UNLABELLED_FOLDERS) else (readable(label),)
            text, doubt = _text(each)
            if doubt and not doubts:
                doubts.append(f"{names[each]}: {doubt}")
            yield RawDocument(text, labels, names[each], test)


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
    text = decoded(readable(str(file)), file.read_bytes())
    return text.open().read(), text.doubt
