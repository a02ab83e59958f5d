"""The word–label network (paper, definition 3)."""

from functools import partial
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
    from pte.core.counting import note_tokens
    from pte.networks.building import training_part
    from pte.networks.counting import Counting

    members = _members(corpus)
    if not members.size:
        raise PteError("word–label network: no training document of the corpus has a label")
    bounds = np.stack([corpus.offsets[:-1], corpus.offsets[1:]], axis=1)
    documents, classes = bounds[members[:, 0]], members[:, 1].astype(np.int64)
    lengths = documents[:, 1] - documents[:, 0]
    sizes = np.bincount(classes, lengths, corpus.n_classes).astype(np.int64)
    note = partial(note_tokens, training_part(corpus).tokens, documents, classes)
    return Counting(sizes, corpus.n_words, note)


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
