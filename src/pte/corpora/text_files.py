"""Reads the lines of text files of unknown origin: compressed or not, and with clear errors."""

import codecs
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from io import BufferedReader, TextIOWrapper
from pathlib import Path
from typing import IO

from pte.corpora.compressed import DAMAGE, HEAD, Compression, by_head, by_name
from pte.corpora.signatures import title_of
from pte.errors import PteError, naming

LONGEST_LINE = 1 << 26
"""How many characters a line may have. This bounds the memory that a wrong file takes."""

NOT_TEXTS = ("Thumbs.db", "desktop.ini", "__MACOSX")
"""Files and folders that Windows and macOS put into folders."""

_BOM = "\ufeff"
_WIDE = {b"\xff\xfe\x00\x00": "utf-32", b"\xff\xfe": "utf-16", b"\xfe\xff": "utf-16"}
_FEWEST_ZEROS = 8
"""So many zero bytes, all at odd or all at even places, are no accident."""

_ZEROS_PER_OTHER = 4
"""So many more must be there for each zero byte at other places, such as that of 一 (U+4E00)."""

_DEEPEST = 200
"""In how many folders below the first one a folder may be."""

LOOKED_AT = 1024
"""How many first bytes say what a file is."""

_NO_ZEROS = "if it is UTF-16, save it as UTF-8; else remove the zero bytes: tr -d '\\000'"


def check_file(path: Path) -> None:
    """Raise `PteError` if `path` is not a file."""
    if path.is_dir():
        raise PteError(f"{path}: this is a folder; give the file in it that holds the documents")
    if path.exists() and not path.is_file():
        raise PteError(f"{path}: this is a pipe or a device, which is read once; copy it to a file")
    if not path.is_file():
        raise PteError(f"{path}: no such file; check the path of the text")


def paths_below(folder: Path, above: frozenset[Path] = frozenset()) -> Iterator[Path]:
    """Yield the files and folders below a folder, in ascending order, also those behind links.

    Those whose name begins with a dot, and `NOT_TEXTS`, are left out with all that is in them.
    `above` are the folders around it. Raises `PteError` for a link to a folder around the link, for
    a folder that cannot be read, and for one in more than `_DEEPEST` others.
    """
    if len(above) > _DEEPEST:
        raise PteError(f"{folder}: it is in more than {_DEEPEST} folders; put it higher")
    real = folder.resolve()
    if real in above:
        raise PteError(
            f"{folder}: this link leads to a folder around it; take it out of the folder"
        )
    try:
        found = sorted(filter(may_hold_text, folder.iterdir()))
    except OSError as error:
        raise PteError(f"{folder}: this folder cannot be read: {error.strerror}") from None
    for path in found:
        yield path
        if path.is_dir():
            yield from paths_below(path, above | {real})


def may_hold_text(path: Path) -> bool:
    """Return whether the name of a file or a folder is none that `paths_below` leaves out."""
    return not path.name.startswith(".") and path.name not in NOT_TEXTS


def read_lines(path: Path, cut: bool = False) -> Iterator[str]:
    """Yield the lines of a file with their line ends as they are: LF, CRLF or CR.

    With `cut`, a line that is longer than `LONGEST_LINE` comes in parts of that length.

    The file has UTF-8, or UTF-16 or UTF-32 as `wide_head` finds. The end of the name says
    whether it is compressed. A byte order mark is dropped. Raises `PteError`, while iterating, for
    a file that is missing, damaged or in another encoding, for a folder, and for a line that holds
    a zero byte or is longer than `LONGEST_LINE`.
    """
    with open_binary(path) as binary:
        lines = lines_of(str(path), binary, wide_head(head_of(binary)) or "utf-8", cut)
        for number, line in enumerate(lines, start=1):
            check_text(f"{path}: line {number}", path, line)
            yield line


def decoded_lines(path: Path, encoding: str = "utf-8") -> Iterator[str]:
    """Yield the lines of a file in any encoding; bytes that do not decode become surrogates.

    Raises `PteError` as `read_lines` does, except for bytes that are not of the encoding. It also
    raises it for an encoding, such as UTF-16, in which such bytes cannot become surrogates.
    """
    with open_binary(path) as binary:
        is_wide = codecs.lookup(encoding).name.startswith(("utf-16", "utf-32"))
        if not is_wide and (found := wide_head(head_of(binary))):
            raise PteError(f"{path}: it is not {encoding}, but {found.upper()}: encoding={found}")
        yield from lines_of(str(path), binary, encoding)


def lines_of(
    name: str, binary: IO[bytes], encoding: str = "utf-8", cut: bool = False
) -> Iterator[str]:
    """Yield the lines of an open file as soon as they are there, as `decoded_lines` does.

    With `cut`, long lines come in parts, as `read_lines` says.
    """
    with TextIOWrapper(binary, encoding, "surrogateescape", newline="") as file:
        number = 0
        try:
            with naming(name):
                while line := file.readline(LONGEST_LINE + (not cut)):
                    number += 1
                    if number == 1:
                        line = line.removeprefix(_BOM)
                    _check_line(name, number, line)
                    yield line
        except UnicodeError as error:  # some encodings raise no `UnicodeDecodeError`
            why = getattr(error, "reason", error)
            raise PteError(
                f"{name}: after line {number} it is not {encoding} ({why}); give its encoding: "
                "encoding=…"
            ) from None


def check_text(where: str, path: Path, text: str) -> None:
    """Raise `PteError` for text that "surrogateescape" decoded from bytes that are not UTF-8."""
    if (near := undecoded(text)) is not None:
        raise PteError(
            f"{where} is not UTF-8 near {near!r}; save the file as UTF-8 in an editor, or convert "
            f"it, for example from Windows-1252: {_iconv(path, 'cp1252')}"
        )


def readable(name: str) -> str:
    """Return the name of a file as UTF-8 can hold it: bytes of other encodings become escapes."""
    return name.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")


def undecoded(text: str, encoding: str = "utf-8") -> bytes | None:
    """Return bytes around the first that "surrogateescape" could not decode; None if all could."""
    if text.isascii():
        return None
    try:
        text.encode()
    except UnicodeEncodeError as error:
        near = text[max(0, error.start - 20) : error.end + 20]
        with suppress(UnicodeError):  # UTF-32 has no single bytes
            return near.encode(encoding, "surrogateescape")
        return near.encode("utf-8", "surrogatepass")
    return None


def _check_line(name: str, number: int, line: str) -> None:
    if len(line) > LONGEST_LINE:
        raise PteError(
            f"{name}: line {number} has more than {LONGEST_LINE:,} characters; is it one document "
            "on each line? Cut it"
        )
    if "\0" in line:
        raise PteError(f"{name}: line {number} holds a zero byte; {_NO_ZEROS}")


def _iconv(path: Path, encoding: str) -> str:
    """Return the command that converts a file to UTF-8; it needs the file unpacked."""
    name = path.stem if by_name(path) else path.name
    unpack = "" if name == path.name else "(once it is unpacked) "
    return f"{unpack}iconv -f {encoding} -t utf-8 {name} > utf8-{name}"


@contextmanager
def open_binary(path: Path) -> Iterator[BufferedReader]:
    """Open a file for reading, unpacked.

    Raises `PteError` for a file that is missing or damaged, for a folder, and for what is no text
    and no file of vectors, as its first bytes say.
    """
    check_file(path)
    with path.open("rb") as raw:
        kind = by_name(path)
        _check_ending(path, kind, raw.peek(HEAD))
        try:
            with kind.unpacked(path, raw) if kind else raw as binary:
                head = head_of(binary)
                what = title_of(head)
                if kind and (inside := by_head(head)):
                    what = f"{inside.title} in {kind.title}; unpack it once"
                if what:
                    raise PteError(f"{path}: this is {what}")
                yield binary
        except DAMAGE as error:
            raise PteError(
                f"{path}: it cannot be read to its end ({error}); if it is truncated or corrupt, "
                "copy or compress it again"
            ) from error


def _check_ending(path: Path, kind: Compression | None, head: bytes) -> None:
    """Refuse a file that is not compressed as the end of its name says."""
    found = by_head(head)
    if head and kind and kind is not found:
        what = (
            f"{found.title}; put {found.ending} in place"
            if found
            else "not compressed; put nothing in place"
        )
        raise PteError(f"{path}: this is {what} of the {kind.ending} in its name")


def head_of(binary: BufferedReader) -> bytes:
    """Return the first bytes of an open file, which are read again after that."""
    return binary.peek(LOOKED_AT)[:LOOKED_AT]


def wide_head(head: bytes) -> str | None:
    """Return `utf-16` or `utf-32` for the first `LOOKED_AT` bytes of a file that have their mark.

    Without a mark, return `utf-16-le` or `utf-16-be` if zero bytes show it, and None otherwise.
    """
    if found := next((name for mark, name in _WIDE.items() if head.startswith(mark)), None):
        return found
    even, odd = head[::2].count(0), head[1::2].count(0)
    if max(even, odd) < _FEWEST_ZEROS + _ZEROS_PER_OTHER * min(even, odd):
        return None
    return "utf-16-le" if odd > even else "utf-16-be"
