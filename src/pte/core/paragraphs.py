"""Paragraph vectors: documents, alone or with the words around a place, predict its word.

Source: Le and Mikolov, ICML 2014. With a window of 0 a document predicts alone (PV-DBOW); with a
wider one it predicts together with the words around (PV-DM), by the mean of their vectors or by all
of them behind one another.
"""

from typing import NamedTuple

import numpy as np

from pte.core.copies import Copies, exchange, exchanges
from pte.core.edges import AHEAD, CHUNK, prefetch_edge
from pte.core.jit import kernel
from pte.core.noise import Noise, draw_negatives
from pte.core.rng import next_random, stream
from pte.core.step import frozen_step, learning_rate, negative_sampling_step
from pte.core.types import Int, Int32Array, IntArray, Slots, Table
from pte.core.vector import move_rows, prefetch, sum_rows
from pte.core.windows import draw_reach


class Text(NamedTuple):
    """Document d is `tokens[offsets[d] : offsets[d + 1]]`."""

    tokens: Int32Array
    offsets: IntArray


class Tables(NamedTuple):
    """What predicts, `documents` and `words`, and what is predicted, `target`.

    `words` has a last shared row more, `blank`: the word that stands beyond the ends of a document.
    """

    documents: Table
    words: Table
    target: Table
    blank: int


class Shape(NamedTuple):
    """How far windows reach, and whether what predicts is a mean or `concatenated`.

    `slots` is (0, … K), `lines` the numbers of the cache lines of a row.
    """

    window: int
    concatenated: bool
    slots: Slots
    lines: Slots


class Scratch(NamedTuple):
    """What predicts, in parts, as it is moved and as it was: the two halves of the rows of `parts`.

    A mean is one part. A concatenation has the document and then each place of the window. `hidden`
    is the same memory, each half a row. `steps` is a table of one row of K + 1.
    """

    parts: Table
    hidden: Table
    steps: Table


@kernel
def train_paragraphs(
    text: Text,
    first: int,
    last: int,
    passes: int,
    tables: Tables,
    shape: Shape,
    noise: Noise,
    copies: Copies,
    scratch: Scratch,
    before: int,
    total: int,
    start_rate: float,
    state: np.uint64,
    frozen: bool,
) -> None:
    """Train on the documents `first` to `last` − 1, `passes` times, token after token.

    The tokens are the examples `before`, `before` + 1 … out of `total`. At each place the window
    of a mean draws its reach as in `draw_windows`. `frozen` moves the documents alone. Threads race
    as in `pte.core.edges.train_pairs`; `copies` are those of `words` (as network 0) and `target`.
    """
    tokens, offsets = text
    documents, words, target, blank = tables
    window, concatenated, slots, lines = shape
    parts, hidden, steps = scratch
    hot, own = copies.hot_sources[0], copies.own_sources[0]
    networks = np.zeros(CHUNK, np.int64)
    owners = np.empty(CHUNK, np.int64)
    places = np.empty(CHUNK, np.int64)
    reaches = np.empty(CHUNK, np.int64)
    rows = np.empty((CHUNK, len(slots)), np.int32)
    context = np.empty(2 * window, np.int64)
    d, place = np.int64(first), offsets[first]
    count = passes * (offsets[last] - offsets[first])
    for begin in range(0, count, CHUNK):
        n = min(CHUNK, count - begin)
        for i in range(n):
            while place == offsets[d + 1]:
                d += 1
                if d == last:
                    d, place = np.int64(first), offsets[first]
            state, bits = next_random(state)
            owners[i], places[i], rows[i, 0] = d, place, tokens[place]
            reaches[i] = window if concatenated else draw_reach(bits, window)
            place += 1
        state = draw_negatives(noise, networks, n, state, rows, slots)
        for i in range(n):
            for k in range(len(slots)):
                rows[i, k] += np.int32(copies.own_words if rows[i, k] < copies.hot_words else 0)
        exchanged, period = exchanges(copies, before + begin, total)
        for i in range(n + AHEAD):
            if i < n:
                prefetch_edge(documents, target, owners[i], rows, i, slots, lines)
                if window > 0:  # the word that the next windows begin to reach
                    word = tokens[min(places[i] + window, offsets[last] - 1)]
                    prefetch(words, word + (own if word < hot else 0), 0, lines)
            if i < AHEAD:
                continue
            i -= AHEAD
            rate = learning_rate(before + begin + i, total, start_rate)
            u = owners[i]
            if window == 0:
                if frozen:
                    frozen_step(documents, u, target, rows, i, rate, steps, slots)
                else:
                    negative_sampling_step(documents, u, target, rows, i, rate, steps, slots)
                continue
            size = find_context(
                tokens,
                offsets[u],
                offsets[u + 1],
                places[i],
                reaches[i],
                concatenated,
                blank,
                context,
            )
            for k in range(size):
                context[k] += own if context[k] < hot else 0
            gather(documents, u, words, context, size, concatenated, parts, lines)
            if frozen:
                frozen_step(hidden, 0, target, rows, i, rate, steps, slots)
            else:
                negative_sampling_step(hidden, 0, target, rows, i, rate, steps, slots)
            spread(documents, u, words, context, size, concatenated, parts, lines, frozen)
        for i in range(exchanged, n, period):
            for k in range(len(slots)):
                w = np.int64(rows[i, k])
                if w >= copies.own_words:
                    exchange(target, w - copies.own_words, w, copies.hot_words)
            u = owners[i]
            size = find_context(
                tokens,
                offsets[u],
                offsets[u + 1],
                places[i],
                reaches[i],
                concatenated,
                blank,
                context,
            )
            for k in range(size):
                if context[k] < hot:
                    exchange(words, context[k], context[k] + own, hot)


@kernel
def infer_paragraphs(
    text: Text,
    first: int,
    last: int,
    passes: int,
    tables: Tables,
    shape: Shape,
    noise: Noise,
    copies: Copies,
    scratch: Scratch,
    start_rate: float,
    seed: int,
) -> None:
    """Train the documents `first` to `last` − 1 one by one, each on a stream of its own.

    Words and targets stay as they are, so that no document depends on another.
    """
    for d in range(first, last):
        total = passes * (text.offsets[d + 1] - text.offsets[d])
        train_paragraphs(
            text,
            d,
            d + 1,
            passes,
            tables,
            shape,
            noise,
            copies,
            scratch,
            0,
            total,
            start_rate,
            stream(seed, d),
            True,
        )


@kernel
def find_context(
    tokens: Int32Array,
    begin: Int,
    end: Int,
    place: Int,
    reach: Int,
    concatenated: bool,
    blank: int,
    context: IntArray,
) -> Int:
    """List the words of a document within `reach` of a place, but not at it; how many.

    The document is `tokens[begin:end]`. A concatenation has a word for every place of the window,
    `blank` beyond the document's ends.
    """
    n = np.int64(0)
    for other in range(place - reach, place + reach + 1):
        inside = begin <= other < end
        if other != place and (inside or concatenated):
            context[n] = tokens[other] if inside else blank
            n += 1
    return n


@kernel
def gather(
    documents: Table,
    d: Int,
    words: Table,
    context: IntArray,
    n: Int,
    concatenated: bool,
    parts: Table,
    lines: Slots,
) -> None:
    """Fill both halves of `parts` with what document d and the n rows of `context` predict with."""
    half = parts.shape[0] // 2
    parts[:half] = np.float32(0)
    for c in range(parts.shape[1]):
        parts[0, c] = documents[d, c]
    if concatenated:
        for k in range(n):
            sum_rows(parts, 1 + k, words, context[k:], 1, lines)
    else:
        sum_rows(parts, 0, words, context, n, lines)
        share = np.float32(1 / (n + 1))
        for c in range(parts.shape[1]):
            parts[0, c] *= share
    for k in range(half):
        for c in range(parts.shape[1]):
            parts[half + k, c] = parts[k, c]


@kernel
def spread(
    documents: Table,
    d: Int,
    words: Table,
    context: IntArray,
    n: Int,
    concatenated: bool,
    parts: Table,
    lines: Slots,
    frozen: bool,
) -> None:
    """Move document d, and unless `frozen` the n rows of `context`, as the parts were moved.

    Every member of a mean moves as far as the mean: word2vec and gensim do not divide by n + 1.
    """
    half = parts.shape[0] // 2
    for k in range(half):
        for c in range(parts.shape[1]):
            parts[k, c] -= parts[half + k, c]
    for c in range(parts.shape[1]):
        documents[d, c] += parts[0, c]
    if frozen:
        return
    if concatenated:
        for k in range(n):
            move_rows(words, context[k:], 1, parts, 1 + k, lines)
    else:
        move_rows(words, context, n, parts, 0, lines)
