"""A folder for each class, with a file for each document."""

import os
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path

from pte.corpora.columns import make_document
from pte.corpora.document import PARTS, Document
from pte.corpora.parts import TRAIN
from pte.corpora.text_files import (
    LOOKED_AT,
    check_text,
    may_hold_text,
    paths_below,
    readable,
    wide_head,
)
from pte.errors import PteError

UNLABELLED_FOLDERS = ("unlabelled", "unlabeled", "unsup")
"""Folders with these names hold documents without a label."""

_MOST_BYTES = 1 << 28


def is_divided(path: Path) -> bool:
    """Return whether a folder has folders `train` and `test`, in small or large letters."""
    return PARTS.keys() <= {each.name.lower() for each in path.iterdir() if each.is_dir()}


def read(path: Path) -> Iterator[Document]:
    """Read the files in the folders of classes, in the order of their paths.

    The folders may be inside `train` and `test`. The id of a document is its path inside `path`.
    What `paths_below` leaves out is skipped. Files outside the folders of classes are skipped, too,
    and their number is printed, like that of empty folders; if there are no others, they are
    documents without a label. Raises `PteError` if `path` is not a folder or has no documents, and
    for a document that is not UTF-8, holds zero bytes or is very large.
    """
    if path.is_file():
        raise PteError(
            f"{path}: this is a file; give the folder that holds a folder for each class"
        )
    if not path.is_dir():
        raise PteError(f"{path}: no such folder; check the path of the texts")
    divided = is_divided(path)
    outside, empty = list[Path](), list[str]()
    any_document = False
    for file in paths_below(path):
        inside = tuple(map(readable, file.relative_to(path).parts))
        if file.is_dir():
            empty += [] if any(paths_below(file)) else ["/".join(inside)]
            continue
        found = _place(inside, divided)
        if found is None:
            outside.append(file)
            continue
        part, label = found
        labels = [] if label.lower() in UNLABELLED_FOLDERS else [label]
        any_document = True
        yield make_document(_text(file), labels, part, "/".join(inside))
    names = [readable(file.relative_to(path).as_posix()) for file in outside]
    if not any_document and not outside:
        raise PteError(f"{path}: it holds no folder with files; put each class into a folder")
    if not any_document:
        for file, name in zip(outside, names, strict=True):
            yield make_document(_text(file), [], TRAIN, name)
    elif outside:
        print(f"{path}: left out {len(outside)} files in no folder of a class: {names[:5]}")
    if empty:
        print(f"{path}: left out {len(empty)} empty folders: {empty[:5]}")


def reads(path: Path, file: Path) -> bool:
    """Return whether `read` takes a file for a document of the folder `path`.

    A file that is not there yet counts as if it were. Links are followed.
    """
    file = Path(os.path.realpath(file))
    known = next(each for each in (file, *file.parents) if each.exists())
    missing = file.relative_to(known)
    if not all(may_hold_text(Path(name)) for name in missing.parts):
        return False
    divided, below = is_divided(path), list(paths_below(path))
    places = [each / missing for each in (path, *below) if _is(each, known)]
    if any(_is_of_class(path, place, divided) for place in places):
        return True
    files = [each for each in below if not each.is_dir()]
    flat = bool(files) and not any(_is_of_class(path, each, divided) for each in files)
    return bool(places) and flat


def _is(one: Path, other: Path) -> bool:
    with suppress(OSError):  # a link may lead nowhere
        return one.samefile(other)
    return False


def _is_of_class(path: Path, file: Path, divided: bool) -> bool:
    inside = file.relative_to(path).parts
    return bool(inside) and _place(inside, divided) is not None


def _place(inside: Sequence[str], divided: bool) -> tuple[int, str] | None:
    """Return the part and the folder of the class of a document; None for a file in no class."""
    unknown = inside[0].lower() in UNLABELLED_FOLDERS
    part, place = (PARTS.get(inside[0].lower()), 1) if divided and not unknown else (TRAIN, 0)
    return None if part is None or len(inside) < place + 2 else (part, inside[place])


def _text(file: Path) -> str:
    if not file.is_file():
        what = "a pipe, a device or a link that leads nowhere"
        raise PteError(f"{file}: this is {what}; take it out of the folder")
    size = file.stat().st_size
    if size > _MOST_BYTES:
        raise PteError(f"{file}: it has {size:,} bytes, more than {_MOST_BYTES:,}; is it a text?")
    content = file.read_bytes()
    if wide := wide_head(content[:LOOKED_AT]):
        try:
            content = content.decode(wide).encode()
        except UnicodeError as error:
            raise PteError(f"{file}: it is not {wide} ({error}); write it in UTF-8") from None
    if b"\0" in content:
        at = content[: content.index(0)].count(b"\n") + 1
        raise PteError(
            f"{file}: line {at} holds a zero byte, so it is no text in UTF-8; give a folder that "
            "holds a folder of texts for each class, and no other files"
        )
    text = content.decode("utf-8", "surrogateescape").removeprefix("\ufeff")
    try:
        text.encode()
    except UnicodeEncodeError as error:
        check_text(f"{file}: line {text[: error.start].count(chr(10)) + 1}", file, text)
    return text
