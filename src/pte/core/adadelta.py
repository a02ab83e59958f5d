"""Adadelta (Zeiler, arXiv 1212.5701) on some rows of a table."""

import numpy as np

from pte.core.arrays import Float32Array, IntArray
from pte.core.jit import kernel

DECAY, EPSILON = 0.95, 1e-6
"""Kim's code has the same values; the rate is 1."""

# The constants are float32, so that the loop below works on vectors of float32 alone.
_KEPT, _NEW, _EPSILON = np.float32(DECAY), np.float32(1 - DECAY), np.float32(EPSILON)


@kernel
def descend_rows(
    value: Float32Array,
    gradients: Float32Array,
    steps: Float32Array,
    gradient: Float32Array,
    rows: IntArray,
) -> None:
    """Take a step down `gradient[i]` in row `rows[i]` of `value`; no row is listed twice.

    `gradients` and `steps` are the running averages of squared gradients and squared steps, with
    the shape of `value`. The averages of rows that are not listed stay and do not decay.
    """
    for i in range(rows.size):
        row = rows[i]
        for k in range(value.shape[1]):
            g = gradient[i, k]
            squares = _KEPT * gradients[row, k] + _NEW * g * g
            step = g * np.sqrt((steps[row, k] + _EPSILON) / (squares + _EPSILON))
            gradients[row, k] = squares
            steps[row, k] = _KEPT * steps[row, k] + _NEW * step * step
            value[row, k] -= step
