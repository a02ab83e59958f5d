"""Skip-gram as an estimator (Mikolov et al., NIPS 2013)."""

from dataclasses import dataclass, replace

from pte.classify.base import Given, TextEmbedding
from pte.classify.errors import check_whole
from pte.classify.progress import shown
from pte.keyed_vectors import of_bytes
from pte.limits import MOST_EPOCHS
from pte.models import skip_gram
from pte.training.setup import Setup


@dataclass(kw_only=True, eq=False, repr=False)
class SkipGram(TextEmbedding):
    """Word vectors that predict the words around them, as word2vec trains them.

    Take it for word vectors from text without labels, and as a baseline for `PTE` and `LINE`. Every
    word trains: no word is too rare or too frequent.

    Parameters
    ----------
    epochs : int, default=20
        Number of passes over the documents of `fit`; time grows with it.
    dim : int, default=100
        Length of a vector; the paper has 100. Time and memory grow with it.
    negative : int, default=5
        Number of negative samples (K in the paper): from how many words, drawn at random, training
        tells each true word apart. 0 or more. Time grows with it, unless
        steps are grouped.
    window : int, default=5
        Largest distance, in tokens, of two words that are neighbours; 1 or more. Each token draws
        how far it reaches, from 1 to `window`.
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
    word_vectors_ : KeyedVectors
        The vectors of the words, float32, shape (words, dim), the most frequent first.

    See Also
    --------
    pte.LINE : Learns from words in documents as well.
    pte.ParagraphVector : Learns a vector for each document.
    pte.KeyedVectors : Holds vectors, and finds similar words.

    Notes
    -----
    Time is in proportion to epochs · tokens · window · (negative + 1) · dim, divided among
    `threads`. Memory is about 12 · dim bytes for each word, the text itself, and 8 bytes for each
    token.

    References
    ----------
    Mikolov, Sutskever, Chen, Corrado and Dean: Distributed Representations of Words and Phrases and
    their Compositionality, NIPS 2013, sections 2 and 2.2, https://arxiv.org/abs/1310.4546.

    Examples
    --------
    >>> import pte
    >>> texts = [
    ...     "the team won the match",
    ...     "the striker scored a goal",
    ...     "the bank cut its rate",
    ...     "the price of shares fell",
    ... ]
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
