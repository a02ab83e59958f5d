"""Lay documents behind one another, as a batch of a convolution needs them."""

from pte.core.convolution import WINDOW
from pte.core.jit import kernel
from pte.core.types import Int32Array, IntArray


@kernel
def lay_out(
    tokens: Int32Array,
    begins: IntArray,
    ends: IntArray,
    numbers: Int32Array,
    words: IntArray,
    places: IntArray,
) -> int:
    """Number the distinct words of some documents; returns how many there are.

    Document d holds `tokens[begins[d] : ends[d]]`; `WINDOW` − 1 times the padding word, the last
    of the vocabulary, stand before the first document and after each. Fills `places` with the
    number of the word in each place, and the front of `words` with the words in the order of their
    numbers: as they first occur, so that the padding word is number 0. `numbers`, one for each word
    of the vocabulary, is scratch: −1 before and after.
    """
    words[0] = numbers.size - 1
    n = 1
    places[: WINDOW - 1] = 0
    at = WINDOW - 1
    for d in range(begins.size):
        for i in range(begins[d], ends[d]):
            word = tokens[i]
            number = numbers[word]
            if number < 0:
                number = n
                numbers[word] = n
                words[n] = word
                n += 1
            places[at] = number
            at += 1
        places[at : at + WINDOW - 1] = 0
        at += WINDOW - 1
    for i in range(n):
        numbers[words[i]] = -1
    return n
