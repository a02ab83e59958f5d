"""Dual coordinate descent of logistic regressions, each class against the rest, all at once.

The dual of C Σ log(1 + exp(−y w·x)) + |w|² / 2 has an α in (0, C) for each document and class (Yu,
Huang and Lin, Machine Learning 2011). It is kept as log-odds β, α = C σ(β), so that α comes near
to 0 and to C without losing digits. A visit to a document reads its features once for all classes.
"""

import numpy as np

from pte.core.arrays import Float32Array, Int, Int32Array, IntArray
from pte.core.jit import kernel
from pte.core.rng import cell, next_random, stream

NEAR = 1e-3  # an error of log-odds that a step leaves
SLIGHT = 0.1  # steps are taken where the gradient is above this part of the tolerance


@kernel
def descend(
    rows: tuple[IntArray, Int32Array, Float32Array],
    labels: IntArray,
    scales: Float32Array,
    state: tuple[Float32Array, Float32Array, Float32Array, Float32Array, IntArray],
    c: float,
    tolerance: float,
    most: int,
) -> float:
    """Train the weights, and return the largest gradient at the end.

    `rows` are offsets, features and float32 values of documents, as in CSR; `labels` are numbers of
    columns, another number is of no column. `scales` multiplies the square of a feature for a
    class, shape (features, classes), or (1, classes). Passes end after `most`. `state`, float32,
    changes: log-odds (documents, classes), where α begins and ends; lengths, of the same shape, and
    weights (features, classes), both zero at first; scratch (classes,); documents as 0, 1, …
    """
    offsets, features, values = rows
    log_odds, lengths, weights, change, order = state
    n, n_classes = log_odds.shape
    each = 1 if scales.shape[0] > 1 else 0
    for i in range(n):
        for p in range(offsets[i], offsets[i + 1]):
            x = values[p]
            scale, w = scales[features[p] * each], weights[features[p]]
            for k in range(n_classes):
                lengths[i, k] += x * x * scale[k]
                alpha = np.float32(c) / (np.float32(1) + np.exp(-log_odds[i, k]))
                w[k] += (alpha if labels[i] == k else -alpha) * x * scale[k]
    bits_from, active, worst = stream(1, 0), n, np.inf
    for _ in range(most):
        for a in range(active - 1, 0, -1):
            bits_from, bits = next_random(bits_from)
            b, _ = cell(bits, a + 1)
            order[a], order[b] = order[b], order[a]
        whole, left, worst = active == n, 0, 0.0
        for a in range(active):
            i = order[a]
            part = slice(offsets[i], offsets[i + 1])
            row = features[part], values[part]
            gradient = _visit(
                row, labels[i], scales, (log_odds[i], lengths[i], weights, change), c, tolerance
            )
            worst = gradient if gradient > worst else worst
            if gradient >= tolerance / 2:
                order[a], order[left] = order[left], order[a]
                left += 1
        if worst < tolerance and whole:
            break
        active = left if left and worst >= tolerance else n
    return worst


@kernel
def _visit(
    row: tuple[Int32Array, Float32Array],
    label: Int,
    scales: Float32Array,
    state: tuple[Float32Array, Float32Array, Float32Array, Float32Array],
    c: float,
    tolerance: float,
) -> float:
    """Take a step for a document and each class; return the largest gradient before it."""
    features, values = row
    log_odds, lengths, weights, change = state
    each = 1 if scales.shape[0] > 1 else 0
    n_classes = log_odds.size
    for k in range(n_classes):
        change[k] = 0
    for p in range(features.size):
        x, w = values[p], weights[features[p]]
        for k in range(n_classes):
            change[k] += x * w[k]
    worst, moved = 0.0, False
    for k in range(n_classes):
        y = np.float32(1 if label == k else -1)
        beta, margin = log_odds[k], y * change[k]
        gradient = abs(beta + margin)
        worst = gradient if gradient > worst else worst
        change[k] = 0
        if gradient > SLIGHT * tolerance:
            before = c / (1 + np.exp(-beta))
            log_odds[k] = root(beta, lengths[k] * before - margin, lengths[k] * c)
            change[k] = y * (c / (1 + np.exp(-log_odds[k])) - before)
            moved = True
    if moved:
        for p in range(features.size):
            x, w, scale = values[p], weights[features[p]], scales[features[p] * each]
            for k in range(n_classes):
                w[k] += x * change[k] * scale[k]
    return worst


@kernel
def root(beta: float, target: float, slope: float) -> float:
    """Return β of β + slope · σ(β) = target, by Newton's steps within a bracket, from `beta`."""
    low, high = target - slope, target
    if beta < low or beta > high:
        beta = (low + high) / 2
    for _ in range(30):
        sigmoid = 1 / (1 + np.exp(-beta))
        error = beta + slope * sigmoid - target
        if abs(error) < NEAR:
            break
        if error > 0:
            high = beta
        else:
            low = beta
        beta -= error / (1 + slope * sigmoid * (1 - sigmoid))
        if beta <= low or beta >= high:
            beta = (low + high) / 2
    return beta
