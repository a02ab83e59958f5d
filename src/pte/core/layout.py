"""Documents laid behind one another, as a batch of a convolution needs them."""

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
    """Number the distinct words of some documents, and return how many distinct words there are.

    Document d holds `tokens[begins[d] : ends[d]]`. The padding word, which is the last word of the
    vocabulary, stands `WINDOW` − 1 times before the first document and after each document. Words
    are numbered in the order in which they first occur, so the padding word has number 0.

    Fills `places` with the number of the word in each place, and the front of `words` with the
    words in the order of their numbers. `numbers` is scratch space with an item for each word of
    the vocabulary: −1 before and after.
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
