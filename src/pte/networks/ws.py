"""The word–sentence network, one of many that the paper names (section 3): sources are spans.

An encoded corpus has no ends of sentences, because tokenisers drop punctuation. So a span of `SPAN`
tokens stands for a sentence. The last span of a document has the tokens that are left. No span
reaches into another document.
"""

from typing import TYPE_CHECKING

import numpy as np

from pte.corpora.encoded import EncodedCorpus
from pte.networks import wd
from pte.networks.contract import NetworkSpec

if TYPE_CHECKING:
    from pte.networks.counting import Counting
    from pte.networks.sampling import EdgeSampler

SPEC = NetworkSpec(labels=False, window=False, ordered=True)

SPAN = 20
"""How many tokens a span has, about as many as an English sentence."""


def counting(corpus: EncodedCorpus, window: int) -> "Counting":
    """Return the counting of how often each word occurs in each span of training documents."""
    return wd.counting(in_spans(corpus), window)


def stream(corpus: EncodedCorpus, window: int) -> "EdgeSampler":
    """Return a sampler that draws the edges from the text."""
    return wd.stream(in_spans(corpus), window)


def tokens(corpus: EncodedCorpus) -> int | None:
    """Return how many tokens the training documents have."""
    return wd.tokens(corpus)


def in_spans(corpus: EncodedCorpus) -> EncodedCorpus:
    """Return the same tokens, where each span is a document with its document's part and label."""
    lengths = np.diff(corpus.offsets)
    spans = -(-lengths // SPAN)
    first = np.cumsum(spans) - spans
    within = np.arange(spans.sum()) - np.repeat(first, spans)
    begins = np.repeat(corpus.offsets[:-1], spans) + SPAN * within
    return EncodedCorpus(
        tokens=corpus.tokens,
        offsets=np.append(begins, corpus.tokens.size),
        labels=np.repeat(corpus.labels, spans),
        split=np.repeat(corpus.split, spans),
        words=corpus.words,
        classes=corpus.classes,
    )
