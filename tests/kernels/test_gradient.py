import numpy as np
import pytest

from pte.core import arrays, edges

DIM = 20
ROWS = [3, 0, 5, 1]  # the positive, then three negatives, all different


def objective(u, words):
    """log σ(u·w₀) + Σ log σ(−u·w_k)."""
    signs = np.array([1, -1, -1, -1])
    return -np.logaddexp(0, -signs * (words @ u)).sum()


def numerical_gradient(function, at):
    h = 1e-5  # truncation of the order h² and rounding of the order 1e-16 / h are both below 1e-10
    gradient = np.empty_like(at)
    for i in np.ndindex(at.shape):
        shift = np.zeros_like(at)
        shift[i] = h
        gradient[i] = (function(at + shift) - function(at - shift)) / (2 * h)
    return gradient


@pytest.fixture(scope="module")
def moves():
    """u, the listed rows, and how one step at rate 1 moves them.

    With distinct rows the step is exactly rate × gradient, whatever the rate, so that a rate of 1
    loses least to float32.
    """
    rng = np.random.default_rng(0)
    source, target = arrays.zeros(2, DIM), arrays.zeros(6, DIM)
    source[:, :DIM] = 0.5 * rng.standard_normal((2, DIM))
    target[:, :DIM] = 0.5 * rng.standard_normal((6, DIM))
    u, words = source[1].astype(float), target[ROWS].astype(float)
    rows, slots = np.array([ROWS], np.int32), tuple(range(len(ROWS)))
    steps = arrays.zeros(1, len(ROWS))
    both, rates = edges.Embedding(source, target), (np.float32(1), np.float32(1))
    edges.negative_sampling_step(both, 1, rows, 0, rates, steps, slots, (0,))
    return u, words, source[1] - u, target[ROWS] - words


# float32 keeps 2**-24 ≈ 6e-8 of each number; twenty sums and products of numbers near 1 stay
# well below 1e-5 of the largest part of a gradient.
TOLERANCE = 1e-5


def test_step_follows_the_gradient_of_the_source(moves):
    u, words, moved, _ = moves
    expected = numerical_gradient(lambda u: objective(u, words), u)
    assert np.abs(moved - expected).max() < TOLERANCE * np.abs(expected).max()


def test_step_follows_the_gradient_of_each_target(moves):
    u, words, _, moved = moves
    expected = numerical_gradient(lambda words: objective(u, words), words)
    for found, wanted in zip(moved, expected, strict=True):
        assert np.abs(found - wanted).max() < TOLERANCE * np.abs(wanted).max()
