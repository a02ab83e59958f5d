"""The word–group network: all training documents of a group, such as an author, are one source."""

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from pte.corpora.encoded import TRAIN, EncodedCorpus
from pte.errors import PteError
from pte.networks.contract import NetworkSpec

if TYPE_CHECKING:
    from pte.networks.counting import Counting
    from pte.networks.sampling import EdgeSampler

SPEC = NetworkSpec(labels=False, window=False)


def counting(corpus: EncodedCorpus, window: int) -> "Counting":
    """Return the counting of n_dw, summed over the training documents d of a group.

    n_dw is how often word w occurs in document d. Raises `PteError` when no training document has a
    group.
    """
    from pte.networks.building import count_members

    members = _members(corpus)
    return count_members(corpus, members, int(members[:, 1].max()) + 1)


def stream(corpus: EncodedCorpus, window: int) -> "EdgeSampler":
    """Return a sampler that draws the edges from the text; raises `PteError` as `counting` does."""
    from pte.networks.sampling import StreamedMemberships

    members = _members(corpus)
    return StreamedMemberships(corpus, members, int(members[:, 1].max()) + 1)


def tokens(corpus: EncodedCorpus) -> int | None:
    """Return how many tokens the training documents with a group have."""
    return int(np.diff(corpus.offsets)[_members(corpus)[:, 0]].sum())


def _members(corpus: EncodedCorpus) -> NDArray[np.int32]:
    """Return a row (document, group) for each training document that has a group.

    Raises `PteError` when there is no such document.
    """
    given = np.full(corpus.n_documents, -1) if corpus.groups is None else corpus.groups
    documents = np.flatnonzero((corpus.split == TRAIN) & (given >= 0))
    if not documents.size:
        raise PteError(
            "word–group network: no training document has a group; let the reader of the corpus "
            "give its documents one (docs/adding.md)"
        )
    return np.stack([documents, given[documents]], axis=1).astype(np.int32)
