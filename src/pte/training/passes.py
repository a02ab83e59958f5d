"""Passes over the training documents in a random order, and how many serve held-out documents best.

In a corpus sorted by class, words end up beside those of their class, as if vectors had seen
labels: on mr Skip-gram gains four points. So the seed shuffles the documents.
"""

import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Generic, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from pte.core import arrays
from pte.core.arrays import Table
from pte.corpora.encoded import TEST, TRAIN, EncodedCorpus
from pte.errors import PteError
from pte.evaluation.evaluate import evaluate
from pte.evaluation.setting import CHOICES, ClassifierChoice
from pte.training.contract import Chosen, Task
from pte.training.hot_rows import HotRows, run_blocks
from pte.training.search import held_out, is_worse
from pte.training.setup import LOOKED_AT, Progress, Setup, refuse_divergence

BLOCK = 10_000  # about how many tokens; whole documents, with own random numbers
COPIED = 10_000  # how many documents are copied at a time; this bounds the memory


@dataclass(frozen=True)
class TokenBlock:
    """The documents `first` to `last` − 1, after `before` tokens; `number` decides the seed."""

    first: int
    last: int
    before: int
    size: int
    number: int


ENDLESS = 10**15  # tokens over which a rate hardly falls


class Leg(NamedTuple):
    """The tokens `begin` to `end` of all passes; the rate falls to its floor, or stays."""

    begin: int
    end: int
    falls: bool = True

    @property
    def total(self) -> int:
        """The tokens over which the rate falls."""
        return self.end - self.begin if self.falls else ENDLESS


@dataclass(frozen=True)
class Passes:
    """Passes over documents `tokens[offsets[d] : offsets[d + 1]]`, in the corpus `order[d]`."""

    tokens: NDArray[np.int32]
    offsets: NDArray[np.int64]
    order: NDArray[np.int64]
    n_words: int
    epochs: int

    @classmethod
    def of(cls, corpus: EncodedCorpus, epochs: int, seed: int) -> "Passes":
        """Go over the training documents in an order that the seed decides."""
        if epochs < 1:
            raise PteError(f"epochs is {epochs}; it must be positive")
        train = corpus.documents(TRAIN)
        order = np.random.default_rng(seed).permutation(train.size)
        tokens, offsets = _text_of(corpus, train[order])
        if not tokens.size:
            raise PteError(
                "corpus: its training documents have no words; there is nothing to learn"
            )
        return cls(tokens, offsets, order, corpus.n_words, epochs)

    @property
    def total(self) -> int:
        """The number of tokens of all passes."""
        return self.epochs * self.tokens.size

    @property
    def counts(self) -> NDArray[np.float64]:
        """How often each word occurs in one pass."""
        return np.bincount(self.tokens, minlength=self.n_words).astype(np.float64)

    @property
    def whole(self) -> Leg:
        return Leg(0, self.total)

    def blocks(self, leg: Leg) -> Iterator[TokenBlock]:
        """Yield the blocks that begin in a leg, in their order."""
        cuts = np.searchsorted(self.offsets, np.arange(0, self.tokens.size, BLOCK))
        ends = np.append(np.unique(cuts), self.offsets.size - 1).tolist()
        for epoch in range(leg.begin // self.tokens.size, -(-leg.end // self.tokens.size)):
            for i, (first, last) in enumerate(pairwise(ends)):
                before = epoch * self.tokens.size + int(self.offsets[first])
                if leg.begin <= before < leg.end:
                    size = int(self.offsets[last] - self.offsets[first])
                    yield TokenBlock(first, last, before, size, epoch * (len(ends) - 1) + i)

    def look(self, block: TokenBlock, target: Table, rate: float) -> None:
        """Refuse rows of the last words of a block that are not finite."""
        end = int(self.offsets[block.last])
        last = self.tokens[max(int(self.offsets[block.first]), end - LOOKED_AT) : end]
        refuse_divergence(rate, target[last], steps=block.before + block.size)


Result = TypeVar("Result")


class Resumable(ABC, Generic[Result]):
    """A training that can go on; its last two tables, sources and targets, have hot rows."""

    learnt: Sequence[Table]

    def __init__(self, passes: Passes, setup: Setup, hot: HotRows) -> None:
        """Prepare the copies of `hot` rows that each thread has."""
        self.passes, self._hot, self._leg = passes, hot, passes.whole
        self._shape, self._seed = setup.hyperparameters, setup.seed
        self._copies = [hot.copies(thread) for thread in range(setup.threads)]

    @abstractmethod
    def train_block(self, block: TokenBlock, thread: int) -> None:
        """Train on a block of the leg."""

    @abstractmethod
    def result(self, epochs: int, seconds: float) -> Result:
        """Return what is learnt; refuse what is not finite."""

    def finish(self, progress: Progress | None) -> Result:
        """Train with all passes."""
        self.train_block(TokenBlock(0, 0, 0, 0, 0), 0)  # compiles; trains on nothing
        began = time.perf_counter()
        self.train(self.passes.whole, progress)
        return self.result(self.passes.epochs, time.perf_counter() - began)

    def along(self, grid: Sequence[int]) -> Iterator[Result]:
        """Yield a result for each of `grid`, valid until the next is asked for."""
        began = time.perf_counter()
        for epochs in train_grid(self, grid):
            yield self.result(epochs, time.perf_counter() - began)

    def train(self, leg: Leg, progress: Progress | None = None) -> None:
        """Train on the blocks of a leg; `progress` counts tokens."""
        self._leg, blocks = leg, list(self.passes.blocks(leg))
        ends = np.cumsum([0, *(block.size for block in blocks)]).tolist()

        def report(done: int) -> None:
            if progress:
                progress(ends[done], ends[-1])

        with self._hot.shared(*self.learnt[-2:]):
            run_blocks(self.train_block, blocks, len(self._copies), report)


def _text_of(
    corpus: EncodedCorpus, documents: NDArray[np.int64]
) -> tuple[NDArray[np.int32], NDArray[np.int64]]:
    lengths = np.diff(corpus.offsets)[documents]
    offsets = np.concatenate([[0], np.cumsum(lengths)])
    tokens = np.empty(offsets[-1], np.int32)
    for first in range(0, documents.size, COPIED):
        some = slice(first, first + COPIED)
        begin, end = offsets[first], offsets[min(first + COPIED, documents.size)]
        ahead = np.repeat(corpus.offsets[documents[some]] - offsets[:-1][some], lengths[some])
        tokens[begin:end] = corpus.tokens[np.arange(begin, end) + ahead]
    return tokens, offsets


def start(rows: int, dim: int, rng: np.random.Generator, spare: int = 0) -> Table:
    """Return a table in ±1/dim, as in gensim: targets start at 0, so sources set the pace."""
    table = arrays.uniform(rows, dim, rng, spare)
    table *= 2
    return table


HELD_OUT = 0.1

MOST_DOCUMENTS = 5000

EPOCHS: Mapping[str, Any] = {"type": "integer", "minimum": 1}

GRID: Mapping[str, Any] = {"type": "array", "minItems": 1, "uniqueItems": True, "items": EPOCHS}

COOLING = 0.2  # in a search, the rate of a training falls over this part of its epochs

Train = Callable[[EncodedCorpus, Sequence[int]], Iterator[NDArray[np.float32]]]
"""Called with a corpus and rising numbers of epochs; yields vectors of all documents for each."""


def choose_epochs(corpus: EncodedCorpus, train: Train, grid: Sequence[int], seed: int) -> Chosen:
    """Choose the smallest number in `grid` with the best micro-F1; `train` is called once."""
    if not grid:
        raise PteError("grid: give the numbers of epochs to choose from")
    began = time.perf_counter()
    part = held_out(corpus, HELD_OUT, MOST_DOCUMENTS, "epochs", seed)
    n_judges = part.documents(TEST).size
    grid, scores = sorted(grid), list[float]()
    for epochs, vectors in zip(grid, train(part, grid), strict=False):
        scores.append(evaluate(part, vectors, ClassifierChoice(), CHOICES)[1]["micro_f1"])
        print(f"{epochs} epochs: micro-F1 {scores[-1]:.2f} on held-out documents")
        if ended(scores, n_judges):
            break
    best = grid[int(np.argmax(scores))]
    curve = [{"epochs": n, "micro_f1": score} for n, score in zip(grid, scores, strict=False)]
    return Chosen({"epochs": best}, tuple(curve), time.perf_counter() - began)


def train_grid(training: Resumable[Any], grid: Sequence[int]) -> Iterator[int]:
    """Yield each number of epochs of the rising `grid`, trained: rates are steady, then fall.

    Rates of E epochs sum up to E / 2 times the first, falling over the last `COOLING` · E epochs.
    """
    size = training.passes.tokens.size
    begin = 0
    for epochs in grid:
        steady = round(epochs * (1 - COOLING) / 2 * size)
        training.train(Leg(begin, steady, falls=False))
        kept = [table.copy() for table in training.learnt]
        training.train(Leg(steady, steady + round(epochs * COOLING * size)))
        yield epochs
        for table, before in zip(training.learnt, kept, strict=True):
            table[:] = before
        begin = steady


def ended(scores: Sequence[float], n_judges: int) -> bool:
    """Return whether two scores in a row are no better, or one is a standard error worse."""
    return len(scores) - int(np.argmax(scores)) > 2 or is_worse(scores, n_judges)


def fit_epochs(task: Task, choose: Callable[[Task], Chosen]) -> tuple[int, dict[str, Any]]:
    """Return a fit's epochs, from `task.choice` or from a search here, and notes on them."""
    if task.choice is not None:
        epochs = int(task.choice["epochs"])
        return epochs, {"epochs": epochs}
    chosen = choose(task)
    search = {"seconds": chosen.seconds, "curve": chosen.curve}
    return int(chosen.choice["epochs"]), {**chosen.choice, "search": search}
