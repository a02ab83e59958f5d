"""What reads and predicts further texts: the part of estimators that needs no scikit-learn.

Its import takes most of the time in which `pte predict` answers a line.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from pte import encoders
from pte.array_file import ArrayFile
from pte.classify.errors import BadInput, as_bad_input
from pte.classify.given import Texts, Tokenizer, as_bytes, tokeniser_of
from pte.classify.help import filled
from pte.classify.learning import WORD_VECTORS, Trained
from pte.classify.model_file import class_shares_of, classes_of, label_vectors_of, newer, words_of
from pte.classify.registry import method_named
from pte.corpora.encoded import EncodedCorpus
from pte.corpora.texts import NEW_WORDS, further_corpus
from pte.encoders import Vectors
from pte.errors import PteError
from pte.evaluation.calibration import HeldOut
from pte.evaluation.linear import MultilabelClassifier, classifier_of
from pte.evaluation.setting import ClassifierChoice
from pte.keyed_vectors import of_bytes
from pte.limits import MOST
from pte.models.pte_auto.judging import Judgement
from pte.training.contract import Learnt
from pte.training.method import Method

LEARNT, CLASSIFIER, HELD_OUT = "learnt_", "classifier_", "held_out_"
"""The beginnings of names of arrays in a model file."""

_CHOICE = {"c": float, "unit_length": bool, "bias": bool}


@filled
class TextReader:
    """What numbers the words of further texts."""

    tokenizer: Tokenizer

    def encode(self, raw_documents: Texts) -> EncodedCorpus:
        """Cut documents into tokens, and number the tokens that `fit` has met.

        `transform`, `count_known`, and the `predict` and `predict_proba` of a classifier take the
        result in place of the documents. So a text is cut only once for several of these methods.

        {documents}

        Returns
        -------
        EncodedCorpus
            The numbers of the tokens, int32, and where each document begins. Other tokens are in
            `unknown` if the method sees their letters, and else dropped.

        {raises}
        """
        return self._numbered(raw_documents)

    def _numbered(self, raw_documents: Texts) -> EncodedCorpus:
        """Encode without any encoder."""
        self._check_fitted()
        words, numbers = self._vocabulary()
        if isinstance(raw_documents, EncodedCorpus):
            lacks = self._sees_new_words and not raw_documents.meta.get(NEW_WORDS)
            if raw_documents.words != words or lacks:
                raise BadInput("raw_documents: another model has encoded them; encode with this")
            return raw_documents
        with as_bad_input():
            tokeniser = tokeniser_of(self.tokenizer)
            texts = as_bytes(raw_documents)
            return further_corpus(texts, tokeniser, words, numbers, self._sees_new_words)

    def count_known(self, raw_documents: Texts) -> NDArray[np.int64]:
        """Return how many tokens of each document `fit` has met.

        A document without any such token is the zero vector, and a classifier knows nothing about
        it.

        {documents}

        Returns
        -------
        ndarray of int64, shape (documents,)
            The number of known tokens of each document.

        {raises}
        """
        return np.diff(self._numbered(raw_documents).offsets)

    @property
    def _sees_new_words(self) -> bool:
        return False

    def _check_fitted(self) -> None:
        """Raise an error unless the model has learnt."""

    def _vocabulary(self) -> tuple[tuple[bytes, ...], Mapping[bytes, int]]:
        raise NotImplementedError


class Classes:
    """The columns of predictions."""

    classes_: NDArray[Any]
    _present: NDArray[np.int64]  # the numbers of the classes that had a document in `fit`

    def _in_columns(self, values: NDArray[Any]) -> NDArray[Any]:
        """Put columns of classes that have a document among columns of zeros for other classes."""
        found = np.zeros((len(values), self.classes_.size), values.dtype)
        found[:, self._present] = values
        return found


@filled
class Predicting(Classes, TextReader):
    """A method that has learnt, or a file that holds it, and the texts that it predicts."""

    tokenizer: Tokenizer = "words"
    encoder: Any = None
    label_vectors_: Any
    _trained: Trained
    _dim = 0  # the length of the vectors that `fit` saw; 0 without an encoder

    @classmethod
    def _read(cls, fit: ArrayFile) -> Self:
        """Return what predicts, from the file of a `TextClassifier` or a `PTEAuto`."""
        model, given = cls(), fit.fact("parameters", {"tokenizer": str})
        model.tokenizer, model.encoder = given["tokenizer"], given.get("encoder")
        with fit.named():
            tokeniser_of(model.tokenizer)
            model._restore(fit)
        if fit.strange:
            raise newer(fit, f"its array {fit.strange[0]} is not known here")
        return model

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
                n = corpus.n_documents
                rows = None if given is None else encoders.checked(given, n, "vectors")
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

    def _rows(self, texts: Sequence[bytes], vectors: Any) -> Vectors | None:
        """Return the vectors of texts, as given or as the encoder makes them; else None."""
        if vectors is not None:
            return encoders.checked(vectors, len(texts), "vectors")
        if self.encoder is None:
            return None
        if not texts:
            return np.empty((0, self._dim), np.float32)
        return encoders.encode(self.encoder, texts)

    def _set(self, classes: NDArray[Any], present: NDArray[Any], words: tuple[bytes, ...]) -> None:
        trained = self._trained
        self.classes_, self._present = classes, present
        self.class_shares_ = self._in_columns(trained.shares[None])[0]
        self.chosen_, self.several_labels_ = trained.chosen, trained.several
        self.judged_ = Judgement.among(trained.learnt.facts.get("notes") or {})
        vectors = word_vectors_of(trained.learnt)
        self.__dict__.pop("word_vectors_", None)
        if vectors is not None:
            self.word_vectors_ = of_bytes(words, vectors)
        self._words = words, {word: number for number, word in enumerate(words)}

    def _vocabulary(self) -> tuple[tuple[bytes, ...], Mapping[bytes, int]]:
        return self._words

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
        if f"{HELD_OUT}right" in fit:
            trained = trained._replace(held_out=_held_out_of(fit, classes.size))
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
            encoders.resolve(self.encoder)
        except PteError as error:
            what = "the model reads texts with an encoder that is not here"
            raise PteError(f"{what}: {error}") from None


def word_vectors_of(learnt: Learnt) -> NDArray[np.float32] | None:
    """Return the trained vectors of words; dbow, which has no window, leaves its as they began."""
    return None if learnt.facts.get("window") == 0 else learnt.arrays.get(WORD_VECTORS)


def _held_out_of(fit: ArrayFile, n_classes: int) -> HeldOut:
    return HeldOut(
        fit.array(f"{HELD_OUT}probability", "float32", "held out"),
        fit.numbers(f"{HELD_OUT}predicted", n_classes, "held out"),
        fit.array(f"{HELD_OUT}right", "bool", "held out"),
    )


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
