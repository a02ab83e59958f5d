"""Parts of a corpus, for nodes that each hold one."""

import numpy as np

from pte.corpora.encoded import TRAIN, EncodedCorpus
from pte.errors import PteError


def dealt(corpus: EncodedCorpus, parts: int, seed: int) -> list[EncodedCorpus]:
    """Deal the training documents at random to so many parts, as evenly as can be.

    Each part has the words and classes of the whole, and no test documents. Raises `PteError` when
    there are fewer documents than parts, or no part.
    """
    documents = corpus.documents(TRAIN)
    if not 1 <= parts <= documents.size:
        raise PteError(f"parts is {parts}; it must be between 1 and {documents.size} documents")
    order = np.random.default_rng(seed).permutation(documents)
    dealt_to = np.full(corpus.n_documents, -1)
    dealt_to[order] = np.arange(documents.size) % parts
    return [corpus.of_documents(dealt_to == part) for part in range(parts)]
