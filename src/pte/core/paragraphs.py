"""Paragraph vectors: documents, alone or with the words around a place, predict its word.

Source: Le and Mikolov, ICML 2014. With a window of 0 a document predicts alone (PV-DBOW); with a
wider one it predicts together with the words around (PV-DM), by the mean of their vectors or by all
of them behind one another.
"""

from typing import NamedTuple

import numpy as np

from pte.core.copies import Copies, exchange
from pte.core.edges import AHEAD, CHUNK
from pte.core.jit import kernel
from pte.core.noise import Noise, draw_negatives
from pte.core.rng import mix, next_random, stream
from pte.core.step import frozen_step, learning_rate, negative_sampling_step
from pte.core.types import Int, Int32Array, IntArray, Slots, Table
from pte.core.vector import prefetch
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
    window, concatenated, slots, lines = shape
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
        exchanged = np.int64(mix(np.uint64(before + begin)) % np.uint64(copies.period))
        for i in range(min(AHEAD, n)):
            prefetch_example(tables, text, last, owners[i], places[i], rows, i, copies, shape)
        for i in range(n):
            if i + AHEAD < n:
                j = i + AHEAD
                prefetch_example(tables, text, last, owners[j], places[j], rows, j, copies, shape)
            rate = learning_rate(before + begin + i, total, start_rate)
            if window == 0:
                step(tables.documents, owners[i], tables.target, rows, i, rate, scratch, shape, frozen)
                size = np.int64(0)
            else:
                size = find_context(
                    text, owners[i], places[i], reaches[i], tables.blank, concatenated, context
                )
                own_rows(copies, context, size)
                gather(tables, owners[i], context, size, concatenated, scratch.parts)
                step(scratch.hidden, np.int64(0), tables.target, rows, i, rate, scratch, shape, frozen)
                spread(tables, owners[i], context, size, concatenated, scratch.parts, frozen)
            if i % copies.period == exchanged:
                exchange_example(tables, copies, context, size, rows, i)


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
def step(
    source: Table,
    s: Int,
    target: Table,
    rows: Int32Array,
    i: int,
    rate: np.float32,
    scratch: Scratch,
    shape: Shape,
    frozen: bool,
) -> None:
    """The negative-sampling step, on both tables or on the source alone."""
    if frozen:
        frozen_step(source, s, target, rows, i, rate, scratch.steps, shape.slots)
    else:
        negative_sampling_step(source, s, target, rows, i, rate, scratch.steps, shape.slots)


@kernel
def find_context(
    text: Text,
    d: Int,
    place: Int,
    reach: Int,
    blank: int,
    concatenated: bool,
    context: IntArray,
) -> Int:
    """List the words of document d within `reach` of a place, but not at it; how many.

    A concatenation has a word for every place of the window, `blank` beyond the document's ends.
    """
    begin, end = text.offsets[d], text.offsets[d + 1]
    n = np.int64(0)
    for other in range(place - reach, place + reach + 1):
        inside = begin <= other < end
        if other != place and (inside or concatenated):
            context[n] = text.tokens[other] if inside else blank
            n += 1
    return n


@kernel
def own_rows(copies: Copies, context: IntArray, n: Int) -> None:
    """Turn words into rows of this thread."""
    for k in range(n):
        hot = context[k] < copies.hot_sources[0]
        context[k] += copies.own_sources[0] if hot else 0


@kernel
def gather(
    tables: Tables, d: Int, context: IntArray, n: Int, concatenated: bool, parts: Table
) -> None:
    """Fill both halves of `parts` with what document d and the n rows of `context` predict with."""
    half = parts.shape[0] // 2
    copy_row(parts, 0, tables.documents, d)
    for k in range(n):
        if concatenated:
            copy_row(parts, 1 + k, tables.words, context[k])
        else:
            add_row(parts, 0, tables.words, context[k])
    if not concatenated:
        share = np.float32(1 / (n + 1))
        for c in range(parts.shape[1]):
            parts[0, c] *= share
    for k in range(half):
        copy_row(parts, half + k, parts, k)


@kernel
def spread(
    tables: Tables,
    d: Int,
    context: IntArray,
    n: Int,
    concatenated: bool,
    parts: Table,
    frozen: bool,
) -> None:
    """Move document d, and unless `frozen` the n rows of `context`, as the parts were moved.

    Every member of a mean moves as far as the mean: word2vec and gensim do not divide by n + 1.
    """
    half = parts.shape[0] // 2
    for k in range(half):
        for c in range(parts.shape[1]):
            parts[k, c] -= parts[half + k, c]
    add_row(tables.documents, d, parts, 0)
    if not frozen:
        for k in range(n):
            add_row(tables.words, context[k], parts, 1 + k if concatenated else 0)


@kernel
def copy_row(table: Table, i: Int, other: Table, j: Int) -> None:
    """table[i] = other[j]."""
    for c in range(table.shape[1]):
        table[i, c] = other[j, c]


@kernel
def add_row(table: Table, i: Int, other: Table, j: Int) -> None:
    """table[i] += other[j]."""
    for c in range(table.shape[1]):
        table[i, c] += other[j, c]


@kernel
def prefetch_example(
    tables: Tables,
    text: Text,
    last: int,
    d: Int,
    place: Int,
    rows: Int32Array,
    i: int,
    copies: Copies,
    shape: Shape,
) -> None:
    """Ask for the rows of an example, and for the word that the next windows begin to reach."""
    prefetch(tables.documents, d, 0, shape.lines)
    for k in range(len(shape.slots)):
        prefetch(tables.target, np.int64(rows[i, k]), 0, shape.lines)
    if shape.window > 0:
        word = text.tokens[min(place + shape.window, text.offsets[last] - 1)]
        own = copies.own_sources[0] if word < copies.hot_sources[0] else 0
        prefetch(tables.words, word + own, 0, shape.lines)


@kernel
def exchange_example(
    tables: Tables, copies: Copies, context: IntArray, n: Int, rows: Int32Array, i: int
) -> None:
    """Exchange those rows of an example that are copies."""
    own = copies.own_sources[0]
    for k in range(n):
        if context[k] >= own:
            exchange(tables.words, context[k] - own, context[k], copies.hot_sources[0])
    for k in range(rows.shape[1]):
        w = np.int64(rows[i, k])
        if w >= copies.own_words:
            exchange(tables.target, w - copies.own_words, w, copies.hot_words)
