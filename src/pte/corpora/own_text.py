"""Text of the user's own: its checks, and the ids and warnings that its corpus keeps."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from string import digits

from pte.corpora.checking import check
from pte.corpora.document import Document
from pte.corpora.encoded import EncodedCorpus, to_lines
from pte.corpora.labelled import class_sizes
from pte.corpora.tokenise import Tokeniser, words
from pte.errors import PteError

MOST_DROPPED = 0.03
"""The share of letters that a tokeniser may drop without a warning."""

FEWEST_LABELLED = 3
"""How many labelled training documents some class must have, to learn from and to judge by."""

_MOST_SHOWN = 5
_NO_LETTERS = digits.encode() + b"\n"


def check_taught(corpus: EncodedCorpus) -> None:
    """Raise `PteError` when no class has `FEWEST_LABELLED` labelled training documents."""
    if class_sizes(corpus).max(initial=0) < FEWEST_LABELLED:
        raise PteError(
            f"no class has {FEWEST_LABELLED} labelled training documents, which the choice of a "
            "classifier needs; label more"
        )


def with_ids_and_warnings(
    corpus: EncodedCorpus, documents: Sequence[Document], tokeniser: Tokeniser
) -> EncodedCorpus:
    """Return the corpus with the ids of the documents, and with warnings.

    `documents` are split. `meta` gets the share of letters that the tokeniser drops as
    `letters_dropped` in its counts, and `warnings`, if there are any: what `check` finds
    suspicious, and a share above `MOST_DROPPED`. They are printed, too.
    """
    share, examples = dropped_letters(documents, tokeniser)
    meta = corpus.meta | {"counts": corpus.meta["counts"] | {"letters_dropped": share}}
    found = check(documents, is_split=True).findings
    warnings = [finding.message for finding in found if not finding.refuse]
    if share > MOST_DROPPED:
        warnings.append(
            f"the tokeniser drops {share:.1%} of the bytes of letters: {', '.join(examples)}; the "
            "tokeniser `words` keeps them"
        )
    for warning in warnings:
        print(f"warning: {warning}")
    if warnings:
        meta["warnings"] = warnings
    ids = [str(document.id) for document in documents]
    return replace(corpus, meta=meta, id_lines=to_lines(ids))


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
        if len(examples) < _MOST_SHOWN:
            _add_examples(examples, folded, tokeniser)
    return dropped / max(1, total), list(examples.values())


def _add_examples(examples: dict[bytes, str], folded: bytes, tokeniser: Tokeniser) -> None:
    """Add words and the tokens that are left of them, until there are `_MOST_SHOWN`."""
    for word in folded.split(b"\n"):
        if len(examples) == _MOST_SHOWN:
            return
        if not word.isascii() and word not in examples:
            left = b" ".join(tokeniser(word)).decode("utf-8", "replace")
            examples[word] = f"{word.decode()} → {left or '(nothing)'}"
