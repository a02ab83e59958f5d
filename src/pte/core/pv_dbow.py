"""PV-DBOW: a document's vector alone predicts its words (Le and Mikolov, ICML 2014)."""

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
    exchange_targets,
    room_for_examples,
)
from pte.core.step import Embedding, Schedule, frozen_step, learning_rate, negative_sampling_step


@kernel
def train_dbow(
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
    in `pte.core.edges.train_groups`; `copies` are the copies of rows of `target`.
    """
    documents, _, target = model.tables
    both = Embedding(documents, target)
    slots, lines, steps = model.slots, model.lines, scratch.steps
    examples = room_for_examples(slots)
    owners, rows = examples.owners, examples.rows
    cursor = np.array([span.first, text.offsets[span.first]])
    count = span.passes * (text.offsets[span.last] - text.offsets[span.first])
    for begin in range(0, count, CHUNK):
        n = min(CHUNK, count - begin)
        state = draw_examples(model, text, span, cursor, copies, examples, n, state)
        due, period = exchanges(copies, schedule.first + begin, schedule.total)
        for i in range(n + AHEAD):
            if i < n:
                prefetch_edge(documents, target, owners[i], rows, i, len(slots), lines)
            if i < AHEAD:
                continue
            i -= AHEAD
            rate = learning_rate(schedule.first + begin + i, schedule.total, schedule.rate)
            if model.frozen:
                frozen_step(both, owners[i], rows, i, (rate, rate), steps, slots, (0,))
            else:
                negative_sampling_step(both, owners[i], rows, i, (rate, rate), steps, slots, (0,))
            if i == due:
                exchange_targets(target, copies, rows, i, slots)
                due += period
