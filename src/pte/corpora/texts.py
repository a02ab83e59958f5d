"""Texts and labels that are in memory, encoded as a corpus, as for the documents of an archive."""

from array import array
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import compress
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pte.corpora.document import Document
from pte.corpora.encode import encode
from pte.corpora.encoded import TEST, TRAIN, UNLABELLED, EncodedCorpus
from pte.corpora.tokenise import Tokeniser
from pte.errors import PteError

NEW_WORDS = "new_words"  # whether a further corpus keeps words that are new, among its facts


@dataclass(frozen=True)
class GivenLabels:
    """The distinct labels, and the numbers of each document's labels: None without a label.

    Where there may be several, an empty tuple says that the document has none of the classes.
    """

    classes: NDArray[Any]
    of_documents: tuple[tuple[int, ...] | None, ...]
    several: bool = False

    @property
    def known(self) -> NDArray[np.int64]:
        """The numbers of documents whose labels are known, ascending, shape (known documents,)."""
        return np.flatnonzero([numbers is not None for numbers in self.of_documents])

    @property
    def present(self) -> NDArray[np.int64]:
        """The numbers of the classes that have a document, ascending."""
        return np.unique([each for row in self.of_documents for each in row or ()]).astype(np.int64)


def training_corpus(
    texts: Sequence[bytes],
    labels: GivenLabels | None,
    tokeniser: Tokeniser,
    min_count: int = 1,
    groups: Sequence[str | None] | None = None,
) -> EncodedCorpus:
    """Encode texts as training documents; words below `min_count` are `unknown`.

    A document that has none of the classes is unlabelled here: it has no edge to a class.
    """
    if not texts:
        raise PteError("raw_documents: it has no document")
    if not any(text.strip() for text in texts):
        raise PteError(f"raw_documents: all {len(texts):,} texts are empty; give some with words")
    of_documents = labels.of_documents if labels else (None,) * len(texts)
    named = groups or (None,) * len(texts)
    documents = [
        _document(text, numbers or (), group)
        for text, numbers, group in zip(texts, of_documents, named, strict=True)
    ]
    known = enumerate(labels.classes.tolist() if labels else ())
    names = {_name(number): str(label) for number, label in known}
    corpus = encode(documents, tokeniser, names)
    if labels and labels.several and not corpus.is_multilabel:
        corpus = replace(corpus, memberships=corpus.class_pairs)
    return corpus if min_count == 1 else _of_frequent_words(corpus, min_count)


def _document(text: bytes, numbers: tuple[int, ...], group: str | None) -> Document:
    names = _names(numbers)
    return Document(text, names[0] if names else None, TRAIN, names[1:], group=group)


@cache
def _names(numbers: tuple[int, ...]) -> tuple[str, ...]:
    return tuple(map(_name, numbers))


def _name(number: int) -> str:
    """Return the name of a class: its digits. `encode` sorts names, and so keeps the order."""
    return f"{number:09}"


def _of_frequent_words(corpus: EncodedCorpus, min_count: int) -> EncodedCorpus:
    stays = np.bincount(corpus.tokens, minlength=corpus.n_words) >= min_count
    if not stays.any():
        raise PteError(f"min_count is {min_count}; no word occurs so often")
    known = _of_words(corpus, stays)
    return known if stays.all() else replace(known, unknown=_of_words(corpus, ~stays))


def _of_words(corpus: EncodedCorpus, which: NDArray[np.bool_]) -> EncodedCorpus:
    """Leave out the words that are not marked, and their tokens."""
    places = np.where(which, np.cumsum(which, dtype=np.int32) - 1, np.int32(-1))
    tokens, offsets = _kept(places[corpus.tokens], corpus.offsets)
    return replace(
        corpus, tokens=tokens, offsets=offsets, words=tuple(compress(corpus.words, which))
    )


def _kept(
    numbers: NDArray[np.int32], offsets: NDArray[np.int64]
) -> tuple[NDArray[np.int32], NDArray[np.int64]]:
    """Leave out the numbers below 0; return the others, and where each document then begins."""
    before = np.concatenate([[0], np.cumsum(numbers >= 0)])
    return numbers[numbers >= 0], before[offsets]


def further_corpus(
    texts: Sequence[bytes],
    tokeniser: Tokeniser,
    words: tuple[bytes, ...],
    numbers_of: Mapping[bytes, int],
    keep_unknown: bool = False,
) -> EncodedCorpus:
    """Encode further texts as test documents in `words`; drop others, or keep them in `unknown`."""
    new: dict[bytes, int] = {}

    def number(word: bytes) -> int:
        found = numbers_of.get(word)
        return ~new.setdefault(word, len(new)) if found is None else found

    numbers, offsets = array("i"), [0]
    for text in texts:
        numbers.extend(map(number, tokeniser(text)))
        offsets.append(len(numbers))
    met, begins = np.array(numbers, np.int32), np.array(offsets)
    unknown = _asked(~met, begins, tuple(new)) if keep_unknown and new else None
    asked = _asked(met, begins, words)
    return replace(asked, meta={NEW_WORDS: keep_unknown}, unknown=unknown)


def _asked(
    numbers: NDArray[np.int32], offsets: NDArray[np.int64], words: tuple[bytes, ...]
) -> EncodedCorpus:
    """Make a corpus of test documents from the numbers of tokens; those below 0 are left out."""
    n = offsets.size - 1
    tokens, begins = _kept(numbers, offsets)
    return EncodedCorpus(
        tokens=tokens,
        offsets=begins,
        labels=np.full(n, UNLABELLED, np.int32),
        split=np.full(n, TEST, np.uint8),
        words=words,
        classes=(),
    )
