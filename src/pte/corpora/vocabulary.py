"""A vocabulary that grows. It numbers words in the order in which it meets them."""

from itertools import pairwise
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from pte.core.arrays import BoolArray, Int, Int32Array, IntArray
from pte.core.words import Words, count_words, fill_slots, find_tokens, number_tokens
from pte.corpora.tokenise import LINES
from pte.limits import refuse_more_than_int32

_FIRST_CAPACITY = 1 << 12

Scalar = TypeVar("Scalar", bound=np.generic)


class Vocabulary:
    """Words and their counts. Two threads must not use it at once."""

    def __init__(self) -> None:
        """Begin without words."""
        self._size: Int = 0
        self._words = Words(
            slots=np.full(2 * _FIRST_CAPACITY, -1, np.int32),
            codes=np.empty(_FIRST_CAPACITY, np.uint64),
            ends=np.zeros(_FIRST_CAPACITY + 1, np.int64),
            letters=np.empty(0, np.uint8),
        )
        self._counts = np.zeros(_FIRST_CAPACITY, np.int64)

    @property
    def counts(self) -> IntArray:
        """The count of each word, int64."""
        return self._counts[: self._size]

    def words(self) -> list[bytes]:
        """Return the words in the order of their numbers."""
        ends = self._words.ends[: self._size + 1].tolist()
        letters = self._words.letters[: ends[-1]].tobytes()
        return [letters[a:b] for a, b in pairwise(ends)]

    def number(
        self, texts: list[bytes], counted: BoolArray, table: bytes
    ) -> tuple[Int32Array, IntArray]:
        """Number the tokens of some texts, add new words, and count the words of `counted` texts.

        `table` is the table of a tokeniser. Returns the numbers, int32, and offsets, int64. Text t
        has the numbers from `offsets[t]` to `offsets[t + 1]`, so `offsets` has one entry more than
        `texts`.
        """
        block = np.frombuffer(b"\n".join([*texts, b""]), np.uint8)
        found = find_tokens(block, np.frombuffer(table, np.uint8))
        self._reserve_letters(block.size)
        numbers = np.empty(found.starts.size, np.int32)
        done: Int = 0
        while done < numbers.size:
            done, self._size = number_tokens(found, done, self._words, self._size, numbers)
            if done < numbers.size:
                self._grow()
        begins = np.cumsum([0, *(len(text) + 1 for text in texts)])
        offsets = np.searchsorted(found.starts, begins)
        count_words(numbers, offsets, counted, self._counts)
        return numbers, offsets

    def merge(self, other: "Vocabulary") -> Int32Array:
        """Add the words and counts of `other`. Returns the numbers of its words in `self`."""
        numbers, _ = self.number(other.words(), np.zeros(other._size, np.bool_), LINES)
        self._counts[numbers] += other.counts
        return numbers

    def _grow(self) -> None:
        """Double the room for words."""
        slots, codes, ends, letters = self._words
        capacity = codes.size
        refuse_more_than_int32(capacity, "vocabulary: words", "give fewer documents")
        slots = np.full(2 * slots.size, -1, np.int32)
        fill_slots(slots, codes, self._size)
        self._words = Words(slots, _longer(codes, capacity), _longer(ends, capacity), letters)
        self._counts = _longer(self._counts, capacity)

    def _reserve_letters(self, more: int) -> None:
        letters, used = self._words.letters, int(self._words.ends[self._size])
        if used + more > letters.size:
            self._words = self._words._replace(letters=_longer(letters, used + 2 * more))


def _longer(array: NDArray[Scalar], more: int) -> NDArray[Scalar]:
    return np.concatenate([array, np.zeros(more, array.dtype)])
