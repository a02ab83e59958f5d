"""What a user's file is: its format by its name, its bytes unpacked, and its text decoded."""

import codecs
import re
import sys
from collections.abc import Iterator
from functools import partial
from io import BytesIO, TextIOWrapper
from pathlib import Path
from typing import IO, NamedTuple

from pte.corpora.compressed import (
    ENDINGS,
    HEAD,
    by_head,
    naming_damage,
    refuse_other_files,
    uncompressed,
)
from pte.errors import PteError, naming

FORMATS = {
    "csv": (".csv",),
    "tsv": (".tsv", ".tab"),
    "xlsx": (".xlsx",),
    "ods": (".ods",),
    "jsonl": (".jsonl", ".ndjson", ".json"),
    "parquet": (".parquet", ".pq"),
    "folders": (),
    "fasttext": (".txt", ".ft", ".fasttext"),
}
"""The endings of the files of each format."""

TABLES = ("csv", "tsv", "xlsx", "ods", "jsonl", "parquet")  # with named columns; they come back
LINES = "lines"  # the format of plain text: a document on each line, without labels

STANDARD_INPUT = "-"

MOST_PIPED = 2**31  # the most bytes that are taken from a pipe, which may have no end
_BLOCK = 1 << 16  # characters that are decoded at a time
LONGEST_LINE = 1 << 26  # how many characters a field or a line of standard input may have

_GIVE = "save it as UTF-8, or give its --encoding, such as cp1251, gb18030 or shift_jis"


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


def format_of_name(name: str) -> str | None:
    """Return the format that the end of a file's name says; None if it says none."""
    plain = uncompressed(name.lower())
    return next((kind for kind, ends in FORMATS.items() if ends and plain.endswith(ends)), None)


def format_of(file: str, given: str | None) -> str:
    """Return the format of a file or folder: the given one, or what its name says."""
    path, name = Path(file), called(file)
    if file != STANDARD_INPUT and not path.exists():
        raise PteError(f"{name}: no such file; check the path of the text")
    if given is not None and given not in (*FORMATS, LINES):
        raise PteError(f"{name}: format {given!r} is not one of {', '.join(FORMATS)}")
    kind = given or format_of_name(path.name) or ("folders" if path.is_dir() else None)
    if kind is None:
        endings = ", ".join(end for ends in FORMATS.values() for end in ends)
        what = f"the end of the name says no format; known are {endings}, those of text also with "
        what += f"{', '.join(ENDINGS)}; rename it, or give one of {', '.join(FORMATS)}: --format"
        raise PteError(f"{name}: {what}")
    if path.is_dir() == (kind == "folders"):
        return kind
    if given is None and kind not in TABLES:
        return "folders"
    found, wanted = ("folder", "file") if path.is_dir() else ("file", "folder")
    more = "; if each file in it is a document: --format folders" if path.is_dir() else ""
    raise PteError(f"{name}: this is a {found}, but format {kind} needs a {wanted}{more}")


def content_of(file: str) -> bytes:
    """Return what a file, a pipe or standard input holds, unpacked."""
    name = called(file)
    with naming(name):
        if not is_stream(file):
            return _unpacked(name, Path(file).read_bytes())
        with sys.stdin.buffer if file == STANDARD_INPUT else Path(file).open("rb") as stream:
            piped = stream.read(MOST_PIPED + 1)
    if len(piped) > MOST_PIPED:
        raise PteError(f"{name}: more than {MOST_PIPED:,} bytes arrived; give a file")
    return _unpacked(name, piped)


def _unpacked(name: str, content: bytes) -> bytes:
    if not (packing := by_head(content[:HEAD])):
        return content
    with naming_damage(name):
        return packing.unpacked(name, BytesIO(content), len(content)).read()


class Decoded(NamedTuple):
    """A text in its encoding (UTF-16 by mark, UTF-8 or cp1252), and what is doubtful of it."""

    content: bytes
    encoding: str
    doubt: str = ""

    def open(self) -> TextIOWrapper:
        """Return a file of the text, behind its mark of the encoding."""
        file = TextIOWrapper(BytesIO(self.content), self.encoding, newline="")
        if file.read(1) != "\ufeff":
            file.seek(0)
        return file

    def holds(self, character: str, begin: int) -> bool:
        file = self.open()
        file.read(begin)
        return any(character in block for block in iter(partial(file.read, _BLOCK), ""))


def decoded(name: str, content: bytes, given: str | None = None) -> Decoded:
    """Return a text, all of which decodes and has no zero byte. Raises `PteError`."""
    refuse_other_files(name, content)
    encoding = given or "utf-8-sig"
    if not given and content.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        encoding = "utf-16"
    try:
        file = TextIOWrapper(BytesIO(content), encoding, newline="")
        zero = _line_of_zero(file)
    except (LookupError, ValueError) as error:
        if not isinstance(error, UnicodeDecodeError) and "BOM" not in str(error):
            raise PteError(
                f"{name}: encoding {encoding!r} is not known; known are utf-8, utf-16, cp1252, "
                "cp1251, gbk and others of Python"
            ) from None
        begin = 0
        if isinstance(error, UnicodeDecodeError):  # it counts from a block
            begin = file.buffer.tell() - len(error.object) + error.start
        near = content[max(0, begin - 20) : begin + 20]
        where = f"{name}: line {content[:begin].count(10) + 1}, near {near!r},"
        if given or encoding == "utf-16":
            raise PteError(f"{where} is not {encoding}; {_GIVE}") from None
        encoding = "cp1252"
        try:
            zero = _line_of_zero(TextIOWrapper(BytesIO(content), encoding, newline=""))
        except UnicodeError:
            raise PteError(f"{where} is neither UTF-8 nor Windows-1252; {_GIVE}") from None
    if zero:
        raise PteError(
            f"{name}: line {zero} holds a zero byte; if it is UTF-16, give --encoding utf-16-le; "
            "else remove the zero bytes: tr -d '\\000'"
        )
    doubt = (
        "it is not UTF-8, and is read as Windows-1252 (cp1252); if that is wrong, give its "
        "--encoding"
    )
    if encoding == "utf-8-sig" and not content.startswith(codecs.BOM_UTF8):
        encoding = "utf-8"
    return Decoded(content, encoding, "" if given or encoding != "cp1252" else doubt)


def _line_of_zero(file: TextIOWrapper) -> int:
    """Read a text to its end; return the line of its first zero byte, or 0 without one."""
    line, found = 1, 0
    while block := file.read(_BLOCK):
        if not found and "\0" in block:
            found = line + block[: block.index("\0")].count("\n")
        line += block.count("\n")
    return found


def split_lines(text: str) -> list[str]:
    """Return the lines of a text, which end in LF, CRLF or CR."""
    return re.split(r"\r\n|\n|\r", re.sub(r"(\r\n|\n|\r)\Z", "", text))


def lines_of(name: str, binary: IO[bytes]) -> Iterator[str]:
    """Yield the lines of an open file in UTF-8 as soon as they are there."""
    with TextIOWrapper(binary, "utf-8-sig", newline="") as file, naming(name):
        try:
            while line := file.readline(LONGEST_LINE + 1):
                if len(line) > LONGEST_LINE:
                    raise PteError(f"{name}: a line has more than {LONGEST_LINE:,} characters")
                yield line
        except UnicodeDecodeError as error:
            near = error.object[max(0, error.start - 20) : error.end + 20]
            raise PteError(
                f"{name}: it is not UTF-8 near {near!r}; convert it: iconv -f cp1252 -t utf-8"
            ) from None
