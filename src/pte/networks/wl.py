"""The word–label network (paper, definition 3)."""

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from pte.corpora.encoded import TRAIN, EncodedCorpus
from pte.errors import PteError
from pte.networks.contract import NetworkSpec

if TYPE_CHECKING:
    from pte.networks.counting import Counting
    from pte.networks.sampling import EdgeSampler

SPEC = NetworkSpec(labels=True, window=False)


def counting(corpus: EncodedCorpus, window: int) -> "Counting":
    """Return the counting of n_dw, summed over the training documents d of a class.

    n_dw is how often word w occurs in document d. A document with several labels counts for each of
    its labels. Raises `PteError` when no training document has a label.
    """
    from pte.networks.building import count_members

    members = _members(corpus)
    if not members.size:
        raise PteError("word–label network: no training document of the corpus has a label")
    return count_members(corpus, members, corpus.n_classes)


def stream(corpus: EncodedCorpus, window: int) -> "EdgeSampler":
    """Return a sampler that draws the edges from the text."""
    from pte.networks.sampling import StreamedMemberships

    return StreamedMemberships(corpus, _members(corpus), corpus.n_classes)


def tokens(corpus: EncodedCorpus) -> int | None:
    """Return how many tokens the labelled training documents have, counted once for each label."""
    return int(np.diff(corpus.offsets)[_members(corpus)[:, 0]].sum())


def _members(corpus: EncodedCorpus) -> NDArray[np.int32]:
    """Return a row (document, class) for every label of the training documents."""
    pairs = corpus.class_pairs
    return np.asarray(pairs[corpus.split[pairs[:, 0]] == TRAIN])
