"""How the text of a document becomes tokens. A token is a byte string.

Bytes, not characters: the MR corpus holds 0x85, which `str.split` takes for white space, and bytes
that decode in no encoding are then tokens like any other. A tokeniser is data, a table of 256
bytes, so that compiled code can walk over a text (`pte.core.words`).
"""

from collections.abc import Callable
from dataclasses import dataclass
from string import ascii_letters, digits

from pte.errors import PteError


@dataclass(frozen=True)
class Tokeniser:
    """Texts to tokens: the runs between newlines, once the text is prepared and translated.

    `table`, as for `bytes.translate`, says what each byte stands for: lower case is a matter of
    it, and a byte that separates stands for a newline. `prepare` is applied to a text before.
    Raises `PteError` for a table that has not 256 bytes or turns the newline into another byte.
    """

    table: bytes
    prepare: Callable[[bytes], bytes] = bytes

    def __post_init__(self) -> None:
        """Check the table."""
        if len(self.table) != 256 or self.table[ord("\n")] != ord("\n"):
            raise PteError("tokeniser: table must have 256 bytes and leave the newline as it is")

    def __call__(self, text: bytes) -> list[bytes]:
        """The tokens of one text. This defines what `encode` computes by faster means."""
        runs = self.prepare(text).translate(self.table).split(b"\n")
        return [run for run in runs if run]


LINES = bytes(range(256))
"""The table of texts whose tokens are lines."""

_LETTERS = bytes(byte | 32 if chr(byte) in ascii_letters else ord("\n") for byte in range(256))
_LETTERS_AND_DIGITS = bytes(
    byte if chr(byte) in digits else separated for byte, separated in enumerate(_LETTERS)
)
_WHITESPACE = bytes.maketrans(b" \t\r\v\f", b"\n\n\n\n\n")


def from_function(tokens_of: Callable[[bytes], list[bytes]]) -> Tokeniser:
    """A tokeniser that calls any function for the tokens of a text, at that function's speed.

    Raises `PteError`, when used, for a token that is empty or holds a newline.
    """

    def prepare(text: bytes) -> bytes:
        tokens = tokens_of(text)
        for token in tokens:
            if not token or b"\n" in token:
                raise PteError(
                    f"tokeniser: {token!r} cannot be a token; drop empty ones, cut at newlines"
                )
        return b"\n".join(tokens)

    return Tokeniser(LINES, prepare)


letters = Tokeniser(_LETTERS)
"""Lower-cased runs of ASCII letters; everything else separates."""

letters_and_digits = Tokeniser(_LETTERS_AND_DIGITS)
"""Lower-cased runs of ASCII letters and digits, which is how the authors' DBLP titles were made."""

letters_without_breaks = Tokeniser(_LETTERS, lambda text: text.replace(b"<br />", b" "))
"""`letters`, with the HTML line breaks of movie reviews dropped first."""

whitespace = Tokeniser(_WHITESPACE)
"""Split at ASCII white space: for text whose tokens are already fixed."""

TOKENISERS: dict[str, Tokeniser] = {
    "letters": letters,
    "letters_and_digits": letters_and_digits,
    "letters_without_breaks": letters_without_breaks,
    "whitespace": whitespace,
}
"""The tokenisers by the names that `workflow/registry/corpora.yaml` uses."""
