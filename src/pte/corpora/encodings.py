"""Finds the encoding of a text file: UTF-8, UTF-16, UTF-32 or Windows-1252."""

import re
from dataclasses import dataclass
from pathlib import Path

from pte.corpora.text_files import decoded_lines, open_binary, undecoded, wide_encoding
from pte.errors import PteError

WINDOWS = "cp1252"
"""The encoding of Windows in Western Europe and America; Latin-1 is nearly the same."""

_MOST_FOREIGN = 0.3
"""The share of letters that have a byte above ASCII; above it, a text is not Western European."""

_ESCAPED = re.compile("[\udc80-\udcff]")
_ASCII_LETTER = re.compile("[A-Za-z]")
_UNDEFINED = re.compile("[\udc81\udc8d\udc8f\udc90\udc9d]")
_LETTERS = re.compile("[\udcc0-\udcff]")
_RARE_LETTERS = re.compile("[\udc83\udc8a\udc8c\udc8e\udc9a\udc9c\udc9e\udc9f]")


@dataclass
class _Counts:
    """What the lines of a file hold that is not ASCII."""

    line: int = 0
    """The first line that is not UTF-8."""
    near: bytes = b""
    """Bytes of this line around the first byte that is not UTF-8."""
    bad: int = 0
    """Bytes that are not UTF-8."""
    good: int = 0
    """Characters of UTF-8 that are not ASCII."""
    ascii_letters: int = 0
    letters: int = 0
    rare_letters: int = 0
    undefined: int = 0

    def add(self, number: int, line: str) -> None:
        """Count the characters of a line."""
        escaped = len(_ESCAPED.findall(line))
        self.good += sum(c > "\x7f" for c in line) - escaped
        if not escaped:
            return
        if not self.bad:
            self.line, self.near = number, undecoded(line) or b""
        self.bad += escaped
        self.ascii_letters += len(_ASCII_LETTER.findall(line))
        self.letters += len(_LETTERS.findall(line))
        self.rare_letters += len(_RARE_LETTERS.findall(line))
        self.undefined += len(_UNDEFINED.findall(line))

    @property
    def is_windows(self) -> bool:
        """Whether the lines that are not UTF-8 look like Western European text of Windows."""
        letters = self.letters + self.rare_letters
        return (
            not self.undefined
            and self.good <= self.bad
            and self.rare_letters <= self.letters
            and letters <= _MOST_FOREIGN * (letters + self.ascii_letters)
        )


def find_encoding(path: Path) -> str:
    """Return the encoding of a file: UTF-8, UTF-16 or UTF-32, or `cp1252`, from all of its bytes.

    `utf-8-sig`, `utf-16` and `utf-32` are for files that begin with a byte order mark. Raises
    `PteError`, naming the first line that is not UTF-8, when the file is none of these, and as
    `read_lines` does.
    """
    if wide := wide_encoding(path):
        return wide
    counts = _Counts()
    with open_binary(path) as binary:
        marked = binary.read(3) == b"\xef\xbb\xbf"
    for number, line in enumerate(decoded_lines(path), start=1):
        if not line.isascii():
            counts.add(number, line)
    if not counts.bad:
        return "utf-8-sig" if marked else "utf-8"
    if counts.is_windows:
        return WINDOWS
    fault = "but other lines are; mend it, or" if counts.good > counts.bad else "nor Windows-1252;"
    raise PteError(
        f"{path}: line {counts.line} is not UTF-8 near {counts.near!r}, {fault} give the "
        "encoding of the file: encoding=…, such as cp1251, gb18030 or shift_jis"
    )
