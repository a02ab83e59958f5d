"""The word–document network (paper, definition 2)."""

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from pte.corpora.encoded import TRAIN, EncodedCorpus
from pte.networks.contract import NetworkSpec

if TYPE_CHECKING:
    from pte.networks.counting import Counting
    from pte.networks.sampling import EdgeSampler

SPEC = NetworkSpec(labels=False, window=False)


def counting(corpus: EncodedCorpus, window: int) -> "Counting":
    """Return the counting of n_dw, how often word w occurs in training document d."""
    from pte.networks.building import count_members

    members = _members(corpus)
    return count_members(corpus, members, len(members))


def stream(corpus: EncodedCorpus, window: int) -> "EdgeSampler":
    """Return a sampler that draws the edges from the text.

    A document without tokens is a source, too.
    """
    from pte.networks.sampling import StreamedMemberships

    members = _members(corpus)
    return StreamedMemberships(corpus, members, len(members))


def tokens(corpus: EncodedCorpus) -> int | None:
    """Return how many tokens the training documents have."""
    return corpus.n_training_tokens


def _members(corpus: EncodedCorpus) -> NDArray[np.int32]:
    """Return a row (document, source) for each training document, which is a source of its own."""
    documents = corpus.documents(TRAIN)
    return np.stack([documents, np.arange(documents.size)], axis=1).astype(np.int32)
