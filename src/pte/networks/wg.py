"""The word–group network: all training documents of a group, such as an author, are one source."""

from functools import partial
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from pte.corpora.encoded import TRAIN, EncodedCorpus
from pte.errors import PteError
from pte.networks.bipartite import Network
from pte.networks.contract import MEMORY, NetworkSpec

if TYPE_CHECKING:
    from pte.networks.sampling import EdgeSampler

SPEC = NetworkSpec(labels=False, window=False)


def build(corpus: EncodedCorpus, window: int, memory: int = MEMORY, threads: int = 1) -> Network:
    """Sum n_dw, how often word w occurs in document d, over the training documents of a group.

    Raises `PteError` when no training document has a group.
    """
    from pte.core.counting import note_tokens
    from pte.networks.building import counted, training_part

    tokens, documents, _ = training_part(corpus)
    groups = _groups(corpus)[corpus.split == TRAIN].astype(np.int64)
    documents, groups = documents[groups >= 0], groups[groups >= 0]
    sizes = np.bincount(groups, documents[:, 1] - documents[:, 0]).astype(np.int64)
    note = partial(note_tokens, tokens, documents, groups)
    return counted(sizes, corpus.n_words, note, memory, threads)


def stream(corpus: EncodedCorpus, window: int) -> "EdgeSampler":
    """Draw the edges of `build` from the text."""
    from pte.networks.sampling import StreamedMemberships

    groups = _groups(corpus)
    return StreamedMemberships(corpus, groups, int(groups.max()) + 1)


def tokens(corpus: EncodedCorpus) -> int | None:
    """How many tokens the training documents with a group have."""
    return int(np.diff(corpus.offsets)[_groups(corpus) >= 0].sum())


def _groups(corpus: EncodedCorpus) -> NDArray[np.int32]:
    """The group of each training document; −1 for one without, and for test documents."""
    given = -1 if corpus.groups is None else corpus.groups
    groups = np.where(corpus.split == TRAIN, given, -1).astype(np.int32)
    if groups.max(initial=-1) < 0:
        raise PteError(
            "word–group network: no training document has a group; let the reader of the corpus "
            "give its documents one (docs/own-networks.md)"
        )
    return groups
