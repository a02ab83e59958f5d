"""Raw documents and tokenisers, in the forms in which estimators take them."""

import warnings
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from pte.classify.errors import BadInput
from pte.classify.given import items_of
from pte.classify.labels import is_missing
from pte.corpora.encoded import EncodedCorpus
from pte.corpora.tokenise import TOKENISERS, Tokeniser, from_function

Texts = Iterable[str | bytes] | EncodedCorpus
"""Documents, or the corpus that the `encode` of a fitted model has made of them."""

Tokenizer = str | Tokeniser | Callable[[str], Sequence[str]]
"""The name of a tokeniser in `pte.corpora.tokenise.TOKENISERS`, a tokeniser, or a function."""


def as_bytes(raw_documents: Any) -> list[bytes]:
    """Return documents as bytes, in UTF-8; documents that are bytes stay as they are.

    A missing document is an empty one, as in files, and a warning counts them. Raises `BadInput`
    when a document is not text, and when `raw_documents` is one text or a table.
    """
    shape = getattr(raw_documents, "shape", (0,))
    if len(shape) > 1:
        raise BadInput("raw_documents: this is a table; give one column of it, that of the texts")
    is_one = isinstance(raw_documents, str | bytes) or not shape
    if is_one or not isinstance(raw_documents, Iterable):
        raise BadInput("raw_documents: give a list of texts, one for each document")
    texts = items_of("raw_documents", raw_documents)
    missing = 0
    for i, text in enumerate(texts):
        if not isinstance(text, str | bytes):
            if is_missing(text):
                texts[i] = ""
                missing += 1
                continue
            kind = type(text).__name__
            raise BadInput(f"raw_documents: document {i} is of type {kind}; it must be text")
    if missing:
        warnings.warn(f"raw_documents: {missing:,} missing; they count as empty", stacklevel=2)
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
        try:
            return [token.encode("utf-8", "surrogateescape") for token in tokens]
        except (TypeError, AttributeError) as error:
            raise BadInput(f"tokenizer: {error}; it must return a list of texts") from error

    return from_function(tokens_of)
