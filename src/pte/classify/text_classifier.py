"""Every method of a contest as an estimator: text and some labels go in, classes come out."""

from collections.abc import Iterable
from dataclasses import asdict, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone

from pte.classify.base import Given, TextEmbedding, estimator, shown
from pte.classify.classifier import LabelClassifier, required_labels
from pte.classify.errors import BadInput, as_bad_input, check_samples, check_whole
from pte.classify.given import as_bytes, read_groups
from pte.classify.learning import Settings, learn, made_sure, read
from pte.classify.lineup import MOST_EDGES
from pte.classify.model_file import Fit, lines_of
from pte.classify.networks import label_vectors
from pte.classify.reading import CLASSIFIER, HELD_OUT, LEARNT, Predicting, word_vectors_of
from pte.classify.registry import method_named
from pte.corpora.encoded import EncodedCorpus
from pte.evaluation.evaluate import document_means
from pte.limits import MOST_SAMPLES
from pte.models import pte_auto
from pte.training.method import Method
from pte.training.setup import Setup, Step

if TYPE_CHECKING:
    import pandas as pd

JOINS = {"pte_auto": "pte_auto_encoder"}  # what takes their place if there is an encoder


class NoWordVectors(BadInput, AttributeError):
    """The error of a classifier whose method learns no word vectors."""


@estimator
class TextClassifier(LabelClassifier, Predicting, TextEmbedding):
    """A classifier of texts by any method of a contest: a bag of words, PTE, a CNN and others.

    Take it to learn what `pte evaluate` has found to be best on your text. With the same seed and
    one thread it is the model that the contest has scored. T, C and most else that a method chooses
    are chosen on documents that are held out; Skip-gram, paragraph vectors, label propagation and
    fastText take usual values. Documents without a label train as well, if the method can learn
    from them.

    Parameters
    ----------
    method : str, default="pte_auto"
        A method by its name in the registry: "bow", "bow_pairs", "nb_em", "label_propagation",
        "skip_gram", "pvdbow", "pvdm", "line_ww_wd", "cnn", "cnn_pretrain", "pte_joint",
        "pte_joint_bow", "pte_auto", "encoder", "nb_svm_pairs", "svm_pairs", "svm_letters",
        "fasttext", "majority" and the variants of LINE and PTE. Vectors of a CNN and of
        fastText have 100 numbers, whatever `dim` is.
    samples : int, "chosen" or "auto", default="chosen"
        T, the number of edges that a training of LINE or PTE draws. "chosen" searches for T on
        labelled documents that are held out. "auto" is ten times the number of edges. A number
        saves the search. Other methods do not use it.
    {encoder}
    {names}
    {window}
    {common}

    Attributes
    ----------
    {classes}
    {class_shares}
    chosen_ : dict
        What was chosen on held-out documents: T, epochs, C, whether documents have unit length and
        whether there is a bias, and so on.
    judged_ : Judgement or None
        The micro-F1 of PTE(auto) on held-out documents, as in `PTEAuto`; None for other methods.
    several_labels_ : bool
        Whether documents may have several labels.
    {word_vectors}
    {label_vectors}

    See Also
    --------
    pte.PTEAuto : PTE(auto) with settings of its own.
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
    {example}
    >>> model = pte.TextClassifier(method="bow", random_state=0)
    >>> model.fit(texts * 5, labels * 5).predict(["the goal of the team", "the rate of the bank"])
    array(['sport', 'money'], dtype='<U5')
    >>> model.explain("the goal of the bank", "sport")[0][0]
    'goal'
    """

    method: str = "pte_auto"
    samples: int | str = "chosen"
    encoder: Any = None
    names: Any = None
    _asks_held_out = True  # whether probabilities are made sure; a contest does so itself

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

    def review(
        self,
        raw_documents: Iterable[str | bytes],
        y: Any,
        groups: Any = None,
        vectors: Any = None,
        n_next: int = 100,
    ) -> "pd.DataFrame":
        """Return the labels to look at, the most doubtful first, and texts to label next.

        Each label is judged by a model that has not seen it; the estimator itself learns nothing.
        Up to `threads` models learn at once, each on one thread. Texts to label next are those of
        which the model is least sure, one of each kind.

        Parameters
        ----------
        {raw_documents}
        {labels}
        {groups}
        vectors : array of shape (documents, numbers), default=None
            The vectors of an encoder, as in `fit`.
        n_next : int, default=100
            How many texts to label next; a tenth of them are taken at random.

        Returns
        -------
        pandas.DataFrame
            `row`, the position of a document from 0; `why`: "label" for one to look at, "next" or
            "random" for one to label next; its `label`; the `likelier` class; both probabilities,
            as `probability_of_label` and `probability`; and as `copies` other labels of documents
            with the same text.

        Raises
        ------
        BadInput
            As `fit` raises it, when documents have several labels, and when there are too few.
        """
        from pte.classify.folds import Collection
        from pte.classify.review import review

        n_next = check_whole("n_next", n_next, 0)
        with as_bad_input():
            texts = as_bytes(raw_documents)
            labels, ids = required_labels(y, len(texts)), list(map(str, range(len(texts))))
            assert labels is not None
            rows = self._rows(texts, vectors)
            of = Collection(texts, labels, ids, read_groups(groups, len(texts)), vectors=rows)
            model = clone(self).set_params(random_state=self._seed())
            return review(model, of, n_next, self._n_threads())

    @property
    def _n_features_out(self) -> int:
        return int(self._vectors_of(self._numbered([""])).shape[1])

    def __getattr__(self, name: str) -> Any:
        """Raise `NoWordVectors` for the word vectors of a method that learns none."""
        if name == "word_vectors_" and "_trained" in vars(self):
            name = self._trained.method.name
            raise NoWordVectors(f"{name} learnt no word vectors; learn by pte_joint, for instance")
        raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")

    def _learn(self, given: Given, setup: Setup) -> None:
        labels = required_labels(given.y, len(given.texts), self.names)
        given, labels = self._with_names(given, labels)
        assert labels is not None
        vectors = self._encoded(given)
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

    def _encoded(self, given: Given) -> NDArray[np.float32] | None:
        """Return a row for each text; vectors that are given have none for the names of classes."""
        n = len(given.texts) - given.n_names
        rows = self._rows(given.texts[:n], given.vectors)
        if rows is None or not given.n_names:
            return rows
        named = self._rows(given.texts[n:], None)
        if named is None:
            raise BadInput("names: vectors hold no row for a name; give the encoder that made them")
        return np.concatenate([rows, named])

    def _vectors_of(self, corpus: EncodedCorpus) -> NDArray[np.float32]:
        method, learnt = self._trained.method, self._trained.learnt
        if method.spec.yields == "documents":
            return np.asarray(read(method, learnt, corpus), np.float32)
        if (vectors := word_vectors_of(learnt)) is not None:
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
        if trained.held_out is not None:
            arrays |= {f"{HELD_OUT}{n}": each for n, each in trained.held_out._asdict().items()}
        facts: dict[str, Any] = {"learnt": trained.learnt.facts, "several": trained.several}
        facts |= {"power": trained.power} | ({"encoded": self._dim} if self._dim else {})
        facts["method"] = {"name": trained.method.name, "options": dict(trained.method.options)}
        if classifier is not None and trained.choice is not None:
            arrays |= {f"{CLASSIFIER}{name}": each for name, each in vars(classifier).items()}
            facts["choice"] = asdict(trained.choice)
        return Fit(arrays, facts)

    def _entry(self) -> Method:
        return method_named(self.method)

    def _settings(self, setup: Setup) -> Settings:
        samples = check_samples(self.samples, MOST_SAMPLES)
        shape = replace(setup.hyperparameters, step=Step.of("grouped"))
        return Settings(setup.seed, shape, samples, setup.threads)


@estimator
class PTEAuto(TextClassifier):
    """PTE(auto): a classifier that learns from vectors of PTE and LINE and from the words.

    Take it to predict one label for each document, when you do not want to tune. It sets its own
    hyperparameters, and trains up to twelve times. `PTEClassifier` trains one to four times, and
    learns several labels for each document.

    Six experts learn the classes. Five are logistic regressions: on vectors of PTE(joint), on
    vectors of LINE, on TF-IDF of words and pairs of words, on TF-IDF of runs of letters, and on
    log-count ratios of words and pairs. The other is naive Bayes with EM. Labelled documents that
    no expert has seen, the judges, decide how much each expert counts. Letters count only with up
    to 20,000 labelled documents. Documents without a label train as well. With an `encoder` of
    texts, a seventh expert is a logistic regression on its vectors; if few documents judge, the
    other experts count only as far as they surely help. Regressions lean towards large classes, and
    "rare classes" is the weight of what speaks for small ones.

    With many labels, words carry the classifier, and vectors add little. With few labels, vectors
    add one to ten points.

    Parameters
    ----------
    pairs : bool, default=True
        Whether pairs of neighbouring words count, too. Without pairs, a model is many times
        smaller.
    samples_limit : int, default=150_000_000
        The most edges that a training draws, so that a smaller limit bounds the time of `fit`.
    {encoder}
    {names}
    {window}
    {common}

    Attributes
    ----------
    {classes}
    {class_shares}
    chosen_ : dict
        What was chosen: under "samples" T of PTE(joint) and T of LINE, and under "experts" how much
        each expert counts, by its name; 0 means that it does not count.
    judged_ : Judgement or None
        The micro-F1, in percent, of the classifier on the judges, as `micro_f1`, its 95 % interval,
        as `interval`, and the number of judges, as `documents`. The judges had no part in the
        weights by which they are predicted; fewer than some hundred judges say little. It is
        None if no class has two labelled documents, so that none can judge.
    several_labels_ : bool
        False: the classifier learns one label for each document.
    {word_vectors}
    {label_vectors}

    See Also
    --------
    pte.PTEClassifier : Faster, and for several labels for each document.
    pte.TextClassifier : The same and all other methods, as a contest compares them.
    pte.LabelledFolds : Folds for cross-validation with documents that have no label.

    Notes
    -----
    LINE is trained without the text of any judge, or anew for each fold if more than half of the
    documents judge, and once more at the end. PTE begins at these vectors, with a third of their
    edges, for each of up to five folds and at the end. T of LINE is 2,000 edges for each word, up
    to `samples_limit`. Memory is that of two trainings, about 130 bytes for each token, and 24
    bytes for each class and each word or pair. With the same seed, words, T and one thread,
    `TextClassifier(method="pte_auto")` and the workflow give the same predictions for documents
    without new words, whose letters the workflow leaves out.

    References
    ----------
    {paper}
    Section 3 has the networks, and section 5.4 leaves weights for few labels to future work. Wang
    and Manning: Baselines and Bigrams, ACL 2012 (log-count ratios). Nigam, McCallum, Thrun and
    Mitchell: Text Classification from Labeled and Unlabeled Documents using EM, Machine Learning
    39, 2000.

    Examples
    --------
    {example}
    >>> model = pte.PTEAuto(dim=8, samples_limit=20_000, threads=1, random_state=0)
    >>> model.fit(texts * 5, labels * 5).predict(["the goal of the team", "the rate of the bank"])
    array(['sport', 'money'], dtype='<U5')
    >>> sorted(model.chosen_["experts"])
    ['LINE', 'NB+EM', 'PTE', 'TF-IDF', 'letters', 'log-count ratios', 'rare classes']
    >>> model.judged_.documents
    15
    """

    method: ClassVar[str] = pte_auto.METHOD  # type: ignore[misc]
    samples: ClassVar[str] = "chosen"  # type: ignore[misc]
    pairs: bool = True
    samples_limit: int = MOST_EDGES

    def _entry(self) -> Method:
        method = super()._entry()
        return replace(method, options={**method.options, "pairs": bool(self.pairs)})

    def _settings(self, setup: Setup) -> Settings:
        limit = check_whole("samples_limit", self.samples_limit, 1, most=MOST_SAMPLES)
        return replace(super()._settings(setup), samples_limit=limit)


def with_encoder(name: str) -> Method:
    """Return the method that learns where an encoder joins the method of this name."""
    return method_named(JOINS.get(name, name))


def _joined(method: Method) -> Method:
    """Return the method that takes the vectors of an encoder in place of another method."""
    joined = with_encoder(method.name)
    if not joined.encoded:
        raise BadInput(f"encoder: {method.name} has no use for it; leave it out")
    return replace(joined, options={**joined.options, **method.options})
