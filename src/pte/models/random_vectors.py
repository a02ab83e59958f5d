"""A control: word vectors that know nothing. What they score, the classifier scores alone."""

import numpy as np
from numpy.typing import NDArray


def fit(n_words: int, dim: int, seed: int) -> NDArray[np.float32]:
    """Standard normal vectors, float32, shape (n_words, dim)."""
    return np.random.default_rng(seed).standard_normal((n_words, dim), dtype=np.float32)
