"""The parts that builders of networks share: the text, and the counting of rows."""

from functools import partial

import numpy as np
from numpy.typing import NDArray

from pte.core.counting import note_tokens
from pte.corpora.encoded import EncodedCorpus
from pte.networks.bipartite import Network
from pte.networks.counting import Counting, Rows


def text_of(corpus: EncodedCorpus) -> tuple[NDArray[np.int32], NDArray[np.int64]]:
    """Return the tokens of a corpus, and where each document begins and ends in them."""
    tokens = corpus.tokens.view(np.ndarray)
    tokens.flags.writeable = False  # as when memory-mapped, so that a kernel is compiled once
    return tokens, np.stack([corpus.offsets[:-1], corpus.offsets[1:]], axis=1)


def count_members(corpus: EncodedCorpus, members: NDArray[np.int32], n_sources: int) -> Counting:
    """Return the counting of n_dw, summed over the training documents d of a source.

    n_dw is how often word w occurs in document d. A row (document, source) of `members` says that a
    document counts for a source.
    """
    tokens, bounds = text_of(corpus)
    documents, sources = bounds[members[:, 0]], members[:, 1].astype(np.int64)
    lengths = documents[:, 1] - documents[:, 0]
    sizes = np.bincount(sources, lengths, n_sources).astype(np.int64)
    note = partial(note_tokens, tokens, documents, sources)
    return Counting(sizes, corpus.n_words, note)


def network_of(rows: Rows, n_words: int, undirected: bool) -> Network:
    """Return the network whose source r has the edges of row r.

    Raises `PteError` when there is no edge.
    """
    n_rows = rows.edges.size
    source = np.repeat(np.arange(n_rows, dtype=np.int32), rows.edges)
    return Network(source, rows.target, rows.weight, n_rows, n_words, undirected)
