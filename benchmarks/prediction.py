"""Edges a second on machines with many cores, predicted from what this one can measure.

    python -m benchmarks.prediction CORPUS_FOLDER [--far 170] [--complex 8] [--memory 300]

PTE(joint), edges from the token stream, each kind of step. To one thread of n an edge costs, in
nanoseconds,

    alone + rows · n / (2 · UPDATES_APART) · (trade + away)

`alone` is an edge on one thread. `rows` are those of an edge of which threads have copies; the
fraction is how often these are exchanged, on average over a training. `trade` is what it takes to
exchange a row that this core wrote last, and `away` what it takes longer if another core did. The
latter grows with the time that a cache line takes from core to core: cores of one complex share a
cache, and between complexes a transfer takes `--far` nanoseconds.

In a larger text fewer rows lie in the caches. Each other row comes from memory, which adds
`memory` to `alone`, as it does for one thread here. The last column but one has the gigabytes a
second that all threads together then ask of the memory; `--memory` says what it delivers, which is
the ceiling. The last has the hours for ten edges a token.

Beside the prediction stands what is measured with a thread for each core, and with more threads
than cores. Those take turns, but exchange as often as if each had a core of its own.
"""

import argparse
import math
import os
import statistics
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from threading import Barrier
from typing import Any, NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from benchmarks import roofline, transfer
from benchmarks.common import NETWORKS, WINDOW, Journal, cores, interleaved, journal
from benchmarks.trainings import Case, Rate, measure
from pte.core import tables
from pte.core.noise import NOISE_POWER
from pte.core.vector import prefetch, trade
from pte.corpora.encoded import EncodedCorpus
from pte.errors import PteError
from pte.networks import named
from pte.networks.sampling import EdgeSampler
from pte.training.draws import Draws
from pte.training.hot_rows import UPDATES_APART, HotRows
from pte.training.setup import EDGES_OF_THREAD, KINDS, Hyperparameters, Step
from pte.training.turns import Turns

ROUNDS = 3
EDGES = 4_000_000
PREDICTED = (8, 20, 40)
MORE = 4
"""The threads that a core is given where there are more threads than cores."""

TRADES, TRADED = 15, 200_000
"""Rounds, and the exchanges of each. Threads that do not run at the same time trade too cheaply, so
that the machine must be idle."""

CACHED_BYTES = 16 * 2**20
"""The bytes of rows that lie in the caches: those that are touched most."""

COPIED = 500
"""Rows that are exchanged, so many that each thread's lie in its second-level cache."""

AHEAD = 8
"""Rows between asking for one and exchanging it."""

SMALL_MB, LARGE_MB = 1, 256
"""Tables in the caches and in memory."""

ROW_BYTES = roofline.ROW.nbytes
LARGER = {
    "Wikipedia, 1.3 G tokens": (1_911_617, 913_881, 1.3e9),
    "100 G tokens": (147_000_000, 10_000_000, 1e11),
}
"""Documents, words and tokens: of the paper's Wikipedia, and of its like; there 10 M is a guess."""

EDGES_A_TOKEN = 10
SETTINGS = Hyperparameters()

Degrees = NDArray[np.float64]
Touches = Callable[[int], tuple[Sequence[Degrees], Degrees]]
"""How often a draw with so many negatives touches each source of each network, and each word."""


class Costs(NamedTuple):
    """Nanoseconds of a row, but for `transfer`, which is of a cache line."""

    trade: float
    away: float
    transfer: float
    memory: float


class Touched(NamedTuple):
    """The rows of an edge that have copies, and those that come from memory."""

    rows: float
    cold: float

    @property
    def traffic(self) -> float:
        """The bytes of an edge that memory reads and writes."""
        return 2 * ROW_BYTES * self.cold


class Line(NamedTuple):
    """Million edges a second; `measured` is None where that cannot be done here."""

    step: str
    corpus: str
    threads: int
    cores: int
    predicted: float
    touched: Touched
    measured: float | None = None
    tokens: float = 0

    @property
    def cells(self) -> dict[str, Any]:
        """What is shown, with the traffic of memory, and hours for `EDGES_A_TOKEN`."""
        hours = EDGES_A_TOKEN * self.tokens / self.predicted / 3.6e9
        return {
            "step": self.step,
            "corpus": self.corpus,
            "threads": self.threads,
            "cores": self.cores,
            "predicted": self.predicted,
            "measured": self.measured,
            "memory, GB/s": self.predicted * self.touched.traffic / 1e3,
            "hours": hours or None,
        }


class Elsewhere(NamedTuple):
    """Another machine: the cores of a complex, nanoseconds of a transfer between complexes, and
    the gigabytes a second that its memory delivers.
    """

    complex: int
    far: float
    memory: float

    def transfer(self, threads: int, near: float) -> float:
        """Of a cache line to a thread, on average over the others."""
        inside = min(threads, self.complex) - 1
        return (inside * near + (threads - 1 - inside) * self.far) / max(1, threads - 1)


def nanoseconds(
    alone: float, touched: Touched, costs: Costs, threads: int, used: int, line: float
) -> float:
    """What an edge costs a thread of so many, on the cores that are used.

    `line` is what the transfer of a cache line takes.
    """
    if threads == 1:
        return alone
    often = 1 / (2 * max(1, UPDATES_APART // threads))
    away = costs.away * line / costs.transfer * (used - 1) / used
    return alone + touched.rows * often * (costs.trade + away)


def touched(touches: Touches, step: Step) -> Touched:
    """What an edge touches. A negative that several draws share comes from memory once for all."""
    negatives = step.drawn_negatives(SETTINGS.negatives)
    sources, words = touches(negatives)
    hot = HotRows.of(sources, words, 2)
    rows = sum(each[:n].sum() for each, n in zip(sources, hot.hot, strict=True))
    rows += words[: hot.hot_words].sum()
    sources, words = touches(negatives // step.share)
    cold = np.sort(np.concatenate([*sources, words]))[: -CACHED_BYTES // ROW_BYTES].sum()
    return Touched(float(rows) / step.size, float(cold) / step.size)


def touches_of(samplers: Mapping[str, EdgeSampler], members: int) -> Touches:
    draws = Draws([samplers[name] for name in NETWORKS], 0, members)
    turns = Turns([1.0] * len(NETWORKS))
    return lambda negatives: draws.touches([turns], negatives)


def touches_in(documents: int, n_words: int, members: int) -> Touches:
    """Of a made-up text: words by Mandelbrot's law, documents of one length, seven classes."""
    often = 1 / (np.arange(n_words) + 2.7)
    often /= often.sum()
    noise = often**NOISE_POWER / (often**NOISE_POWER).sum()
    sources = [often / 3, np.full(documents, 1 / 3 / documents), np.full(7, 1 / 3 / 7)]
    return lambda negatives: (sources, members * often + negatives * noise)


@njit(nogil=True)
def trade_rows(table, picks, own, behind):  # type: ignore[no-untyped-def]
    """Exchange rows with those `own` behind, each asked for a few rows ahead, as in training."""
    for i in range(picks.size):
        later = picks[min(i + AHEAD, picks.size - 1)]
        prefetch(table, later, 0, roofline.LINES)
        prefetch(table, later + own + behind, 0, roofline.LINES)
        trade(table, picks[i], picks[i] + own, picks[i] + own + behind)


def trading(players: int, number: int) -> float:
    """Nanoseconds to exchange a row, of each of so many threads that share the rows."""
    n = COPIED
    table = tables.zeros((1 + 2 * players) * n, SETTINGS.dim)
    table[:] = 1  # so that the pages are there
    picks = np.random.default_rng(number).integers(n, size=(players, TRADED))
    trade_rows(table, picks[0], n, n)  # compiles; warms the caches
    barrier = Barrier(players)

    def play(player: int) -> float:
        os.sched_setaffinity(0, {cores()[player]})  # of this thread alone
        barrier.wait()
        began = time.thread_time()
        trade_rows(table, picks[player], (1 + 2 * player) * n, n)
        return 1e9 * (time.thread_time() - began) / TRADED

    with ThreadPoolExecutor(players) as pool:
        return statistics.mean(pool.map(play, range(players)))


def costs() -> Costs | None:
    """None where there are not two cores to pin threads to."""
    line = transfer.nanoseconds()
    if line is None:
        return None
    found = interleaved({players: partial(trading, players) for players in (1, 2)}, TRADES)
    alone, together = (statistics.median(found[players]) for players in (1, 2))
    in_cache, in_memory = (max(roofline.bandwidth(mb).values()) for mb in (SMALL_MB, LARGE_MB))
    memory = 2 * ROW_BYTES * (1 / in_memory - 1 / in_cache)
    return Costs(alone, 2 * max(0.0, together - alone), line, memory)  # half the rows are away


def rates(samplers: Mapping[str, EdgeSampler], kind: str) -> dict[int, float]:
    """Million edges a second by threads; those that diverge are left out."""

    def case(threads: int, number: int) -> Rate:
        edges = max(EDGES, threads * EDGES_OF_THREAD)
        return measure(samplers, "joint", Case(edges, threads=threads, step=kind), number)

    found = {}
    for threads in sorted({1, len(cores()), MORE * len(cores())}):
        try:
            runs = interleaved({threads: partial(case, threads)}, ROUNDS)[threads]
        except PteError:
            continue
        # of a core, so that what other programs take does not count
        found[threads] = statistics.median(run.per_core for run in runs) * min(
            threads, len(cores())
        )
    return found


def predict(folder: Path, elsewhere: Elsewhere, note: Journal) -> list[Line]:
    """What is predicted for this machine, beside what was measured; then for others."""
    price = costs()
    if price is None:
        sys.exit("prediction: it needs two cores to which threads can be pinned")
    note(kind="costs", **price._asdict())
    corpus = EncodedCorpus.load(folder)
    samplers = named.streams(corpus, NETWORKS, WINDOW)
    lines = []
    for kind in KINDS:
        step = Step.of(kind)
        here = touched(touches_of(samplers, step.size), step)
        measured = rates(samplers, kind)
        alone = 1e3 / measured[1]
        note(kind="edge", step=kind, nanoseconds=alone, **here._asdict())
        for threads, rate in measured.items():
            used = min(threads, len(cores()))
            each = nanoseconds(alone, here, price, threads, used, price.transfer)
            lines.append(Line(kind, folder.name, threads, used, 1e3 * used / each, here, rate))
        texts = {folder.name: (here, 0.0)} | {
            name: (touched(touches_in(documents, words, step.size), step), tokens)
            for name, (documents, words, tokens) in LARGER.items()
        }
        for name, (there, tokens) in texts.items():
            slower = alone + max(0.0, there.cold - here.cold) * price.memory
            for n in PREDICTED:
                line = elsewhere.transfer(n, price.transfer)
                rate = 1e3 * n / nanoseconds(slower, there, price, n, n, line)
                rate = min(rate, 1e3 * elsewhere.memory / there.traffic)
                lines.append(Line(kind, name, n, n, rate, there, tokens=tokens))
    return lines


def main(folder: Path, elsewhere: Elsewhere) -> None:
    note = journal("prediction")
    lines = predict(folder, elsewhere, note)
    for line in lines:
        note(kind="rate", **line.cells)
    titles = list(lines[0].cells)
    print(f"| {' | '.join(titles)} |\n| :-- | :-- |{' --: |' * (len(titles) - 2)}")
    for line in lines:
        cells = (
            "" if v is None else v if isinstance(v, str) else f"{v:.3g}"
            for v in line.cells.values()
        )
        print(f"| {' | '.join(cells)} |")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("corpus", type=Path)
    parser.add_argument("--far", type=float, default=170, help="nanoseconds between complexes")
    parser.add_argument("--complex", type=int, default=8, help="cores of a complex")
    parser.add_argument("--memory", type=float, default=math.inf, help="gigabytes a second")
    given = parser.parse_args()
    main(given.corpus, Elsewhere(given.complex, given.far, given.memory))
