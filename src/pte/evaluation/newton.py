"""Logistic regression on dense features by Newton's method: LIBLINEAR's objective, faster.

A column of weights w, for one class against the rest, minimises f(w) = ½‖w‖² + C Σ log(1 + exp(−y
w·x)), y = 1 in the class and −1 outside. All columns step together, so that a pass over the
documents serves all. Only the Hessian, which directs a step, is float32 where it is exact enough.
"""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pte.errors import PteError
from pte.evaluation.linear import LinearClassifier, MultilabelClassifier, require_memory

TOLERANCE = 1e-6  # how far f may lie above f*, relatively; f(w) − f* ≤ ½‖∇f(w)‖² bounds it
MOST_STEPS = 200  # of a column, more than any data need: Newton takes about ten
BLOCK = 4096  # how many rows are turned into float64, or weighted for the Hessian, at a time
COLUMNS = 16  # how many columns take their steps together; this bounds the memory
SHARP = 1e-4  # a step must reach this part of the decrease that the slope promises (Armijo's rule)

Rows = NDArray[np.float32]
Matrix = NDArray[np.float64]


def fit(
    features: Rows, labels: NDArray[np.int32], c: float, start: LinearClassifier | None = None
) -> LinearClassifier:
    """Train one class against the rest from `start`; two classes share one column."""
    classes = np.unique(labels)
    if classes.size < 2:
        raise PteError("classifier: the labelled documents are all of one class")
    columns = classes[:1] if classes.size == 2 else classes
    begin = start.weights if start else None
    return LinearClassifier(solve(features, labels[:, None] == columns, c, begin)[0], classes)


def fit_each(
    features: Rows,
    indicator: NDArray[np.bool_],
    c: float,
    start: MultilabelClassifier | None = None,
) -> MultilabelClassifier:
    """Train a classifier for each column of `indicator`, shape (documents, classes)."""
    always = np.asarray(indicator.all(axis=0))
    taught = np.flatnonzero(indicator.any(axis=0) & ~always)
    weights = np.zeros((features.shape[1], indicator.shape[1]))
    begin = start.weights[:, taught] if start else None
    weights[:, taught] = solve(features, indicator[:, taught], c, begin)[0]
    return MultilabelClassifier(weights, always)


def solve(
    features: Rows, positive: NDArray[np.bool_], c: float, start: Matrix | None = None
) -> tuple[Matrix, NDArray[np.int64]]:
    """Minimise f for each bool column to `TOLERANCE`; return weights, float64, and steps."""
    require_memory(features.shape[1], positive.shape[1])
    rows = np.asarray(features, np.float32)
    if not np.isfinite(rows).all():
        raise PteError("classifier: the document vectors hold NaN or infinity")
    begin = np.zeros((rows.shape[1], positive.shape[1])) if start is None else start
    parts = [slice(i, i + COLUMNS) for i in range(0, positive.shape[1], COLUMNS)]
    solved = [_solve(rows, positive[:, part], c, begin[:, part]) for part in parts]
    weights = np.concatenate([begin[:, :0], *(found for found, _ in solved)], axis=1)
    return weights, np.concatenate([np.empty(0, np.int64), *(steps for _, steps in solved)])


def _solve(
    rows: Rows, positive: NDArray[np.bool_], c: float, start: Matrix
) -> tuple[Matrix, NDArray[np.int64]]:
    """Step until each column is at its minimum, or no step lowers its objective."""
    signs = np.where(positive, 1.0, -1.0)
    weights = start.copy()
    margins = signs * _times(rows, weights)
    steps = np.zeros(weights.shape[1], np.int64)
    left = np.arange(weights.shape[1])  # the columns that are not yet at their minimum
    while left.size:
        values = objective(weights[:, left], margins[:, left], c)
        wrong = _probability(-margins[:, left])  # how likely the document is on the other side
        gradient = weights[:, left] - c * _transposed_times(rows, signs[:, left] * wrong)
        far = (gradient**2).sum(axis=0) / 2 > TOLERANCE * values
        left, wrong, gradient, values = left[far], wrong[:, far], gradient[:, far], values[far]
        if not left.size:
            break
        if steps[left].max() == MOST_STEPS:
            raise PteError(
                f"classifier: Newton's method found no minimum in {MOST_STEPS} steps at C = "
                f"{c:g}; try a smaller C, or LIBLINEAR as the solver"
            )
        hessians = _hessians(rows, c * wrong * (1 - wrong))
        found = np.linalg.solve(hessians, -gradient.T[:, :, None])
        direction = np.asarray(found[:, :, 0].T, np.float64)
        slopes = signs[:, left] * _times(rows, direction)
        line = _Line(weights[:, left], direction, margins[:, left], slopes, c)
        lengths = line.search(values, (gradient * direction).sum(axis=0))
        weights[:, left] += lengths * direction
        margins[:, left] += lengths * slopes
        left = left[lengths > 0]
        steps[left] += 1
    return weights, steps


class _Line(NamedTuple):
    weights: Matrix
    directions: Matrix
    margins: Matrix
    slopes: Matrix
    c: float

    def values(self, lengths: Matrix, columns: NDArray[np.int64]) -> Matrix:
        w = self.weights[:, columns] + lengths * self.directions[:, columns]
        margins = self.margins[:, columns] + lengths * self.slopes[:, columns]
        return objective(w, margins, self.c)

    def search(self, at: Matrix, descent: Matrix) -> Matrix:
        """Return the first of 1, ½, ¼, … that lowers each objective enough; 0 within rounding."""
        rounding = 16 * np.finfo(np.float64).eps * at
        lengths = np.where(-descent > rounding, 1.0, 0.0)
        tried = np.flatnonzero(lengths)
        while tried.size:
            most = at[tried] + SHARP * lengths[tried] * descent[tried]
            tried = tried[self.values(lengths[tried], tried) > most]
            lengths[tried] /= 2
            spent = -lengths[tried] * descent[tried] <= rounding[tried]
            lengths[tried[spent]] = 0
            tried = tried[~spent]
        return lengths


def objective(weights: Matrix, margins: Matrix, c: float) -> Matrix:
    """Return f of each column, from weights (features, columns) and y w·x (documents, columns)."""
    return np.asarray((weights**2).sum(axis=0) / 2 + c * np.logaddexp(0, -margins).sum(axis=0))


def _hessians(rows: Rows, curvatures: Matrix) -> Matrix:
    """Return I + Σ curvature x xᵀ of each column, and more than I where rounding exceeds it."""
    lengths = np.einsum("ij,ij->i", rows, rows)
    bound = 16 * np.finfo(np.float32).eps * (lengths @ curvatures).max()
    kind = np.float32 if bound < 0.5 else np.float64
    roots = np.sqrt(curvatures).astype(kind)
    dim = rows.shape[1]
    found = np.zeros((roots.shape[1], dim, dim))
    for block in _blocks(len(rows)):
        part = rows[block].astype(kind, copy=False)
        for hessian, root in zip(found, roots[block].T, strict=True):
            scaled = part * root[:, None]
            hessian += scaled.T @ scaled
    diagonal = found.reshape(len(found), -1)[:, :: dim + 1]
    diagonal += np.maximum(1, np.finfo(np.float64).eps * diagonal.sum(axis=1, keepdims=True))
    return found


def _times(rows: Rows, weights: Matrix) -> Matrix:
    product = np.empty((len(rows), weights.shape[1]))
    for block in _blocks(len(rows)):
        product[block] = rows[block].astype(np.float64) @ weights
    return product


def _transposed_times(rows: Rows, values: Matrix) -> Matrix:
    product = np.zeros((rows.shape[1], values.shape[1]))
    for block in _blocks(len(rows)):
        product += rows[block].astype(np.float64).T @ values[block]
    return product


def _blocks(n: int) -> Iterator[slice]:
    return (slice(first, first + BLOCK) for first in range(0, n, BLOCK))


def _probability(x: Matrix) -> Matrix:
    """Return 1 / (1 + exp(−x)), without `scipy.special`: its import takes longer than most fits."""
    tail = np.exp(-np.abs(x))
    likely: Matrix = np.where(x > 0, 1.0, tail) / (1 + tail)
    return likely
