"""Turns documents into an encoded corpus: numbers and counts their words, classes and groups."""

import tempfile
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from pte.core.arrays import BoolArray, Int, Int32Array, IntArray, shares
from pte.core.words import Words, fill_slots, find_tokens, number_tokens
from pte.corpora.document import Document
from pte.corpora.encoded import TEST, TRAIN, UNLABELLED, EncodedCorpus
from pte.corpora.tokenise import Tokeniser
from pte.errors import PteError
from pte.limits import refuse_more_than_int32

_FIRST_CAPACITY = 1 << 12
_TEXT_BLOCK = 1 << 18  # bytes numbered at a time: their numbers stay in a core's cache


Scalar = TypeVar("Scalar", bound=np.generic)


class Numbered(NamedTuple):
    """Documents as word numbers, and the words."""

    words: tuple[bytes, ...]  # of the training part, most frequent first, ties by bytes
    tokens: Int32Array  # one document after the other; only those in `words`
    known: IntArray  # how many tokens of each document are in `words`
    lengths: IntArray  # how many tokens each document has in all


def encode(
    documents: Sequence[Document],
    tokeniser: Tokeniser,
    class_names: Mapping[str, str] | None = None,
    only: frozenset[bytes] | None = None,
) -> EncodedCorpus:
    """Number words and classes of documents, also of empty ones.

    The vocabulary has the words of training documents, the most frequent first, ties in byte order.
    Tokens that are not in `only` are left out, so that their neighbours come next to each other.
    """
    part = np.array([document.part for document in documents], np.uint8)
    numbered = number(documents, tokeniser, only)
    lengths, known = numbered.lengths, numbered.known
    if not numbered.words:
        raise PteError("corpus: no training document holds a token; is the tokeniser right?")
    labels, memberships, classes = _number_classes(documents)

    meta: dict[str, int | float] = {
        "documents": len(documents),
        "train": int((part == TRAIN).sum()),
        "labelled_train": int(((part == TRAIN) & (labels != UNLABELLED)).sum()),
        "test": int((part == TEST).sum()),
        "vocabulary": len(numbered.words),
        "classes": len(classes),
        "mean_document_length": float(lengths.mean()),
        "tokens": int(lengths.sum()),
        "training_tokens": int(lengths[part == TRAIN].sum()),
        "test_tokens_dropped": int((lengths - known).sum()),
        "empty_documents": int((lengths == 0).sum()),
        "documents_without_known_word": int(((known == 0) & (lengths > 0)).sum()),
    }
    if memberships is not None:
        meta["labels"] = len(memberships)
    names = class_names or {}
    return EncodedCorpus(
        tokens=numbered.tokens,
        offsets=np.concatenate([[0], np.cumsum(known)]),
        labels=labels,
        split=part,
        words=numbered.words,
        classes=tuple(names.get(label, label) for label in classes),
        meta={"counts": meta},
        groups=group_numbers([document.group for document in documents]),
        memberships=memberships,
    )


def _number_classes(
    documents: Sequence[Document],
) -> tuple[NDArray[np.int32], NDArray[np.int32] | None, list[str]]:
    """Return first labels, the pairs (document, class) if documents have several, and classes."""
    trained = {label for d in documents if d.part == TRAIN for label in d.labels}
    for document in documents:
        if document.part == TEST and document.label is None:
            raise PteError("corpus: a test document has no label; put it into the training part")
        for label in document.labels:
            if label not in trained:
                raise PteError(
                    f"corpus: class {label!r} has no training document; "
                    "remove its test documents or label some for training"
                )
    classes = sorted(trained)
    ids: dict[str | None, int] = {label: i for i, label in enumerate(classes)}
    ids[None] = UNLABELLED
    firsts = np.array([ids[document.label] for document in documents], np.int32)
    if not any(document.more_labels for document in documents):
        return firsts, None, classes
    pairs = {(d, ids[label]) for d, each in enumerate(documents) for label in each.labels}
    return firsts, np.array(sorted(pairs), np.int32), classes


def group_numbers(groups: Sequence[str | None]) -> NDArray[np.int32] | None:
    """Return each document's group in the order of first occurrence, or -1; None without groups."""
    ids: dict[str, int] = {}
    numbers = [-1 if group is None else ids.setdefault(group, len(ids)) for group in groups]
    return np.array(numbers, np.int32) if ids else None


class Vocabulary:
    """Words and their counts."""

    def __init__(self) -> None:
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
        return self._counts[: self._size]

    def words(self) -> list[bytes]:
        ends = self._words.ends[: self._size + 1].tolist()
        letters = self._words.letters[: ends[-1]].tobytes()
        return [letters[a:b] for a, b in pairwise(ends)]

    def number(
        self, texts: list[bytes], counted: BoolArray, table: bytes
    ) -> tuple[Int32Array, IntArray]:
        """Number the tokens of texts, int32, with int64 offsets; count words of `counted` texts."""
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
        np.add.at(self._counts, numbers[np.repeat(counted, np.diff(offsets))], 1)
        return numbers, offsets

    def _grow(self) -> None:
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


def number(
    documents: Sequence[Document], tokeniser: Tokeniser, only: frozenset[bytes] | None = None
) -> Numbered:
    """Number the words of the training part, the most frequent first, ties in byte order.

    Numbers lie in temporary files, so that memory holds the words, a block of text, and three
    numbers for each document.
    """
    vocabulary, known, lengths = Vocabulary(), [np.zeros(0, np.int64)], [np.zeros(0, np.int64)]
    blocks: list[IntArray] = []
    with tempfile.TemporaryFile() as first, tempfile.TemporaryFile() as last:
        for block in _blocks(documents):
            texts = [tokeniser.prepare(document.text) for document in block]
            counted = np.array([document.part == TRAIN for document in block])
            numbers, offsets = vocabulary.number(texts, counted, tokeniser.table)
            first.write(np.ascontiguousarray(numbers).data)
            blocks.append(offsets)
        allowed = np.array([only is None or word in only for word in vocabulary.words()], np.bool_)
        words, ranks = _ranked(vocabulary, allowed)
        first.seek(0)
        for offsets in blocks:
            numbers = np.fromfile(first, np.int32, int(offsets[-1]))
            ranked = ranks[numbers]
            known.append(_of_each(ranked >= 0, offsets))
            lengths.append(_of_each(allowed[numbers], offsets))
            last.write(ranked[ranked >= 0].data)
        last.flush()
        tokens = np.memmap(last, np.int32, "r") if last.tell() else np.zeros(0, np.int32)
    return Numbered(words, tokens, np.concatenate(known), np.concatenate(lengths))


def _blocks(documents: Sequence[Document]) -> Iterator[Sequence[Document]]:
    sizes = np.array([len(document.content) for document in documents], np.int64)
    for first, last in shares(sizes, int(sizes.sum()) // _TEXT_BLOCK + 1):
        if first < last:
            yield documents[first:last]


def _of_each(which: BoolArray, offsets: IntArray) -> IntArray:
    """Return how many tokens of each document the mask `which` marks."""
    return np.diff(np.concatenate([[0], np.cumsum(which)])[offsets])


def _ranked(vocabulary: Vocabulary, allowed: BoolArray) -> tuple[tuple[bytes, ...], Int32Array]:
    """Return the counted and allowed words in order, and the place of every word, or -1."""
    words, counts = vocabulary.words(), vocabulary.counts
    in_byte_order = sorted(np.flatnonzero(counts * allowed).tolist(), key=words.__getitem__)
    order = np.array(in_byte_order, np.int64)
    order = order[np.argsort(-counts[order], kind="stable")]
    ranks = np.full(len(words), -1, np.int32)
    ranks[order] = np.arange(order.size)
    return tuple(words[i] for i in order), ranks
