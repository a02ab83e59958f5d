"""A control: random word vectors. Their score shows what the classifier does alone."""

import numpy as np
from numpy.typing import NDArray

from pte.training.contract import Fitted, Spec, Task


def standard_normal(n_words: int, dim: int, seed: int) -> NDArray[np.float32]:
    """Return standard normal vectors, float32, shape (n_words, dim)."""
    return np.random.default_rng(seed).standard_normal((n_words, dim), dtype=np.float32)


def fit(task: Task) -> Fitted:
    """Draw the vectors of all words."""
    return Fitted(standard_normal(task.corpus.n_words, task.hyperparameters.dim, task.seed))


SPEC = Spec(
    yields="words",
    uses=frozenset({"hyperparameters"}),
    sees_labels=lambda options: False,
    memory=lambda size: 4 * size.dim * size.words,  # the vectors
)
