"""What a step trains together, as kernels need it."""

import numpy as np

from pte.core.groups import GroupShape
from pte.training.setup import Hyperparameters


def group_shape(shape: Hyperparameters, lines: tuple[int, ...]) -> GroupShape:
    """The groups of a step; one edge is a group of one, with K negatives of its own."""
    step, k = shape.step, shape.negatives
    members, negatives = step.members, step.drawn_negatives(k)
    return GroupShape(
        tuple(range(members)),
        tuple(range(members + negatives)),
        lines,
        np.float32(k * members / negatives if negatives else 0),
        step.size if step.kind == "shared" else 1,
    )
