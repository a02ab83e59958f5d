"""The three networks of a corpus (paper, section 3). Only training documents enter them."""

from collections.abc import Callable

import numpy as np

from pte.core.windows import window_pairs
from pte.corpora.encoded import EncodedCorpus
from pte.errors import PteError
from pte.networks.bipartite import Network


def word_word(corpus: EncodedCorpus, window: int) -> Network:
    """Definition 1: w_ij counts how often two words stand within `window` tokens of each other.

    A pair of positions gives both directions; a word beside itself gives its loop twice, as in the
    authors' code. Documents never share a window.
    """
    tokens, offsets, _ = corpus.training_tokens()
    n_words = corpus.n_words
    keys, counts = np.unique(window_pairs(tokens, offsets, window, n_words), return_counts=True)
    a, b = np.divmod(keys, n_words)
    loops = a == b
    both = np.concatenate([keys, (b * n_words + a)[~loops]])
    weight = np.concatenate([np.where(loops, 2 * counts, counts), counts[~loops]])
    order = np.argsort(both)
    return Network.from_keys(both[order], weight[order], n_words, n_words)


def word_document(corpus: EncodedCorpus) -> Network:
    """Definition 2: n_dw, how often word w occurs in training document d."""
    tokens, offsets, _ = corpus.training_tokens()
    documents = np.repeat(np.arange(offsets.size - 1), np.diff(offsets))
    return _count(documents, tokens, offsets.size - 1, corpus.n_words)


def word_label(corpus: EncodedCorpus) -> Network:
    """Definition 3: the sum of n_dw over the labelled training documents of a class."""
    tokens, offsets, labels = corpus.training_tokens()
    classes = np.repeat(labels, np.diff(offsets))
    labelled = classes >= 0
    if not labelled.any():
        raise PteError("word–label network: no training document of the corpus has a label")
    return _count(classes[labelled], tokens[labelled], corpus.n_classes, corpus.n_words)


def _count(source: np.ndarray, target: np.ndarray, n_sources: int, n_targets: int) -> Network:
    keys, counts = np.unique(source.astype(np.int64) * n_targets + target, return_counts=True)
    return Network.from_keys(keys, counts, n_sources, n_targets)


BUILDERS: dict[str, Callable[..., Network]] = {
    "ww": word_word,
    "wd": word_document,
    "wl": word_label,
}
"""The networks by the names that `workflow/registry/methods.yaml` uses."""
