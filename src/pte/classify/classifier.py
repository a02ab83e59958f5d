"""PTE and a classifier together, as the paper evaluates vectors (section 5.1).

The classifier minimises the objective of LIBLINEAR, by Newton's method (`pte.evaluation.newton`).
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from pte.array_file import ArrayFile
from pte.classify.errors import BadInput, check_positive
from pte.classify.label_space import class_shares_of
from pte.classify.model_file import Fit
from pte.classify.networks import PTE
from pte.classify.scoring import ScoredOnLabels
from pte.classify.texts import Texts
from pte.corpora.encoded import EncodedCorpus
from pte.corpora.texts import GivenLabels
from pte.evaluation import newton
from pte.evaluation.evaluate import class_shares, document_means, fit_targets
from pte.evaluation.linear import MultilabelClassifier, classifier_of
from pte.evaluation.setting import NEWTON


@dataclass(kw_only=True, eq=False, repr=False)
class PTEClassifier(ScoredOnLabels, PTE):
    """PTE, and logistic regression on the vectors of the labelled documents.

    Take it to predict one or several labels for each document when only a part of the documents has
    labels: it learns from the text of the others, too. For one label for each document, take
    `PTEAuto` unless its minutes of training matter.

    Each class is learned against the rest, without a bias. Where labels are lists or a matrix,
    `predict` returns an indicator matrix. An empty list or a row of zeros in `y` teaches the
    classifier that a document may have none of the classes.

    Parameters
    ----------
    C : float, default=1.0
        Inverse strength of the L2 regularisation, above 0, as in LIBLINEAR; the paper has C = 1.
        Where documents have several labels, rare ones seldom reach a probability of 0.5; with a
        larger C more of them do.
    class_weight : None, "balanced" or dict, default=None
        How much the labelled documents of each class count for the logistic regression. "balanced"
        lets all classes count alike, so that small ones are predicted more often. A dict has a
        number for a class, as in scikit-learn; other classes have 1. Neither the word vectors nor
        the search for T know it, and documents may not have several labels.
    networks : tuple of str, or tuple of tuple of str, default=("ww", "wd", "wl")
        Networks that are trained together. "ww" has words beside words, "wd" words in documents,
        "wl" words in documents of a label, and "ws" words in spans of 20 tokens, in place of
        sentences. The default is PTE(joint). A tuple of names for each phase makes the phases
        follow one another: `(("ww", "wd"), ("wl",))` is PTE(pretrain). Where no document has a
        label, "wl" is left out.
    samples : int, "chosen" or "auto", default="chosen"
        T, the number of edges that each phase draws. It matters most. "chosen" searches for T: it
        holds out a fifth of the labelled documents, at most 5,000, trains once, and takes the T at
        which these documents are classified best. Then it trains anew, on all documents; of several
        phases, all but the last draw `samples_limit` edges. It needs two classes, and ten labelled
        documents for each class on average; otherwise it is "auto". "auto" is ten times the number
        of edges of the largest phase, where a stream counts its tokens as edges. A number saves the
        search.
    samples_limit : int, default=150_000_000
        The largest T that "chosen" may take. The search draws at most this many edges in each
        phase, so that a smaller limit bounds the time of `fit`.
    network_weights : "chosen", "paper", "auto" or dict of str to float, default="chosen"
        How often edges are drawn from each network. "paper" draws equally often from all. "auto"
        draws less often from "wd", "wl" and "ws" where their tokens would each be drawn more than
        ten times, so that few labels are not learned by heart. "chosen" lets the held-out documents
        that choose `samples` choose one of the two, for the T that they choose; where nothing is
        held out, it is "auto" if less than half of the documents have labels. A dict, such as
        `{"wl": 0.1}`, gives weights relative to 1 for the other networks.
    edges : {"streamed", "stored"}, default="streamed"
        "streamed" draws edges from the text, "stored" counts them first. The distribution is the
        same, the random numbers are not. "stored" takes 28 bytes for each edge, or 40 where edges
        are grouped, instead of 4 for each token.
    step : {"edge", "shared", "grouped"}, default="grouped"
        Which edges are trained together. "edge" trains each edge alone, as in the paper. "grouped"
        trains eight edges of one source together, and is three to four times as fast at the same
        scores. "shared" is between the two. Above a `learning_rate` of 0.05, "grouped" may diverge.
    keep_interrupted : bool, default=False
        Whether Ctrl-C ends training early and keeps the vectors, with a `ConvergenceWarning`;
        pressed twice, it interrupts as ever. Ctrl-C in a search for T keeps nothing.
    warm_start : bool, default=False
        Whether another `fit` goes on from `word_vectors_`. Words that the model knows begin with
        their vectors; known words that the new documents lack keep their vectors. `dim` must stay.
        The classes are those of the new labels. Give `samples` as a number then, because the search
        for T begins without the known vectors.
    dim : int, default=100
        Length of a vector; the paper has 100. Time and memory grow with it.
    negative : int, default=5
        Number of negative samples (K in the paper): from how many words, drawn at random, training
        tells each true word apart. 0 or more. Time grows with it, unless
        steps are grouped.
    window : int, default=5
        Largest distance, in tokens, of two words that are neighbours in the network "ww"; 1 or
        more.
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
        The vectors of the words, float32, shape (words, dim), the most frequent first; after a warm
        start, words that only earlier documents have come last.
    label_vectors_ : KeyedVectors or None
        The vectors of the classes that have a document, by their names as text, float32, shape
        (classes, dim), in the space of the word vectors; None if no labelled document has a word.
        The vector of a label is the mean over all tokens of its documents, minus the mean over all
        such labels if there are several; it is zero for a label whose documents have no word.
    classes_ : ndarray of shape (classes,)
        The labels in ascending order, or in the order of the columns of a matrix.
    class_shares_ : ndarray of float64, shape (classes,)
        The share of the labelled documents of `fit` that have each class. They decide about
        documents without a known word.
    classifier_ : LinearClassifier or MultilabelClassifier
        The logistic regression. Its `weights` are float64, shape (dim, classes that have a
        document); (dim, 1) for two classes with one label for each document.
    samples_ : int or list of int
        T; after a search with several phases, T of each phase.
    n_edges_ : int
        The number of edges drawn in all phases. It may be a little more than T in each phase,
        because "grouped" draws eight at a time; it is less after Ctrl-C.
    samples_curve_ : tuple of (int, float)
        The search: pairs of a T and a micro-F1 in percent; empty if T was not chosen.
    network_weights_ : dict of str to float
        The weights by network; a network that is not there has the weight 1.

    See Also
    --------
    pte.PTEAuto : Sets its own hyperparameters, for one label for each document.
    pte.LabelledFolds : Folds for cross-validation with documents that have no label.
    pte.PTE : The vectors alone.

    Notes
    -----
    Time and memory are those of `PTE`; the classifier takes about 50 · dim bytes for each labelled
    document. It minimises the objective of LIBLINEAR, by Newton's method.

    References
    ----------
    Tang, Qu and Mei: PTE: Predictive Text Embedding through Large-scale Heterogeneous Text
    Networks, KDD 2015, https://arxiv.org/abs/1508.00200. Section 3 has the networks, section 4 the
    training, and section 5.1 the classifier.

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
    >>> model = pte.PTEClassifier(dim=8, samples=20_000, threads=1, random_state=0)
    >>> model.fit(texts * 5, labels * 5).predict(["the goal of the team", "the rate of the bank"])
    array(['sport', 'money'], dtype='<U5')
    >>> model.predict_proba(texts).shape
    (4, 2)
    >>> model.score(texts, labels)
    1.0
    """

    C: float = 1.0
    class_weight: str | Mapping[Any, float] | None = None

    def fit(self, raw_documents: Iterable[str | bytes], y: Any = None, groups: Any = None) -> Self:
        """Learn vectors from all documents, and classes from the labelled documents.

        Parameters
        ----------
        raw_documents : iterable of str or bytes
            The documents; bytes count as UTF-8.
        y : sequence or matrix with an item for each document, default=None
            The labels: a label; a list of labels; or a row of an indicator matrix, dense or sparse,
            or of a data frame whose columns are the classes. None, -1, NaN, pandas' NA, empty text,
            or a row of -1 or NaN means that the document has no label. An empty list or a row of
            zeros means that it has none of the classes. It then has no edge to a class, like a
            document without a label, but the classifier learns from it.
        groups : sequence of length (documents,), default=None
            The group of each document, such as its author; None or NaN is no group. No document is
            held out while others of its group train, so that what is chosen serves new groups.
            If all labelled documents are of one group, groups do not count.

        Returns
        -------
        Self
            The fitted estimator.

        Raises
        ------
        BadInput
            When a parameter or the documents cannot be used, and when training diverges; when there
            are more or fewer labels than documents, or labels of different types; when no document
            has a label; and when all labels are the same. It is a `ValueError`.
        """
        if y is None:
            raise BadInput("y: the classifier requires y to be passed, but the target y is None")
        check_positive("C", self.C)
        return super().fit(raw_documents, y, groups)

    def predict(self, raw_documents: Texts) -> NDArray[Any]:
        """Return the class of each document; with several labels, a row with a 1 for each class.

        Parameters
        ----------
        raw_documents : iterable of str or bytes, or EncodedCorpus
            The documents, or what `encode` has made of them.

        Returns
        -------
        ndarray of shape (documents,), or of int64, shape (documents, classes)
            The classes, of the dtype of `classes_`. A document without a known word gets the
            largest class of `fit`, the first of equally large ones; `count_known` finds such
            documents. Where labels were lists or a matrix, the columns are those of `classes_`: 1
            where a class is more likely than not, so that a row may be all 0.

        Raises
        ------
        BadInput
            When the documents are not text, and when another model has encoded them.
        NotFittedError
            When the model was not fitted.
        """
        corpus = self.encode(raw_documents)
        predicted = self.classifier_.predict(self._vectors_of(corpus))
        if predicted.ndim == 2:
            return self._with_prior(self._in_columns(predicted), corpus).astype(np.int64)
        return np.asarray(self.classes_[self._with_prior(self._present[predicted], corpus)])

    def predict_proba(self, raw_documents: Texts) -> NDArray[np.float64]:
        """Return the probability of each class of `classes_`.

        The logistic functions of the classes are scaled to add up to 1, as in LIBLINEAR, unless a
        document may have several classes.

        Parameters
        ----------
        raw_documents : iterable of str or bytes, or EncodedCorpus
            The documents, or what `encode` has made of them.

        Returns
        -------
        ndarray of float64, shape (documents, classes)
            The probabilities; 0 for a class that had no document in `fit`. A document without a
            known word has those of `class_shares_`.

        Raises
        ------
        BadInput
            When the documents are not text, and when another model has encoded them.
        NotFittedError
            When the model was not fitted.
        """
        corpus = self.encode(raw_documents)
        each = self.classifier_.probabilities(self._vectors_of(corpus))
        return self._with_prior(self._in_columns(each), corpus)

    def __sklearn_tags__(self) -> Any:
        """Return tags that say: a document may have several labels."""
        tags = super().__sklearn_tags__()
        tags.classifier_tags.multi_label = True
        return tags

    @property
    def several_labels_(self) -> bool:
        """Whether a document may have several classes."""
        return isinstance(self.classifier_, MultilabelClassifier)

    def __sklearn_is_fitted__(self) -> bool:
        """Return whether there is a classifier; a warm start has word vectors alone."""
        return hasattr(self, "classifier_")

    def _labels(self, y: Any, n_documents: int) -> GivenLabels:
        labels = super()._labels(y, n_documents)
        if labels is None:
            raise BadInput("y: no document has a label; a classifier needs some of each class")
        if labels.classes.size == 1 and not labels.several:
            hint = "; -1 is no label here" if labels.classes.dtype.kind in "iuf" else ""
            raise BadInput(
                f"y: the labelled documents are all of one class, {labels.classes[0]}{hint}"
            )
        self._class_weights(labels)  # so that an error comes before the training
        return labels

    def _learn_classes(self, corpus: EncodedCorpus, labels: GivenLabels | None) -> None:
        super()._learn_classes(corpus, labels)
        assert labels is not None  # `_labels` raises otherwise
        self._present = labels.present
        known = labels.known
        features = document_means(corpus, self.word_vectors_.vectors)[known]
        targets = corpus.targets(known)
        shares = class_shares(targets, corpus.n_classes)
        self.class_shares_ = np.asarray(self._in_columns(shares[None])[0])
        weights = self._class_weights(labels)
        if weights is None:
            self.classifier_ = fit_targets(features, targets, float(self.C), solver=NEWTON)
        else:
            numbers = np.asarray(targets, np.int32)
            each = weights[numbers]
            self.classifier_ = newton.fit(features, numbers, float(self.C), weights=each)

    def _class_weights(self, labels: GivenLabels) -> NDArray[np.float64] | None:
        """Return how much a document of each class counts; None if all count alike."""
        given, classes = self.class_weight, labels.classes
        if given is None:
            return None
        if labels.several:
            raise BadInput("class_weight: documents have several labels; leave it out")
        if isinstance(given, str) and given == "balanced":
            counts = np.bincount([row[0] for row in labels.of_documents if row])
            return np.asarray(counts.sum() / (np.count_nonzero(counts) * np.maximum(counts, 1)))
        if not isinstance(given, Mapping):
            raise BadInput(f'class_weight is {given!r}; it must be "balanced", a dict, or None')
        by_name = {str(name): weight for name, weight in given.items()}
        names = [str(name) for name in classes.tolist()]
        if unknown := by_name.keys() - set(names):
            known = ", ".join(names[:20])
            raise BadInput(f"class_weight: no class {min(unknown)!r}; there are {known}")
        weights = (by_name.get(name, 1.0) for name in names)
        return np.array([check_positive("class_weight", weight) for weight in weights])

    def _fit(self) -> Fit:
        fit, classifier = super()._fit(), self.classifier_
        arrays: dict[str, Any] = {"weights": classifier.weights, "present": self._present}
        arrays["class_shares"] = self.class_shares_
        if isinstance(classifier, MultilabelClassifier):
            arrays["always"] = classifier.always
        else:
            arrays["order"] = classifier.classes
        return Fit({**fit.arrays, **arrays}, fit.facts)

    def _restore(self, fit: ArrayFile) -> None:
        super()._restore(fit)
        self._present = fit.numbers("present", self.classes_.size, "present")
        n = fit.lengths["present"]
        if not n:
            raise fit.fault("it has no class")
        self.class_shares_ = class_shares_of(fit)
        self.classifier_ = classifier_of(fit, "dim", n, "order")
