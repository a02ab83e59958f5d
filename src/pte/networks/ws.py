"""The word–sentence network (paper, section 3, names it as one of many): spans of text as sources.

An encoded corpus has no ends of sentences, because tokenisers drop punctuation. So a span of `SPAN`
tokens stands for a sentence; the last span of a document has what is left. No span reaches into
another document.
"""

from typing import TYPE_CHECKING

import numpy as np

from pte.corpora.encoded import EncodedCorpus
from pte.networks import wd
from pte.networks.contract import NetworkSpec

if TYPE_CHECKING:
    from pte.networks.counting import Counting
    from pte.networks.sampling import EdgeSampler

SPEC = NetworkSpec(labels=False, window=False, ordered=True, of_documents=True)

SPAN = 20
"""How many tokens a span has, about as many as an English sentence."""


def counting(corpus: EncodedCorpus, window: int) -> "Counting":
    """Count how often each word occurs in each span of the training documents."""
    return wd.counting(in_spans(corpus), window)


def stream(corpus: EncodedCorpus, window: int) -> "EdgeSampler":
    """Draw the edges from the text."""
    return wd.stream(in_spans(corpus), window)


def tokens(corpus: EncodedCorpus) -> int | None:
    """How many tokens the training documents have."""
    return wd.tokens(corpus)


def in_spans(corpus: EncodedCorpus) -> EncodedCorpus:
    """The same tokens, where each span is a document with the part and label of its own one."""
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
