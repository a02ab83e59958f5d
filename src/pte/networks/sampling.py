"""Samplers draw edges by weight (paper, section 4.1), from a stored network or from the text."""

from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from pte.core.arrays import AliasTable, Pairs
from pte.core.draws import (
    alias_by_source,
    draw_further,
    draw_memberships,
    draw_neighbours,
    draw_stored,
    token_degrees,
    window_degrees,
)
from pte.core.rng import build_alias, mix
from pte.corpora.encoded import EncodedCorpus
from pte.errors import PteError
from pte.networks.bipartite import Network

NO_PAIRS = (
    "no document has two words, so the network ww has no edge; give longer texts, or choose "
    "networks or a method without ww"
)


class NoEdges(PteError):
    """The error for a network without an edge to draw."""


class EdgeSampler(Protocol):
    """Draws edges source → target of one network. The targets are words."""

    n_sources: int
    n_targets: int
    n_edges: int  # different edges; of a stream, its tokens

    def source_degrees(self) -> NDArray[np.float64]:
        """Add up the weights at each source, shape (n_sources,)."""

    def target_degrees(self) -> NDArray[np.float64]:
        """Add up the weights at each word, shape (n_targets,)."""

    def prepare(self, targets: int) -> None:
        """Get ready to draw this number of targets of a source at a time."""

    def draw(self, state: np.uint64, pairs: Pairs) -> None:
        """Fill `pairs`, without the GIL; targets of a row may depend on one another."""


class StoredEdges:
    """Draws edges of a stored network. Its alias table takes 8 bytes for each edge."""

    def __init__(self, network: Network) -> None:
        self._network, self._undirected = network, network.undirected
        self.n_sources, self.n_targets = network.n_sources, network.n_targets
        self.n_edges = network.n_edges
        self._ends = np.stack([network.source, network.target], axis=1).astype(np.int32, copy=False)
        self._table = build_alias(network.weight.astype(np.float64))
        self._by_source: tuple[NDArray[np.int64], NDArray[np.int32], AliasTable] | None = None

    def source_degrees(self) -> NDArray[np.float64]:
        return self._network.source_degrees()

    def target_degrees(self) -> NDArray[np.float64]:
        return self._network.target_degrees()

    def draw(self, state: np.uint64, pairs: Pairs) -> None:
        """Draw edges as `EdgeSampler` says; a pair costs one random number."""
        draw_stored(self._ends, self._table, self._undirected, state, pairs)
        if pairs.shape[1] > 2:
            if self._by_source is None:
                raise PteError("stored edges: call `prepare` before drawing several targets")
            draw_further(*self._by_source, np.uint64(mix(state)), pairs)

    def prepare(self, targets: int) -> None:
        """Sort the edges by source for several targets, with 12 bytes for each directed edge."""
        if targets == 1 or self._by_source:
            return
        directed = self._network.directed()
        # Shuffled, not in the order of targets: the targets that are drawn for a row lie side by
        # side, and should not be alike.
        anyhow = np.random.default_rng(0).permutation(directed.source.size)
        order = anyhow[np.argsort(directed.source[anyhow], kind="stable")]
        counts = np.bincount(directed.source, minlength=self.n_sources)
        bounds = np.concatenate([[0], np.cumsum(counts)]).astype(np.int64)
        ends = np.asarray(directed.target[order])
        table = np.empty(order.size, np.int64)
        alias_by_source(bounds, ends, directed.weight[order].astype(np.float64), table)
        self._by_source = (bounds, ends, table)


class _Streamed:
    def __init__(self, corpus: EncodedCorpus, documents: NDArray[np.integer]) -> None:
        """Take documents with tokens to draw from; one listed twice is drawn twice as often."""
        lengths = np.diff(corpus.offsets)
        self._starts = corpus.offsets[:-1][documents]
        self._lengths = lengths[documents].astype(np.int32)
        self._tokens = corpus.tokens
        self.n_targets = corpus.n_words
        self.n_edges = int(self._lengths.sum(dtype=np.int64))
        if not self.n_edges:
            raise NoEdges("token stream: no edge to draw; are all documents unlabelled or empty?")
        self._table = build_alias(self._lengths.astype(np.float64))

    def prepare(self, targets: int) -> None:
        """Do nothing, because the tokens of a document already stand side by side."""

    def target_degrees(self) -> NDArray[np.float64]:
        degrees = np.zeros(self.n_targets, np.int64)
        token_degrees(self._tokens, self._starts, self._lengths, degrees)
        return degrees.astype(np.float64)


class StreamedMemberships(_Streamed):
    """Draws a token, and a source of its document, such as a label."""

    def __init__(self, corpus: EncodedCorpus, members: NDArray[np.int32], n_sources: int) -> None:
        """Take rows of a document and its source; a document may have several sources."""
        members = members[np.diff(corpus.offsets)[members[:, 0]] > 0]
        super().__init__(corpus, members[:, 0])
        self.n_sources = n_sources
        self._sources = members[:, 1].astype(np.int32)

    def source_degrees(self) -> NDArray[np.float64]:
        return np.bincount(self._sources, self._lengths, self.n_sources).astype(np.float64)

    def draw(self, state: np.uint64, pairs: Pairs) -> None:
        where = (self._tokens, self._starts, self._lengths, self._sources, self._table)
        draw_memberships(*where, state, pairs)


class StreamedWindows(_Streamed):
    """Draws word–word edges: a token, and a token at most `window` away in the same document."""

    def __init__(self, corpus: EncodedCorpus, chosen: NDArray[np.bool_], window: int) -> None:
        """Take the mask of the documents to draw from; those with one token have no edge."""
        if window < 1:
            raise PteError(f"token stream: window is {window}; it must be at least 1")
        documents = np.flatnonzero(chosen & (np.diff(corpus.offsets) > 1))
        if not documents.size:
            raise NoEdges(f"token stream: {NO_PAIRS}")
        super().__init__(corpus, documents)
        self.n_sources = corpus.n_words
        self._window = window

    def source_degrees(self) -> NDArray[np.float64]:
        """Return the degrees of the targets, because the network is undirected."""
        return self.target_degrees()

    def target_degrees(self) -> NDArray[np.float64]:
        """Count the tokens that stand within the window of each word's tokens."""
        degrees = np.zeros(self.n_targets, np.int64)
        window_degrees(self._tokens, self._starts, self._lengths, self._window, degrees)
        return degrees.astype(np.float64)

    def draw(self, state: np.uint64, pairs: Pairs) -> None:
        where = (self._tokens, self._starts, self._lengths, self._table)
        draw_neighbours(*where, self._window, state, pairs)
