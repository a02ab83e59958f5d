"""The word–document network (paper, definition 2)."""

from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from pte.corpora.encoded import TRAIN, EncodedCorpus
from pte.networks.contract import NetworkSpec

if TYPE_CHECKING:
    from pte.networks.counting import Counting
    from pte.networks.sampling import EdgeSampler

SPEC = NetworkSpec(labels=False, window=False, of_documents=True)


def counting(corpus: EncodedCorpus, window: int) -> "Counting":
    """Return the counting of n_dw, how often word w occurs in training document d."""
    from pte.core.counting import note_tokens
    from pte.networks.building import training_part
    from pte.networks.counting import Counting

    tokens, documents = training_part(corpus)
    note = partial(note_tokens, tokens, documents, np.arange(len(documents)))
    lengths = documents[:, 1] - documents[:, 0]
    return Counting(lengths, corpus.n_words, note)


def stream(corpus: EncodedCorpus, window: int) -> "EdgeSampler":
    """Return a sampler that draws the edges from the text.

    A document without tokens is a source, too.
    """
    from pte.networks.sampling import StreamedMemberships

    documents = corpus.documents(TRAIN)
    members = np.stack([documents, np.arange(documents.size)], axis=1).astype(np.int32)
    return StreamedMemberships(corpus, members, documents.size)


def tokens(corpus: EncodedCorpus) -> int | None:
    """Return how many tokens the training documents have."""
    return corpus.n_training_tokens
