"""Turns documents into an encoded corpus: numbers and counts their words, classes and groups."""

import hashlib
from collections import Counter
from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from pte.corpora.document import Document
from pte.corpora.encoded import TEST, TRAIN, UNLABELLED, EncodedCorpus
from pte.corpora.numbering import Numbered, number
from pte.corpora.tokenise import Tokeniser
from pte.errors import PteError


def encode(
    documents: Sequence[Document],
    tokeniser: Tokeniser,
    class_names: Mapping[str, str] | None = None,
    threads: int = 1,
    only: frozenset[bytes] | None = None,
) -> EncodedCorpus:
    """Number words and classes of documents, also of empty ones; `threads` change no result.

    The vocabulary has the words of training documents, the most frequent first, ties in byte order.
    Tokens that are not in `only` are left out, so that their neighbours come next to each other.
    """
    return assembled(documents, number(documents, tokeniser, threads, only), class_names)


def assembled(
    documents: Sequence[Document],
    numbered: Numbered,
    class_names: Mapping[str, str] | None = None,
) -> EncodedCorpus:
    """Return the corpus of documents whose words are numbered, as `encode` describes it."""
    part = np.array([document.part for document in documents], np.uint8)
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
        "test_texts_also_in_train": _test_texts_in_train(documents),
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


def _test_texts_in_train(documents: Sequence[Document]) -> int:
    tests = Counter(_digest(document) for document in documents if document.part == TEST)
    train = {text for d in documents if d.part == TRAIN and (text := _digest(d)) in tests}
    return sum(tests[text] for text in train)


def _digest(document: Document) -> bytes:
    """Return 16 bytes that stand for the text without white space around it."""
    return hashlib.blake2b(document.text.strip(), digest_size=16).digest()
