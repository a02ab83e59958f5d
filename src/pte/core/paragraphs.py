"""The parts that both trainings of paragraph vectors share; documents predict their words.

Source: Le and Mikolov, ICML 2014. A document predicts alone (PV-DBOW, `pte.core.pv_dbow`), or
together with the words around a place, by the mean of their vectors (PV-DM, `pte.core.pv_dm`).
"""

from typing import NamedTuple

import numpy as np

from pte.core.arrays import Int, Int32Array, IntArray, Slots, Table
from pte.core.copies import Copies, exchange
from pte.core.edges import CHUNK
from pte.core.jit import kernel
from pte.core.noise import Noise, draw_negatives
from pte.core.rng import next_random
from pte.core.windows import draw_reach


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
    """The tables, how far windows reach (0 if no words predict), and the noise of the negatives.

    Only the documents of a `frozen` model move. `slots` is (0, … K), and `lines` numbers the cache
    lines of a row.
    """

    tables: Paragraphs
    window: int
    frozen: bool
    noise: Noise
    slots: Slots
    lines: Slots


class Scratch(NamedTuple):
    """Scratch space of a step.

    `mean` has two rows: the mean that predicts, which the step moves, and the mean before the step.
    `steps` is a table of one row of K + 1.
    """

    mean: Table
    steps: Table


class Examples(NamedTuple):
    """Some places whose words are predicted.

    Each place has its document, its position, the reach of its window, and the rows of its word and
    of its negatives. `networks` are zeros, because all negatives come from one noise. Each place is
    its own leader (`pte.core.noise`).
    """

    owners: IntArray
    places: IntArray
    reaches: IntArray
    rows: Int32Array
    networks: IntArray
    leaders: IntArray


@kernel
def room_for_examples(slots: Slots) -> Examples:
    """Return arrays with room for a chunk of examples."""
    return Examples(
        np.empty(CHUNK, np.int64),
        np.empty(CHUNK, np.int64),
        np.empty(CHUNK, np.int64),
        np.empty((CHUNK, len(slots)), np.int32),
        np.zeros(CHUNK, np.int64),
        np.arange(CHUNK),
    )


@kernel
def draw_examples(
    model: Model,
    text: Text,
    span: Span,
    cursor: IntArray,
    copies: Copies,
    examples: Examples,
    n: int,
    state: np.uint64,
) -> np.uint64:
    """Fill `examples` with the next n places of `span`, and return the next state.

    `cursor` (int64: a document, a token) is the next place and moves on. Each place draws the reach
    of its window as in `pte.core.windows.draw_windows`. Hot words become rows of this thread.
    """
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
    for i in range(n):
        for k in range(len(model.slots)):
            rows[i, k] += np.int32(copies.own_words if rows[i, k] < copies.hot_words else 0)
    return state


@kernel
def exchange_targets(target: Table, copies: Copies, rows: Int32Array, i: int, slots: Slots) -> None:
    """Exchange the copies among the rows `rows[i]`."""
    for k in range(len(slots)):
        w = np.int64(rows[i, k])
        if w >= copies.own_words:
            exchange(target, w - copies.own_words, w, copies.hot_words, copies.weight)


@kernel
def exchange_context(words: Table, context: IntArray, n: Int, copies: Copies) -> None:
    """Exchange the copies among the n rows of `context`; words are the sources of network 0."""
    own = copies.own_sources[0]
    for k in range(n):
        if context[k] >= own:
            exchange(words, context[k] - own, context[k], copies.behind, copies.weight)


@kernel
def take_context_copies(context: IntArray, n: Int, hot: Int, own: Int) -> None:
    """Turn the n words of `context` into rows of this thread."""
    for k in range(n):
        context[k] += own if context[k] < hot else 0
