"""Says how many letters of documents a tokeniser drops, such as those with marks."""

from collections.abc import Iterable, Iterator, Sequence
from string import digits

from pte.corpora.document import Document
from pte.corpora.finding import Finding
from pte.corpora.tokenise import Tokeniser

MOST_DROPPED = 0.03
"""The share of letters that a tokeniser may drop without a warning."""

_MOST_SHOWN = 5
_NO_LETTERS = digits.encode() + b"\n"


def letter_findings(documents: Sequence[Document], tokeniser: Tokeniser) -> Iterator[Finding]:
    """Yield a finding if the tokeniser drops more than `MOST_DROPPED` of the letters."""
    share, examples = dropped_letters(documents, tokeniser)
    if share > MOST_DROPPED:
        yield Finding(
            "dropped_letters",
            f"the tokeniser drops {share:.1%} of the bytes of letters: {', '.join(examples)}; the "
            "tokeniser `words` keeps them",
        )


def dropped_letters(documents: Iterable[Document], tokeniser: Tokeniser) -> tuple[float, list[str]]:
    """Return the share of bytes of letters and marks that are in no token, and example words.

    Every tokeniser that is a table keeps ASCII letters, so only other letters can be dropped. A
    tokeniser whose table drops no byte above ASCII drops nothing.
    """
    separating = bytes(b for b in range(128, 256) if tokeniser.table[b] == ord("\n"))
    texts = [document.text for document in documents] if separating else []
    if all(text.isascii() for text in texts):
        return 0.0, []
    from pte.corpora.folding import folded  # imported here, as it needs numba

    dropped = total = 0
    examples: dict[bytes, str] = {}
    for text in texts:
        found = folded(tokeniser.prepare(text))
        total += len(found.translate(None, _NO_LETTERS))
        if found.isascii():
            continue
        dropped += len(found) - len(found.translate(None, separating))
        if len(examples) < _MOST_SHOWN:
            _add_examples(examples, found, tokeniser)
    return dropped / max(1, total), list(examples.values())


def _add_examples(examples: dict[bytes, str], folded: bytes, tokeniser: Tokeniser) -> None:
    """Add words and the tokens that are left of them, until there are `_MOST_SHOWN`."""
    for word in folded.split(b"\n"):
        if len(examples) == _MOST_SHOWN:
            return
        if not word.isascii() and word not in examples:
            left = b" ".join(tokeniser(word)).decode("utf-8", "replace")
            examples[word] = f"{word.decode()} → {left or '(nothing)'}"
