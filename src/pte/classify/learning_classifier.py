"""What classifiers by a method of the registry share: they learn, predict, and save alike."""

from abc import abstractmethod
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.validation import check_is_fitted

from pte import encoders
from pte.array_file import ArrayFile
from pte.classify.base import Given, TextEmbedding
from pte.classify.classifier import LabelClassifier, PTEClassifier, required_labels
from pte.classify.errors import BadInput, as_bad_input
from pte.classify.given import Texts, as_bytes
from pte.classify.help import filled
from pte.classify.learning import (
    WORD_VECTORS,
    Settings,
    Trained,
    learn,
    made_sure,
    read,
)
from pte.classify.model_file import (
    Fit,
    class_shares_of,
    classes_of,
    label_vectors_of,
    lines_of,
    newer,
    words_of,
)
from pte.classify.networks import label_vectors
from pte.classify.progress import shown
from pte.classify.registry import method_named
from pte.corpora.encoded import EncodedCorpus
from pte.encoders import Vectors
from pte.errors import PteError
from pte.evaluation.evaluate import document_means
from pte.evaluation.linear import MultilabelClassifier, classifier_of
from pte.evaluation.setting import ClassifierChoice
from pte.keyed_vectors import of_bytes
from pte.limits import MOST
from pte.models.pte_auto.judging import Judgement
from pte.training.contract import Learnt
from pte.training.method import Method
from pte.training.setup import Setup, Step

LEARNT, CLASSIFIER = "learnt_", "classifier_"
"""The beginnings of the names of arrays in a model file."""

JOINS = {"pte_auto": "pte_auto_encoder"}
"""The methods that take the place of others if there is an encoder."""

_CHOICE = {"c": float, "unit_length": bool, "bias": bool}


class NoWordVectors(BadInput, AttributeError):
    """The error of a classifier whose method learns no word vectors."""


@filled
@dataclass(kw_only=True, eq=False, repr=False)
class LearningClassifier(LabelClassifier, TextEmbedding):
    """Base of classifiers by the method `_entry` of the registry, with `_settings` and encoders."""

    encoder: Any = None
    _dim = 0
    """The length of the vectors that `fit` saw; 0 without an encoder."""
    _asks_held_out = True
    """Whether further trainings make probabilities sure; a contest needs classes alone."""

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
        {raw_documents}
        {labels}
        vectors : array of shape (documents, numbers), default=None
            The vectors of an encoder, if you have them; else `encoder` makes them, if there is one.
            Then `predict` takes what `encode` makes of documents and of their vectors.
        {groups}

        {fitted}
        """
        return self._fitted(raw_documents, y, groups, vectors)

    def encode(self, raw_documents: Texts, vectors: Any = None) -> EncodedCorpus:
        """Cut documents into tokens, number those that `fit` has met, and let the encoder read.

        `transform`, `count_known`, `predict` and `predict_proba` take the result in place of the
        documents. So a text is cut and read only once for several of these methods.

        {documents}
        vectors : array of shape (documents, numbers), default=None
            The encoder's vectors of the documents, if you have them; else `encoder` makes them.

        Returns
        -------
        EncodedCorpus
            The numbers of the tokens, int32, where each document begins, and the vectors, float32.

        Raises
        ------
        BadInput
            When the documents are not text, when another model has encoded them, when `fit` had an
            encoder and now there is none, and when vectors have another length than in `fit`.
        NotFittedError
            When the model was not fitted.
        """
        if isinstance(raw_documents, Iterator):  # it is gone through twice
            raw_documents = list(raw_documents)
        corpus = self._numbered(raw_documents)
        if vectors is not None and not self._dim:
            raise BadInput("vectors: the model was learnt without vectors; leave them out")
        if not self._dim:
            return corpus
        with as_bad_input():
            if isinstance(raw_documents, EncodedCorpus):
                given = corpus.vectors if vectors is None else vectors
                rows = None if given is None else self._rows([b""] * corpus.n_documents, given)
            else:
                rows = self._rows(as_bytes(raw_documents), vectors)
        if rows is None:
            raise BadInput(
                "encoder: the model has learnt from vectors and knows no encoder; give the "
                "vectors of these texts, too, or name the encoder when you fit"
            )
        if len(rows) and rows.shape[1] != self._dim:
            raise BadInput(f"vectors: {rows.shape[1]} numbers a row, and `fit` had {self._dim}")
        return replace(corpus, vectors=rows)

    def predict_proba(self, raw_documents: Texts) -> NDArray[np.float64]:
        """Return the probability of each class of `classes_`.

        {documents}

        Returns
        -------
        ndarray of float64, shape (documents, classes)
            The probabilities; a row adds up to 1, unless documents may have several labels. They
            are 0 for a class that had no document in `fit`.

        {raises}
        """
        corpus = self.encode(raw_documents)
        with as_bad_input():
            return self._in_columns(self._trained.probabilities(corpus))

    @property
    def _sees_new_words(self) -> bool:
        return self._trained.sees_new_words

    @property
    def _n_features_out(self) -> int:
        return int(self._vectors_of(self._numbered([""])).shape[1])

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
        NotFittedError
            When the model was not fitted.
        """
        check_is_fitted(self)
        given = self.get_params(deep=False)
        shared = given.keys() & PTEClassifier._get_param_names()
        model = PTEClassifier(**{name: given[name] for name in shared})
        if given.get("order_lost"):  # neighbours say nothing then
            model.set_params(networks=("wd", "wl"))
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
        """The method by which to learn."""

    @abstractmethod
    def _settings(self, setup: Setup) -> Settings:
        """The settings of a training."""

    def _rows(self, texts: list[bytes], vectors: Any) -> Vectors | None:
        """Return the vectors of texts, as given or as the encoder makes them; else None."""
        if vectors is not None:
            return encoders.checked(vectors, len(texts), "vectors")
        if self.encoder is None:
            return None
        if not texts:
            return np.empty((0, self._dim), np.float32)
        return encoders.encode(self._reader, texts)

    @property
    def _reader(self) -> encoders.Encoder:
        """The function of `encoder`, which is loaded once and not again for each text."""
        known = self.__dict__.get("_resolved")
        if known is None or known[0] is not self.encoder:
            known = self._resolved = (self.encoder, encoders.resolve(self.encoder))
        return known[1]

    def __getstate__(self) -> dict[str, Any]:
        """Leave the loaded encoder out, which pickle cannot hold."""
        state: dict[str, Any] = super().__getstate__()
        return {name: value for name, value in state.items() if name != "_resolved"}

    def _learn(self, given: Given, setup: Setup) -> None:
        vectors = self._rows(given.texts, given.vectors)
        labels = required_labels(given.y, len(given.texts))
        method, settings = self._entry(), self._settings(setup)
        if vectors is not None:
            method = _joined(method)
        elif method.encoded:
            raise BadInput(
                f"encoder is None, and the method {method.name} needs one, or `vectors` in `fit`"
            )
        if labels.several and not method.spec.learns_several:
            raise BadInput(
                f"y: documents have several labels, and {method.name} learns one for each; take "
                "PTEClassifier, or TextClassifier with another method, such as pte_joint or bow"
            )
        corpus = replace(self._corpus(given, labels, setup), vectors=vectors)
        with shown("edge", self.verbose, method.label) as progress:
            settings = replace(settings, progress=progress)
            trained = learn(method, corpus, settings)
            self._trained = made_sure(trained, corpus, settings) if self._asks_held_out else trained
        self._dim = 0 if vectors is None else vectors.shape[1]
        self._set(labels.classes, labels.present, corpus.words)
        has_words = hasattr(self, "word_vectors_")
        self.label_vectors_ = label_vectors(corpus, self.word_vectors_) if has_words else None

    def _set(self, classes: NDArray[Any], present: NDArray[Any], words: tuple[bytes, ...]) -> None:
        trained = self._trained
        self.classes_, self._present = classes, present
        self.class_shares_ = self._in_columns(trained.shares[None])[0]
        self.chosen_, self.several_labels_ = trained.chosen, trained.several
        self.judged_ = Judgement.among(trained.learnt.facts.get("notes") or {})
        vectors = _word_vectors(trained.learnt)
        self.__dict__.pop("word_vectors_", None)
        if vectors is not None:
            self.word_vectors_ = of_bytes(words, vectors)
        self._words = words, {word: number for number, word in enumerate(words)}

    def _vocabulary(self) -> tuple[tuple[bytes, ...], Mapping[bytes, int]]:
        return self._words

    def _vectors_of(self, corpus: EncodedCorpus) -> NDArray[np.float32]:
        method, learnt = self._trained.method, self._trained.learnt
        if method.spec.yields == "documents":
            return np.asarray(read(method, learnt, corpus), np.float32)
        if (vectors := _word_vectors(learnt)) is not None:
            return document_means(corpus, vectors)
        raise BadInput(
            f"{method.label} has no vectors of documents; learn by a method that has, such as "
            "pte_joint"
        )

    def _fit(self) -> Fit:
        if not isinstance(self.encoder, str | Path | None):
            raise BadInput(
                "encoder is a function, which a file cannot hold; set the name or the folder of "
                "the same encoder as text, or None: model.set_params(encoder=...)"
            )
        trained, classifier = self._trained, self._trained.classifier
        arrays = {f"{LEARNT}{name}": each for name, each in trained.learnt.arrays.items()}
        arrays |= {"words": lines_of(self._words[0]), "classes": self.classes_[self._present]}
        if self._present.size < self.classes_.size:
            arrays |= {"columns": self.classes_, "present": self._present}
        arrays["class_shares"] = trained.shares
        if self.label_vectors_ is not None:
            arrays["label_vectors"] = self.label_vectors_.vectors
        facts: dict[str, Any] = {"learnt": trained.learnt.facts, "several": trained.several}
        facts |= {"power": trained.power} | ({"encoded": self._dim} if self._dim else {})
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
        columns, present = classes, np.arange(classes.size)
        if "columns" in fit:  # some classes have no document
            columns = fit.array("columns", "U S i u b f", "columns")
            present = fit.distinct("present", columns.size, "classes")
            if not np.array_equal(columns[present], classes):
                raise fit.fault("its classes are not among its columns")
        self._set(columns, present, words)
        self.label_vectors_ = label_vectors_of(fit, tuple(map(str, classes.tolist())))

    def _restore_encoder(self, fit: ArrayFile) -> None:
        if "encoded" not in fit.facts:
            return
        self._dim = fit.fact("encoded", range(1, MOST))
        if self.encoder is None:
            return
        fit.fact("parameters", {"encoder": str})
        try:
            self._resolved = (self.encoder, encoders.resolve(self.encoder))
        except PteError as error:
            what = "the model reads texts with an encoder that is not here"
            raise PteError(f"{what}: {error}") from None


def settings_of(setup: Setup, samples: int | str = "chosen") -> Settings:
    """Return the settings of a training of which a user gives the setup."""
    shape = replace(setup.hyperparameters, step=Step.of("grouped"))
    return Settings(setup.seed, shape, samples, setup.threads)


def with_encoder(name: str) -> Method:
    """Return the method that learns where an encoder joins the method of this name."""
    return method_named(JOINS.get(name, name))


def _word_vectors(learnt: Learnt) -> NDArray[np.float32] | None:
    """Return the trained vectors of words; dbow, which has no window, leaves its as they began."""
    return None if learnt.facts.get("window") == 0 else learnt.arrays.get(WORD_VECTORS)


def _joined(method: Method) -> Method:
    """Return the method that takes the vectors of an encoder in place of another method."""
    joined = with_encoder(method.name)
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
