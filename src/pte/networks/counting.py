"""Counting of edges in bounded memory: ranges of rows reread all tokens, with equal results."""

from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial

import numpy as np
from numpy.typing import NDArray

from pte.core.arrays import Float32Array, Int32Array, IntArray
from pte.core.counting import collect, note_tokens
from pte.corpora.encoded import EncodedCorpus
from pte.networks.bipartite import Network

# Bytes of an item in a slot, of a counter, of a counted edge, and of the bookkeeping of a row.
_SLOT, _COUNTER, _EDGE, _ROW = 4, 8, 8, 40

Note = Callable[[int, int, IntArray, Int32Array, IntArray], None]
"""Notes the items of the rows `first` … `last` − 1, as `pte.core.counting` says."""


@dataclass(frozen=True)
class Rows:
    """The edges of consecutive rows: how many edges each row has, their targets and weights."""

    edges: IntArray
    target: Int32Array
    weight: Float32Array


@dataclass(frozen=True)
class Counting:
    """What to count: row r has `sizes[r]` items, with repetitions, which `note` notes."""

    sizes: IntArray
    n_words: int
    note: Note
    undirected: bool = False


def text_of(corpus: EncodedCorpus) -> tuple[NDArray[np.int32], NDArray[np.int64]]:
    """Return the tokens of a corpus, and where each document begins and ends in them."""
    tokens = corpus.tokens.view(np.ndarray)
    tokens.flags.writeable = False  # as when memory-mapped, so that a kernel is compiled once
    return tokens, np.stack([corpus.offsets[:-1], corpus.offsets[1:]], axis=1)


def count_members(corpus: EncodedCorpus, members: NDArray[np.int32], n_sources: int) -> Counting:
    """Return the counting of n_dw, summed over a source's documents: rows of `members`."""
    tokens, bounds = text_of(corpus)
    documents, sources = bounds[members[:, 0]], members[:, 1].astype(np.int64)
    lengths = documents[:, 1] - documents[:, 0]
    sizes = np.bincount(sources, lengths, n_sources).astype(np.int64)
    note = partial(note_tokens, tokens, documents, sources)
    return Counting(sizes, corpus.n_words, note)


def build(counting: Counting, memory: int, threads: int) -> Network:
    """Return the network whose source r has the edges of row r."""
    rows = count_rows(counting, memory, threads)
    source = np.repeat(np.arange(rows.edges.size, dtype=np.int32), rows.edges)
    shape = (rows.edges.size, counting.n_words, counting.undirected)
    return Network(source, rows.target, rows.weight, *shape)


def count_rows(counting: Counting, memory: int, threads: int) -> Rows:
    """Count words row by row in `memory` bytes; a row takes up to 24 for each known word."""
    sizes, n_words = counting.sizes, counting.n_words

    def count(bounds: tuple[int, int]) -> Rows:
        first, last = bounds
        return _count_range(sizes[first:last], first, last, n_words, counting.note)

    with ThreadPoolExecutor(threads) as pool:
        return _joined(pool.map(count, _ranges(sizes, n_words, memory, threads)))


def _is_long(sizes: IntArray, n_words: int) -> NDArray[np.bool_]:
    """Find the rows where a counter for every word takes less memory than a slot for every item."""
    return sizes > 2 * n_words


def _cost(sizes: IntArray, n_words: int) -> IntArray:
    items = np.where(_is_long(sizes, n_words), _COUNTER * n_words, _SLOT * sizes)
    return np.asarray(_ROW + items + _EDGE * np.minimum(sizes, n_words), np.int64)


def _ranges(sizes: IntArray, n_words: int, memory: int, threads: int) -> list[tuple[int, int]]:
    """Cut the rows into ranges for all threads, of at most `memory / threads` bytes each."""
    cost = _cost(sizes, n_words)
    limit = min(memory // threads - _COUNTER * n_words, -(-int(cost.sum()) // threads))
    ends = np.cumsum(cost)
    ranges = []
    first, before = 0, 0
    while first < sizes.size:
        last = max(int(np.searchsorted(ends, before + limit, side="right")), first + 1)
        ranges.append((first, last))
        first, before = last, int(ends[last - 1])
    return ranges


def _count_range(sizes: IntArray, first: int, last: int, n_words: int, note: Note) -> Rows:
    long = _is_long(sizes, n_words)
    short_sizes = np.where(long, 0, sizes)
    place = np.where(long, -np.cumsum(long, dtype=np.int64), np.cumsum(short_sizes) - short_sizes)
    slots = np.empty(short_sizes.sum(), np.int32)
    counts = np.zeros((np.count_nonzero(long) + 1, n_words), np.int64)
    note(first, last, place, slots, counts)
    most = np.minimum(sizes, n_words).sum()
    rows = Rows(
        np.empty(sizes.size, np.int64), np.empty(most, np.int32), np.empty(most, np.float32)
    )
    n = collect(place, slots, counts, rows.edges, rows.target, rows.weight)
    for array in (rows.target, rows.weight):
        array.resize(n, refcheck=False)  # gives back the room of repeated words
    return rows


def _joined(parts: Iterable[Rows]) -> Rows:
    edges, n = [np.empty(0, np.int64)], 0
    target, weight = np.empty(0, np.int32), np.empty(0, np.float32)
    for part in parts:
        end = n + part.target.size
        if end > target.size:
            for array in (target, weight):
                array.resize(max(end, array.size * 5 // 4), refcheck=False)
        target[n:end], weight[n:end] = part.target, part.weight
        edges.append(part.edges)
        n = end
    for array in (target, weight):
        array.resize(n, refcheck=False)
    return Rows(np.concatenate(edges), target, weight)
