"""Paragraph vectors, PV-DBOW and PV-DM (Le and Mikolov, ICML 2014), as gensim trains them.

A document's vector predicts its words: alone (`dbow`), or together with the words in a window, by
the mean of their vectors (`dm`) or by all of them behind one another (`dm_concat`).
"""

import time
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pte.core import tables
from pte.core.alias import build_alias
from pte.core.noise import Noise
from pte.core.paragraphs import (
    Scratch,
    Shape,
    Tables,
    Text,
    infer_paragraphs,
    train_paragraphs,
)
from pte.core.rng import stream
from pte.corpora.encoded import TRAIN, EncodedCorpus
from pte.errors import PteError
from pte.models.draws import NOISE_POWER
from pte.models.hot_rows import HotRows
from pte.models.network_embedding import Hyperparameters, Progress
from pte.models.passes import Block, Passes, start
from pte.models.threads import run_blocks

VARIANTS = ("dbow", "dm", "dm_concat")

BATCH = 64
"""Documents that a thread infers at a time."""


@dataclass(frozen=True)
class ParagraphVectors:
    """`documents` is float32, shape (training documents, dim), in corpus order.

    One without words is the zero vector. `samples` counts the tokens trained on, one step each. The
    rest is what `infer` needs.
    """

    documents: NDArray[np.float32]
    samples: int
    seconds: float
    epochs: int
    settings: Hyperparameters
    tables: Tables
    shape: Shape
    noise: Noise

    def infer(
        self,
        tokens: NDArray[np.int32],
        offsets: NDArray[np.int64],
        seed: int,
        epochs: int | None = None,
        threads: int = 1,
    ) -> NDArray[np.float32]:
        """Vectors of other documents, float32, shape (documents, dim), zero where there is no word.

        Document d is `tokens[offsets[d] : offsets[d + 1]]`. It is trained as the training documents
        were, as many `epochs` if None, with the rate from its start to its floor, while words
        stay as they are. One seed gives the same bits for any number of threads.

        Raises `PteError` when a token is not a word, `epochs` or `threads` is not positive, or
        `seed` is negative.
        """
        epochs = self.epochs if epochs is None else epochs
        _check_positive(epochs=epochs, threads=threads)
        if seed < 0:
            raise PteError(f"seed is {seed}; it must not be negative")
        n_words = self.noise.table.size
        if tokens.size and not 0 <= tokens.min() <= tokens.max() < n_words:
            raise PteError(f"tokens: they must be word numbers, 0 to {n_words - 1}")
        text = Text(np.ascontiguousarray(tokens, np.int32), np.ascontiguousarray(offsets, np.int64))
        n = text.offsets.size - 1
        documents = start(n, self.settings.dim, np.random.default_rng(seed))
        places = HotRows((self.tables.blank + 1,), (0,), n_words, 0, 1).copies(0)
        scratch = [_scratch(self.shape, self.settings) for _ in range(threads)]
        frozen = self.tables._replace(documents=documents)

        def infer_batch(first: int, thread: int) -> None:
            infer_paragraphs(
                text,
                first,
                min(first + BATCH, n),
                epochs,
                frozen,
                self.shape,
                self.noise,
                places,
                scratch[thread],
                self.settings.rate,
                seed,
            )

        run_blocks(infer_batch, range(0, n, BATCH), threads)
        return _vectors(documents, text.offsets, self.settings.dim)


def fit(
    corpus: EncodedCorpus,
    variant: str,
    epochs: int,
    seed: int,
    hyperparameters: Hyperparameters | None = None,
    window: int = 5,
    threads: int = 1,
    progress: Progress | None = None,
) -> ParagraphVectors:
    """Train vectors of the training documents, `epochs` times in corpus order.

    `variant` is one of `VARIANTS`. The window of `dm` draws its reach as Skip-gram's, that of
    `dm_concat` is always whole; `dbow` has none. The rate falls linearly over the tokens of all
    epochs, to the floor of `pte.core.step`. `progress` is told in tokens.

    One seed and one thread give bit-identical vectors, several threads race as in
    `pte.models.hogwild`.

    Raises `PteError` when there are no training tokens, the variant is unknown, `epochs`, `window`
    or `threads` is not positive, `seed` is negative, or the vectors diverge.
    """
    settings = hyperparameters or Hyperparameters()
    if variant not in VARIANTS:
        raise PteError(f"variant is {variant!r}; it must be one of {', '.join(VARIANTS)}")
    passes = Passes.of(corpus, epochs, window, seed)
    _check_positive(threads=threads)
    training = _Training(passes, variant, settings, window, threads, seed)
    training.train_block(Block(0, 0, 0, 0, 0), 0)  # compiles; trains on nothing
    began = time.perf_counter()
    training.train(progress)
    seconds = time.perf_counter() - began
    trained = training.tables
    for table in (trained.documents, trained.words, trained.target):
        if not np.isfinite(table).all():
            raise PteError(f"training diverged at rate {settings.rate}; choose a smaller one")
    return ParagraphVectors(
        _vectors(trained.documents, passes.offsets, settings.dim),
        passes.total,
        seconds,
        epochs,
        settings,
        trained,
        training.shape,
        training.noise,
    )


def document_vectors(
    trained: ParagraphVectors, corpus: EncodedCorpus, seed: int, threads: int = 1
) -> NDArray[np.float32]:
    """Vectors of all documents of the corpus that was trained on, float32, in corpus order.

    Those of training documents are the trained ones, the others are inferred.
    """
    training = corpus.split == TRAIN
    lengths = np.diff(corpus.offsets)
    others = np.concatenate([[0], np.cumsum(lengths[~training])])
    tokens = corpus.tokens[np.repeat(~training, lengths)]
    vectors = np.empty((corpus.n_documents, trained.settings.dim), np.float32)
    vectors[training] = trained.documents
    vectors[~training] = trained.infer(tokens, others, seed, threads=threads)
    return vectors


class _Training:
    """The tables, and what each thread needs to train on a block."""

    def __init__(
        self,
        passes: Passes,
        variant: str,
        settings: Hyperparameters,
        window: int,
        threads: int,
        seed: int,
    ) -> None:
        self._passes, self._rate, self._seed = passes, settings.rate, seed
        n_words, dim = passes.n_words, settings.dim
        window = 0 if variant == "dbow" else window
        concatenated = variant == "dm_concat"
        weights = passes.counts**NOISE_POWER
        self.noise = Noise(build_alias(weights), np.array([0, n_words]))
        part = passes.counts / passes.counts.sum()
        members = np.append(2 * window * part, 0)  # the blank word has no copies
        words = part + settings.negatives * weights / weights.sum()
        self._hot = HotRows.of([members], words, dim, threads)
        rng = np.random.default_rng(seed)
        documents = start(passes.offsets.size - 1, dim, rng)
        stride = documents.shape[1] * (1 + 2 * window if concatenated else 1)
        self.tables = Tables(
            documents,
            start(n_words + 1, dim, rng, self._hot.source_copies),
            tables.zeros(n_words + self._hot.word_copies, stride),
            n_words,
        )
        self.shape = Shape(
            window,
            concatenated,
            tuple(range(settings.negatives + 1)),
            tuple(range(documents.shape[1] // tables.LANES)),
        )
        self._copies = [self._hot.copies(thread) for thread in range(threads)]
        self._scratch = [_scratch(self.shape, settings) for _ in range(threads)]

    def train(self, progress: Progress | None) -> None:
        self._hot.start(self.tables.words, self.tables.target)
        self._passes.run(self.train_block, len(self._copies), progress)
        self._hot.gather(self.tables.words, self.tables.target)

    def train_block(self, block: Block, thread: int) -> None:
        train_paragraphs(
            Text(self._passes.tokens, self._passes.offsets),
            block.first,
            block.last,
            1,
            self.tables,
            self.shape,
            self.noise,
            self._copies[thread],
            self._scratch[thread],
            block.before,
            self._passes.total,
            self._rate,
            np.uint64(stream(self._seed, block.number)),
            False,
        )


def _scratch(shape: Shape, settings: Hyperparameters) -> Scratch:
    parts = tables.zeros(2 * (1 + 2 * shape.window if shape.concatenated else 1), settings.dim)
    return Scratch(parts, parts.reshape(2, -1), tables.zeros(1, settings.negatives + 1))


def _vectors(
    table: NDArray[np.float32], offsets: NDArray[np.int64], dim: int
) -> NDArray[np.float32]:
    vectors = table[:, :dim].copy()
    vectors[np.diff(offsets) == 0] = 0
    return vectors


def _check_positive(**numbers: int) -> None:
    for name, number in numbers.items():
        if number < 1:
            raise PteError(f"{name} is {number}; it must be positive")
