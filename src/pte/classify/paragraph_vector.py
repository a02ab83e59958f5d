"""Paragraph vectors as an estimator (Le and Mikolov, ICML 2014)."""

from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from pte.array_file import ArrayFile
from pte.classify.base import Given, TextEmbedding
from pte.classify.errors import check_choice, check_whole
from pte.classify.model_file import Fit
from pte.classify.progress import shown
from pte.corpora.encoded import EncodedCorpus
from pte.keyed_vectors import of_bytes
from pte.limits import MOST_EPOCHS
from pte.models import paragraph_vector
from pte.models.paragraph_vector import ParagraphVectors
from pte.training.setup import Setup


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
    dim : int, default=100
        Length of a vector; the paper has 100. Time and memory grow with it.
    negative : int, default=5
        Number of negative samples (K in the paper): from how many words, drawn at random, training
        tells each true word apart. 0 or more. Time grows with it, unless
        steps are grouped.
    window : int, default=5
        Largest distance, in tokens, of the words around a token with which "dm" predicts it; 1 or
        more. "dbow" has no window.
    learning_rate : float, default=0.025
        Learning rate at the start (ρ₀ in the paper), above 0. It falls linearly. Take a smaller one
        if an error says that training diverged.
    tokenizer : str or callable, default="words"
        How a text is cut into tokens. "words" takes runs of letters and digits of any script,
        without regard to case, and cuts at apostrophes and hyphens; Chinese, Japanese, Thai, Lao,
        Khmer and Burmese, which have no spaces, become characters and pairs of characters.
        "whitespace" is for text that was tokenised before, and keeps case. "letters",
        "letters_and_digits", "letters_digits_and_apostrophes" and "letters_without_breaks" take
        runs of ASCII characters, as the corpora of the paper need. A function takes a text (str)
        and returns a list of tokens (str); `save` refuses it.
    min_count : int, default=1
        Words that occur less often in the documents of `fit` are left out; 1 keeps all.
    threads : int or None, default=None
        Number of threads that train; more than 16 count as 16. None is as many as the process may
        use, at most 16. Several threads race, so that two runs differ a little. One thread and a
        `random_state` give the same bits each time.
    random_state : int, RandomState instance or None, default=None
        Seed of all random numbers. A whole number from 0 to 2**32 - 1 is itself the seed. None
        takes the global state of numpy, so that two fits differ.
    verbose : int, default=0
        1 shows a bar of progress, and says if the first `fit` waits for the compiler.

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

    Time is in proportion to epochs · tokens · (negative + 1) · dim, divided among `threads`, in
    `fit` and in `transform`; "dm" also takes the mean of up to 2 · window words for each token.
    Memory is about 8 · dim bytes for each word and for each document, the text itself, and 8 bytes
    for each token.

    References
    ----------
    Le and Mikolov: Distributed Representations of Sentences and Documents, ICML 2014, sections 2.2
    (dm) and 2.3 (dbow), https://arxiv.org/abs/1405.4053.

    Examples
    --------
    >>> import pte
    >>> texts = [
    ...     "the team won the match",
    ...     "the striker scored a goal",
    ...     "the bank cut its rate",
    ...     "the price of shares fell",
    ... ]
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
        arrays = {**trained.arrays, "document_vectors": self.document_vectors_}
        shape = trained.hyperparameters
        facts = {"seed": self._seed_, "samples": trained.samples, "window": trained.model.window}
        facts |= {"epochs": trained.epochs, "negatives": shape.negatives}
        return Fit({**fit.arrays, **arrays}, {**fit.facts, **facts, "rate": float(shape.rate)})

    def _restore(self, fit: ArrayFile) -> None:
        super()._restore(fit)
        shape, epochs = self._shape(), self.epochs
        if "epochs" in fit.facts:  # a parameter may have changed since the training
            epochs, rate = fit.fact("epochs", int), fit.fact("rate", float)
            shape = replace(shape, negatives=fit.fact("negatives", int), rate=rate)
        paragraph_vector.check_tables(fit, shape.negatives)
        self.document_vectors_ = fit.array("document_vectors", "float32", "documents", "dim")
        self._seed_ = fit.fact("seed", paragraph_vector.SEEDS)
        window, samples = fit.fact("window", paragraph_vector.WINDOWS), fit.fact("samples", int)
        epochs = check_whole("epochs", epochs, 1, most=MOST_EPOCHS)
        shape = replace(shape, dim=fit.lengths["dim"])
        self._trained = ParagraphVectors.to_infer(fit.arrays, window, epochs, shape, samples)


def _to_infer(trained: ParagraphVectors) -> ParagraphVectors:
    """Return what inference needs: tables of words on cache lines, and no documents."""
    shape, window = trained.hyperparameters, trained.model.window
    return ParagraphVectors.to_infer(trained.arrays, window, trained.epochs, shape, trained.samples)
