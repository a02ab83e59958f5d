"""PV-DM: the mean of a document and the words around a place predicts the word at the place.

Source: Le and Mikolov, ICML 2014. Windows draw their reach as in word2vec. Every member of a mean
moves as far as the mean, because word2vec and gensim do not divide by the number of members.
"""

import numpy as np

from pte.core.arrays import Int, Int32Array, IntArray, Slots, Table
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
from pte.core.step import Embedding, Schedule, frozen_step, learning_rate, negative_sampling_step
from pte.core.vector import move_rows, prefetch, sum_rows


@kernel
def train_dm(
    model: Model,
    text: Text,
    span: Span,
    copies: Copies,
    scratch: Scratch,
    schedule: Schedule,
    state: np.uint64,
) -> None:
    """Train on the tokens of `span`; each token is a step of `schedule`.

    The random numbers start at `state`. Only the documents of a frozen model move. Threads race as
    in `pte.core.edges.train_groups`; `copies` are the copies of rows of `words` (as network 0) and
    of `target`.
    """
    tokens, offsets = text
    documents, words, target = model.tables
    slots, lines = model.slots, model.lines
    mean, steps = scratch
    both = Embedding(mean, target)
    hot, own = copies.hot_sources[0], copies.own_sources[0]
    examples = room_for_examples(slots)
    owners, places, reaches, rows, _, _ = examples
    context = np.empty(2 * model.window, np.int64)
    cursor = np.array([span.first, offsets[span.first]])
    count = span.passes * (offsets[span.last] - offsets[span.first])
    for begin in range(0, count, CHUNK):
        n = min(CHUNK, count - begin)
        state = draw_examples(model, text, span, cursor, copies, examples, n, state)
        due, period = exchanges(copies, schedule.first + begin, schedule.total)
        for i in range(n + AHEAD):
            if i < n:
                prefetch_edge(documents, target, owners[i], rows, i, len(slots), lines)
                # the word that the next windows begin to reach
                word = tokens[min(places[i] + model.window, offsets[span.last] - 1)]
                prefetch(words, word + (own if word < hot else 0), 0, lines)
            if i < AHEAD:
                continue
            i -= AHEAD
            rate = learning_rate(schedule.first + begin + i, schedule.total, schedule.rate)
            u = owners[i]
            size = find_context(tokens, offsets[u], offsets[u + 1], places[i], reaches[i], context)
            take_context_copies(context, size, hot, own)
            gather_mean(documents, u, words, context, size, mean, lines)
            if model.frozen:
                frozen_step(both, 0, rows, i, (rate, rate), steps, slots, (0,))
            else:
                negative_sampling_step(both, 0, rows, i, (rate, rate), steps, slots, (0,))
            spread_mean(documents, u, words, context, size, mean, lines, model.frozen)
            if i == due:
                exchange_targets(target, copies, rows, i, slots)
                exchange_context(words, context, size, copies)
                due += period


@kernel
def find_context(
    tokens: Int32Array, begin: Int, end: Int, place: Int, reach: Int, context: IntArray
) -> Int:
    """List the words of the document `tokens[begin:end]` around a place, and return how many.

    These are the words within `reach` of the place, without the word at the place.
    """
    n = np.int64(0)
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
def spread_mean(
    documents: Table,
    d: Int,
    words: Table,
    context: IntArray,
    n: Int,
    mean: Table,
    lines: Slots,
    frozen: bool,
) -> None:
    """Move document d, and the n rows of `context` unless `frozen`, as far as the mean moved."""
    for c in range(mean.shape[1]):
        mean[0, c] -= mean[1, c]
    for c in range(mean.shape[1]):
        documents[d, c] += mean[0, c]
    if not frozen:
        move_rows(words, context, n, mean, 0, lines)
