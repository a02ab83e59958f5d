"""Case folding of text in any script, for the tokeniser `words`, and scripts without spaces."""

import unicodedata
from functools import cache
from itertools import accumulate

import numpy as np

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

_CHARACTERS = 0x110000
_SEPARATOR = b"\n"

_WITHOUT_SPACES = (
    (0x3005, 0x3007),  # signs that stand for characters of Han
    (0x3040, 0x30FF),  # Kana
    (0x3100, 0x312F),  # Bopomofo
    (0x31A0, 0x31BF),
    (0x31F0, 0x31FF),  # small Kana
    (0x3400, 0x4DBF),  # Han
    (0x4E00, 0x9FFF),
    (0xF900, 0xFAFF),
    (0xFF66, 0xFF9F),  # narrow Kana
    (0x1AFF0, 0x1B16F),  # rare Kana
    (0x20000, 0x3FFFF),  # rare Han
    *((0x0E00, 0x0E7F), (0x0E80, 0x0EFF), (0x1780, 0x17FF)),  # Thai, Lao, Khmer
    *((0x1000, 0x109F), (0xA9E0, 0xA9FF), (0xAA60, 0xAA7F)),  # Burmese
)
"""First and last characters of scripts that have no spaces between words."""

# Jamo that compose with the character before them. No table of decompositions has these jamo.
_HANGUL = (*range(0x1161, 0x1176), *range(0x11A8, 0x11C3))


def folded_and_cut(text: bytes) -> bytes:
    """Compose (NFC), fold case, and turn all between words of L, M and N into newlines.

    A run abc of scripts without spaces becomes a, ab, b, bc, c.
    """
    known = _folding()
    found, seen = fold_characters(np.frombuffer(text, np.uint8), known)
    if seen & COMPOSES:
        characters = text.decode("utf-8", "surrogateescape")
        composed = unicodedata.normalize("NFC", characters).encode("utf-8", "surrogateescape")
        if composed != text:
            found, seen = fold_characters(np.frombuffer(composed, np.uint8), known)
    if seen & UNCUT:
        found = pair_characters(found, known.kinds)
    return (drop_loose_marks(found, known.kinds) if seen & MARK else found).tobytes()


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
    for code in (code for first, last in _WITHOUT_SPACES for code in range(first, last + 1)):
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
