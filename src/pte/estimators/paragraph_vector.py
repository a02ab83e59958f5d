"""Paragraph vectors as an estimator (Le and Mikolov, ICML 2014)."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any, Literal, Self

import numpy as np
from numpy.typing import NDArray

from pte.core import tables
from pte.core.noise import Noise
from pte.core.paragraphs import Model, Paragraphs
from pte.corpora.encoded import EncodedCorpus
from pte.corpora.tokenise import Tokeniser
from pte.estimators.base import TextEmbedding
from pte.estimators.errors import BadInput, check_whole
from pte.estimators.model_file import Fit
from pte.estimators.progress import shown
from pte.estimators.texts import training_corpus
from pte.keyed_vectors import KeyedVectors
from pte.models import paragraph_vector
from pte.models.paragraph_vector import ParagraphVectors
from pte.training.setup import Setup


@dataclass(kw_only=True, eq=False, repr=False)
class ParagraphVector(TextEmbedding):
    """Vectors of documents that predict their words, as gensim's Doc2Vec trains them.

    `transform` infers vectors, also for documents that `fit` has seen: the vectors of words do not
    change, and each document is trained for `epochs` epochs. Time is in proportion to epochs ·
    tokens · (negative + 1) · dim, divided among `threads`, in `fit` and in `transform`; "dm" also
    takes the mean of up to 2 · window words for each token. Memory is about 8 · dim bytes for each
    word and for each document, the text itself, and 8 bytes for each token.

    Inference draws random numbers that depend on the place of a document among those of a call. So
    `transform` gives a text at another place a slightly different vector.

    Parameters
    ----------
    variant : "dbow", where a document predicts its words alone, or "dm", where a document and the
        words around a token predict this token together.
    epochs : number of passes over the documents.

    The other parameters are those of `pte.estimators.base.TextEmbedding`.

    Attributes
    ----------
    document_vectors_ : the vectors of the training documents, float32, shape (documents, dim).
    word_vectors_ : `KeyedVectors` of the words, with which "dm" predicts. "dbow" does not train
        these vectors: they keep their first values.
    """

    variant: Literal["dbow", "dm"] = "dbow"
    epochs: int = 20

    def fit(self, raw_documents: Iterable[str | bytes], y: Any = None) -> Self:
        """Learn from the text of all documents; `y` is ignored.

        Raises as `TextEmbedding.fit` does.
        """
        return super().fit(raw_documents)

    def _learn(self, texts: list[bytes], y: Any, tokeniser: Tokeniser, setup: Setup) -> None:
        epochs = check_whole("epochs", self.epochs, 1)
        if self.variant not in paragraph_vector.VARIANTS:
            raise BadInput(f'variant is {self.variant!r}; it must be "dbow" or "dm"')
        corpus = training_corpus(texts, None, tokeniser, self.min_count, setup.threads)
        with shown("token", self.verbose) as progress:
            how = replace(setup, progress=progress)
            trained = paragraph_vector.train(corpus, self.variant, epochs, how)
        words = trained.model.tables.words[: corpus.n_words, : self.dim].copy()
        self.word_vectors_ = KeyedVectors.of_bytes(corpus.words, words)
        self.document_vectors_, self._seed_ = trained.documents, setup.seed
        self._trained = _to_infer(trained)

    def __setstate__(self, state: Any) -> None:
        """Restore a copied or pickled estimator, and put its tables on cache lines again."""
        super().__setstate__(state)
        if hasattr(self, "_trained"):
            self._trained = _to_infer(self._trained)

    def _vectors_of(self, corpus: EncodedCorpus) -> NDArray[np.float32]:
        return self._trained.infer(corpus.tokens, corpus.offsets, self._seed_, self._n_threads())

    def _fit(self) -> Fit:
        fit, model = super()._fit(), self._trained.model
        arrays: dict[str, NDArray[Any]] = {
            "targets": model.tables.target[:, : self.dim],
            "noise": model.noise.table,
            "document_vectors": self.document_vectors_,
        }
        facts = {"seed": self._seed_, "samples": self._trained.samples, "window": model.window}
        return Fit({**fit.arrays, **arrays}, {**fit.facts, **facts})

    def _restore(self, fit: Fit) -> None:
        super()._restore(fit)
        arrays, facts, shape = fit.arrays, fit.facts, self._setup().hyperparameters
        self.document_vectors_, self._seed_ = arrays["document_vectors"], facts["seed"]
        words, targets = (_table(arrays[name]) for name in ("word_vectors", "targets"))
        model = Model(
            Paragraphs(tables.zeros(0, shape.dim), words, targets),
            facts["window"],
            False,
            Noise(arrays["noise"], np.array([0, len(words)])),
            tuple(range(shape.negatives + 1)),
            tuple(range(words.shape[1] // tables.LANES)),
        )
        documents = np.empty((0, shape.dim), np.float32)
        self._trained = ParagraphVectors(
            documents, facts["samples"], 0.0, self.epochs, shape, model
        )


def _to_infer(trained: ParagraphVectors) -> ParagraphVectors:
    """Return what inference needs: tables of words on cache lines, and no documents."""
    model, dim, n_words = trained.model, trained.hyperparameters.dim, trained.model.noise.table.size
    words, targets = (
        _table(table[:n_words]) for table in (model.tables.words, model.tables.target)
    )
    model = model._replace(tables=Paragraphs(tables.zeros(0, dim), words, targets))
    return replace(trained, documents=np.empty((0, dim), np.float32), model=model)


def _table(vectors: NDArray[np.float32]) -> NDArray[np.float32]:
    """Copy vectors into a table whose rows start on cache lines; kernels read no other tables."""
    table = tables.zeros(*vectors.shape)
    table[:, : vectors.shape[1]] = vectors
    return table
