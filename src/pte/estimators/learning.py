"""What classifiers by a method of the registry share: they learn, predict, and save alike."""

from abc import abstractmethod
from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict, dataclass, replace
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from pte.array_file import ArrayFile
from pte.contest.learning import WORD_VECTORS, Settings, Trained, decided, learn, made_sure, read
from pte.contest.registry import method_named
from pte.corpora.encoded import EncodedCorpus
from pte.corpora.tokenise import Tokeniser
from pte.errors import PteError
from pte.estimators.classifier import PTEClassifier
from pte.estimators.encoding import WithEncoder
from pte.estimators.errors import BadInput, as_bad_input
from pte.estimators.label_space import (
    LabelSpace,
    class_shares_of,
    classes_of,
    label_vectors,
    label_vectors_of,
)
from pte.estimators.labels import read_labels
from pte.estimators.model_file import Fit, lines_of, newer, words_of
from pte.estimators.progress import shown
from pte.estimators.scoring import ScoredOnLabels
from pte.estimators.texts import Texts
from pte.evaluation.documents import document_means
from pte.evaluation.linear import MultilabelClassifier, classifier_of
from pte.evaluation.setting import ClassifierChoice
from pte.keyed_vectors import KeyedVectors
from pte.models.pte_auto.judging import Judgement
from pte.training.contract import Learnt
from pte.training.method import Method
from pte.training.setup import Setup, Step

LEARNT, CLASSIFIER = "learnt_", "classifier_"
"""The beginnings of the names of arrays in a model file."""

JOINS = {"pte_auto": "pte_auto_encoder"}
"""The methods that take the place of others if there is an encoder."""

GOES_ON = {
    *("dim", "negative", "window", "learning_rate", "tokenizer", "min_count", "threads"),
    *("random_state", "samples"),
}
"""The parameters that a `PTEClassifier` takes over from a classifier, for further training."""

_CHOICE = {"c": float, "unit_length": bool, "bias": bool}


class NoWordVectors(BadInput, AttributeError):
    """The error of a classifier whose method learns no word vectors."""


@dataclass(kw_only=True, eq=False, repr=False)
class LearningClassifier(ScoredOnLabels, WithEncoder, LabelSpace):
    """Base class of classifiers that learn by a method of the registry, as `pte fit` does.

    `_entry` and `_settings` say by which method, and with which settings.
    """

    def fit(
        self,
        raw_documents: Iterable[str | bytes],
        y: Any = None,
        vectors: Any = None,
        groups: Any = None,
    ) -> Self:
        """Learn from all documents, and from the labels that there are.

        Parameters
        ----------
        raw_documents : iterable of str or bytes
            The documents; bytes count as UTF-8.
        y : sequence or matrix with an item for each document
            The labels, as `PTE.fit` takes them; None, -1, NaN, pandas' NA or empty text means no
            label.
        vectors : array of shape (documents, numbers), default=None
            The vectors of an encoder, if you have them; else `encoder` makes them, if there is one.
            Then `predict` takes what `encode` makes of documents and of their vectors.
        groups : sequence of length (documents,), default=None
            The group of each document, such as its author; None or NaN is no group. No document is
            held out while others of its group train, so that what is chosen serves new groups.

        Returns
        -------
        Self
            The fitted estimator.

        Raises
        ------
        BadInput
            When a parameter or the documents cannot be used, and when training diverges; when there
            are more or fewer labels than documents; when there are too few labels; and when
            documents have several labels that the method cannot learn. It is a `ValueError`.
        """
        self._fit_with(raw_documents, y, vectors, groups)
        return self

    def predict(self, raw_documents: Texts) -> NDArray[Any]:
        """Return the class of each document.

        Parameters
        ----------
        raw_documents : iterable of str or bytes, or EncodedCorpus
            The documents, or what `encode` has made of them.

        Returns
        -------
        ndarray of shape (documents,), or of int, shape (documents, classes)
            The most probable class, of the dtype of `classes_`. If documents may have several
            labels, 1 for each class that is more likely than not, and 0 for the others.

        Raises
        ------
        BadInput
            When the documents are not text, and when another model has encoded them.
        NotFittedError
            When the model was not fitted.
        """
        found = decided(self.predict_proba(raw_documents), self.several_labels_)
        if self.several_labels_:
            return np.asarray(found, np.int64)
        return np.asarray(self.classes_[found])

    def predict_proba(self, raw_documents: Texts) -> NDArray[np.float64]:
        """Return the probability of each class of `classes_`.

        Parameters
        ----------
        raw_documents : iterable of str or bytes, or EncodedCorpus
            The documents, or what `encode` has made of them.

        Returns
        -------
        ndarray of float64, shape (documents, classes)
            The probabilities; a row adds up to 1, unless documents may have several labels.

        Raises
        ------
        BadInput
            When the documents are not text, and when another model has encoded them.
        NotFittedError
            When the model was not fitted.
        """
        corpus = self.encode(raw_documents)
        with as_bad_input():
            return self._trained.probabilities(corpus)

    @property
    def _several(self) -> bool:
        return self.several_labels_

    @property
    def _n_features_out(self) -> int:
        """The number of output features, for `get_feature_names_out`."""
        return int(self._vectors_of(self.encode([""])).shape[1])

    def as_pte(self) -> PTEClassifier:
        """Return a `PTEClassifier` that knows the same word vectors, for further training.

        Returns
        -------
        PTEClassifier
            It is not fitted, but with `warm_start` its `fit` begins with these vectors.

        Raises
        ------
        BadInput
            When the method has no word vectors.
        """
        given = self.get_params(deep=False)
        model = PTEClassifier(**{name: given[name] for name in GOES_ON & given.keys()})
        model.word_vectors_ = self.word_vectors_
        return model

    def __getattr__(self, name: str) -> Any:
        """Raise `NoWordVectors` for the word vectors of a method that learns none."""
        if name == "word_vectors_" and "_trained" in vars(self):
            name = self._trained.method.name
            raise NoWordVectors(f"{name} has no word vectors; learn by pte_joint, for instance")
        raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")

    @abstractmethod
    def _entry(self) -> Method:
        """Return the method by which to learn. Raises `BadInput` for a parameter."""

    @abstractmethod
    def _settings(self, setup: Setup) -> Settings:
        """Return the settings of a training. Raises `BadInput` for a parameter."""

    def _learn(self, texts: list[bytes], y: Any, tokeniser: Tokeniser, setup: Setup) -> None:
        labels = read_labels(y, len(texts))
        if labels is None:
            raise BadInput("y: no document has a label; a classifier needs some of each class")
        method, settings = self._entry(), self._settings(setup)
        if self._given is not None:
            method = _joined(method)
        if labels.several and not method.spec.learns_several:
            raise BadInput(
                f"y: documents have several labels, and {method.name} learns one for each; take "
                "PTEClassifier, or TextClassifier with another method, such as pte_joint or bow"
            )
        corpus = self._corpus(texts, labels, tokeniser, setup)
        corpus = replace(corpus, vectors=self._given)
        with shown("edge", self.verbose, method.label) as progress:
            settings = replace(settings, progress=progress)
            self._trained = made_sure(learn(method, corpus, settings), corpus, settings)
        self._set(labels.classes, corpus.words, lambda: label_vectors(corpus, self.word_vectors_))

    def _set(
        self,
        classes: NDArray[Any],
        words: tuple[bytes, ...],
        labels: Callable[[], KeyedVectors | None],
    ) -> None:
        """Set the fitted attributes; `labels` gives the vectors of labels if words have vectors."""
        trained = self._trained
        self.classes_, self.class_shares_ = classes, trained.shares
        self.chosen_, self.several_labels_ = trained.chosen, trained.several
        self.judged_ = Judgement.among(trained.learnt.facts.get("notes") or {})
        vectors = trained.learnt.arrays.get(WORD_VECTORS)
        self.label_vectors_ = None
        self.__dict__.pop("word_vectors_", None)
        if vectors is not None:
            self.word_vectors_ = KeyedVectors.of_bytes(words, vectors)
            self.label_vectors_ = labels()
        self._words = words, {word: number for number, word in enumerate(words)}

    def _vocabulary(self) -> tuple[tuple[bytes, ...], Mapping[bytes, int]]:
        return self._words

    def _vectors_of(self, corpus: EncodedCorpus) -> NDArray[np.float32]:
        method, learnt = self._trained.method, self._trained.learnt
        if WORD_VECTORS in learnt.arrays:
            return document_means(corpus, learnt.arrays[WORD_VECTORS])
        if method.spec.yields == "documents":
            return np.asarray(read(method, learnt, corpus), np.float32)
        raise BadInput(
            f"{method.label} has no vectors of documents; learn by a method that has, such as "
            "pte_joint"
        )

    def _fit(self) -> Fit:
        trained, classifier = self._trained, self._trained.classifier
        arrays = {f"{LEARNT}{name}": each for name, each in trained.learnt.arrays.items()}
        arrays |= {"words": lines_of(self._words[0]), "classes": self.classes_}
        arrays["class_shares"] = trained.shares
        if self.label_vectors_ is not None:
            arrays["label_vectors"] = self.label_vectors_.vectors
        facts: dict[str, Any] = {"learnt": trained.learnt.facts, "several": trained.several}
        facts |= self._encoder_facts | {"power": trained.power}
        facts["method"] = {"name": trained.method.name, "options": dict(trained.method.options)}
        if classifier is not None and trained.choice is not None:
            arrays |= {f"{CLASSIFIER}{name}": each for name, each in vars(classifier).items()}
            facts["choice"] = asdict(trained.choice)
        return Fit(arrays, facts)

    def _restore(self, fit: ArrayFile) -> None:
        self._restore_encoder(fit)
        words, classes = words_of(fit), classes_of(fit)
        method, several = _method_of(fit), fit.fact("several", bool)
        kept = fit.part(LEARNT, {"notes": None, **fit.fact("learnt", {"choice": (dict, None)})})
        kept.fact("notes", (dict, None))
        features = method.check(kept)
        learnt, shares = Learnt(kept.arrays, kept.facts), class_shares_of(fit)
        power = fit.fact("power", float)
        trained = Trained(method, learnt, shares, several, power=power)
        if not method.predicts:
            choice = ClassifierChoice(**fit.fact("choice", _CHOICE))
            own = fit.part(CLASSIFIER)
            classifier = classifier_of(own, features + choice.bias, classes.size)
            trained = trained._replace(classifier=classifier, choice=choice)
        if several != isinstance(trained.classifier, MultilabelClassifier):
            raise fit.fault(f"its 'several' is {several}, unlike its classifier")
        self._trained = trained
        names = tuple(map(str, classes.tolist()))
        self._set(classes, words, lambda: label_vectors_of(fit, names))


def settings_of(setup: Setup, samples: int | str = "chosen") -> Settings:
    """Return the settings of a training of which a user gives the setup."""
    shape = replace(setup.hyperparameters, step=Step.of("grouped"))
    return Settings(setup.seed, shape, samples, setup.threads)


def _joined(method: Method) -> Method:
    """Return the method that takes the vectors of an encoder in place of another method."""
    joined = method_named(JOINS.get(method.name, method.name))
    if not joined.encoded:
        raise BadInput(f"encoder: {method.name} has no use for it; leave it out")
    return replace(joined, options={**joined.options, **method.options})


def _method_of(fit: ArrayFile) -> Method:
    """Return the method by which a model was learnt; the parameter may have changed since."""
    learnt_by = fit.fact("method", {"name": str, "options": dict})
    try:
        method = replace(method_named(learnt_by["name"]), options=learnt_by["options"])
    except PteError as error:
        raise newer(fit, str(error)) from None
    for name, value in method.options.items():
        form = method.spec.options.get(name)
        if form is None or (form.get("type") == "boolean" and not isinstance(value, bool)):
            raise newer(fit, f"its option {name} of {method.name} is not known here")
    return method
