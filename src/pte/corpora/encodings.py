"""Finds the encoding of a text file: UTF-8, UTF-16, UTF-32 or Windows-1252."""

import codecs
import re
from collections import Counter
from pathlib import Path

from pte.corpora.text_files import decoded_lines, head_of, open_binary, undecoded, wide_head
from pte.errors import PteError

WINDOWS = "cp1252"
"""The encoding of Windows in Western Europe and America; Latin-1 is nearly the same."""

_MOST_FOREIGN = 0.3
"""The share of letters that have a byte above ASCII; above it, a text is not Western European."""

_KINDS = {
    kind: re.compile(characters)
    for kind, characters in {
        "bad": "[\udc80-\udcff]",
        "ascii_letters": "[A-Za-z]",
        "letters": "[\udcc0-\udcff]",
        "rare_letters": "[\udc83\udc8a\udc8c\udc8e\udc9a\udc9c\udc9e\udc9f]",
        "undefined": "[\udc81\udc8d\udc8f\udc90\udc9d]",
    }.items()
}
"""What is counted in lines that are not UTF-8; bytes that are not UTF-8 are surrogates there."""


def find_encoding(path: Path) -> str:
    """Return the encoding of a file: UTF-8, UTF-16 or UTF-32, or `cp1252`, from all of its bytes.

    `utf-8-sig`, `utf-16` and `utf-32` are for files that begin with a byte order mark. Raises
    `PteError`, naming the first line that is not UTF-8, when the file is none of these, and as
    `read_lines` does.
    """
    with open_binary(path) as binary:
        head = head_of(binary)
    if wide := wide_head(head):
        return wide
    counts: Counter[str] = Counter()
    first = ""
    for number, line in enumerate(decoded_lines(path), start=1):
        if line.isascii():
            continue
        bad = len(_KINDS["bad"].findall(line))
        counts["good"] += sum(c > "\x7f" for c in line) - bad  # characters that are not ASCII
        if bad:
            first = first or f"line {number} is not UTF-8 near {undecoded(line)!r}"
            counts.update({kind: len(each.findall(line)) for kind, each in _KINDS.items()})
    if not first:
        return "utf-8-sig" if head.startswith(codecs.BOM_UTF8) else "utf-8"
    if _is_windows(counts):
        return WINDOWS
    is_mixed = counts["good"] > counts["bad"]
    fault = "but other lines are; mend it, or" if is_mixed else "nor Windows-1252;"
    raise PteError(
        f"{path}: {first}, {fault} give the encoding of the file: encoding=…, such as cp1251, "
        "gb18030 or shift_jis"
    )


def _is_windows(counts: Counter[str]) -> bool:
    """Whether the lines that are not UTF-8 look like Western European text of Windows."""
    letters = counts["letters"] + counts["rare_letters"]
    return (
        not counts["undefined"]
        and counts["good"] <= counts["bad"]
        and counts["rare_letters"] <= counts["letters"]
        and letters <= _MOST_FOREIGN * (letters + counts["ascii_letters"])
    )
