"""Skip-gram: word vectors that predict the words around them (Mikolov et al., NIPS 2013).

As in word2vec: each neighbour in a window of random reach is a source whose target is the centre,
and the vectors of the sources (`syn0`) are kept.
"""

import time

import numpy as np
from numpy.typing import NDArray

from pte.core import tables
from pte.core.alias import build_alias
from pte.core.edges import train_pairs
from pte.core.noise import Noise
from pte.core.rng import next_random, stream
from pte.core.windows import draw_windows, keep_tokens
from pte.corpora.encoded import EncodedCorpus
from pte.errors import PteError
from pte.models.draws import NOISE_POWER
from pte.models.hot_rows import HotRows
from pte.models.network_embedding import Hyperparameters, Progress, WordVectors
from pte.models.passes import Block, Passes, start

PAIRS = 8192
"""Pairs that are drawn at a time; they stay in the cache until they are trained."""


def fit(
    corpus: EncodedCorpus,
    epochs: int,
    seed: int,
    hyperparameters: Hyperparameters | None = None,
    window: int = 5,
    sample: float = 0.0,
    min_count: int = 1,
    threads: int = 1,
    progress: Progress | None = None,
) -> WordVectors:
    """Train word vectors on the training documents, `epochs` times in corpus order.

    At each token a window of reach 1 … `window` is drawn, all equally likely. Words that occur less
    than `min_count` times are left out, and so are, by chance, words more frequent than `sample`
    (0: none), before windows are counted. The rate falls linearly with the tokens passed over in
    all epochs, to the floor of `pte.core.step` (word2vec's). `progress` is told in tokens.

    The vectors are float32, shape (words, dim), zero for a word that is always left out; `samples`
    counts pairs. One seed and one thread give bit-identical vectors, several threads race as in
    `pte.models.hogwild`.

    Raises `PteError` when there are no training tokens, `epochs`, `window`, `min_count` or
    `threads` is not positive, `sample` or `seed` is negative, or the vectors diverge.
    """
    settings = hyperparameters or Hyperparameters()
    passes = Passes.of(corpus, epochs, window, seed)
    if min_count < 1:
        raise PteError(f"min_count is {min_count}; it must be positive")
    if not sample >= 0:
        raise PteError(f"sample is {sample}; it must not be negative")
    if threads < 1:
        raise PteError(f"threads is {threads}; it must be positive")
    keep = keeping(passes.counts, sample, min_count)
    if not keep.any():
        raise PteError(
            f"min_count is {min_count}, but no word occurs so often; choose a smaller one"
        )
    training = _Training(passes, keep, settings, window, threads, seed)
    training.train_block(Block(0, 0, 0, 0, 0), 0)  # compiles; trains on nothing
    began = time.perf_counter()
    training.train(progress)
    seconds = time.perf_counter() - began
    vectors = training.vectors()
    if not np.isfinite(vectors).all():
        raise PteError(f"training diverged at rate {settings.rate}; choose a smaller one")
    return WordVectors(vectors, int(training.samples.sum()), seconds)


def keeping(counts: NDArray[np.float64], sample: float, min_count: int) -> NDArray[np.float64]:
    """The probability that a token of each word is kept: word2vec's (√(f/s) + 1) · s/f.

    f is the word's part of all tokens that are frequent enough, and s is `sample`.
    """
    frequent = counts >= max(min_count, 1)
    keep = frequent.astype(np.float64)
    if sample > 0:
        part = sample * counts[frequent].sum() / counts[frequent]  # s/f
        keep[frequent] = np.minimum(1, np.sqrt(part) + part)
    return keep


class _Training:
    """The tables, and what each thread needs to train on a block."""

    def __init__(
        self,
        passes: Passes,
        keep: NDArray[np.float64],
        settings: Hyperparameters,
        window: int,
        threads: int,
        seed: int,
    ) -> None:
        self._passes, self._settings, self._window, self._seed = passes, settings, window, seed
        self._counts = passes.counts * keep
        self._keep = None if (keep[passes.counts > 0] == 1).all() else keep
        noise = np.where(keep > 0, passes.counts, 0) ** NOISE_POWER
        self._noise = Noise(build_alias(noise), np.array([0, noise.size]))
        sources = self._counts / self._counts.sum()
        words = sources + settings.negatives * noise / noise.sum()
        self._hot = HotRows.of([sources], words, settings.dim, threads)
        rng = np.random.default_rng(seed)
        self._source = start(passes.n_words, settings.dim, rng, self._hot.source_copies)
        self._target = tables.zeros(passes.n_words + self._hot.word_copies, settings.dim)
        self._slots = tuple(range(settings.negatives + 1))
        self._lines = tuple(range(self._target.shape[1] // tables.LANES))
        self._copies = [self._hot.copies(thread) for thread in range(threads)]
        room = max(PAIRS, 2 * window)
        self._pairs = [np.empty((room, 2), np.int32) for _ in range(threads)]
        self._steps = [tables.zeros(1, settings.negatives + 1) for _ in range(threads)]
        self.samples = np.zeros(threads, np.int64)

    def vectors(self) -> NDArray[np.float32]:
        vectors = self._source[: self._passes.n_words, : self._settings.dim].copy()
        vectors[self._counts == 0] = 0
        return vectors

    def train(self, progress: Progress | None) -> None:
        self._hot.start(self._source, self._target)
        self._passes.run(self.train_block, len(self._copies), progress)
        self._hot.gather(self._source, self._target)

    def train_block(self, block: Block, thread: int) -> None:
        """Draw pairs and train on them, a cacheful at a time."""
        state = np.uint64(stream(self._seed, block.number))
        tokens, bounds = self._passes.tokens, self._passes.offsets[block.first : block.last + 1]
        if self._keep is not None:
            kept, starts = np.empty(block.size, np.int32), np.empty_like(bounds)
            state = np.uint64(keep_tokens(tokens, bounds, self._keep, state, kept, starts))
            tokens, bounds = kept, starts
        pairs, cursor = self._pairs[thread], np.array([0, bounds[0]])
        tokens_each = block.size / max(1, bounds[-1] - bounds[0])  # that were passed over
        while True:
            begin = cursor[1]
            n, state = draw_windows(tokens, bounds, self._window, cursor, np.uint64(state), pairs)
            state, negatives = next_random(np.uint64(state))
            # The rate falls with the tokens: as many pairs as if all tokens had what these have.
            before = block.before + tokens_each * (begin - bounds[0])
            density = n / max(1, tokens_each * (cursor[1] - begin))
            train_pairs(
                self._source,
                self._target,
                pairs[:n],
                np.array([0, n]),
                np.zeros(1, np.int64),
                self._noise,
                self._copies[thread],
                self._slots,
                self._lines,
                self._steps[thread],
                round(before * density),
                max(1, round(self._passes.total * density)),
                self._settings.rate,
                np.uint64(negatives),
            )
            self.samples[thread] += n
            if cursor[0] >= bounds.size - 1:
                return
