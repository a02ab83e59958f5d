"""Skip-gram as an estimator (Mikolov et al., NIPS 2013)."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any, Self

from pte.corpora.tokenise import Tokeniser
from pte.estimators.base import TextEmbedding
from pte.estimators.errors import check_whole
from pte.estimators.progress import shown
from pte.estimators.texts import training_corpus
from pte.keyed_vectors import KeyedVectors
from pte.models import skip_gram
from pte.training.setup import Setup


@dataclass(kw_only=True, eq=False, repr=False)
class SkipGram(TextEmbedding):
    """Word vectors that predict the words around them, as word2vec trains them.

    Every word trains: no word is too rare or too frequent. Time is in proportion to epochs · tokens
    · window · (negative + 1) · dim, divided among `threads`. Memory is about 12 · dim bytes for
    each word, the text itself, and 8 bytes for each token.

    Parameters
    ----------
    epochs : number of passes over the training documents.

    The other parameters, and `word_vectors_`, are those of `pte.estimators.base.TextEmbedding`.
    """

    epochs: int = 20

    def fit(self, raw_documents: Iterable[str | bytes], y: Any = None) -> Self:
        """Learn from the text of all documents; `y` is ignored.

        Raises as `TextEmbedding.fit` does.
        """
        return super().fit(raw_documents)

    def _learn(self, texts: list[bytes], y: Any, tokeniser: Tokeniser, setup: Setup) -> None:
        epochs = check_whole("epochs", self.epochs, 1)
        corpus = training_corpus(texts, None, tokeniser, self.min_count, setup.threads)
        with shown("token", self.verbose) as progress:
            trained = skip_gram.train(corpus, epochs, replace(setup, progress=progress))
        self.word_vectors_ = KeyedVectors.of_bytes(corpus.words, trained.vectors)
