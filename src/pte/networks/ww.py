"""The word–word network (paper, definition 1)."""

from functools import partial
from typing import TYPE_CHECKING

from pte.corpora.encoded import TRAIN, EncodedCorpus
from pte.networks.contract import NetworkSpec

if TYPE_CHECKING:
    from pte.networks.counting import Counting
    from pte.networks.sampling import EdgeSampler

SPEC = NetworkSpec(labels=False, window=True, ordered=True)


def counting(corpus: EncodedCorpus, window: int) -> "Counting":
    """Return the counting of pairs of words in training documents, at most `window` tokens apart.

    The network is undirected: a pair of positions gives both directions, and a word beside itself
    gives its loop twice, as in the authors' code. A window never reaches into another document.
    Raises `NoEdges` when no training document has two words.
    """
    from pte.core.pairs import count_pairs, note_pairs
    from pte.networks.building import text_of
    from pte.networks.counting import Counting
    from pte.networks.sampling import NO_PAIRS, NoEdges

    tokens, bounds = text_of(corpus)
    documents = bounds[corpus.split == TRAIN]
    sizes = count_pairs(tokens, documents, window, corpus.n_words)
    if not sizes.any():
        raise NoEdges(f"word–word network: {NO_PAIRS}")
    note = partial(note_pairs, tokens, documents, window)
    return Counting(sizes, corpus.n_words, note, undirected=True)


def stream(corpus: EncodedCorpus, window: int) -> "EdgeSampler":
    """Return a sampler that draws the edges from the text."""
    from pte.networks.sampling import StreamedWindows

    return StreamedWindows(corpus, corpus.split == TRAIN, window)


def tokens(corpus: EncodedCorpus) -> int | None:
    """Return None, because the pairs of words are many and need no bound."""
    return None
