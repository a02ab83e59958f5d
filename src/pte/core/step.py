"""One negative-sampling step: the update that LINE, PTE, Skip-gram and PV-DBOW share."""

import numpy as np

from pte.core.jit import kernel
from pte.core.types import Float32Array, IntArray, Table
from pte.core.vector import dot, update

RATE_FLOOR = 1e-4


@kernel
def sigmoid(x: np.float32) -> np.float32:
    """1 / (1 + e^-x) in float32; exactly 0 or 1 far out."""
    return np.float32(np.float32(1) / (np.float32(1) + np.exp(-x)))


@kernel
def learning_rate(t: int, total: int, start: float) -> np.float32:
    """ρ_t = ρ_0 (1 − t/T) for t in 0 … T − 1, never below ρ_0 · 1e-4 (paper, section 5.1)."""
    return np.float32(start * max(1.0 - t / total, RATE_FLOOR))


@kernel
def negative_sampling_step(
    source: Table,
    s: int,
    target: Table,
    rows: IntArray,
    n: int,
    rate: np.float32,
    gradients: Float32Array,
) -> None:
    """Ascend log σ(u·w₀) + Σ_{k=1}^{n-1} log σ(−u·w_k) by one gradient step (section 4.1).

    u is row `s` of `source`; w_k is row `rows[k]` of `target`, the positive first, then the n − 1
    negatives. All gradients are taken at the vectors as they are before the step (but a row
    listed twice moves u the second time as it is after its first move). `gradients` is
    scratch space of at least n float32. `source` and `target` are changed in place.
    """
    for k in range(n):
        label = np.float32(1) if k == 0 else np.float32(0)
        gradients[k] = (label - sigmoid(dot(source, s, target, rows[k]))) * rate
    update(source, s, target, rows, gradients, n)
