"""Edge sampling (paper, algorithm 1): draw edges of several networks in turn, step on each."""

import numpy as np

from pte.core.alias import draw
from pte.core.jit import kernel
from pte.core.rng import next_random, stream
from pte.core.step import learning_rate, negative_sampling_step
from pte.core.types import AliasTable, Int, Int32Array, IntArray, Table
from pte.core.vector import prefetch

# Edges drawn before the first of them is trained on: far enough for their rows to arrive from
# memory, near enough for the rows to stay in the first-level cache.
AHEAD = 8


@kernel
def draw_edge(state: np.uint64, ends: Int32Array, table: AliasTable) -> tuple[np.uint64, Int, Int]:
    """Draw an edge with the probabilities of `table`: the next state, its source, its target."""
    state, bits = next_random(state)
    edge = draw(bits, table)
    return state, np.int64(ends[edge, 0]), np.int64(ends[edge, 1])


@kernel
def draw_negatives(
    state: np.uint64, noise: AliasTable, negatives: int, rows: IntArray
) -> tuple[np.uint64, Int]:
    """Fill `rows[1:]` with draws from `noise`, leaving out those equal to the positive `rows[0]`.

    Returns the next state and how many rows are filled, the positive included.
    """
    filled = np.int64(1)
    for _ in range(negatives):
        state, bits = next_random(state)
        word = draw(bits, noise)
        rows[filled] = word
        filled += np.int64(word != rows[0])  # an addition, because a branch would mispredict
    return state, filled


@kernel
def train_block(
    source: Table,
    target: Table,
    ends: Int32Array,
    edge_table: AliasTable,
    edge_bounds: IntArray,
    noise_table: AliasTable,
    noise_bounds: IntArray,
    negatives: int,
    first: int,
    count: int,
    total: int,
    start_rate: float,
    seed: int,
    block: int,
) -> None:
    """Train on the draws `first` … `first + count − 1` out of `total`.

    Draw t is of network t mod n. The networks lie behind one another: network i has the edges
    `edge_bounds[i]` to `edge_bounds[i + 1]` of `ends` (int32, shape (edges, 2): row in `source`,
    row in `target`) and of `edge_table`, and the noise distribution `noise_bounds[i]` to
    `noise_bounds[i + 1]` of `noise_table`. The random numbers are those of stream `block` of
    `seed`, whichever thread runs the block.

    Hogwild (Recht et al. 2011): threads that run blocks on the same tables race. A row may lose
    another thread's update and may be read half-updated; nothing is locked. With one thread the
    result is bit-reproducible.
    """
    n_networks = edge_bounds.size - 1
    state = stream(seed, block)
    sources = np.empty(AHEAD, np.int64)
    rows = np.empty((AHEAD, negatives + 1), np.int64)
    lengths = np.empty(AHEAD, np.int64)
    gradients = np.empty(negatives + 1, np.float32)
    for begin in range(first, first + count, AHEAD):
        drawn = min(AHEAD, first + count - begin)
        for i in range(drawn):
            network = (begin + i) % n_networks
            lo, hi = edge_bounds[network], edge_bounds[network + 1]
            state, sources[i], rows[i, 0] = draw_edge(state, ends[lo:hi], edge_table[lo:hi])
            prefetch(source, sources[i])
        for i in range(drawn):
            network = (begin + i) % n_networks
            lo, hi = noise_bounds[network], noise_bounds[network + 1]
            state, lengths[i] = draw_negatives(state, noise_table[lo:hi], negatives, rows[i])
            for k in range(lengths[i]):
                prefetch(target, rows[i, k])
        for i in range(drawn):
            rate = learning_rate(begin + i, total, start_rate)
            negative_sampling_step(source, sources[i], target, rows[i], lengths[i], rate, gradients)
