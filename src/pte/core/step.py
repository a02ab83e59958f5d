"""One negative-sampling step: the update that LINE, PTE, Skip-gram and PV-DBOW share."""

from typing import NamedTuple

import numpy as np

from pte.core.jit import kernel
from pte.core.tables import LANES
from pte.core.types import Float32Array, Int32Array, Slots, Table
from pte.core.vector import ascents, move, move_source, products

RATE_FLOOR = 1e-4


class Schedule(NamedTuple):
    """Which steps of a training a kernel takes: `first`, `first` + 1 … of `total`.

    `rate` is ρ_0, the rate of step 0.
    """

    first: int
    total: int
    rate: float


@kernel
def learning_rate(t: int, total: int, start: float) -> np.float32:
    """ρ_t = ρ_0 (1 − t/T) for t in 0 … T − 1, never below ρ_0 · 1e-4 (paper, section 5.1)."""
    return np.float32(start * max(1.0 - t / total, RATE_FLOOR))


@kernel
def pass_over_positives(rows: Int32Array, i: int, steps: Float32Array, j: int, n: int) -> None:
    """Set the steps of negatives that are the positive itself to 0, as word2vec does."""
    for k in range(1, n):
        if rows[i, k] == rows[i, 0]:
            steps[j, k] = np.float32(0)


@kernel
def negative_sampling_step(
    source: Table,
    s: int,
    target: Table,
    rows: Int32Array,
    i: int,
    rate: np.float32,
    steps: Float32Array,
    slots: Slots,
) -> None:
    """Ascend log σ(u·w₀) + Σ_{k=1}^{K} log σ(−u·w_k) by one gradient step (section 4.1).

    u is row `s` of `source`; w_k is row `rows[i, k]` of `target`: the positive first, then the K
    negatives. Negatives that are the positive are passed over. All gradients are taken at the
    vectors before the step, with one exception: a row that is listed twice moves u the second time
    by what it is after its first move. `steps` is scratch space, a table of one row of K + 1.
    Changes `source` and `target` in place.
    """
    n_lines = source.shape[1] // LANES
    products(source, target, rows, steps, (s, i, 0), slots, n_lines)
    ascents(steps, 0, rate, slots)
    pass_over_positives(rows, i, steps, 0, len(slots))
    move(source, target, rows, steps, (s, i, 0), slots, n_lines)


@kernel
def frozen_step(
    source: Table,
    s: int,
    target: Table,
    rows: Int32Array,
    i: int,
    rate: np.float32,
    steps: Float32Array,
    slots: Slots,
) -> None:
    """`negative_sampling_step` that moves only u and leaves `target` unchanged."""
    n_lines = source.shape[1] // LANES
    products(source, target, rows, steps, (s, i, 0), slots, n_lines)
    ascents(steps, 0, rate, slots)
    pass_over_positives(rows, i, steps, 0, len(slots))
    move_source(source, target, rows, steps, (s, i, 0), slots, n_lines)
