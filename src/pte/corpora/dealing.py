"""Parts of a corpus, for nodes that each hold one."""

import numpy as np
from numpy.typing import NDArray

from pte.corpora.encoded import TRAIN, EncodedCorpus
from pte.errors import PteError


def dealt(corpus: EncodedCorpus, parts: int, seed: int) -> list[EncodedCorpus]:
    """Deal the training documents at random to so many parts, as evenly as can be.

    Each part has the words and classes of the whole, and no test documents. Raises `PteError` when
    there are fewer documents than parts, or no part.
    """
    dealt_to = _dealt_to(corpus, parts, seed)
    return [corpus.of_documents(dealt_to == part) for part in range(parts)]


def dealt_part(corpus: EncodedCorpus, parts: int, seed: int, number: int) -> EncodedCorpus:
    """Part `number`, from 0 on, of those that `dealt` returns. Raises `PteError` as it does."""
    return corpus.of_documents(_dealt_to(corpus, parts, seed) == number)


def _dealt_to(corpus: EncodedCorpus, parts: int, seed: int) -> NDArray[np.int64]:
    """The part of each document, or -1."""
    documents = corpus.documents(TRAIN)
    if not 1 <= parts <= documents.size:
        raise PteError(f"parts is {parts}; it must be between 1 and {documents.size} documents")
    order = np.random.default_rng(seed).permutation(documents)
    dealt_to = np.full(corpus.n_documents, -1)
    dealt_to[order] = np.arange(documents.size) % parts
    return dealt_to
