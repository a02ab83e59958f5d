"""Vectors of documents outside the training: words stay, and each document is trained alone.

Source: Le and Mikolov, ICML 2014.
"""

from pte.core.copies import Copies
from pte.core.jit import kernel
from pte.core.paragraphs import Model, Scratch, Span, Text
from pte.core.pv_dbow import train_dbow
from pte.core.pv_dm import train_dm
from pte.core.rng import stream
from pte.core.step import Schedule


@kernel
def infer(
    model: Model,
    text: Text,
    span: Span,
    copies: Copies,
    scratch: Scratch,
    rate: float,
    seed: int,
) -> None:
    """Train the documents of `span` one by one, each with a stream of random numbers of its own.

    The model is frozen, so that no document depends on another. A model with a window is a model of
    PV-DM, and a model without a window is a model of PV-DBOW.
    """
    for d in range(span.first, span.last):
        total = span.passes * (text.offsets[d + 1] - text.offsets[d])
        alone, schedule = Span(d, d + 1, span.passes), Schedule(0, total, rate)
        if model.window > 0:
            train_dm(model, text, alone, copies, scratch, schedule, stream(seed, d))
        else:
            train_dbow(model, text, alone, copies, scratch, schedule, stream(seed, d))
