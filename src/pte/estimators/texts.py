"""The encoding of raw documents as a corpus, as for the documents of an archive."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from pte.corpora.document import Document
from pte.corpora.encode import encode
from pte.corpora.encoded import TEST, TRAIN, UNLABELLED, EncodedCorpus
from pte.corpora.tokenise import TOKENISERS, Tokeniser, from_function
from pte.corpora.vocabulary import Vocabulary
from pte.estimators.errors import BadInput
from pte.estimators.labels import GivenLabels, is_missing
from pte.keyed_vectors import KeyedVectors

Texts = Iterable[str | bytes] | EncodedCorpus
"""Documents, or the corpus that the `encode` of a fitted model has made of them."""

Tokenizer = str | Tokeniser | Callable[[str], Sequence[str]]
"""The name of a tokeniser in `pte.corpora.tokenise.TOKENISERS`, a tokeniser, or a function."""


def as_bytes(raw_documents: Any) -> list[bytes]:
    """Return documents as bytes, in UTF-8; documents that are bytes stay as they are.

    Raises `BadInput` when a document is not text, and when `raw_documents` is one text or a table.
    """
    if isinstance(raw_documents, str | bytes) or not isinstance(raw_documents, Iterable):
        raise BadInput("raw_documents: give a list of texts, one for each document")
    if getattr(raw_documents, "ndim", 1) > 1:
        raise BadInput("raw_documents: this is a table; give one column of it, that of the texts")
    texts = list(raw_documents)
    for i, text in enumerate(texts):
        if not isinstance(text, str | bytes):
            if is_missing(text):
                raise BadInput(f"raw_documents: document {i} is missing; leave it out, or give ''")
            kind = type(text).__name__
            raise BadInput(f"raw_documents: document {i} is of type {kind}; it must be text")
    return [
        text if isinstance(text, bytes) else text.encode("utf-8", "surrogatepass") for text in texts
    ]


def tokeniser_of(tokenizer: Tokenizer) -> Tokeniser:
    """Return the tokeniser of a name or a function. Raises `BadInput` for an unknown name."""
    if isinstance(tokenizer, Tokeniser):
        return tokenizer
    if isinstance(tokenizer, str) and tokenizer in TOKENISERS:
        return TOKENISERS[tokenizer]
    if isinstance(tokenizer, str) or not callable(tokenizer):
        names = ", ".join(TOKENISERS)
        raise BadInput(f"tokenizer is {tokenizer!r}; it must be a function or one of {names}")

    def tokens_of(text: bytes) -> list[bytes]:
        tokens = tokenizer(text.decode("utf-8", "surrogateescape"))
        if isinstance(tokens, str | bytes):
            raise BadInput("tokenizer returns a text; it must return a list of tokens")
        return [token.encode("utf-8", "surrogateescape") for token in tokens]

    return from_function(tokens_of)


def training_corpus(
    texts: Sequence[bytes],
    labels: GivenLabels | None,
    tokeniser: Tokeniser,
    min_count: int = 1,
    threads: int = 1,
) -> EncodedCorpus:
    """Encode all texts as training documents, with their labels, as `pte.corpora.encode` does.

    A document that has none of the classes is unlabelled here: it has no edge to a class. The
    classes of the corpus are those of `labels.classes` that have a document, in the same order.
    Words that occur less than `min_count` times are left out, so that their neighbours come next to
    each other. Raises `PteError` when there is no text, when all texts are empty, and when no word
    is left.
    """
    if not texts:
        raise BadInput("raw_documents: it has no document")
    if not any(text.strip() for text in texts):
        raise BadInput(f"raw_documents: all {len(texts):,} texts are empty; give some with words")
    of_documents = labels.of_documents if labels else (None,) * len(texts)
    documents = [
        _document(text, numbers or ()) for text, numbers in zip(texts, of_documents, strict=True)
    ]
    known = enumerate(labels.classes.tolist() if labels else ())
    names = {_name(number): str(label) for number, label in known}
    corpus = encode(documents, tokeniser, names, threads)
    if labels and labels.several and not corpus.is_multilabel:
        corpus = replace(corpus, memberships=corpus.class_pairs)
    return corpus if min_count == 1 else _of_frequent_words(corpus, min_count)


def _document(text: bytes, numbers: tuple[int, ...]) -> Document:
    names = tuple(map(_name, numbers))
    return Document(text, names[0] if names else None, TRAIN, names[1:])


def _name(number: int) -> str:
    """Return the name of a class: its digits. `encode` sorts names, and so keeps the order."""
    return f"{number:09}"


def _of_frequent_words(corpus: EncodedCorpus, min_count: int) -> EncodedCorpus:
    """Leave rare words out. Frequent words come first, so words that stay keep their numbers."""
    counts = np.bincount(corpus.tokens, minlength=corpus.n_words)
    n_words = int((counts >= min_count).sum())
    if not n_words:
        raise BadInput(f"min_count is {min_count}; no word occurs so often")
    kept = corpus.tokens < n_words
    before = np.concatenate([[0], np.cumsum(kept)])
    return replace(
        corpus,
        tokens=corpus.tokens[kept],
        offsets=before[corpus.offsets],
        words=corpus.words[:n_words],
    )


def further_corpus(
    texts: Sequence[bytes], tokeniser: Tokeniser, words: KeyedVectors
) -> EncodedCorpus:
    """Encode further texts with the numbers of words in `words`, and leave other words out."""
    vocabulary = Vocabulary()
    prepared = [tokeniser.prepare(text) for text in texts]
    uncounted = np.zeros(len(texts), np.bool_)
    numbers, offsets = vocabulary.number(prepared, uncounted, tokeniser.table)
    found = (word.decode("utf-8", "surrogateescape") for word in vocabulary.words())
    places = np.array([words.index.get(word, -1) for word in found], np.int32)
    tokens = places[numbers]
    before = np.concatenate([[0], np.cumsum(tokens >= 0)])
    n = len(texts)
    return EncodedCorpus(
        tokens=tokens[tokens >= 0],
        offsets=before[offsets],
        labels=np.full(n, UNLABELLED, np.int32),
        split=np.full(n, TEST, np.uint8),
        words=words.raw_keys,
        classes=(),
    )
