"""Skip-gram (Mikolov et al., NIPS 2013) and paragraph vectors (Le and Mikolov, ICML 2014)."""

from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from pte.array_file import ArrayFile
from pte.classify.base import Given, TextEmbedding, shown
from pte.classify.errors import check_choice, check_whole
from pte.classify.help import filled
from pte.classify.model_file import Fit
from pte.corpora.encoded import EncodedCorpus
from pte.keyed_vectors import of_bytes
from pte.limits import MOST_EPOCHS
from pte.models import paragraph_vector, skip_gram
from pte.models.paragraph_vector import ParagraphVectors
from pte.training.setup import Setup


@filled
@dataclass(kw_only=True, eq=False, repr=False)
class SkipGram(TextEmbedding):
    """Word vectors that predict the words around them, as word2vec trains them.

    Take it for word vectors from text without labels, and as a baseline for `PTE` and `LINE`. Every
    word trains: no word is too rare or too frequent.

    Parameters
    ----------
    epochs : int, default=20
        Number of passes over the documents of `fit`; time grows with it.
    window : int, default=5
        Largest distance, in tokens, of two words that are neighbours; 1 or more. Each token draws
        how far it reaches, from 1 to `window`.
    {common}

    Attributes
    ----------
    word_vectors_ : KeyedVectors
        The vectors of the words, float32, shape (words, dim), the most frequent first.

    See Also
    --------
    pte.LINE : Learns from words in documents as well.
    pte.ParagraphVector : Learns a vector for each document.
    pte.KeyedVectors : Holds vectors, and finds similar words.

    Notes
    -----
    Time is in proportion to epochs · tokens · window · (negatives + 1) · dim, divided among
    `threads`. Memory is about 12 · dim bytes for each word, the text itself, and 8 bytes for each
    token.

    References
    ----------
    Mikolov, Sutskever, Chen, Corrado and Dean: Distributed Representations of Words and Phrases and
    their Compositionality, NIPS 2013, sections 2 and 2.2, https://arxiv.org/abs/1310.4546.

    Examples
    --------
    {example}
    >>> model = pte.SkipGram(dim=8, epochs=5, threads=1, random_state=0).fit(texts)
    >>> model.word_vectors_["goal"].shape
    (8,)
    >>> len(model.word_vectors_.most_similar("goal", topn=3))
    3
    >>> model.transform(["a goal in the match", "unknown"]).shape
    (2, 8)
    """

    epochs: int = 20

    def _learn(self, given: Given, setup: Setup) -> None:
        epochs = check_whole("epochs", self.epochs, 1, most=MOST_EPOCHS)
        corpus = self._corpus(given, None, setup)
        with shown("token", self.verbose, "Skip-gram") as progress:
            trained = skip_gram.train(corpus, epochs, replace(setup, progress=progress))
        self.word_vectors_ = of_bytes(corpus.words, trained.vectors)


@filled
@dataclass(kw_only=True, eq=False, repr=False)
class ParagraphVector(TextEmbedding):
    """Vectors of documents that predict their words, as gensim's Doc2Vec trains them.

    Take it for vectors of documents from text without labels. `document_vectors_` has those of the
    documents of `fit`, and `transform` infers vectors, also for documents that `fit` has seen: the
    vectors of words do not change, and each document is trained for `epochs` epochs. So
    `fit_transform` does not return `document_vectors_`.

    Parameters
    ----------
    variant : {"dbow", "dm"}, default="dbow"
        "dbow", where a document predicts its words alone, or "dm", where a document and the words
        around a token predict this token together.
    epochs : int, default=20
        Number of passes over the documents, in `fit` and in `transform`; time grows with it.
    window : int, default=5
        Largest distance, in tokens, of the words around a token with which "dm" predicts it; 1 or
        more. "dbow" has no window.
    {common}

    Attributes
    ----------
    document_vectors_ : ndarray of float32, shape (documents, dim)
        The vectors of the documents of `fit`, in their order; without a known word, zero.
    word_vectors_ : KeyedVectors
        The vectors of the words, float32, shape (words, dim), with which "dm" predicts, the most
        frequent first. "dbow" does not train these vectors: they keep their first values.

    See Also
    --------
    pte.SkipGram : Learns vectors of words.
    pte.LINE : Learns vectors of words; a document is their mean, which takes no training.

    Notes
    -----
    Inference draws random numbers that depend on the place of a document among those of a call. So
    `transform` gives a text at another place a slightly different vector.

    Time is in proportion to epochs · tokens · (negatives + 1) · dim, divided among `threads`, in
    `fit` and in `transform`; "dm" also takes the mean of up to 2 · window words for each token.
    Memory is about 8 · dim bytes for each word and for each document, the text itself, and 8 bytes
    for each token.

    References
    ----------
    Le and Mikolov: Distributed Representations of Sentences and Documents, ICML 2014, sections 2.2
    (dm) and 2.3 (dbow), https://arxiv.org/abs/1405.4053.

    Examples
    --------
    {example}
    >>> model = pte.ParagraphVector(dim=8, epochs=5, threads=1, random_state=0).fit(texts)
    >>> model.document_vectors_.shape
    (4, 8)
    >>> model.transform(["a goal in the match"]).shape
    (1, 8)
    """

    variant: Literal["dbow", "dm"] = "dbow"
    epochs: int = 20

    def _learn(self, given: Given, setup: Setup) -> None:
        epochs = check_whole("epochs", self.epochs, 1, most=MOST_EPOCHS)
        check_choice("variant", self.variant, paragraph_vector.VARIANTS)
        corpus = self._corpus(given, None, setup)
        with shown("token", self.verbose, "paragraph vectors") as progress:
            how = replace(setup, progress=progress)
            trained = paragraph_vector.train(corpus, self.variant, epochs, how)
        words = trained.arrays["word_vectors"].copy()
        self.word_vectors_ = of_bytes(corpus.words, words)
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
        fit, trained = super()._fit(), self._trained
        fit.arrays.update(trained.arrays, document_vectors=self.document_vectors_)
        fit.facts.update(seed=self._seed_, samples=trained.samples, window=trained.model.window)
        shape = trained.hyperparameters
        fit.facts.update(epochs=trained.epochs, negatives=shape.negatives)
        fit.facts["learning_rate"] = float(shape.learning_rate)
        return fit

    def _restore(self, fit: ArrayFile) -> None:
        super()._restore(fit)
        negatives, rate = fit.fact("negatives", int), fit.fact("learning_rate", float)
        shape = replace(
            self._shape(), negatives=negatives, learning_rate=rate, dim=fit.lengths["dim"]
        )
        epochs = check_whole("epochs", fit.fact("epochs", int), 1, most=MOST_EPOCHS)
        paragraph_vector.check_tables(fit, shape.negatives)
        self.document_vectors_ = fit.array("document_vectors", "float32", "documents", "dim")
        self._seed_ = fit.fact("seed", paragraph_vector.SEEDS)
        window, samples = fit.fact("window", paragraph_vector.WINDOWS), fit.fact("samples", int)
        self._trained = ParagraphVectors.to_infer(fit.arrays, window, epochs, shape, samples)


def _to_infer(trained: ParagraphVectors) -> ParagraphVectors:
    """Return what inference needs: tables of words on cache lines, and no documents."""
    shape, window = trained.hyperparameters, trained.model.window
    return ParagraphVectors.to_infer(trained.arrays, window, trained.epochs, shape, trained.samples)
