"""The base of all estimators: dataclasses whose fields are parameters, as scikit-learn wants."""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, fields
from functools import wraps
from pathlib import Path
from typing import Any, NamedTuple, Self, dataclass_transform

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, ClassNamePrefixFeaturesOutMixin, TransformerMixin
from sklearn.utils.metadata_routing import UNUSED
from sklearn.utils.validation import check_is_fitted
from tqdm import tqdm

from pte.array_file import ArrayFile
from pte.classify.compiling import noted_compiling
from pte.classify.errors import (
    BadInput,
    as_bad_input,
    check_chance,
    check_choice,
    check_positive,
    check_whole,
)
from pte.classify.given import Texts, Tokenizer, as_bytes, plain, read_groups, tokeniser_of
from pte.classify.help import Class, filled
from pte.classify.model_file import Fit, lines_of, newer, read_fit, words_of, write_fit
from pte.classify.names import teaching_only, with_names
from pte.classify.reading import TextReader
from pte.corpora.encoded import EncodedCorpus
from pte.corpora.texts import GivenLabels, training_corpus
from pte.errors import PteError
from pte.evaluation.evaluate import document_means
from pte.keyed_vectors import of_bytes
from pte.limits import MOST_DIM, MOST_NEGATIVES, MOST_WINDOW
from pte.machine import cores
from pte.training.setup import Hyperparameters, Progress, Setup

MOST_THREADS = 16  # the limit on threads, as in the workflow (`pte.training.contract.Spec.threads`)

ELSEWHERE = {
    "n_jobs": "it is called threads here; None is all, as -1 elsewhere",
    "class_weight": "there is none; give the vectors of pte.PTE to a classifier that has one",
    "negative": "it is called negatives",
    "order_lost": "it is gone; take a method that sees no order, such as bow or pte_wd_wl",
    "deterministic": "it is gone; threads=1 gives the same bits each time",
    "keep_interrupted": "it is gone; train with fewer samples",
    "warm_start": "it is gone; learn from all documents together",
}
"""Parameters that users of scikit-learn, or of pte 1, may give, and what to write instead."""

_INPUT = {"raw_documents": UNUSED}
"""Says to scikit-learn that the documents are no metadata, which a pipeline would pass on."""


class Given(NamedTuple):
    """What a `fit` is given: texts in UTF-8, labels as they are, groups, vectors of an encoder.

    The last `n_names` texts name classes.
    """

    texts: Sequence[bytes]
    y: Any
    groups: list[str | None]
    vectors: Any
    n_names: int = 0


def _by_name(wrapped: Any) -> Any:
    """Return a method that takes `raw_documents` by name, which scikit-learn's wrapper calls X."""

    @wraps(wrapped)
    def method(self: Any, raw_documents: Any, *more: Any, **others: Any) -> Any:
        return wrapped(self, raw_documents, *more, **others)

    return method


@contextmanager
def shown(unit: str, verbose: int, name: str) -> Iterator[Progress | None]:
    """Yield a function that draws a bar for each training, or None if `verbose` is 0."""
    if not verbose:
        yield None
        return
    bars = list["tqdm[Any]"]()

    def show(done: int, whole: int) -> None:
        if not bars or done < bars[-1].n or whole != bars[-1].total:
            if bars:
                bars[-1].close()
            of = f"{name}, training {len(bars) + 1}"
            bars.append(tqdm(desc=of, total=whole, unit=unit, unit_scale=True))
        bars[-1].update(done - bars[-1].n)

    try:
        yield show
    finally:
        if bars:
            bars[-1].close()


@dataclass_transform(kw_only_default=True, eq_default=False)
def estimator(it: Class) -> Class:
    """Make a class an estimator: a dataclass with its help, which refuses `ELSEWHERE`."""
    dataclass(kw_only=True, eq=False, repr=False)(it)
    init = it.__init__

    @wraps(init)
    def checked(self: Any, **parameters: Any) -> None:
        for name in (ELSEWHERE.keys() & parameters) - {*it._get_param_names()}:
            raise BadInput(f"{name}: {it.__name__}: {ELSEWHERE[name]}")
        init(self, **parameters)

    it.__init__ = checked
    return filled(it)


@estimator
class TextEmbedding(
    TextReader,
    ClassNamePrefixFeaturesOutMixin,  # type: ignore[misc]
    TransformerMixin,  # type: ignore[misc]
    BaseEstimator,  # type: ignore[misc]
    ABC,
):
    """Base of estimators of word vectors; a document is their mean (paper, equation 8)."""

    dim: int = 100
    negatives: int = 5
    window: int = 5
    learning_rate: float = 0.025
    tokenizer: Tokenizer = "words"
    min_count: int = 1
    threads: int | None = None
    random_state: Any = None
    verbose: int = 0

    __metadata_request__fit = _INPUT
    __metadata_request__transform = _INPUT
    __metadata_request__predict = _INPUT
    __metadata_request__predict_proba = _INPUT
    __metadata_request__decision_function = _INPUT

    def fit(self, raw_documents: Iterable[str | bytes], y: Any = None) -> Self:
        """Learn from all documents.

        Parameters
        ----------
        {raw_documents}
        y : default=None
            Ignored.

        {fitted}
        """
        return self._fitted(raw_documents, y)

    def fit_transform(
        self, raw_documents: Iterable[str | bytes], y: Any = None, **fit_params: Any
    ) -> Any:
        """Learn from all documents, and return their vectors as `transform` does.

        Parameters
        ----------
        {raw_documents}
        y : default=None
            The labels, as `fit` takes them.
        fit_params : dict
            What else `fit` takes, such as `groups`.

        Returns
        -------
        ndarray of float32, shape (documents, dim)
            The vectors of the documents.

        Raises
        ------
        BadInput
            As `fit` raises it.
        """
        if isinstance(raw_documents, Iterator):
            raw_documents = list(raw_documents)  # it is read twice
        return self.fit(raw_documents, y, **fit_params).transform(raw_documents)

    def transform(self, raw_documents: Texts) -> NDArray[np.float32]:
        """Return the vectors of documents.

        Words that `fit` has not met are left out. A document that has no other words is the zero
        vector. This takes a few microseconds for each token, and 4 · dim bytes for each document.

        {documents}

        Returns
        -------
        ndarray of float32, shape (documents, dim)
            The vectors of the documents, in their order.

        {raises}
        """
        return self._vectors_of(self._numbered(raw_documents))

    def save(self, path: str | Path, notes: Mapping[str, Any] | None = None) -> None:
        """Write the fitted model into one file, which holds no code and no encoder.

        A `random_state` that is no whole number is saved as None. Of an `encoder`, the file has the
        name or the folder, and `load` needs it again. It also has the date, the versions of pte,
        numpy and numba, and the machine.

        Parameters
        ----------
        path : str or Path
            The file to write. Its folder must be there.
        notes : mapping of str to values, default=None
            Facts that JSON can hold, such as where the text is from; the file keeps them for
            `pte check`.

        Raises
        ------
        BadInput
            When `tokenizer` or `encoder` is a function, which a file cannot hold.
        PteError
            When the folder of `path` is not there.
        NotFittedError
            When the model was not fitted.
        """
        check_is_fitted(self)
        if notes is not None and not isinstance(notes, Mapping):
            raise BadInput(f"notes is of type {type(notes).__name__}; give a dict")
        if not isinstance(self.tokenizer, str):
            raise BadInput("tokenizer is a function, which a file cannot hold; use a named one")
        parameters = self.get_params(deep=False)
        if not isinstance(parameters["random_state"], int | np.integer):
            parameters["random_state"] = None
        fit = self._fit()
        fit.facts["parameters"] = {name: _as_json(value) for name, value in parameters.items()}
        fit.facts.update({"notes": dict(notes)} if notes else {})
        write_fit(path, type(self).__name__, fit)

    @classmethod
    def load(cls, path: str | Path) -> Self:
        """Read a model that `save` wrote.

        Parameters
        ----------
        path : str or Path
            The file to read.

        Returns
        -------
        Self
            The fitted model, with its parameters.

        Raises
        ------
        PteError
            When there is no such file, and when the file is damaged, has another format, or holds
            another estimator.
        """
        fit = read_fit(path)
        if fit.facts["estimator"] != cls.__name__:
            raise PteError(f"{path}: it holds a {fit.facts['estimator']}, not a {cls.__name__}")
        return cls._of_fit(fit)

    @classmethod
    def _of_fit(cls, fit: ArrayFile) -> Self:
        """Return the model whose file was read."""
        given = fit.fact("parameters", dict)
        if unknown := given.keys() - cls._get_param_names():
            raise newer(fit, f"its parameter {min(unknown)!r} is not known to {cls.__name__} here")
        with fit.named():
            model = cls(**{name: _tuples(value) for name, value in given.items()})
            tokeniser_of(model.tokenizer)
            model._check()
            model._restore(fit)
        if fit.strange:
            raise newer(fit, f"its array {fit.strange[0]} is not known to {cls.__name__} here")
        return model

    def __sklearn_tags__(self) -> Any:
        """Say: text goes in, with or without labels, and float32 comes out."""
        tags = super().__sklearn_tags__()
        tags.input_tags.string, tags.input_tags.two_d_array = True, False
        tags.target_tags.required = False
        tags.transformer_tags.preserves_dtype = []
        tags.non_deterministic = self.threads != 1
        return tags

    def _check_fitted(self) -> None:
        check_is_fitted(self)

    @property
    def _n_features_out(self) -> int:
        return self.word_vectors_.dim

    def _fitted(self, raw_documents: Any, y: Any, groups: Any = None, vectors: Any = None) -> Self:
        """Learn from what a `fit` is given; what fails leaves the estimator as it was."""
        before = dict(vars(self))
        try:
            with as_bad_input(), noted_compiling(self.verbose):
                setup, texts = self._setup(), as_bytes(raw_documents)
                self._learn(Given(texts, y, read_groups(groups, len(texts)), vectors), setup)
        except BaseException:
            self.__dict__.clear()
            self.__dict__.update(before)
            raise
        return self

    def _corpus(self, given: Given, labels: GivenLabels | None, setup: Setup) -> EncodedCorpus:
        tokeniser = tokeniser_of(self.tokenizer)
        least = check_whole("min_count", self.min_count, 1)
        corpus = training_corpus(given.texts, labels, tokeniser, least, given.groups)
        return teaching_only(corpus, given.n_names)

    def _with_names(
        self, given: Given, labels: GivenLabels | None
    ) -> tuple[Given, GivenLabels | None]:
        """Add the texts of names, if there are names, and their labels."""
        labels, texts = with_names(getattr(self, "names", None), labels, len(given.texts))
        if not texts:
            return given, labels
        groups = [*given.groups, *[None] * len(texts)]
        return given._replace(
            texts=[*given.texts, *texts], groups=groups, n_names=len(texts)
        ), labels

    @abstractmethod
    def _learn(self, given: Given, setup: Setup) -> None:
        """Train, and set the fitted attributes."""

    def _vocabulary(self) -> tuple[tuple[bytes, ...], Mapping[bytes, int]]:
        return self.word_vectors_.raw_keys, self.word_vectors_.raw_index

    def _vectors_of(self, corpus: EncodedCorpus) -> NDArray[np.float32]:
        return document_means(corpus, self.word_vectors_.vectors)

    def _fit(self) -> Fit:
        """Return the arrays and facts that `_restore` needs."""
        words = self.word_vectors_
        return Fit({"words": lines_of(words.raw_keys), "word_vectors": words.vectors}, {})

    def _restore(self, fit: ArrayFile) -> None:
        """Set the fitted attributes from a file, whose arrays and facts are checked."""
        words = words_of(fit)
        vectors = fit.array("word_vectors", "float32", "words", "dim")
        self.word_vectors_ = of_bytes(words, vectors)

    def _setup(self) -> Setup:
        return Setup(self._seed(), self._shape(), self._n_threads())

    def _check(self) -> None:
        """Refuse parameters as `_setup` does, but draw no seed."""
        self._shape(), self._n_threads()
        if self.random_state is not None:
            self._seed()

    def _shape(self) -> Hyperparameters:
        for name in (each.name for each in fields(self) if each.type in (bool, "bool")):
            check_choice(name, getattr(self, name), (True, False))
        return Hyperparameters(
            dim=check_whole("dim", self.dim, 1, most=MOST_DIM),
            negatives=check_whole("negatives", self.negatives, 0, most=MOST_NEGATIVES),
            learning_rate=check_positive("learning_rate", self.learning_rate),
            window=check_whole("window", self.window, 1, most=MOST_WINDOW),
        )

    def _seed(self) -> int:
        chance = check_chance(self.random_state)
        if isinstance(chance, int):
            return chance
        return int(chance.randint(np.iinfo(np.int32).max))

    def _n_threads(self) -> int:
        if self.threads is not None:
            given = check_whole("threads", self.threads, 1, ", or None for all")
            return min(given, MOST_THREADS)
        return min(cores(), MOST_THREADS)


for _name in ("transform", "fit_transform"):
    setattr(TextEmbedding, _name, _by_name(getattr(TextEmbedding, _name)))


def _tuples(value: Any) -> Any:
    """Return lists of JSON as the tuples that they were, and other values as they are."""
    return tuple(map(_tuples, value)) if isinstance(value, list) else value


def _as_json(value: Any) -> Any:
    """Return a parameter as JSON holds it: numbers of Python, paths as text, texts as keys."""
    if isinstance(value, Path):
        return str(value)
    is_mapping = isinstance(value, Mapping)
    return {str(key): plain(each) for key, each in value.items()} if is_mapping else plain(value)
