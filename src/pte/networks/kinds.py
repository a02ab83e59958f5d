"""The text networks of this package (paper, definitions 1 to 3); imports nothing compiled."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pte.corpora.encoded import TRAIN, EncodedCorpus
from pte.errors import PteError
from pte.networks.contract import CountedNetwork, NetworkSpec

if TYPE_CHECKING:
    from pte.networks.counting import Counting
    from pte.networks.sampling import EdgeSampler

SPAN = 20  # how many tokens a span has, about as many as an English sentence


class WordWord:
    """ww, definition 1: pairs of words at most `window` tokens apart; loops count twice."""

    SPEC = NetworkSpec(labels=False, window=True, ordered=True)

    def counting(self, corpus: EncodedCorpus, window: int) -> "Counting":
        from pte.core.counting import count_pairs, note_pairs
        from pte.networks.counting import Counting, text_of
        from pte.networks.sampling import NO_PAIRS, NoEdges

        tokens, bounds = text_of(corpus)
        documents = bounds[corpus.split == TRAIN]
        sizes = count_pairs(tokens, documents, window, corpus.n_words)
        if not sizes.any():
            raise NoEdges(f"word–word network: {NO_PAIRS}")
        note = partial(note_pairs, tokens, documents, window)
        return Counting(sizes, corpus.n_words, note, undirected=True)

    def stream(self, corpus: EncodedCorpus, window: int) -> "EdgeSampler":
        from pte.networks.sampling import StreamedWindows

        return StreamedWindows(corpus, corpus.split == TRAIN, window)

    def tokens(self, corpus: EncodedCorpus) -> int | None:
        """Return None, because the pairs of words are many and need no bound."""
        return None


class Members(NamedTuple):
    """Rows (document, source): the words of the document count for the source."""

    corpus: EncodedCorpus
    rows: NDArray[np.int32]
    n_sources: int


@dataclass(frozen=True)
class Memberships:
    """A network whose edges are n_dw, how often word w occurs in d, summed over a source's d."""

    SPEC: NetworkSpec
    members: Callable[[EncodedCorpus], Members]

    def counting(self, corpus: EncodedCorpus, window: int) -> "Counting":
        from pte.networks.counting import count_members

        return count_members(*self.members(corpus))

    def stream(self, corpus: EncodedCorpus, window: int) -> "EdgeSampler":
        from pte.networks.sampling import StreamedMemberships

        return StreamedMemberships(*self.members(corpus))

    def tokens(self, corpus: EncodedCorpus) -> int | None:
        """Return how many tokens the members have, counted once for each of their sources."""
        corpus, rows, _ = self.members(corpus)
        return int(np.diff(corpus.offsets)[rows[:, 0]].sum())


def _documents(corpus: EncodedCorpus) -> Members:
    documents = corpus.documents(TRAIN)
    rows = np.stack([documents, np.arange(documents.size)], axis=1).astype(np.int32)
    return Members(corpus, rows, documents.size)


def _labels(corpus: EncodedCorpus) -> Members:
    pairs = corpus.class_pairs
    rows = np.asarray(pairs[corpus.split[pairs[:, 0]] == TRAIN])
    return Members(corpus, rows, corpus.n_classes)


def _groups(corpus: EncodedCorpus) -> Members:
    given = np.full(corpus.n_documents, -1) if corpus.groups is None else corpus.groups
    documents = np.flatnonzero((corpus.split == TRAIN) & (given >= 0))
    if not documents.size:
        raise PteError(
            "word–group network: no training document has a group; let the reader of the corpus "
            "give its documents one (docs/adding.md)"
        )
    rows = np.stack([documents, given[documents]], axis=1).astype(np.int32)
    return Members(corpus, rows, int(rows[:, 1].max()) + 1)


def in_spans(corpus: EncodedCorpus) -> EncodedCorpus:
    """Return the tokens with spans as documents: `SPAN` tokens stand for a sentence."""
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


KINDS: Mapping[str, CountedNetwork] = {
    "ww": WordWord(),
    "wd": Memberships(NetworkSpec(labels=False, window=False), _documents),
    "wl": Memberships(NetworkSpec(labels=True, window=False), _labels),
    "ws": Memberships(
        NetworkSpec(labels=False, window=False, ordered=True),
        lambda corpus: _documents(in_spans(corpus)),
    ),
    "wg": Memberships(NetworkSpec(labels=False, window=False), _groups),
}
