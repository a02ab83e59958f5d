"""Documents become an encoded corpus: split, tokenised, numbered, counted."""

import hashlib
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from pte.corpora.encoded import TEST, TRAIN, UNLABELLED, EncodedCorpus
from pte.corpora.numbering import number
from pte.corpora.readers import Document, read
from pte.corpora.tokenise import Tokeniser
from pte.errors import PteError


def shuffled_split(documents: Sequence[Document], train: int, seed: int) -> list[Document]:
    """Forget the distributed split: a seeded shuffle of the labelled documents, the first `train`
    of them for training, and behind them the unlabelled ones, for training too.
    """
    labelled = [document for document in documents if document.label is not None]
    if not 0 < train < len(labelled):
        raise PteError(f"split: train is {train}, but there are {len(labelled)} labelled documents")
    order = np.random.default_rng(seed).permutation(len(labelled))
    shuffled = [
        replace(labelled[i], part=TRAIN if rank < train else TEST) for rank, i in enumerate(order)
    ]
    return shuffled + [replace(d, part=TRAIN) for d in documents if d.label is None]


def sampled(documents: Sequence[Document], size: int, seed: int) -> list[Document]:
    """`size` of the documents at random, in their order. Raises `PteError` if there are fewer."""
    if size > len(documents):
        raise PteError(
            f"unlabelled: {size} documents are asked for, but there are {len(documents)}"
        )
    chosen = np.random.default_rng(seed).permutation(len(documents))[:size]
    return [documents[i] for i in np.sort(chosen)]


def read_entry(paths: Mapping[str, Path], entry: Mapping[str, Any]) -> list[Document]:
    """The documents of a registry entry. `paths` are those of its archives by their roles:
    `archive`, `labels` where these are in another, `unlabelled` for more text.
    """
    documents = list(read(paths["archive"], entry["reader"], entry["options"], paths.get("labels")))
    if "unlabelled" in entry:
        more = entry["unlabelled"]
        others = list(read(paths["unlabelled"], more["reader"], more["options"]))
        documents += sampled(others, more["documents"], more["seed"])
    return documents


def documents_sha256(documents: Iterable[Document]) -> str:
    """A digest of the documents, their labels and parts, in order, whatever archive held them."""
    digest = hashlib.sha256()
    for document in documents:
        head = f"{document.part}\t{document.label}\t{len(document.text)}\n"
        digest.update(head.encode())
        digest.update(document.text)
    return digest.hexdigest()


def encode(
    documents: Sequence[Document],
    tokeniser: Tokeniser,
    class_names: Mapping[str, str] | None = None,
    threads: int = 1,
) -> EncodedCorpus:
    """Number the words and the classes of a corpus.

    The vocabulary is that of the training part, labelled or not, most frequent first, ties in the
    order of their bytes. What does not fit has one behaviour each: bytes that do not decode stay
    as they are, a token being a byte string; an empty document is kept, with no tokens; a test
    word that training never saw is dropped, so that a test document may end up with no known word
    and is kept too. All are counted in `meta`. Classes are in the order of their labels;
    `class_names` renames them. The result does not depend on `threads`.

    Raises `PteError` when there is no training document with a token, when a test document has no
    label, and when a class has no training document (no classifier could ever predict it).
    """
    part = np.array([document.part for document in documents], np.uint8)
    numbered = number(documents, tokeniser, threads)
    lengths, known = numbered.lengths, numbered.known
    if not numbered.words:
        raise PteError("corpus: no training document holds a token; is the tokeniser right?")
    labels, classes = _number_classes(documents)

    meta = {
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
    names = class_names or {}
    return EncodedCorpus(
        tokens=numbered.tokens,
        offsets=np.concatenate([[0], np.cumsum(known)]),
        labels=labels,
        split=part,
        words=numbered.words,
        classes=tuple(names.get(label, label) for label in classes),
        meta={"counts": meta},
    )


def _number_classes(documents: Sequence[Document]) -> tuple[np.ndarray, list[str]]:
    trained = {d.label for d in documents if d.part == TRAIN and d.label is not None}
    for document in documents:
        if document.part == TEST and document.label is None:
            raise PteError("corpus: a test document has no label; put it into the training part")
        if document.label is not None and document.label not in trained:
            raise PteError(
                f"corpus: class {document.label!r} has no training document; "
                "remove its test documents or label some for training"
            )
    classes = sorted(trained)
    ids: dict[str | None, int] = {label: i for i, label in enumerate(classes)}
    ids[None] = UNLABELLED
    return np.array([ids[document.label] for document in documents], np.int32), classes


def _test_texts_in_train(documents: Sequence[Document]) -> int:
    tests = Counter(document.text.strip() for document in documents if document.part == TEST)
    train = {text for d in documents if d.part == TRAIN and (text := d.text.strip()) in tests}
    return sum(tests[text] for text in train)


def encode_entry(
    documents: Sequence[Document],
    entry: Mapping[str, Any],
    tokenisers: Mapping[str, Tokeniser],
    threads: int = 1,
) -> EncodedCorpus:
    """Encode the documents of a registry entry, checking that they are the ones it describes."""
    digest = documents_sha256(documents)
    expected = entry["documents_sha256"]
    if digest != expected:
        raise PteError(
            f"corpora.yaml: documents_sha256 is {expected}, but what was read hashes to {digest}; "
            "the archive holds other texts than the registry describes: fetch it anew, or enter "
            "the new hash if the texts are meant to be others"
        )
    split = entry["split"]
    if split["rule"] == "shuffled":
        documents = shuffled_split(documents, split["train"], split["seed"])
    tokeniser = tokenisers[entry["tokeniser"]]
    corpus = encode(documents, tokeniser, entry.get("class_names"), threads)
    return replace(corpus, meta=corpus.meta | {"documents_sha256": digest, "entry": dict(entry)})
