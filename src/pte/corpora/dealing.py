"""Deals the training documents of a corpus into parts, so that each node holds one part."""

import numpy as np
from numpy.typing import NDArray

from pte.corpora.encoded import TRAIN, EncodedCorpus
from pte.errors import PteError


def dealt(corpus: EncodedCorpus, parts: int, seed: int) -> list[EncodedCorpus]:
    """Deal the training documents at random into `parts` parts of nearly equal numbers.

    Each part has all words and classes of the corpus, and no test documents. Raises `PteError` when
    `parts` is less than 1 or more than the number of training documents.
    """
    part_of = dealt_to(corpus, parts, seed)
    return [corpus.of_documents(part_of == part) for part in range(parts)]


def dealt_to(corpus: EncodedCorpus, parts: int, seed: int) -> NDArray[np.int64]:
    """Return the part of each document, or -1 for a test document. Raises `PteError` as `dealt`."""
    documents = corpus.documents(TRAIN)
    if not 1 <= parts <= documents.size:
        raise PteError(f"parts is {parts}; it must be between 1 and {documents.size} documents")
    order = np.random.default_rng(seed).permutation(documents)
    part_of = np.full(corpus.n_documents, -1)
    part_of[order] = np.arange(documents.size) % parts
    return part_of
