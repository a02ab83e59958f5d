"""Measures how many letters of a text a tokeniser drops because it knows ASCII alone."""

from collections.abc import Iterable
from string import digits

from pte.corpora.document import Document
from pte.corpora.tokenise import Tokeniser, words

_NO_LETTERS = digits.encode() + b"\n"
_MOST_EXAMPLES = 5


def dropped_letters(documents: Iterable[Document], tokeniser: Tokeniser) -> tuple[float, list[str]]:
    """Return the share of bytes of letters and marks that are in no token, and example words.

    Every tokeniser that is a table keeps ASCII letters, so only other letters can be dropped. A
    tokeniser whose table drops no byte above ASCII drops nothing.
    """
    separating = bytes(b for b in range(128, 256) if tokeniser.table[b] == ord("\n"))
    texts = [document.text for document in documents] if separating else []
    if all(text.isascii() for text in texts):
        return 0.0, []
    dropped = total = 0
    examples: dict[bytes, str] = {}
    for text in texts:
        given = tokeniser.prepare(text)
        folded = words.prepare(given).translate(words.table)
        total += len(folded.translate(None, _NO_LETTERS))
        if folded.isascii():
            continue
        dropped += len(folded) - len(folded.translate(None, separating))
        if len(examples) < _MOST_EXAMPLES:
            _add_examples(examples, folded, tokeniser)
    return dropped / max(1, total), list(examples.values())


def _add_examples(examples: dict[bytes, str], folded: bytes, tokeniser: Tokeniser) -> None:
    """Add words and the tokens that are left of them, until there are `_MOST_EXAMPLES`."""
    for word in folded.split(b"\n"):
        if len(examples) == _MOST_EXAMPLES:
            return
        if not word.isascii() and word not in examples:
            left = b" ".join(tokeniser(word)).decode("utf-8", "replace")
            examples[word] = f"{word.decode()} → {left or '(nothing)'}"
