"""PV-DM by concatenation: a document and the words around a place, behind one another.

Source: Le and Mikolov, ICML 2014. Windows are always whole: beyond the ends of a document they have
the word `blank`.
"""

import numpy as np

from pte.core.copies import Copies, exchanges
from pte.core.edges import AHEAD, CHUNK, prefetch_edge
from pte.core.jit import kernel
from pte.core.paragraphs import (
    Model,
    Scratch,
    Span,
    Text,
    draw_examples,
    exchange_context,
    exchange_targets,
    room_for_examples,
    take_context_copies,
)
from pte.core.rng import stream
from pte.core.step import Schedule, frozen_step, learning_rate, negative_sampling_step
from pte.core.types import Int, Int32Array, IntArray, Slots, Table
from pte.core.vector import move_rows, prefetch, sum_rows


@kernel
def train_dm_concat(
    model: Model,
    text: Text,
    span: Span,
    copies: Copies,
    scratch: Scratch,
    schedule: Schedule,
    state: np.uint64,
) -> None:
    """Train on the tokens of `span`, which are the steps of `schedule`.

    The random numbers start at `state`. A frozen model moves only documents. Threads race as in
    `pte.core.edges.train_pairs`; `copies` are those of `words` (as network 0) and `target`.
    """
    tokens, offsets = text
    documents, words, target, blank = model.tables
    slots, lines = model.slots, model.lines
    parts, hidden, steps = scratch
    hot, own = copies.hot_sources[0], copies.own_sources[0]
    examples = room_for_examples(slots)
    owners, places, _, rows, _ = examples
    context = np.empty(2 * model.window, np.int64)
    cursor = np.array([span.first, offsets[span.first]])
    count = span.passes * (offsets[span.last] - offsets[span.first])
    for begin in range(0, count, CHUNK):
        n = min(CHUNK, count - begin)
        state = draw_examples(model, text, span, cursor, copies, examples, n, state)
        exchanged, period = exchanges(copies, schedule.first + begin, schedule.total)
        for i in range(n + AHEAD):
            if i < n:
                prefetch_edge(documents, target, owners[i], rows, i, slots, lines)
                # the word that the next windows begin to reach
                word = tokens[min(places[i] + model.window, offsets[span.last] - 1)]
                prefetch(words, word + (own if word < hot else 0), 0, lines)
            if i < AHEAD:
                continue
            i -= AHEAD
            rate = learning_rate(schedule.first + begin + i, schedule.total, schedule.rate)
            u = owners[i]
            fill_context(tokens, offsets[u], offsets[u + 1], places[i], blank, context)
            take_context_copies(context, context.size, hot, own)
            gather_parts(documents, u, words, context, parts, lines)
            if model.frozen:
                frozen_step(hidden, 0, target, rows, i, rate, steps, slots)
            else:
                negative_sampling_step(hidden, 0, target, rows, i, rate, steps, slots)
            spread_parts(documents, u, words, context, parts, lines, model.frozen)
        for i in range(exchanged, n, period):
            u = owners[i]
            fill_context(tokens, offsets[u], offsets[u + 1], places[i], blank, context)
            exchange_targets(target, copies, rows, i, slots)
            exchange_context(words, context, context.size, hot, own)


@kernel
def infer_dm_concat(
    model: Model,
    text: Text,
    span: Span,
    copies: Copies,
    scratch: Scratch,
    rate: float,
    seed: int,
) -> None:
    """Train the documents of `span` one by one, each on a stream of random numbers of its own.

    The model is frozen, so that no document depends on another.
    """
    for d in range(span.first, span.last):
        total = span.passes * (text.offsets[d + 1] - text.offsets[d])
        alone, schedule = Span(d, d + 1, span.passes), Schedule(0, total, rate)
        train_dm_concat(model, text, alone, copies, scratch, schedule, stream(seed, d))


@kernel
def fill_context(
    tokens: Int32Array, begin: Int, end: Int, place: Int, blank: Int, context: IntArray
) -> None:
    """Fill `context` with the words around a place of the document `tokens[begin:end]`.

    Half of them stand before the place and half behind it.
    """
    reach, n = context.size // 2, 0
    for other in range(place - reach, place + reach + 1):
        if other != place:
            context[n] = tokens[other] if begin <= other < end else blank
            n += 1


@kernel
def gather_parts(
    documents: Table, d: Int, words: Table, context: IntArray, parts: Table, lines: Slots
) -> None:
    """Fill both halves of `parts` with document d and then each row of `context`."""
    half = parts.shape[0] // 2
    parts[:half] = np.float32(0)
    for c in range(parts.shape[1]):
        parts[0, c] = documents[d, c]
    for k in range(context.size):
        sum_rows(parts, 1 + k, words, context[k:], 1, lines)
    for k in range(half):
        for c in range(parts.shape[1]):
            parts[half + k, c] = parts[k, c]


@kernel
def spread_parts(
    documents: Table,
    d: Int,
    words: Table,
    context: IntArray,
    parts: Table,
    lines: Slots,
    frozen: bool,
) -> None:
    """Move document d, and the rows of `context` unless `frozen`, as far as their parts moved."""
    half = parts.shape[0] // 2
    for k in range(half):
        for c in range(parts.shape[1]):
            parts[k, c] -= parts[half + k, c]
    for c in range(parts.shape[1]):
        documents[d, c] += parts[0, c]
    if not frozen:
        for k in range(context.size):
            move_rows(words, context[k:], 1, parts, 1 + k, lines)
