"""Tokens become word numbers: one walk over the bytes, one hash table of the words so far.

`find_tokens` finds the tokens of a block that fits the cache without a branch on the text, which
would be guessed wrongly once a token; `number_tokens` looks them up.
"""

from typing import NamedTuple

import numpy as np

from pte.core.arrays import ByteArray, Int, Int32Array, IntArray, UintArray
from pte.core.jit import kernel

SEPARATOR = ord("\n")  # the byte that separates tokens
COMPOSES = 1  # a character that composition may change, or that changes the one before
UNCUT = 2  # the kind of a character of a script without spaces between words
MARK = 4  # the kind of a mark, which belongs to the character before it
LOOSE = 8  # the kind of a mark that says how a sign before it looks: it begins no word

# FNV-1a, the hash of G. Fowler, L. C. Noll and K.-P. Vo, as in IETF draft-eastlake-fnv.
_BASIS = np.uint64(0xCBF29CE484222325)
_PRIME = np.uint64(0x100000001B3)

_HALF = np.uint64(32)
_NEXT = np.uint64(1)


class Tokens(NamedTuple):
    """Where the tokens of a block are: token t is `letters[starts[t] : stops[t]]`."""

    letters: ByteArray  # the text, translated
    starts: IntArray
    stops: IntArray
    codes: UintArray  # hash of each token


class Words(NamedTuple):
    """The words so far: word i is `letters[ends[i] : ends[i + 1]]`; `slots` holds numbers or -1.

    The length of `slots` is a power of two, twice that of `codes`.
    """

    slots: Int32Array
    codes: UintArray
    ends: IntArray  # one item longer than `codes`
    letters: ByteArray


class Folding(NamedTuple):
    """What characters become: the code point c becomes `letters[ends[c] : ends[c + 1]]`."""

    ends: Int32Array  # an item for every code point, and one more
    letters: ByteArray  # UTF-8; at most three times as long as the character itself
    kinds: ByteArray  # of each code point: a sum of `COMPOSES`, `UNCUT`, `MARK` and `LOOSE`


@kernel
def _character(text: ByteArray, i: Int) -> tuple[Int, Int]:
    """Return the code point at byte i and its length; a newline if no valid UTF-8 begins there."""
    lead = np.int64(text[i])
    if lead < 0x80:
        return lead, 1
    length = 2 if lead < 0xE0 else 3 if lead < 0xF0 else 4
    if lead < 0xC2 or lead > 0xF4 or i + length > text.size:
        return SEPARATOR, 1
    code = lead & (0x7F >> length)
    for k in range(1, length):
        byte = np.int64(text[i + k])
        if byte & 0xC0 != 0x80:
            return SEPARATOR, 1
        code = code << 6 | byte & 0x3F
    too_long = code < (0x800 if length == 3 else 0x10000 if length == 4 else 0x80)
    if too_long or code > 0x10FFFF or 0xD800 <= code < 0xE000:
        return SEPARATOR, 1
    return code, length


@kernel
def fold_characters(text: ByteArray, folding: Folding) -> tuple[ByteArray, np.uint8]:
    """Fold a UTF-8 text, with newlines for what does not decode; also "or" the kinds."""
    ends, letters, kinds = folding
    folded = np.empty(3 * text.size, np.uint8)
    seen = np.uint8(0)
    n, i = np.int64(0), np.int64(0)
    while i < text.size:
        code, length = _character(text, i)
        seen |= kinds[code]
        for k in range(ends[code], ends[code + 1]):
            folded[n] = letters[k]
            n += 1
        i += length
    return folded[:n], seen


@kernel
def pair_characters(text: ByteArray, kinds: ByteArray) -> ByteArray:
    """Cut runs of `UNCUT` characters into these and their pairs: abc is a, ab, b, bc, c."""
    cut = np.empty(4 * text.size, np.uint8)  # an uncut character has three bytes or more
    i: Int = np.int64(0)
    n: Int = np.int64(0)
    before: Int = np.int64(-1)
    while i < text.size:
        code, length = _character(text, i)
        stop = i + length
        if kinds[code] & UNCUT:
            while stop < text.size:
                code, length = _character(text, stop)
                if not kinds[code] & MARK:
                    break
                stop += length
            cut[n] = SEPARATOR
            n += 1
            if before >= 0:
                n = _copy(text, before, stop, cut, n)
                cut[n] = SEPARATOR
                n += 1
            before = i
        elif before >= 0:
            cut[n] = SEPARATOR
            n += 1
            before = np.int64(-1)
        n = _copy(text, i, stop, cut, n)
        i = stop
    return cut[:n]


@kernel
def drop_loose_marks(text: ByteArray, kinds: ByteArray) -> ByteArray:
    """Drop words that are marks alone, and the `LOOSE` marks that begin a word, of folded text."""
    kept = np.empty(text.size, np.uint8)
    i: Int = np.int64(0)
    n: Int = np.int64(0)
    begin: Int = np.int64(0)
    is_word = False
    while i < text.size:
        code, length = _character(text, i)
        if code == SEPARATOR:
            n = n if is_word else begin
            kept[n] = SEPARATOR
            n += 1
            begin, is_word = n, False
        elif n > begin or not kinds[code] & LOOSE:
            n = _copy(text, i, i + length, kept, n)
            is_word = is_word or not kinds[code] & MARK
        i += length
    return kept[: n if is_word else begin]


@kernel
def _copy(text: ByteArray, start: Int, stop: Int, into: ByteArray, n: Int) -> Int:
    for i in range(start, stop):
        into[n] = text[i]
        n += 1
    return n


@kernel
def find_tokens(text: ByteArray, table: ByteArray) -> Tokens:
    """Find the runs between separators of `table`; the text must end with a separator."""
    room = text.size // 2 + 2
    letters = np.empty(text.size, np.uint8)
    starts, stops = np.empty(room, np.int64), np.empty(room, np.int64)
    codes = np.empty(room, np.uint64)
    n, code = np.int64(0), _BASIS
    start: Int = np.int64(0)
    for i in range(text.size):
        letter = table[text[i]]
        letters[i] = letter
        # Every byte writes here. n moves on only where a token ends, so only values of tokens stay.
        starts[n], stops[n], codes[n] = start, i, code
        separates = letter == SEPARATOR
        n += np.int64(separates) & np.int64(i > start)
        start = i + 1 if separates else start
        code = _BASIS if separates else (code ^ np.uint64(letter)) * _PRIME
    return Tokens(letters, starts[:n], stops[:n], codes[:n])


@kernel
def _first_slot(code: np.uint64, slots: Int32Array) -> np.uint64:
    """Return the slot where the search for a hash begins; FNV's upper half is its better half."""
    return (code ^ (code >> _HALF)) & np.uint64(slots.size - 1)


@kernel
def fill_slots(slots: Int32Array, codes: UintArray, size: Int) -> None:
    """Enter the first `size` words, by their hashes, into slots that are all -1."""
    mask = np.uint64(slots.size - 1)
    for word in range(size):
        slot = _first_slot(codes[word], slots)
        while slots[slot] >= 0:
            slot = (slot + _NEXT) & mask
        slots[slot] = word


@kernel
def number_tokens(
    found: Tokens, first: Int, words: Words, size: Int, numbers: Int32Array
) -> tuple[Int, Int]:
    """Write numbers of tokens from `first` until a word lacks room; return tokens and words."""
    letters, starts, stops, codes = found
    mask = np.uint64(words.slots.size - 1)
    for t in range(first, starts.size):
        code, start, length = codes[t], starts[t], stops[t] - starts[t]
        slot = _first_slot(code, words.slots)
        word = np.int64(words.slots[slot])
        while word >= 0:
            begin = words.ends[word]
            if words.codes[word] == code and words.ends[word + 1] - begin == length:
                same = 0
                while same < length and words.letters[begin + same] == letters[start + same]:
                    same += 1
                if same == length:
                    break
            slot = (slot + _NEXT) & mask
            word = np.int64(words.slots[slot])
        if word < 0:
            if size == words.codes.size:
                return t, size
            word = np.int64(size)
            begin = words.ends[word]
            for i in range(length):
                words.letters[begin + i] = letters[start + i]
            words.ends[word + 1] = begin + length
            words.codes[word] = code
            words.slots[slot] = word
            size += 1
        numbers[t] = word
    return starts.size, size
