"""The three networks of a corpus (paper, section 3). Only training documents enter them.

`memory` (bytes) and `threads` are those of `pte.networks.counting.count_rows`; neither changes the
network.
"""

from collections.abc import Callable
from functools import partial

import numpy as np
from numpy.typing import NDArray

from pte.core.counting import note_tokens
from pte.core.pairs import count_pairs, note_pairs
from pte.corpora.encoded import TRAIN, EncodedCorpus
from pte.errors import PteError
from pte.networks.bipartite import Network
from pte.networks.counting import MEMORY, Rows, count_rows


def word_word(
    corpus: EncodedCorpus, window: int, memory: int = MEMORY, threads: int = 1
) -> Network:
    """Definition 1: w_ij counts how often two words stand within `window` tokens of each other.

    The network is undirected: a pair of positions gives both directions, and a word beside itself
    its loop twice, as in the authors' code. Documents never share a window.
    """
    tokens, documents, _ = _training_part(corpus)
    n_words = corpus.n_words
    sizes = count_pairs(tokens, documents, window, n_words)
    note = partial(note_pairs, tokens, documents, window)
    rows = count_rows(sizes, n_words, note, memory, threads)
    return _network(rows, n_words, undirected=True)


def word_document(corpus: EncodedCorpus, memory: int = MEMORY, threads: int = 1) -> Network:
    """Definition 2: n_dw, how often word w occurs in training document d."""
    tokens, documents, _ = _training_part(corpus)
    note = partial(note_tokens, tokens, documents, np.arange(len(documents)))
    lengths = documents[:, 1] - documents[:, 0]
    rows = count_rows(lengths, corpus.n_words, note, memory, threads)
    return _network(rows, corpus.n_words)


def word_label(corpus: EncodedCorpus, memory: int = MEMORY, threads: int = 1) -> Network:
    """Definition 3: the sum of n_dw over the labelled training documents of a class."""
    tokens, documents, labels = _training_part(corpus)
    labelled = labels >= 0
    if not labelled.any():
        raise PteError("word–label network: no training document of the corpus has a label")
    documents, classes = documents[labelled], labels[labelled].astype(np.int64)
    lengths = documents[:, 1] - documents[:, 0]
    sizes = np.bincount(classes, lengths, corpus.n_classes).astype(np.int64)
    note = partial(note_tokens, tokens, documents, classes)
    rows = count_rows(sizes, corpus.n_words, note, memory, threads)
    return _network(rows, corpus.n_words)


def _training_part(
    corpus: EncodedCorpus,
) -> tuple[NDArray[np.int32], NDArray[np.int64], NDArray[np.int32]]:
    """All tokens, where in them each training document begins and ends, and its label."""
    keep = corpus.split == TRAIN
    documents = np.stack([corpus.offsets[:-1], corpus.offsets[1:]], axis=1)[keep]
    tokens = corpus.tokens.view(np.ndarray)
    tokens.flags.writeable = False  # as when memory-mapped, so that a kernel is compiled once
    return tokens, documents, np.asarray(corpus.labels[keep])


def _network(rows: Rows, n_words: int, undirected: bool = False) -> Network:
    n_rows = rows.edges.size
    source = np.repeat(np.arange(n_rows, dtype=np.int32), rows.edges)
    return Network(source, rows.target, rows.weight, n_rows, n_words, undirected)


BUILDERS: dict[str, Callable[..., Network]] = {
    "ww": word_word,
    "wd": word_document,
    "wl": word_label,
}
"""The networks by the names that `workflow/registry/methods.yaml` uses."""
