"""Text of the user's own: its checks, and the ids and warnings that its corpus keeps."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from string import digits

from pte.corpora.document import Document
from pte.corpora.encoded import EncodedCorpus, to_lines
from pte.corpora.labelled import class_sizes
from pte.corpora.parts import TEST, TRAIN
from pte.corpora.tokenise import Tokeniser, words
from pte.errors import PteError

MOST_CLASSES, FEW_CLASSES = 1000, 20
MOST_DROPPED = 0.03
"""The share of letters that a tokeniser may drop without a warning."""

FEWEST_LABELLED = 3
"""How many labelled training documents some class must have, to learn from and to judge by."""

_MOST_SHOWN = 5
_NO_LETTERS = digits.encode() + b"\n"


def check_own(path: Path, documents: Sequence[Document], is_split: bool) -> None:
    """Raise `PteError`, naming the file, when no classifier could learn from the documents.

    Some text must not be empty. There must be at least two classes, and at most `MOST_CLASSES`. If
    there are more than `FEW_CLASSES`, a class must have two documents on average. If the file says
    which documents are for training (`is_split`), there must be test documents and labelled
    training documents, and each class of a test document must have a training document.
    """
    if not documents:
        raise PteError(f"{path}: it holds no document")
    if not check_to_learn(path, documents):
        raise _one_class(path, documents, "without a label")
    if is_split:
        _check_split(path, documents)


def check_to_learn(path: Path | str, documents: Sequence[Document]) -> Counter[str]:
    """Raise `PteError` for texts and labels that nothing can be learned from.

    The documents may have no label at all. Returns how many documents each class has.
    """
    if not any(document.text.strip() for document in documents):
        raise PteError(f"{path}: all {len(documents):,} texts are empty; name their column: text=…")
    sizes = Counter(name for document in documents for name in document.labels)
    if len(sizes) == 1:
        raise _one_class(path, documents, f"of one class, {min(sizes)!r}")
    if len(sizes) > MOST_CLASSES or len(sizes) > max(FEW_CLASSES, sizes.total() / 2):
        raise PteError(
            f"{path}: its {len(documents):,} documents have {len(sizes):,} classes; possible are "
            f"{MOST_CLASSES:,}, with two documents on average; is the column of the labels one of "
            "ids, numbers or texts? Name another: label=…"
        )
    return sizes


def _one_class(path: Path | str, documents: Sequence[Document], only: str) -> PteError:
    return PteError(
        f"{path}: all of its {len(documents)} documents are {only}; label some of two classes, "
        "or name the column of the labels: label=…"
    )


def _check_split(path: Path, documents: Sequence[Document]) -> None:
    trained = {name for d in documents if d.part == TRAIN for name in d.labels}
    tests = [document for document in documents if document.part == TEST]
    if not tests or not trained:
        lacks = "training" if tests else "test"
        raise PteError(f"{path}: no document with a label is a {lacks} document; check the split")
    for name in sorted({name for d in tests for name in d.labels} - trained):
        found = [str(document.id) for document in tests if name in document.labels]
        more = f" and {len(found) - _MOST_SHOWN} more" if len(found) > _MOST_SHOWN else ""
        raise PteError(
            f"{path}: class {name!r} has no training document, but test documents at "
            f"{', '.join(found[:_MOST_SHOWN])}{more} (ids, or lines if there are none); label some "
            "for training, or remove these"
        )


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
    """Return the corpus with the ids of the documents and the share of letters that are dropped.

    `meta` gets the share that the tokeniser drops as `letters_dropped` in its counts. If the share
    is above `MOST_DROPPED`, `meta` also gets `warnings`, which are printed, too.
    """
    share, examples = dropped_letters(documents, tokeniser)
    meta = corpus.meta | {"counts": corpus.meta["counts"] | {"letters_dropped": share}}
    if share > MOST_DROPPED:
        warning = (
            f"the tokeniser drops {share:.1%} of the bytes of letters: {', '.join(examples)}; the "
            "tokeniser `words` keeps them"
        )
        print(f"warning: {warning}")
        meta["warnings"] = [warning]
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
