"""How the text of a document becomes tokens. A token is a byte string.

Bytes, not characters: the MR corpus holds 0x85, which `str.split` takes for white space, and bytes
that decode in no encoding are then tokens like any other.
"""

import re
from collections.abc import Callable

_LETTERS = re.compile(rb"[a-z]+")


def letters(text: bytes) -> list[bytes]:
    """Lower-cased runs of ASCII letters; everything else separates."""
    return _LETTERS.findall(text.lower())


def letters_without_breaks(text: bytes) -> list[bytes]:
    """`letters`, with the HTML line breaks of movie reviews dropped first."""
    return letters(text.replace(b"<br />", b" "))


def whitespace(text: bytes) -> list[bytes]:
    """Split at ASCII white space: for text whose tokens are already fixed."""
    return text.split()


TOKENISERS: dict[str, Callable[[bytes], list[bytes]]] = {
    "letters": letters,
    "letters_without_breaks": letters_without_breaks,
    "whitespace": whitespace,
}
"""The tokenisers by the names that `workflow/registry/corpora.yaml` uses."""
