"""Skip-gram (Mikolov et al., NIPS 2013): neighbours are the sources (`syn0`), as in word2vec."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from pte.core import arrays
from pte.core.draws import Noise, draw_windows
from pte.core.edges import Drawn, Embedding, Schedule, edge_shape, train_groups
from pte.core.rng import build_alias, next_random, stream
from pte.corpora.encoded import EncodedCorpus
from pte.evaluation.evaluate import mean_vectors
from pte.training.contract import Chosen, Cost, Fitted, Spec, Task
from pte.training.hot_rows import HotRows
from pte.training.passes import (
    EPOCHS,
    GRID,
    Passes,
    Resumable,
    TokenBlock,
    choose_epochs,
    fit_epochs,
    start,
)
from pte.training.setup import Setup, Size, WordVectors, refuse_divergence

PAIRS = 8192  # how many pairs are drawn at a time; they stay in the cache until they are trained on
_ONE_NETWORK = np.zeros(1, np.int64)  # the turns of a training that has one network


def train(corpus: EncodedCorpus, epochs: int, setup: Setup) -> WordVectors:
    """Train with `epochs` passes; as in the paper, no word is too rare or too frequent."""
    return _SkipGramTraining(Passes.of(corpus, epochs, setup.seed), setup).finish(setup.progress)


def train_along(
    corpus: EncodedCorpus, grid: Sequence[int], setup: Setup
) -> Iterator[NDArray[np.float32]]:
    """Yield word vectors for each number of epochs in `grid`, as `train_grid` trains."""
    training = _SkipGramTraining(Passes.of(corpus, max(grid), setup.seed), setup)
    return (trained.vectors for trained in training.along(grid))


class _SkipGramTraining(Resumable[WordVectors]):
    learnt: Embedding

    def __init__(self, passes: Passes, setup: Setup) -> None:
        shape, threads = setup.hyperparameters, setup.threads
        self._counts = passes.counts
        noise = shape.noise(self._counts)
        self._noise = Noise(build_alias(noise), np.array([0, noise.size]))
        sources = self._counts / self._counts.sum()
        words = sources + shape.negatives * noise / noise.sum()
        hot = HotRows.of([sources], words, threads)
        super().__init__(passes, setup, hot)
        rng = np.random.default_rng(setup.seed)
        source = start(passes.n_words, shape.dim, rng, hot.source_copies)
        target = arrays.zeros(passes.n_words + hot.word_copies, shape.dim)
        self.learnt = Embedding(source, target)
        self._group = edge_shape(shape.negatives, tuple(range(target.shape[1] // arrays.LANES)))
        room = max(PAIRS, 2 * shape.window)
        self._pairs = [np.empty((room, 2), np.int32) for _ in range(threads)]
        self._steps = [arrays.zeros(1, shape.negatives + 1) for _ in range(threads)]
        self.samples = np.zeros(threads, np.int64)

    def result(self, epochs: int, seconds: float) -> WordVectors:
        vectors = self.learnt.source[: self.passes.n_words, : self._shape.dim].copy()
        vectors[self._counts == 0] = 0
        steps = epochs * self.passes.tokens.size
        refuse_divergence(self._shape.learning_rate, vectors, steps=steps)
        return WordVectors(vectors, int(self.samples.sum()), seconds)

    def train_block(self, block: TokenBlock, thread: int) -> None:
        """Draw the pairs of a block and train on them, as many at a time as fit in the cache."""
        state = np.uint64(stream(self._seed, block.number))
        tokens, bounds = self.passes.tokens, self.passes.offsets[block.first : block.last + 1]
        pairs, cursor = self._pairs[thread], np.array([0, bounds[0]])
        window, total = self._shape.window, self._leg.total
        while True:
            begin = cursor[1]
            n, state = draw_windows(tokens, bounds, window, cursor, np.uint64(state), pairs)
            state, negatives = next_random(np.uint64(state))
            # The rate falls with tokens, but a step is a pair. So t and T are counted in pairs, as
            # if all tokens had as many pairs as the tokens drawn here have.
            before = block.before - self._leg.begin + begin - bounds[0]
            density = n / max(1, cursor[1] - begin)
            schedule = Schedule(
                round(before * density), max(1, round(total * density)), self._shape.learning_rate
            )
            self._train_pairs(pairs[:n], np.uint64(negatives), schedule, thread)
            if cursor[0] >= bounds.size - 1:
                break
        self.passes.look(block, self.learnt.target, self._shape.learning_rate)

    def _train_pairs(
        self, pairs: NDArray[np.int32], state: np.uint64, schedule: Schedule, thread: int
    ) -> None:
        train_groups(
            self.learnt,
            Drawn(pairs, np.array([0, len(pairs)]), _ONE_NETWORK),
            self._noise,
            state,
            self._copies[thread],
            self._group,
            self._steps[thread],
            schedule,
        )
        self.samples[thread] += len(pairs)


def choose(task: Task) -> Chosen:
    """Choose the number of epochs from the grid of the entry, on held-out documents."""
    setup = replace(task.setup, progress=None)

    def features(corpus: EncodedCorpus, grid: Sequence[int]) -> Iterator[NDArray[np.float32]]:
        return (mean_vectors(corpus.counts, each) for each in train_along(corpus, grid, setup))

    return choose_epochs(task.corpus, features, task.options["epochs"], task.seed)


def fit(task: Task) -> Fitted:
    """Train for the chosen number of epochs."""
    epochs, notes = fit_epochs(task, choose)
    trained = train(task.corpus, epochs, task.setup)
    return Fitted(trained.vectors, trained.samples, trained.seconds, notes)


def _memory(size: Size) -> float:
    """Return the bytes of three rows for each word, a copy of the text, and judging epochs."""
    tables = 4 * size.dim * 3 * size.words
    return tables + 4 * size.tokens + 50 * size.dim * size.documents


SPEC = Spec(
    yields="words",
    options={"epochs": GRID},
    required=("epochs",),
    uses=frozenset({"hyperparameters"}),
    choice={"epochs": EPOCHS},
    usual=lambda options: {"epochs": 20},  # what a search found on R8
    cost=lambda options: Cost(0.3, 60),
    sees_labels=lambda options: False,
    ordered=lambda options: True,
    threads=16,
    memory=_memory,
)
