"""What bounds a training step, memory or arithmetic, and where the time of `train_edges` goes.

    python -m benchmarks.roofline CORPUS_FOLDER

One thread, in processor time, so that programs beside it disturb little. `cost`: bytes and
floating-point operations of an edge. `bandwidth`: rows drawn at random from tables of many sizes,
read, changed and written by the same vector code, each asked for a few edges ahead. `profile`:
nanoseconds an edge of each part of the joint training by itself, and of all of it, called `fit`.
`roof`: what `fit` would take if only arithmetic limited it, or only memory with every row equally
likely. Frequent rows stay in the caches, so that `fit` can be faster than the latter.
"""

import statistics
import sys
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from numba import njit
from numpy.typing import NDArray

from benchmarks.common import NETWORKS, WINDOW, interleaved, journal, ratio
from benchmarks.trainings import Case, measure
from pte.core import arrays
from pte.core.arrays import LANES
from pte.core.draws import draw_negatives
from pte.core.edges import AHEAD, CHUNK, Embedding, negative_sampling_step, prefetch_edge
from pte.core.jit import FASTMATH
from pte.core.vector import move, prefetch
from pte.corpora.encoded import EncodedCorpus
from pte.networks import named
from pte.networks.sampling import EdgeSampler, StoredEdges
from pte.training.edges import BLOCK, Draws, EdgeBlock, Turns, group_shape
from pte.training.setup import Hyperparameters, Setup, Step

ROUNDS = 3
EDGES = 2_000_000
SIZES_MB = (0.25, 1, 4, 16, 64, 256)
DISTANCES = (AHEAD, 2 * AHEAD, 4 * AHEAD)
IN_CACHE = 4
"""Sources, and as many times K + 1 words: rows that fit into the first-level cache."""

SETTINGS = Hyperparameters()
SLOTS = tuple(range(SETTINGS.negatives + 1))
ROW = arrays.zeros(1, SETTINGS.dim)
LINES = tuple(range(ROW.shape[1] // LANES))
GROUPED = group_shape(Hyperparameters(step=Step.of("grouped")), LINES)
RATE = np.float32(1e-6)  # so small that no vector grows, however often it is trained

Array = NDArray[Any]
compiled = njit(nogil=True, error_model="numpy", fastmath=FASTMATH)


@compiled
def train_steps(source, target, sources, rows, steps, unrolled, ahead):  # type: ignore[no-untyped-def]
    """Steps on draws that are drawn already."""
    n, (slots, lines, members), tables = sources.size, unrolled, Embedding(source, target)
    for i in range(n):
        if ahead and i + ahead < n:
            prefetch_edge(source, target, sources[i + ahead], rows, i + ahead, len(slots), lines)
        negative_sampling_step(tables, sources[i], rows, i, (RATE, RATE), steps, slots, members)


@compiled
def change_rows(source, target, rows, steps, slots, lines, ahead):  # type: ignore[no-untyped-def]
    """Read, change and write the listed rows: a move by one source that stays in the cache."""
    n = rows.shape[0]
    for i in range(n):
        if i + ahead < n:
            for k in range(len(slots)):
                prefetch(target, rows[i + ahead, k], 0, lines)
        move(source, target, rows, steps, (0, i, 0), slots, len(lines))


@compiled
def draw_all_negatives(noise, networks, state, rows, slots):  # type: ignore[no-untyped-def]
    """As in training: a chunk at a time, always into the same rows."""
    leaders = np.arange(CHUNK)
    for begin in range(0, networks.size, CHUNK):
        some = networks[begin : begin + CHUNK]
        state = draw_negatives(noise, some, leaders, state, rows, (0,), slots)


def main(folder: Path) -> None:
    note = journal("roofline")
    corpus = EncodedCorpus.load(folder)
    row_bytes, rows = ROW.nbytes, len(SLOTS) + 1
    moved, operations = 2 * rows * row_bytes, 6 * len(SLOTS) * SETTINGS.dim
    note(
        kind="cost",
        dim=SETTINGS.dim,
        negatives=SETTINGS.negatives,
        row_bytes=row_bytes,
        bytes=moved,
        operations=operations,
    )
    bandwidths = {size: bandwidth(size) for size in SIZES_MB}
    for size, rates in bandwidths.items():
        for ahead, rate in rates.items():
            note(kind="bandwidth", table_mb=size, ahead=ahead, gigabytes_per_second=rate)
    stored: dict[str, EdgeSampler] = {
        name: StoredEdges(named.build(name, corpus, WINDOW)) for name in NETWORKS
    }
    streamed = named.streams(corpus, NETWORKS, WINDOW)
    found = interleaved(parts(stored, streamed), ROUNDS)
    median = {part: statistics.median(each) for part, each in found.items()}
    for part, each in found.items():
        note(
            kind="profile",
            corpus=folder.name,
            part=part,
            nanoseconds=median[part],
            of_fit=ratio(each, found["fit"]),
        )
    table_mb = (sum(each.n_sources for each in stored.values()) + corpus.n_words) * row_bytes / 1e6
    size = min((each for each in SIZES_MB if each >= table_mb), default=SIZES_MB[-1])
    note(
        kind="roof",
        corpus=folder.name,
        table_mb=table_mb,
        memory_nanoseconds=moved / max(bandwidths[size].values()),
        arithmetic_nanoseconds=median["step in cache"],
        fit_nanoseconds=median["fit"],
        peak_gigaflops=operations / median["step in cache"],
        fit_gigaflops=operations / median["fit"],
        fit_against_arithmetic=ratio(found["step in cache"], found["fit"]),
        grouped_against_arithmetic=ratio(
            found["grouped step in cache"], found["fit, streamed, grouped"]
        ),
    )


def bandwidth(size_mb: float) -> dict[int, float]:
    """Gigabytes a second, read and written, by how many edges ahead the rows are asked for."""
    n_rows = int(size_mb * 2**20 / ROW.nbytes)
    rows = np.random.default_rng(0).integers(n_rows, size=(EDGES // 4, len(SLOTS)), dtype=np.int32)
    source, target = arrays.zeros(1, SETTINGS.dim), arrays.zeros(n_rows, SETTINGS.dim)
    target[:] = 1  # so that the pages are there
    steps = arrays.zeros(1, len(SLOTS))

    def once(ahead: int, _: int) -> float:
        return timed(change_rows, source, target, rows, steps, SLOTS, LINES, ahead)

    found = interleaved({ahead: partial(once, ahead) for ahead in DISTANCES}, ROUNDS)
    moved = 2 * rows.size * ROW.nbytes
    return {ahead: moved / statistics.median(each) / 1e9 for ahead, each in found.items()}


def parts(
    stored: dict[str, EdgeSampler], streamed: dict[str, EdgeSampler]
) -> dict[str, Callable[[int], float]]:
    """Each part of the joint training: called with a number, it gives nanoseconds an edge."""
    samplers = [stored[name] for name in NETWORKS]
    draws, turns = Draws(samplers, Setup(0)), Turns([1.0] * len(samplers))
    networks = np.resize(turns.cycle, EDGES)
    ends = np.empty((EDGES, 2), np.int32)
    starts = draws.pairs(EdgeBlock(turns, EDGES, 0, EDGES, 0), ends)
    sources = np.empty(EDGES, np.int64)
    rows = np.empty((EDGES, len(SLOTS)), np.int32)
    offsets = np.cumsum([0, *draws.sizes])
    for network in range(len(samplers)):
        mine, drawn = networks == network, ends[starts[network] : starts[network + 1]]
        sources[mine] = drawn[:, 0] + offsets[network]
        rows[mine, 0] = drawn[:, 1]
    state = draws.negatives(EdgeBlock(turns, 1, 0, 0, 0))
    draw_negatives(draws.noise, networks, np.arange(EDGES), state, rows, (0,), SLOTS)
    rng = np.random.default_rng(0)
    source = arrays.uniform(int(offsets[-1]), SETTINGS.dim, rng)
    target = arrays.uniform(samplers[0].n_targets, SETTINGS.dim, rng)
    steps, few = arrays.zeros(1, len(SLOTS)), IN_CACHE * len(SLOTS)
    near = (np.arange(EDGES) % IN_CACHE).astype(np.int64)
    near_rows = (np.arange(EDGES * len(SLOTS)) % few).astype(np.int32).reshape(EDGES, len(SLOTS))
    scratch = np.empty((CHUNK, len(SLOTS)), np.int32)

    def draw(sampler: EdgeSampler, number: int) -> float:
        pairs = np.empty((BLOCK, 2), np.int32)
        began = time.process_time()
        for block in range(EDGES // BLOCK):
            sampler.draw(np.uint64(number * EDGES + block), pairs)
        return 1e9 * (time.process_time() - began) / EDGES

    def train(*arguments: Any) -> Callable[[int], float]:
        unrolled = SLOTS, LINES, (0,)
        return lambda _: 1e9 * timed(train_steps, *arguments, steps, unrolled, AHEAD) / EDGES

    def groups(_: int) -> float:
        n, width = EDGES // len(GROUPED.members), len(GROUPED.slots)
        listed = np.tile(np.arange(width, dtype=np.int32), (n, 1))
        unrolled = GROUPED.slots, LINES, GROUPED.members
        given = source[:IN_CACHE], target[:width], near[:n], listed, arrays.zeros(1, width)
        train_steps(*given, unrolled, AHEAD)  # compiled for steps on edges, it is not yet for these
        return 1e9 * timed(train_steps, *given, unrolled, AHEAD) / EDGES

    def negatives(number: int) -> float:
        arguments = draws.noise, networks, np.uint64(number), scratch, SLOTS
        return 1e9 * timed(draw_all_negatives, *arguments) / EDGES

    def whole(samplers: dict[str, EdgeSampler], number: int, step: str = "edge") -> float:
        return measure(samplers, "joint", Case(EDGES, step=step), number).nanoseconds

    cases: dict[str, Callable[[int], float]] = {
        f"draw {kind} {name}": partial(draw, samplers[name])
        for kind, samplers in (("stored", stored), ("streamed", streamed))
        for name in NETWORKS
    }
    return cases | {
        "draw negatives": negatives,
        "step in cache": train(source[:IN_CACHE], target[:few], near, near_rows),
        "step in memory": train(source, target, sources, rows),
        "fit": partial(whole, stored),
        "fit, streamed": partial(whole, streamed),
        "grouped step in cache": groups,
        "fit, streamed, grouped": partial(whole, streamed, step="grouped"),
    }


def timed(kernel: Callable[..., object], *arguments: Any) -> float:
    """Seconds of a call, once it is compiled."""
    if not kernel.signatures:  # type: ignore[attr-defined]
        kernel(*arguments)
    began = time.process_time()
    kernel(*arguments)
    return time.process_time() - began


if __name__ == "__main__":
    main(Path(sys.argv[1]))
