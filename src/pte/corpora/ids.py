"""Ids of documents as a file of lines, whatever characters the ids hold."""

import re
from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

_ESCAPED = {"\\": "\\\\", "\n": "\\n", "\r": "\\r"}
_PLAIN = {escaped: plain for plain, escaped in _ESCAPED.items()}


def to_lines(ids: Iterable[str]) -> NDArray[np.uint8]:
    """Return the bytes of a file with an id on each line, escaping backslashes and line ends."""
    lines = (re.sub(r"[\\\n\r]", lambda found: _ESCAPED[found[0]], name) + "\n" for name in ids)
    return np.frombuffer("".join(lines).encode("utf-8", "replace"), np.uint8)


def from_lines(lines: NDArray[np.uint8]) -> tuple[str, ...]:
    """Return the ids in the bytes of a file that `to_lines` made."""
    names = lines.tobytes().decode().split("\n")[:-1]
    return tuple(re.sub(r"\\[\\nr]", lambda found: _PLAIN[found[0]], name) for name in names)
