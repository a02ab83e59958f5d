"""A control: word vectors that know nothing. What they score, the classifier scores alone."""

import numpy as np

from pte.models.network_embedding import WordVectors


def fit(n_words: int, dim: int, seed: int) -> WordVectors:
    """Standard normal vectors, float32, shape (n_words, dim)."""
    vectors = np.random.default_rng(seed).standard_normal((n_words, dim), dtype=np.float32)
    return WordVectors(vectors, samples=0, seconds=0.0)
