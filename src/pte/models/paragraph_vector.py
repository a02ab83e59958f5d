"""PV-DBOW and PV-DM, as gensim trains them (Le and Mikolov, ICML 2014): with a window in `dm`."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pte.array_file import ArrayFile
from pte.core.arrays import LANES, zeros
from pte.core.draws import Noise
from pte.core.edges import Schedule
from pte.core.paragraphs import Model, Paragraphs, Scratch, Span, Text, infer, train_paragraphs
from pte.core.rng import build_alias, stream
from pte.corpora.encoded import TRAIN, EncodedCorpus
from pte.errors import PteError
from pte.limits import MOST_EPOCHS
from pte.training.contract import Chosen, Cost, Fitted, Learnt, Options, Spec, Task
from pte.training.hot_rows import HotRows, run_blocks
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
from pte.training.setup import Hyperparameters, Setup, Size, refuse_divergence

VARIANTS = ("dbow", "dm")

BATCH = 64  # how many documents a thread infers at a time

MOST_NEGATIVES, WINDOWS, SEEDS = 1000, range(2**31), range(2**32)
"""What a file may ask of inference: the kernel is compiled for the number of negatives."""


@dataclass(frozen=True)
class ParagraphVectors:
    """Trained vectors, float32, (documents, dim), 0 without words; `samples` counts tokens."""

    documents: NDArray[np.float32]
    samples: int
    seconds: float
    epochs: int
    hyperparameters: Hyperparameters
    model: Model

    def infer(
        self, tokens: NDArray[np.int32], offsets: NDArray[np.int64], seed: int, threads: int = 1
    ) -> NDArray[np.float32]:
        """Return vectors of documents, 0 without words; random numbers depend on their places."""
        setup = Setup(seed, self.hyperparameters, threads)
        n_words, shape = self.model.noise.table.size, self.hyperparameters
        if tokens.size and not 0 <= tokens.min() <= tokens.max() < n_words:
            raise PteError(f"tokens: they must be word numbers, 0 to {n_words - 1}")
        text = Text(np.ascontiguousarray(tokens, np.int32), np.ascontiguousarray(offsets, np.int64))
        n = text.offsets.size - 1
        documents = start(n, shape.dim, np.random.default_rng(setup.seed))
        frozen = self.model.tables._replace(documents=documents)
        model = self.model._replace(tables=frozen, frozen=True)
        copies = HotRows((n_words,), (0,), n_words, 0, 1).copies(0)
        scratch = [_scratch(shape) for _ in range(setup.threads)]

        def infer_batch(first: int, thread: int) -> None:
            span = Span(first, min(first + BATCH, n), self.epochs)
            infer(model, text, span, copies, scratch[thread], shape.learning_rate, seed)

        run_blocks(infer_batch, range(0, n, BATCH), setup.threads)
        refuse_divergence(shape.learning_rate, documents)
        return _vectors(documents, text.offsets, shape.dim)

    @property
    def arrays(self) -> dict[str, NDArray[Any]]:
        """What `infer` needs: `word_vectors`, `targets`, both (words, dim), and the `noise`."""
        noise, dim = self.model.noise.table, self.hyperparameters.dim
        words, targets = self.model.tables.words, self.model.tables.target
        n = noise.size
        return {"word_vectors": words[:n, :dim], "targets": targets[:n, :dim], "noise": noise}

    @classmethod
    def to_infer(
        cls, arrays: Mapping[str, NDArray[Any]], window: int, epochs: int, shape: Hyperparameters
    ) -> "ParagraphVectors":
        """Return what inference needs, with copies of `arrays`; a `window` of 0 is none."""
        words, targets = (_aligned(arrays[name]) for name in ("word_vectors", "targets"))
        model = Model(
            Paragraphs(zeros(0, shape.dim), words, targets),
            window,
            False,
            Noise(arrays["noise"], np.array([0, len(words)])),
            tuple(range(shape.negatives + 1)),
            tuple(range(words.shape[1] // LANES)),
        )
        documents = np.empty((0, shape.dim), np.float32)
        return cls(documents, 0, 0.0, epochs, shape, model)


def _aligned(vectors: NDArray[np.float32]) -> NDArray[np.float32]:
    """Copy vectors into a table whose rows start on cache lines; kernels read no other tables."""
    table = zeros(*vectors.shape)
    table[:, : vectors.shape[1]] = vectors
    return table


def train(corpus: EncodedCorpus, variant: str, epochs: int, setup: Setup) -> ParagraphVectors:
    """Train vectors of the training documents; one thread gives the same bits again."""
    passes = Passes.of(corpus, epochs, setup.seed)
    return _ParagraphTraining(passes, variant, setup).finish(setup.progress)


def train_along(
    corpus: EncodedCorpus, variant: str, grid: Sequence[int], setup: Setup
) -> Iterator[ParagraphVectors]:
    """Yield a result for each of `grid`, valid until the next is asked for."""
    passes = Passes.of(corpus, max(grid), setup.seed)
    return _ParagraphTraining(passes, variant, setup).along(grid)


def document_vectors(
    trained: ParagraphVectors, corpus: EncodedCorpus, seed: int, threads: int = 1
) -> NDArray[np.float32]:
    """Return vectors of a trained corpus, float32, in corpus order: trained, or else inferred."""
    training = corpus.split == TRAIN
    lengths = np.diff(corpus.offsets)
    others = np.concatenate([[0], np.cumsum(lengths[~training])])
    tokens = corpus.tokens[np.repeat(~training, lengths)]
    vectors = np.empty((corpus.n_documents, trained.hyperparameters.dim), np.float32)
    vectors[training] = trained.documents
    vectors[~training] = trained.infer(tokens, others, seed, threads=threads)
    return vectors


class _ParagraphTraining(Resumable[ParagraphVectors]):
    learnt: Paragraphs

    def __init__(self, passes: Passes, variant: str, setup: Setup) -> None:
        if variant not in VARIANTS:
            raise PteError(f"variant is {variant!r}; it must be one of {', '.join(VARIANTS)}")
        shape, threads, n_words = setup.hyperparameters, setup.threads, passes.n_words
        window = shape.window if variant == "dm" else 0
        weights = shape.noise(passes.counts)
        part = passes.counts / passes.counts.sum()
        words = part + shape.negatives * weights / weights.sum()
        hot = HotRows.of([2 * window * part], words, threads)
        super().__init__(passes, setup, hot)
        rng = np.random.default_rng(setup.seed)
        documents = start(passes.offsets.size - 1, shape.dim, rng)
        self.model = Model(
            Paragraphs(
                documents,
                start(n_words, shape.dim, rng, hot.source_copies),
                zeros(n_words + hot.word_copies, shape.dim),
            ),
            window,
            False,
            Noise(build_alias(weights), np.array([0, n_words])),
            tuple(range(shape.negatives + 1)),
            tuple(range(documents.shape[1] // LANES)),
        )
        self.learnt = self.model.tables
        self._scratch = [_scratch(shape) for _ in range(threads)]

    def result(self, epochs: int, seconds: float) -> ParagraphVectors:
        trained, shape = self.learnt, self._shape
        samples = epochs * self.passes.tokens.size
        refuse_divergence(shape.learning_rate, *trained, steps=samples)
        vectors = np.empty((self.passes.order.size, shape.dim), np.float32)
        vectors[self.passes.order] = _vectors(trained.documents, self.passes.offsets, shape.dim)
        return ParagraphVectors(vectors, samples, seconds, epochs, shape, self.model)

    def train_block(self, block: TokenBlock, thread: int) -> None:
        train_paragraphs(
            self.model,
            Text(self.passes.tokens, self.passes.offsets),
            Span(block.first, block.last, 1),
            self._copies[thread],
            self._scratch[thread],
            Schedule(block.before - self._leg.begin, self._leg.total, self._shape.learning_rate),
            np.uint64(stream(self._seed, block.number)),
        )
        self.passes.look(block, self.learnt.target, self._shape.learning_rate)


def _scratch(shape: Hyperparameters) -> Scratch:
    return Scratch(zeros(2, shape.dim), zeros(1, shape.negatives + 1))


def _vectors(
    table: NDArray[np.float32], offsets: NDArray[np.int64], dim: int
) -> NDArray[np.float32]:
    vectors = table[:, :dim].copy()
    vectors[np.diff(offsets) == 0] = 0
    return vectors


def choose(task: Task) -> Chosen:
    """Choose the number of epochs from the grid of the entry, on held-out documents."""
    setup, variant = replace(task.setup, progress=None), task.options["variant"]

    def features(corpus: EncodedCorpus, grid: Sequence[int]) -> Iterator[NDArray[np.float32]]:
        for trained in train_along(corpus, variant, grid, setup):
            yield document_vectors(trained, corpus, task.seed, task.threads)

    return choose_epochs(task.corpus, features, task.options["epochs"], task.seed)


def learn(task: Task) -> Learnt:
    """Train for the chosen number of epochs; the arrays are `ParagraphVectors.arrays`."""
    trained, notes = _train(task)
    shape, window = trained.hyperparameters, trained.model.window
    facts: dict[str, Any] = {"choice": {"epochs": trained.epochs}, "notes": notes}
    facts |= {"dim": shape.dim, "negatives": shape.negatives, "learning_rate": shape.learning_rate}
    facts |= {"window": window, "seed": task.seed}
    return Learnt(trained.arrays, facts, trained.documents)


def apply(learnt: Learnt, options: Options, corpus: EncodedCorpus) -> NDArray[np.float32]:
    """Infer the vector of each document as if there were no other, float32, (documents, dim)."""
    facts = learnt.facts
    shape = Hyperparameters(**{key: facts[key] for key in ("dim", "negatives", "learning_rate")})
    epochs, window = facts["choice"]["epochs"], facts["window"]
    trained = ParagraphVectors.to_infer(learnt.arrays, window, epochs, shape)
    vectors = np.empty((corpus.n_documents, shape.dim), np.float32)
    for document, (begin, end) in enumerate(pairwise(corpus.offsets.tolist())):
        tokens = corpus.tokens[begin:end]
        vectors[document] = trained.infer(tokens, np.array([0, end - begin]), facts["seed"])[0]
    return vectors


def check(kept: ArrayFile, options: Options) -> int:
    """Check the arrays and facts that `learn` gives; return the length of a vector."""
    n, dim = kept.array("word_vectors", "float32", "words", "dim").shape
    kept.array("targets", "float32", "words", "dim")
    noise = kept.array("noise", "int64", "words") >> 32  # kernels read these without a check
    if not (n and dim and 0 <= noise.min() <= noise.max() < n):
        raise kept.fault("its noise draws words that are not there")
    forms = {"dim": range(dim, dim + 1), "learning_rate": float, "window": WINDOWS, "seed": SEEDS}
    forms |= {"negatives": range(MOST_NEGATIVES + 1)}
    for name, form in {**forms, "choice": {"epochs": range(1, MOST_EPOCHS + 1)}}.items():
        kept.fact(name, form)
    Hyperparameters(dim, kept.facts["negatives"], kept.facts["learning_rate"])  # refuses others
    return int(dim)


def _train(task: Task) -> tuple[ParagraphVectors, dict[str, Any]]:
    epochs, notes = fit_epochs(task, choose)
    return train(task.corpus, task.options["variant"], epochs, task.setup), notes


def fit(task: Task) -> Fitted:
    """Train for the chosen number of epochs and infer the vectors of the test documents."""
    trained, notes = _train(task)
    vectors = document_vectors(trained, task.corpus, task.seed, task.threads)
    return Fitted(vectors, trained.samples, trained.seconds, notes)


def _memory(size: Size) -> float:
    """Return the bytes of two rows a word and document, a copy of the text, and judging."""
    tables = 4 * size.dim * (2 * size.words + 2 * size.documents)
    return tables + 4 * size.tokens + 50 * size.dim * size.documents


SPEC = Spec(
    yields="documents",
    options={"variant": {"enum": list(VARIANTS)}, "epochs": GRID},
    required=("variant", "epochs"),
    uses=frozenset({"hyperparameters"}),
    choice={"epochs": EPOCHS},
    # Near what searches found on R8: 20 and 400.
    usual=lambda options: {"epochs": 100 if options["variant"] == "dm" else 20},
    cost=lambda options: Cost(0.5, 130 if options["variant"] == "dm" else 60),
    sees_labels=lambda options: False,
    ordered=lambda options: options["variant"] != "dbow",
    threads=16,
    memory=_memory,
)
