"""The word–label network (paper, definition 3)."""

from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from pte.corpora.encoded import TRAIN, UNLABELLED, EncodedCorpus
from pte.errors import PteError
from pte.networks.bipartite import Network
from pte.networks.contract import MEMORY, NetworkSpec

if TYPE_CHECKING:
    from pte.networks.sampling import EdgeSampler

SPEC = NetworkSpec(labels=True, window=False)


def build(corpus: EncodedCorpus, window: int, memory: int = MEMORY, threads: int = 1) -> Network:
    """Sum n_dw, how often word w occurs in document d, over the training documents of a class.

    Raises `PteError` when no training document has a label.
    """
    from pte.core.counting import note_tokens
    from pte.networks.building import counted, training_part

    tokens, documents, labels = training_part(corpus)
    labelled = labels >= 0
    if not labelled.any():
        raise PteError("word–label network: no training document of the corpus has a label")
    documents, classes = documents[labelled], labels[labelled].astype(np.int64)
    lengths = documents[:, 1] - documents[:, 0]
    sizes = np.bincount(classes, lengths, corpus.n_classes).astype(np.int64)
    note = partial(note_tokens, tokens, documents, classes)
    return counted(sizes, corpus.n_words, note, memory, threads)


def stream(corpus: EncodedCorpus, window: int) -> "EdgeSampler":
    """Draw the edges of `build` from the text."""
    from pte.networks.sampling import StreamedMemberships

    labels = np.where(corpus.split == TRAIN, corpus.labels, UNLABELLED).astype(np.int32)
    return StreamedMemberships(corpus, labels, corpus.n_classes)


def tokens(corpus: EncodedCorpus) -> int | None:
    """How many tokens the labelled training documents have."""
    labelled = (corpus.split == TRAIN) & (corpus.labels != UNLABELLED)
    return int(np.diff(corpus.offsets)[labelled].sum())
