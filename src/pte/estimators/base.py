"""The base of all estimators: parameters, vectors of documents, and the file of a model.

A subclass is a dataclass, whose fields are its parameters, so that scikit-learn finds them in the
signature of `__init__`.
"""

import os
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, ClassNamePrefixFeaturesOutMixin, TransformerMixin
from sklearn.utils import check_random_state
from sklearn.utils.validation import check_is_fitted

from pte.corpora.encoded import EncodedCorpus
from pte.corpora.tokenise import Tokeniser
from pte.estimators.errors import BadInput, as_bad_input, check_positive, check_whole
from pte.estimators.labels import plain
from pte.estimators.model_file import Fit, lines_of, of_lines, read_fit, write_fit
from pte.estimators.progress import noted_compiling
from pte.estimators.texts import Texts, Tokenizer, as_bytes, further_corpus, tokeniser_of
from pte.evaluation.documents import document_means
from pte.keyed_vectors import KeyedVectors
from pte.training.setup import Hyperparameters, Progress, Setup

MOST_SEED = 2**32 - 1
"""The largest seed that scikit-learn takes, which splits documents into folds."""

MOST_THREADS = 16
"""The limit on threads, as in the workflow (`pte.training.contract.Spec.threads`)."""


@dataclass(kw_only=True, eq=False, repr=False)
class TextEmbedding(ClassNamePrefixFeaturesOutMixin, TransformerMixin, BaseEstimator, ABC):  # type: ignore[misc]
    """Base class of estimators that learn a vector for each word.

    The vector of a document is the mean of the vectors of its words (paper, equation 8).

    Parameters
    ----------
    dim : length of a vector.
    negative : number of negative samples for each edge (K).
    window : largest distance between neighbouring words, in tokens.
    learning_rate : the learning rate at the start (ρ₀); it falls linearly.
    tokenizer : a name in `pte.corpora.tokenise.TOKENISERS`, or a function from a text to its
        tokens. "words" takes runs of letters and digits of any script, without regard to case.
    min_count : words that occur less often than this are left out.
    threads : number of threads that train, at most 16; None is as many as the process may use.
        Several threads race, so that two runs differ a little. One thread and a `random_state` give
        the same bits each time.
    random_state : the seed of all random numbers. A whole number is itself the seed, as in the
        workflow.
    verbose : 1 shows a bar of progress, and says if the first `fit` waits for the compiler.

    Attributes
    ----------
    word_vectors_ : `pte.keyed_vectors.KeyedVectors` of the words, the most frequent first.
    """

    dim: int = 100
    negative: int = 5
    window: int = 5
    learning_rate: float = 0.025
    tokenizer: Tokenizer = "words"
    min_count: int = 1
    threads: int | None = None
    random_state: Any = None
    verbose: int = 0

    def fit(self, raw_documents: Iterable[str | bytes], y: Any = None) -> Self:
        """Learn from all documents.

        Raises `pte.estimators.errors.BadInput`, which is a `ValueError`, when a parameter or the
        documents cannot be used, and when training diverges.
        """
        with as_bad_input(), noted_compiling(self.verbose):
            setup, tokeniser = self._setup(), tokeniser_of(self.tokenizer)
            check_whole("min_count", self.min_count, 1)
            self._learn(as_bytes(raw_documents), y, tokeniser, setup)
        return self

    def fit_transform(self, raw_documents: Iterable[str | bytes], y: Any = None) -> Any:
        """Learn from all documents, and return their vectors as `transform` does."""
        if isinstance(raw_documents, Iterator):
            raw_documents = list(raw_documents)  # it is read twice
        return self.fit(raw_documents, y).transform(raw_documents)

    def transform(self, raw_documents: Texts) -> NDArray[np.float32]:
        """Return the vectors of documents, float32, shape (documents, dim).

        Words that `fit` has not met are left out. A document that has no other words is the zero
        vector. This takes a few microseconds for each token, and 4 · dim bytes for each document.
        """
        return self._vectors_of(self.encode(raw_documents))

    def encode(self, raw_documents: Texts) -> EncodedCorpus:
        """Cut documents into tokens, and number the tokens that `fit` has met; drop the others.

        `transform`, `count_known`, and the `predict` and `predict_proba` of a classifier take the
        result in place of the documents. So a text is cut only once for several of these methods.

        Raises `BadInput` when the documents are not text, and when another model has encoded them.
        """
        check_is_fitted(self, "word_vectors_")
        words = self.word_vectors_
        if isinstance(raw_documents, EncodedCorpus):
            if raw_documents.words != words.raw_keys:
                raise BadInput("raw_documents: another model has encoded them; encode with this")
            return raw_documents
        with as_bad_input():
            tokeniser = tokeniser_of(self.tokenizer)
            return further_corpus(as_bytes(raw_documents), tokeniser, words)

    def count_known(self, raw_documents: Texts) -> NDArray[np.int64]:
        """Return how many tokens of each document `fit` has met, int64, shape (documents,).

        A document without any such token is the zero vector, and a classifier knows nothing about
        it.
        """
        return np.diff(self.encode(raw_documents).offsets)

    def save(self, path: str | Path, notes: Mapping[str, Any] | None = None) -> None:
        """Write the fitted model into one file, which holds no code.

        `notes` are facts that JSON can hold, such as where the text is from; the file keeps them
        for `pte provenance`. A `random_state` that is no whole number is saved as None. Raises
        `BadInput` when `tokenizer` is a function, which a file cannot hold, and `PteError` when the
        folder of `path` is not there.
        """
        check_is_fitted(self, "word_vectors_")
        if not isinstance(self.tokenizer, str):
            raise BadInput("tokenizer is a function, which a file cannot hold; use a named one")
        parameters = self.get_params(deep=False)
        if not isinstance(parameters["random_state"], int | np.integer):
            parameters["random_state"] = None
        fit = self._fit()
        facts: dict[str, Any] = {
            "parameters": {name: plain(value) for name, value in parameters.items()}
        }
        facts |= {"notes": dict(notes)} if notes else {}
        write_fit(path, type(self).__name__, Fit(fit.arrays, {**facts, **fit.facts}))

    @classmethod
    def load(cls, path: str | Path) -> Self:
        """Read a model that `save` wrote.

        Raises `PteError` when there is no such file, and when the file is damaged, has another
        format, or holds another estimator.
        """
        fit = read_fit(path, cls.__name__)
        model = cls(**{name: _tuples(value) for name, value in fit.facts["parameters"].items()})
        model._restore(fit)
        return model

    def __sklearn_tags__(self) -> Any:
        """Return tags that say: text goes in, with or without labels, and float32 comes out."""
        tags = super().__sklearn_tags__()
        tags.input_tags.string, tags.input_tags.two_d_array = True, False
        tags.target_tags.required = False
        tags.transformer_tags.preserves_dtype = []
        tags.non_deterministic = self.threads != 1
        return tags

    @property
    def _n_features_out(self) -> int:
        """The number of output features, for `get_feature_names_out`."""
        return self.word_vectors_.dim

    @abstractmethod
    def _learn(self, texts: list[bytes], y: Any, tokeniser: Tokeniser, setup: Setup) -> None:
        """Train, and set the fitted attributes."""

    def _vectors_of(self, corpus: EncodedCorpus) -> NDArray[np.float32]:
        return document_means(corpus, self.word_vectors_.vectors)

    def _fit(self) -> Fit:
        """Return the arrays and facts that `_restore` needs."""
        words = self.word_vectors_
        return Fit({"words": lines_of(words.raw_keys), "word_vectors": words.vectors}, {})

    def _restore(self, fit: Fit) -> None:
        """Set the fitted attributes from the arrays and facts of `fit`."""
        words = of_lines(fit.arrays["words"])
        self.word_vectors_ = KeyedVectors.of_bytes(words, fit.arrays["word_vectors"])

    def _setup(self, progress: Progress | None = None) -> Setup:
        shape = Hyperparameters(
            dim=check_whole("dim", self.dim, 1),
            negatives=check_whole("negative", self.negative, 0),
            rate=check_positive("learning_rate", self.learning_rate),
            window=check_whole("window", self.window, 1),
        )
        return Setup(self._seed(), shape, self._n_threads(), progress=progress)

    def _seed(self) -> int:
        if isinstance(self.random_state, int | np.integer):
            return check_whole("random_state", self.random_state, 0, most=MOST_SEED)
        return int(check_random_state(self.random_state).randint(np.iinfo(np.int32).max))

    def _n_threads(self) -> int:
        if self.threads is not None:
            given = check_whole("threads", self.threads, 1, ", or None for all")
            return min(given, MOST_THREADS)
        affinity = getattr(os, "sched_getaffinity", None)
        return min(len(affinity(0)) if affinity else os.cpu_count() or 1, MOST_THREADS)


def _tuples(value: Any) -> Any:
    """Return lists of JSON as the tuples that they were, and other values as they are."""
    return tuple(map(_tuples, value)) if isinstance(value, list) else value
