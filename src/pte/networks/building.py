"""The parts that builders of networks share: the training documents, and the counting of rows."""

from functools import partial
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pte.core.counting import note_tokens
from pte.corpora.encoded import TRAIN, EncodedCorpus
from pte.networks.bipartite import Network
from pte.networks.counting import Counting, Rows


class TrainingPart(NamedTuple):
    """The training documents of a corpus, within its tokens.

    `tokens` (int32) are the tokens of the whole corpus. A row of `documents` (int64, shape
    (documents, 2)) says where a document begins and ends in `tokens`.
    """

    tokens: NDArray[np.int32]
    documents: NDArray[np.int64]


def training_part(corpus: EncodedCorpus) -> TrainingPart:
    """Find the training documents of a corpus."""
    keep = corpus.split == TRAIN
    documents = np.stack([corpus.offsets[:-1], corpus.offsets[1:]], axis=1)[keep]
    tokens = corpus.tokens.view(np.ndarray)
    tokens.flags.writeable = False  # as when memory-mapped, so that a kernel is compiled once
    return TrainingPart(tokens, documents)


def count_members(corpus: EncodedCorpus, members: NDArray[np.int32], n_sources: int) -> Counting:
    """Return the counting of n_dw, summed over the training documents d of a source.

    n_dw is how often word w occurs in document d. A row (document, source) of `members` says that a
    document counts for a source.
    """
    bounds = np.stack([corpus.offsets[:-1], corpus.offsets[1:]], axis=1)
    documents, sources = bounds[members[:, 0]], members[:, 1].astype(np.int64)
    lengths = documents[:, 1] - documents[:, 0]
    sizes = np.bincount(sources, lengths, n_sources).astype(np.int64)
    note = partial(note_tokens, training_part(corpus).tokens, documents, sources)
    return Counting(sizes, corpus.n_words, note)


def network_of(rows: Rows, n_words: int, undirected: bool) -> Network:
    """Return the network whose source r has the edges of row r.

    Raises `PteError` when there is no edge.
    """
    n_rows = rows.edges.size
    source = np.repeat(np.arange(n_rows, dtype=np.int32), rows.edges)
    return Network(source, rows.target, rows.weight, n_rows, n_words, undirected)
