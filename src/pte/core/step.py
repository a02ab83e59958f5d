"""One negative-sampling step: the update that LINE, PTE, Skip-gram and PV-DBOW share."""

from typing import NamedTuple

import numpy as np

from pte.core.arrays import LANES, Float32Array, Int32Array, Slots, Table
from pte.core.jit import kernel
from pte.core.vector import Rates, ascents, move, move_source, products

RATE_FLOOR = 1e-4


class Embedding(NamedTuple):
    """The two tables of an embedding: the sources, and the words that sources predict."""

    source: Table
    target: Table


class Schedule(NamedTuple):
    """The steps of a kernel, from `first` on of `total`; `rate` is ρ_0, that of step 0."""

    first: int
    total: int
    rate: float


@kernel
def learning_rate(t: int, total: int, start: float) -> np.float32:
    """Return ρ_t = ρ_0 (1 − t/T), at least ρ_0 · 1e-4, for t = 0 … T − 1 (paper, section 5.1)."""
    return np.float32(start * max(1.0 - t / total, RATE_FLOOR))


@kernel
def negative_sampling_step(
    tables: Embedding,
    s: int,
    rows: Int32Array,
    i: int,
    rates: Rates,
    steps: Float32Array,
    slots: Slots,
    members: Slots,
) -> None:
    """Ascend Σ_{k<m} log σ(u·w_k) + weight · Σ_{k≥m} log σ(−u·w_k) by one gradient step.

    u is row `s` of the sources, w_k row `rows[i, k]` of the targets: m positives, then negatives
    (paper, section 4.1). The `rates` are ρ and ρ · weight. A negative that equals some positives
    counts for the others, as in word2vec. Gradients are those before the step, but a row listed
    twice moves u twice.
    """
    source, target = tables
    n_lines = source.shape[1] // LANES
    products(source, target, rows, steps, (s, i, 0), slots, n_lines)
    ascents(rows, i, steps, 0, rates, slots, members)
    move(source, target, rows, steps, (s, i, 0), slots, n_lines)


@kernel
def frozen_step(
    tables: Embedding,
    s: int,
    rows: Int32Array,
    i: int,
    rates: Rates,
    steps: Float32Array,
    slots: Slots,
    members: Slots,
) -> None:
    """Take a `negative_sampling_step` that moves only u and leaves the targets unchanged."""
    source, target = tables
    n_lines = source.shape[1] // LANES
    products(source, target, rows, steps, (s, i, 0), slots, n_lines)
    ascents(rows, i, steps, 0, rates, slots, members)
    move_source(source, target, rows, steps, (s, i, 0), slots, n_lines)
