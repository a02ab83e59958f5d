"""The edges that a step trains together, as kernels need them."""

import numpy as np

from pte.core.edges import GroupShape
from pte.training.setup import Hyperparameters


def group_shape(shape: Hyperparameters, lines: tuple[int, ...]) -> GroupShape:
    """Return the shape of the draws of a step, for rows with these `lines`."""
    step, k = shape.step, shape.negatives
    if step.kind == "edge":
        return edge_shape(k, lines)
    members, negatives = step.size, step.negatives
    slots = tuple(range(members + negatives))
    weight = np.float32(k * members / negatives)
    return GroupShape(tuple(range(members)), slots, lines, weight, step.share)


def edge_shape(k: int, lines: tuple[int, ...]) -> GroupShape:
    """Return the shape of one edge with K negatives of its own."""
    return GroupShape((0,), tuple(range(1 + k)), lines, np.float32(1), 1)
