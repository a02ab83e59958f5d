"""One negative-sampling step: the update that LINE, PTE, Skip-gram and PV-DBOW share."""

import numpy as np

from pte.core.jit import kernel
from pte.core.tables import LANES
from pte.core.types import Float32Array, Int32Array, Slots, Table
from pte.core.vector import ascents, move, move_source, products

RATE_FLOOR = 1e-4


@kernel
def learning_rate(t: int, total: int, start: float) -> np.float32:
    """ρ_t = ρ_0 (1 − t/T) for t in 0 … T − 1, never below ρ_0 · 1e-4 (paper, section 5.1)."""
    return np.float32(start * max(1.0 - t / total, RATE_FLOOR))


@kernel
def pass_over_positives(rows: Int32Array, i: int, steps: Float32Array, j: int, n: int) -> None:
    """A negative that is the positive itself does not move anything (semantics of word2vec)."""
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

    u is row `s` of `source`; w_k is row `rows[i, k]` of `target`, the positive first, then the K
    negatives, of which those equal to the positive are passed over. All gradients are taken at the
    vectors as they are before the step (but a row listed twice moves u the second time as it is
    after its first move). `steps` is scratch space, a table of one row of K + 1.
    `source` and `target` are changed in place.
    """
    lines = source.shape[1] // LANES
    products(source, s, target, rows, i, steps, 0, slots, 0, lines)
    ascents(steps, 0, rate, slots)
    pass_over_positives(rows, i, steps, 0, len(slots))
    move(source, s, target, rows, i, steps, 0, slots, 0, lines)


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
    """`negative_sampling_step` that moves u alone and leaves `target` as it is."""
    lines = source.shape[1] // LANES
    products(source, s, target, rows, i, steps, 0, slots, 0, lines)
    ascents(steps, 0, rate, slots)
    pass_over_positives(rows, i, steps, 0, len(slots))
    move_source(source, s, target, rows, i, steps, 0, slots, 0, lines)
