"""What the bytes of a user's file are: unpacked, and decoded."""

import codecs
import re
import sys
from collections.abc import Iterator
from io import BytesIO, TextIOWrapper
from pathlib import Path
from typing import IO

from pte.corpora.compressed import (
    ALWAYS_ALLOWED,
    DAMAGE,
    HEAD,
    MOST_CONTENT,
    MOST_RATIO,
    by_head,
    refuse_more,
    refuse_other_files,
)
from pte.errors import PteError, naming

STANDARD_INPUT = "-"

MOST_PIPED = 2**31
"""The most bytes that are taken from a pipe, which may have no end."""

LONGEST_LINE = 1 << 26
"""How many characters a field or a line of standard input may have."""

WINDOWS = "cp1252"
"""The encoding of Windows in Western Europe and America; Latin-1 is nearly the same."""


def called(file: str) -> str:
    """Return how messages call a file."""
    return "standard input" if file == STANDARD_INPUT else file


def is_stream(file: str) -> bool:
    """Return whether a file can be read only once: standard input, a pipe or a device."""
    path = Path(file)
    return file == STANDARD_INPUT or (path.exists() and not (path.is_file() or path.is_dir()))


def readable(name: str) -> str:
    """Return the name of a file as UTF-8 can hold it: bytes of other encodings become escapes."""
    return name.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")


def content_of(file: str) -> bytes:
    """Return what a file, a pipe or standard input holds, unpacked."""
    name, path = called(file), Path(file)
    if path.is_dir():
        raise PteError(f"{name}: this is a folder; give the file in it that holds the documents")
    with naming(name):
        if not is_stream(file):
            return unpacked(name, path.read_bytes())
        with sys.stdin.buffer if file == STANDARD_INPUT else path.open("rb") as stream:
            piped = stream.read(MOST_PIPED + 1)
    if len(piped) > MOST_PIPED:
        raise PteError(f"{name}: more than {MOST_PIPED:,} bytes arrived; give a file")
    return unpacked(name, piped)


def unpacked(name: str, content: bytes) -> bytes:
    """Return what some bytes hold, which may be compressed by gzip, bzip2 or xz."""
    if not (packing := by_head(content[:HEAD])):
        return content
    most = min(MOST_CONTENT, max(ALWAYS_ALLOWED, MOST_RATIO * len(content)))
    try:
        found: bytes = packing.open(BytesIO(content)).read(most + 1)
    except DAMAGE as error:
        raise PteError(
            f"{name}: it cannot be read to its end ({error}); if it is truncated or corrupt, copy "
            "or compress it again"
        ) from error
    refuse_more(Path(name), len(found), most)
    return found


def decoded(name: str, content: bytes, given: str | None = None) -> tuple[str, str, str]:
    """Return the text, its encoding (UTF-16 by mark, UTF-8 or cp1252), and what is doubtful."""
    refuse_other_files(name, content)
    encoding, doubt = given or "utf-8-sig", ""
    if not given and content.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        encoding = "utf-16"
    try:
        text = _as_text(name, content, encoding)
    except UnicodeError as error:
        if given or encoding == "utf-16":
            raise PteError(f"{name}: {_place(content, error)} is not {encoding}; {_GIVE}") from None
        encoding = WINDOWS
        try:
            text = content.decode(encoding)
        except UnicodeError:
            where = _place(content, error)
            raise PteError(f"{name}: {where} is neither UTF-8 nor Windows-1252; {_GIVE}") from None
        found = re.search(r"[^\W\x00-\x7f]", text) or re.search(r"[^\x00-\x7f]", text)
        at = found.start() if found else 0
        before = re.split(r"\W", text[max(0, at - 30) : at])[-1]
        shown = before + text[at : at + 1] + re.split(r"\W", text[at + 1 : at + 30])[0]
        doubt = (
            f"it is not UTF-8, and is read as Windows-1252 ({WINDOWS}), such as {shown!r}; if that "
            "is wrong, give its --encoding"
        )
    if "\0" in text:
        line = text[: text.index("\0")].count("\n") + 1
        raise PteError(
            f"{name}: line {line} holds a zero byte; if it is UTF-16, give --encoding utf-16-le; "
            "else remove the zero bytes: tr -d '\\000'"
        )
    if encoding == "utf-8-sig" and not content.startswith(codecs.BOM_UTF8):
        encoding = "utf-8"
    return text.removeprefix("\ufeff"), encoding, doubt


_GIVE = "save it as UTF-8, or give its --encoding, such as cp1251, gb18030 or shift_jis"


def _as_text(name: str, content: bytes, encoding: str) -> str:
    try:
        return TextIOWrapper(BytesIO(content), encoding, newline="").read()
    except (LookupError, ValueError) as error:
        if isinstance(error, UnicodeDecodeError) or "BOM" in str(error):
            raise
        raise PteError(
            f"{name}: encoding {encoding!r} is not known; known are utf-8, utf-16, cp1252, cp1251, "
            "gbk and others of Python"
        ) from None


def _place(content: bytes, error: UnicodeError) -> str:
    begin = getattr(error, "start", 0)
    near = content[max(0, begin - 20) : begin + 20]
    return f"line {content[:begin].count(10) + 1}, near {near!r},"


def lines_of(name: str, binary: IO[bytes]) -> Iterator[str]:
    """Yield the lines of an open file in UTF-8 as soon as they are there."""
    file = TextIOWrapper(binary, "utf-8", "surrogateescape", newline="")
    with file, naming(name):
        number = 0
        while line := file.readline(LONGEST_LINE + 1):
            number += 1
            if len(line) > LONGEST_LINE:
                most = f"{LONGEST_LINE:,}"
                raise PteError(f"{name}: line {number} has more than {most} characters")
            try:
                line.encode()
            except UnicodeEncodeError as error:
                near = line[max(0, error.start - 20) : error.end + 20]
                raise PteError(
                    f"{name}: line {number} is not UTF-8 near "
                    f"{near.encode('utf-8', 'surrogateescape')!r}; convert it: "
                    "iconv -f cp1252 -t utf-8"
                ) from None
            yield line if number > 1 else line.removeprefix("\ufeff")
