"""Case folding of text in any script, for the tokeniser `words`, and scripts without spaces."""

import unicodedata
from functools import cache
from itertools import accumulate

import numpy as np

from pte.core.arrays import ByteArray
from pte.core.words import (
    COMPOSES,
    LOOSE,
    MARK,
    UNCUT,
    Folding,
    drop_loose_marks,
    fold_characters,
    pair_characters,
)
from pte.corpora.scripts import WITHOUT_SPACES

_CHARACTERS = 0x110000
_SEPARATOR = b"\n"

# Jamo that compose with the character before them. No table of decompositions has these jamo.
_HANGUL = (*range(0x1161, 0x1176), *range(0x11A8, 0x11C3))


def folded(text: bytes) -> bytes:
    """Compose (NFC), fold case, and turn all between words of L, M and N into newlines."""
    return _without_loose_marks(*_folded(text))


def folded_and_cut(text: bytes) -> bytes:
    """Do as `folded`, and cut scripts without spaces: a run abc becomes a, ab, b, bc, c."""
    found, seen = _folded(text)
    cut = pair_characters(found, _folding().kinds) if seen & UNCUT else found
    return _without_loose_marks(cut, seen)


def _without_loose_marks(found: ByteArray, seen: np.uint8) -> bytes:
    return (drop_loose_marks(found, _folding().kinds) if seen & MARK else found).tobytes()


def _folded(text: bytes) -> tuple[ByteArray, np.uint8]:
    """Return the folded text, and the kinds of its characters."""
    found, seen = fold_characters(np.frombuffer(text, np.uint8), _folding())
    if seen & COMPOSES:
        characters = text.decode("utf-8", "surrogateescape")
        composed = unicodedata.normalize("NFC", characters).encode("utf-8", "surrogateescape")
        if composed != text:
            found, seen = fold_characters(np.frombuffer(composed, np.uint8), _folding())
    return found, seen


@cache
def _folding() -> Folding:
    """Make the table of all characters. It takes half a second; ASCII text does not need it."""
    spelled = [_fold(chr(code)) for code in range(_CHARACTERS)]
    kinds = np.zeros(_CHARACTERS, np.uint8)
    kinds[list(_HANGUL)] = COMPOSES
    for code, after in enumerate(spelled):
        if after != _SEPARATOR or unicodedata.decomposition(chr(code)):
            kinds[_composing(code)] |= COMPOSES
        if after != _SEPARATOR and unicodedata.category(chr(code))[0] == "M":
            kinds[code] |= MARK | (LOOSE if _is_loose(chr(code)) else 0)
    ranges = (each for script in WITHOUT_SPACES.values() for each in script.ranges)
    for code in (code for first, last in ranges for code in range(first, last + 1)):
        if spelled[code] != _SEPARATOR and unicodedata.category(chr(code)) != "Nd":
            kinds[code] |= UNCUT
    ends = np.array([0, *accumulate(map(len, spelled))], np.int32)
    return Folding(ends, np.frombuffer(b"".join(spelled), np.uint8), kinds)


def _fold(character: str) -> bytes:
    if unicodedata.category(character)[0] not in "LMN":
        return _SEPARATOR
    kept = (c if unicodedata.category(c)[0] in "LMN" else "\n" for c in character.casefold())
    return "".join(kept).encode()


def _is_loose(mark: str) -> bool:
    """Return whether a mark is a variation selector, or encloses what is before it, as a keycap."""
    is_selector = unicodedata.name(mark, "").startswith("VARIATION SELECTOR")
    return is_selector or unicodedata.category(mark) == "Me"


def _composing(code: int) -> list[int]:
    """Return the characters that composition may change, as far as character `code` tells."""
    character = chr(code)
    halves = unicodedata.decomposition(character).split()
    found = [int(halves[1], 16)] if len(halves) == 2 and not halves[0].startswith("<") else []
    if unicodedata.combining(character) or unicodedata.normalize("NFC", character) != character:
        found.append(code)
    return found
