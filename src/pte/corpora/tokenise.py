"""Tokenisers cut the text of a document into tokens. A token is a byte string.

Tokens are bytes and not characters, because the MR corpus holds 0x85, which `str.split` takes for
white space. So bytes that do not decode are parts of tokens like any other bytes. A tokeniser is a
table of 256 bytes, so that compiled code can walk over a text (`pte.core.words`).
"""

from collections.abc import Callable
from dataclasses import dataclass
from string import ascii_letters, digits

from pte.errors import PteError


@dataclass(frozen=True)
class Tokeniser:
    """Prepares a text, translates its bytes by a table, and takes runs of others than newlines."""

    table: bytes
    prepare: Callable[[bytes], bytes] = bytes

    def __post_init__(self) -> None:
        """Refuse a table that does not have 256 bytes or changes the newline."""
        if len(self.table) != 256 or self.table[ord("\n")] != ord("\n"):
            raise PteError("tokeniser: table must have 256 bytes and leave the newline as it is")

    def __call__(self, text: bytes) -> list[bytes]:
        """Cut one text into tokens. `encode` finds the same tokens faster."""
        runs = self.prepare(text).translate(self.table).split(b"\n")
        return [run for run in runs if run]


LINES = bytes(range(256))  # a table that changes nothing: the tokens are the lines of a text

_LETTERS = bytes(byte | 32 if chr(byte) in ascii_letters else ord("\n") for byte in range(256))
_LETTERS_AND_DIGITS = bytes(
    byte if chr(byte) in digits else separated for byte, separated in enumerate(_LETTERS)
)
_AND_APOSTROPHES = _LETTERS_AND_DIGITS[:39] + b"'" + _LETTERS_AND_DIGITS[40:]
_WHITESPACE = bytes.maketrans(b" \t\r\v\f", b"\n\n\n\n\n")


def from_function(tokens_of: Callable[[bytes], list[bytes]]) -> Tokeniser:
    """Make a tokeniser, slow as it is, of any function that cuts a text into tokens."""

    def prepare(text: bytes) -> bytes:
        tokens = tokens_of(text)
        for token in tokens:
            if not token or b"\n" in token:
                raise PteError(
                    f"tokeniser: {token!r} cannot be a token; drop empty ones and cut at newlines"
                )
        return b"\n".join(tokens)

    return Tokeniser(LINES, prepare)


letters = Tokeniser(_LETTERS)  # Runs of ASCII letters, in lower case. All other bytes separate

letters_and_digits = Tokeniser(_LETTERS_AND_DIGITS)
"""Runs of ASCII letters and digits, in lower case, as in the authors' DBLP titles."""

letters_digits_and_apostrophes = Tokeniser(_AND_APOSTROPHES)
"""Like `letters_and_digits`, but with apostrophes, so that "don't" is one token; for tweets."""

letters_without_breaks = Tokeniser(_LETTERS, lambda text: text.replace(b"<br />", b" "))
"""Like `letters`, after dropping the HTML line breaks of movie reviews."""

whitespace = Tokeniser(_WHITESPACE)  # for text that was tokenised before

_WORDS = bytes(
    byte if byte >= 128 else separated for byte, separated in enumerate(_LETTERS_AND_DIGITS)
)


def _folded(text: bytes) -> bytes:
    """Fold a text that is not ASCII; an ASCII text needs only the table."""
    if text.isascii():
        return text
    # imported here, as the workflow's main process needs no numba
    from pte.corpora.folding import folded_and_cut

    return folded_and_cut(text)


words = Tokeniser(_WORDS, _folded)
"""Runs of letters, marks and digits of any script, without regard to case.

The text is composed (NFC) and case-folded (ß becomes ss), then cut at every character whose Unicode
category is not L, M or N, and at bytes that are not UTF-8. So apostrophes, hyphens, underscores and
zero-width joiners cut: "don't" is "don" and "t". Marks alone are no word, and variation selectors
and keycaps begin none, so that ❤️ is nothing.

Han, Kana, Bopomofo, Thai, Lao, Khmer and Burmese have no spaces between words. Runs of them become
characters, with their marks, and overlapping pairs of characters: 看电影 is 看, 看电, 电, 电影, 影.
For text whose words are apart already, take `whitespace`.
"""

TOKENISERS: dict[str, Tokeniser] = {
    "letters": letters,
    "letters_and_digits": letters_and_digits,
    "letters_digits_and_apostrophes": letters_digits_and_apostrophes,
    "letters_without_breaks": letters_without_breaks,
    "whitespace": whitespace,
    "words": words,
}
"""The tokenisers by the names that `workflow/registry/corpora.yaml` uses."""
