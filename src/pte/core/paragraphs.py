"""Paragraph vectors: documents predict their words (Le and Mikolov, ICML 2014).

By PV-DBOW, or by PV-DM, where the mean with the words of a window predicts. Members of a mean move
as far as the mean, because word2vec and gensim do not divide by their number.
"""

from typing import NamedTuple

import numpy as np

from pte.core.arrays import LANES, Int, Int32Array, IntArray, Slots, Table
from pte.core.draws import Noise, draw_negatives, draw_reach
from pte.core.edges import (
    AHEAD,
    CHUNK,
    Copies,
    Embedding,
    Schedule,
    exchange_words,
    exchanges,
    learning_rate,
    prefetch_edge,
    take_word_copies,
)
from pte.core.jit import kernel
from pte.core.rng import next_random, stream
from pte.core.vector import (
    ascents,
    move,
    move_rows,
    move_source,
    prefetch,
    products,
    sum_rows,
    trade,
)


class Text(NamedTuple):
    """The tokens of documents: document d is `tokens[offsets[d] : offsets[d + 1]]`."""

    tokens: Int32Array
    offsets: IntArray


class Span(NamedTuple):
    """The documents `first` to `last` − 1, gone through `passes` times, token after token."""

    first: int
    last: int
    passes: int


class Paragraphs(NamedTuple):
    """The tables of a model: `documents` and `words` predict, and `target` is predicted."""

    documents: Table
    words: Table
    target: Table


class Model(NamedTuple):
    """The tables, reach, noise, `slots` (0, … K) and `lines`; if `frozen`, no word moves."""

    tables: Paragraphs
    window: int
    frozen: bool
    noise: Noise
    slots: Slots
    lines: Slots


class Scratch(NamedTuple):
    """Scratch space of a step: the predicting mean, and as it was; a row of K + 1."""

    mean: Table
    steps: Table


@kernel
def train_paragraphs(
    model: Model,
    text: Text,
    span: Span,
    copies: Copies,
    scratch: Scratch,
    schedule: Schedule,
    state: np.uint64,
) -> None:
    """Train on the tokens of `span`, steps of `schedule`, by PV-DM if the model has a window.

    Threads race; `copies` are those of rows of `words` (as network 0) and of `target`.
    """
    tokens, offsets = text
    documents, words, target = model.tables
    window, slots, lines = model.window, model.slots, model.lines
    hot, own = copies.hot_sources[0], copies.own_sources[0]
    examples = _room_for_examples(slots)
    owners, places, reaches, rows, _, _ = examples
    context = np.empty(2 * window, np.int64)
    cursor = np.array([span.first, offsets[span.first]])
    count = span.passes * (offsets[span.last] - offsets[span.first])
    for begin in range(0, count, CHUNK):
        n = min(CHUNK, count - begin)
        state = _draw_examples(model, text, span, cursor, copies, examples, n, state)
        due, period = exchanges(copies, schedule.first + begin, schedule.total)
        for i in range(n + AHEAD):
            if i < n:
                prefetch_edge(documents, target, owners[i], rows, i, len(slots), lines)
            if i < n and window > 0:  # the word that the next windows begin to reach
                word = tokens[min(places[i] + window, offsets[span.last] - 1)]
                prefetch(words, word + (own if word < hot else 0), 0, lines)
            if i < AHEAD:
                continue
            i -= AHEAD
            rate = learning_rate(schedule.first + begin + i, schedule.total, schedule.rate)
            u, size = owners[i], 0
            if window > 0:
                bounds = (offsets[u], offsets[u + 1])
                size = _find_context(tokens, bounds, places[i], reaches[i], context)
                for k in range(size):
                    context[k] += own if context[k] < hot else 0
                gather_mean(documents, u, words, context, size, scratch.mean, lines)
                _step(Embedding(scratch.mean, target), 0, rows, i, rate, scratch.steps, model)
                spread_mean(model, u, context, size, scratch.mean)
            else:
                _step(Embedding(documents, target), u, rows, i, rate, scratch.steps, model)
            if i == due:
                exchange_words(target, copies, rows, i)
                _exchange_context(words, context, size, copies)
                due += period


@kernel
def infer(
    model: Model, text: Text, span: Span, copies: Copies, scratch: Scratch, rate: float, seed: int
) -> None:
    """Train the documents of `span`, frozen and each with its own random numbers, independently."""
    for d in range(span.first, span.last):
        total = span.passes * (text.offsets[d + 1] - text.offsets[d])
        alone, schedule = Span(d, d + 1, span.passes), Schedule(0, total, rate)
        train_paragraphs(model, text, alone, copies, scratch, schedule, stream(seed, d))


@kernel
def _step(
    tables: Embedding,
    s: int,
    rows: Int32Array,
    i: int,
    rate: np.float32,
    steps: Table,
    model: Model,
) -> None:
    """Take a `negative_sampling_step` by row `s`, which moves no word if the model is frozen."""
    slots, at, n_lines = model.slots, (s, i, 0), tables.source.shape[1] // LANES
    source, target = tables
    products(source, target, rows, steps, at, slots, n_lines)
    ascents(rows, i, steps, 0, (rate, rate), slots, (0,))
    if model.frozen:
        move_source(source, target, rows, steps, at, slots, n_lines)
    else:
        move(source, target, rows, steps, at, slots, n_lines)


class Examples(NamedTuple):
    """Places whose words are predicted; negatives are of one noise, so `networks` are zeros."""

    owners: IntArray
    places: IntArray
    reaches: IntArray
    rows: Int32Array
    networks: IntArray
    leaders: IntArray


@kernel
def _room_for_examples(slots: Slots) -> Examples:
    return Examples(
        np.empty(CHUNK, np.int64),
        np.empty(CHUNK, np.int64),
        np.empty(CHUNK, np.int64),
        np.empty((CHUNK, len(slots)), np.int32),
        np.zeros(CHUNK, np.int64),
        np.arange(CHUNK),
    )


@kernel
def _draw_examples(
    model: Model,
    text: Text,
    span: Span,
    cursor: IntArray,
    copies: Copies,
    examples: Examples,
    n: int,
    state: np.uint64,
) -> np.uint64:
    """Fill `examples` with n places from `cursor` (a document, a token); return the state."""
    owners, places, reaches, rows, networks, leaders = examples
    tokens, offsets = text
    d, place = cursor[0], cursor[1]
    for i in range(n):
        while place == offsets[d + 1]:
            d += 1
            if d == span.last:
                d, place = np.int64(span.first), offsets[span.first]
        state, bits = next_random(state)
        owners[i], places[i], rows[i, 0] = d, place, tokens[place]
        reaches[i] = draw_reach(bits, model.window)
        place += 1
    cursor[0], cursor[1] = d, place
    alone = (networks[:n], leaders)
    state = draw_negatives(model.noise, *alone, state, rows, (0,), model.slots)
    take_word_copies(copies, rows, n, model.slots)
    return state


@kernel
def _find_context(
    tokens: Int32Array, bounds: tuple[Int, Int], place: Int, reach: Int, context: IntArray
) -> int:
    """List the words within `reach` of a place of a document, but its own; return how many."""
    begin, end = bounds
    n = 0
    for other in range(place - reach, place + reach + 1):
        if other != place and begin <= other < end:
            context[n] = tokens[other]
            n += 1
    return n


@kernel
def gather_mean(
    documents: Table, d: Int, words: Table, context: IntArray, n: Int, mean: Table, lines: Slots
) -> None:
    """Fill both rows of `mean` with the mean of document d and the n rows of `context`."""
    for c in range(mean.shape[1]):
        mean[0, c] = documents[d, c]
    sum_rows(mean, 0, words, context, n, lines)
    share = np.float32(1 / (n + 1))
    for c in range(mean.shape[1]):
        mean[0, c] *= share
    for c in range(mean.shape[1]):
        mean[1, c] = mean[0, c]


@kernel
def spread_mean(model: Model, d: Int, context: IntArray, n: Int, mean: Table) -> None:
    """Move document d, and the n words of `context` unless frozen, as far as the mean moved."""
    documents, words, _ = model.tables
    for c in range(mean.shape[1]):
        mean[0, c] -= mean[1, c]
    for c in range(mean.shape[1]):
        documents[d, c] += mean[0, c]
    if not model.frozen:
        move_rows(words, context, n, mean, 0, model.lines)


@kernel
def _exchange_context(words: Table, context: IntArray, n: Int, copies: Copies) -> None:
    """Exchange the copies among the n rows of `context`; words are the sources of network 0."""
    own = copies.own_sources[0]
    for k in range(n):
        if context[k] >= own:
            mine = context[k]
            trade(words, mine - own, mine, mine + copies.behind, copies.weight)
