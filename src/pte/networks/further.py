"""Indexes that draw further targets of a source (`pte.core.further`)."""

from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from pte.core.further import (
    alias_by_source,
    draw_further_members,
    draw_further_neighbours,
    draw_further_stored,
    list_places,
)
from pte.core.streamed import token_degrees
from pte.core.types import Pairs
from pte.errors import PteError
from pte.networks.bipartite import Network


class FurtherTargets(Protocol):
    """Draws further targets of sources, each with the odds that its edges have."""

    def draw(self, state: np.uint64, groups: Pairs) -> None:
        """Fill `groups[:, 2:]`, targets of the sources `groups[:, 0]`, without the GIL.

        Random numbers start at `state`.
        """


class StoredTargets:
    """Draws targets of a stored network. It takes 12 bytes for each directed edge."""

    def __init__(self, network: Network) -> None:
        """Sort the edges by source, and build an alias table for each source."""
        directed = network.directed()
        order = np.argsort(directed.source, kind="stable")
        self._targets = np.asarray(directed.target[order])
        self._bounds = _bounds(directed.source, directed.n_sources)
        self._table = np.empty(order.size, np.int64)
        weights = directed.weight[order].astype(np.float64)
        alias_by_source(self._bounds, weights, self._table)

    def draw(self, state: np.uint64, groups: Pairs) -> None:
        """As `FurtherTargets` says."""
        draw_further_stored(self._bounds, self._targets, self._table, state, groups)


class MemberTargets:
    """Draws words of the documents of a source, in proportion to how often they occur."""

    def __init__(
        self,
        tokens: NDArray[np.int32],
        starts: NDArray[np.int64],
        lengths: NDArray[np.int32],
        sources: NDArray[np.int32],
        n_sources: int,
    ) -> None:
        """Document d has `lengths[d]` tokens from `starts[d]`, and belongs to `sources[d]`."""
        order = np.argsort(sources, kind="stable")
        self._tokens, self._starts, self._lengths = tokens, starts[order], lengths[order]
        self._bounds = _bounds(sources, n_sources)
        self._table = np.empty(order.size, np.int64)
        alias_by_source(self._bounds, self._lengths.astype(np.float64), self._table)

    def draw(self, state: np.uint64, groups: Pairs) -> None:
        """As `FurtherTargets` says."""
        where = (self._tokens, self._starts, self._lengths, self._bounds, self._table)
        draw_further_members(*where, state, groups)


class WindowTargets:
    """Draws neighbours of a word. It takes 10 bytes for each token."""

    def __init__(
        self,
        tokens: NDArray[np.int32],
        starts: NDArray[np.int64],
        lengths: NDArray[np.int32],
        n_words: int,
        window: int,
    ) -> None:
        """List the places of each word in documents of at least two tokens.

        Raises `PteError` when the window does not fit into a byte.
        """
        if window > 255:
            raise PteError(f"window is {window}; groups of edges need one of at most 255")
        counts = np.zeros(n_words, np.int64)
        token_degrees(tokens, starts, lengths, counts)
        self._tokens, self._window = tokens, window
        self._bounds = np.concatenate([[0], np.cumsum(counts)])
        size = int(self._bounds[-1])
        self._places, self._reaches = np.empty(size, np.int64), np.empty((size, 2), np.uint8)
        cursor = self._bounds[:-1].copy()
        list_places(tokens, starts, lengths, window, cursor, self._places, self._reaches)

    def draw(self, state: np.uint64, groups: Pairs) -> None:
        """As `FurtherTargets` says."""
        where = (self._tokens, self._bounds, self._places, self._reaches)
        draw_further_neighbours(*where, self._window, state, groups)


def _bounds(sources: NDArray[np.int32], n_sources: int) -> NDArray[np.int64]:
    counts = np.bincount(sources, minlength=n_sources)
    return np.concatenate([[0], np.cumsum(counts)]).astype(np.int64)
