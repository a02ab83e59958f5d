"""Classifiers: what all of them say of labels, and PTE with a classifier (section 5.1)."""

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import ClassifierMixin
from sklearn.utils.validation import check_is_fitted

from pte.array_file import ArrayFile
from pte.classify.base import estimator
from pte.classify.errors import BadInput, check_positive, check_whole
from pte.classify.given import Texts, items_of, read_labels
from pte.classify.help import filled
from pte.classify.learning import decided
from pte.classify.model_file import Fit, class_shares_of
from pte.classify.networks import PTE
from pte.classify.reading import Classes
from pte.corpora.encoded import EncodedCorpus
from pte.corpora.texts import GivenLabels
from pte.evaluation.calibration import LEAST
from pte.evaluation.evaluate import (
    class_shares,
    document_means,
    fit_targets,
    with_prior,
    without_words,
)
from pte.evaluation.linear import MultilabelClassifier, classifier_of
from pte.evaluation.setting import NEWTON
from pte.limits import MOST


def required_labels(y: Any, n_documents: int, names: Any = None) -> GivenLabels | None:
    """Return the labels of `read_labels`, of which a classifier without `names` needs some."""
    if names is not None:
        return read_labels(y, n_documents)
    if y is None:
        raise BadInput("y: the classifier requires y to be passed, but the target y is None")
    if (labels := read_labels(y, n_documents)) is None:
        raise BadInput("y: no document has a label; a classifier needs some of each class")
    return labels


@filled
class LabelClassifier(Classes, ClassifierMixin):  # type: ignore[misc]
    """Classifiers with `predict_proba`, which are scored on the documents that have a label."""

    def predict(self, raw_documents: Texts) -> NDArray[Any]:
        """Return the class of each document; with several labels, a row with a 1 for each class.

        {documents}

        Returns
        -------
        ndarray of shape (documents,), or of int64, shape (documents, classes)
            The most probable class, of the dtype of `classes_`. If documents may have several
            labels, the columns are those of `classes_`: 1 where a class is more likely than not, so
            that a row may be all 0.

        {raises}
        """
        found = decided(self.predict_proba(raw_documents), self.several_labels_)
        return np.asarray(found, np.int64) if self.several_labels_ else self.classes_[found]

    def decision_function(self, raw_documents: Texts) -> NDArray[np.float64]:
        """Return how much speaks for each class, from the probabilities of `predict_proba`.

        {documents}

        Returns
        -------
        ndarray of float64, shape (documents, classes) or (documents,)
            The logarithm of the probability of each class. For two classes of which a document has
            one, the log-odds of the second. Where a document may have several classes, the log-odds
            of each. Probabilities of 0 count as 1e-300.

        {raises}
        """
        likely = self.predict_proba(raw_documents)
        logs = np.log(np.maximum(likely, LEAST))
        if self.several_labels_:
            return np.asarray(logs - np.log(np.maximum(1 - likely, LEAST)))
        return np.asarray(logs[:, 1] - logs[:, 0] if logs.shape[1] == 2 else logs)

    def explain(
        self, text: str | bytes | EncodedCorpus, label: Any = None, topn: int = 10
    ) -> list[tuple[str, float]]:
        """Return the words of a text that speak for and against a label.

        Parameters
        ----------
        text : str or bytes, or EncodedCorpus
            One document, or what `encode` has made of it.
        label : object, default=None
            One of `classes_`, or its name as text; None is the most probable class.
        topn : int, default=10
            How many words to return at most, those that change the probability most.

        Returns
        -------
        list of (str, float)
            Words, and how much the log-odds of the label fall when the word is left out, the
            largest first. A negative number speaks against the label. Words that `fit` has not met
            are listed if the method sees their letters.

        Raises
        ------
        BadInput
            When `classes_` has no such label, and when the text is not text.
        NotFittedError
            When the model was not fitted.
        """
        check_is_fitted(self)
        topn = check_whole("topn", topn, 0, most=MOST)
        names = [str(each) for each in self.classes_.tolist()]
        if label is not None and str(label) not in names:
            raise BadInput(f"no label {label!r}; there are {', '.join(names)}")
        number = None if label is None else names.index(str(label))
        corpus = self.encode(text if isinstance(text, EncodedCorpus) else [text])
        if corpus.n_documents != 1:
            raise BadInput(f"text: {corpus.n_documents} documents; explain one at a time")
        words = self._adds(corpus, number)
        largest = sorted(words, key=lambda pair: -abs(pair[1]))[:topn]
        return sorted(largest, key=lambda pair: -pair[1])

    def score(self, X: Iterable[str | bytes], y: Any, sample_weight: Any = None) -> float:
        """Return the share of the labelled documents whose class is predicted.

        Where a document may have several labels, all its labels must be predicted, and no other
        label.

        Parameters
        ----------
        X : sequence of str or bytes
            The documents.
        y : sequence or matrix with an item for each document
            The true labels, as in `fit`; documents without a label do not count.
        sample_weight : sequence of float, shape (documents,), default=None
            How much each document counts; None means equally much.

        Returns
        -------
        float
            The share, 0 to 1.

        Raises
        ------
        BadInput
            When no document has a label, and when there are more or fewer labels or weights than
            documents.
        NotFittedError
            When the model was not fitted.
        """
        check_is_fitted(self)
        texts = items_of("X", X)
        labels = read_labels(y, len(texts), none_counts=True)
        weights = None if sample_weight is None else _weights(sample_weight, len(texts))
        if labels is None:
            raise BadInput("y: no document has a label; there is nothing to score")
        known = labels.known.tolist()
        if weights is not None and not weights[known].any():
            raise BadInput("sample_weight: all labelled documents have 0; give some more")
        kinds = [each.dtype.kind in "UT" for each in (self.classes_, labels.classes) if each.size]
        if len(set(kinds)) > 1:
            raise BadInput(
                f"y: labels such as {labels.classes[0]!r}, and `fit` had {self.classes_[0]!r}; "
                "give texts for texts, and numbers for numbers"
            )
        predicted = self.predict([texts[i] for i in known])
        if predicted.ndim == 1:
            predicted = predicted[:, None] == self.classes_
        found = [set(self.classes_[row == 1].tolist()) for row in predicted]
        true = [set(labels.classes[list(labels.of_documents[i] or ())].tolist()) for i in known]
        right = [one == other for one, other in zip(found, true, strict=True)]
        return float(np.average(right, weights=None if weights is None else weights[known]))

    def _adds(self, corpus: EncodedCorpus, number: int | None) -> list[tuple[str, float]]:
        """Return what each word adds to the log-odds of a class, the largest first.

        That is against the document without all its occurrences; an encoder still reads the whole
        text.
        """
        present, unknown = np.unique(corpus.tokens), corpus.unknown
        new = np.empty(0, np.int32) if unknown is None else np.unique(unknown.tokens)
        none = np.full(1, -1, np.int32)
        asked = _without(corpus, np.concatenate([none, present, none.repeat(new.size)]))
        if unknown is not None:
            left_out = np.concatenate([none.repeat(1 + present.size), new])
            asked = replace(asked, unknown=_without(unknown, left_out))
        likely = self.predict_proba(asked)
        chosen = int(likely[0].argmax()) if number is None else number
        others = 1 - likely[:, chosen]
        if not self.several_labels_:  # 1 − p would lose what is below 1e-16
            others = np.delete(likely, chosen, axis=1).sum(axis=1)
        odds = np.log(np.maximum(likely[:, chosen], LEAST)) - np.log(np.maximum(others, LEAST))
        adds = odds[0] - odds[1:]
        words = [corpus.words[i] for i in present]
        words += [unknown.words[i] for i in new] if unknown is not None else []
        order = np.argsort(-adds, kind="stable").tolist()
        return [(words[i].decode("utf-8", "replace"), float(adds[i])) for i in order]


@estimator
class PTEClassifier(LabelClassifier, PTE):
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
    {pte}
    {names}
    {edges}
    {window}
    {common}

    Attributes
    ----------
    {word_vectors}
    {label_vectors}
    {classes}
    {class_shares}
    classifier_ : LinearClassifier or MultilabelClassifier
        The logistic regression. Its `weights` are float64, shape (dim, classes that have a
        document); (dim, 1) for two classes with one label for each document.
    {drawn}

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
    {paper}
    Section 3 has the networks, section 4 the training, and section 5.1 the classifier.

    Examples
    --------
    {example}
    >>> model = pte.PTEClassifier(dim=8, samples=20_000, threads=1, random_state=0)
    >>> model.fit(texts * 5, labels * 5).predict(["the goal of the team", "the rate of the bank"])
    array(['sport', 'money'], dtype='<U5')
    >>> model.predict_proba(texts).shape
    (4, 2)
    >>> model.score(texts, labels)
    1.0
    """

    C: float = 1.0

    def predict_proba(self, raw_documents: Texts) -> NDArray[np.float64]:
        """Return the probability of each class of `classes_`.

        The logistic functions of the classes are scaled to add up to 1, as in LIBLINEAR, unless a
        document may have several classes.

        {documents}

        Returns
        -------
        ndarray of float64, shape (documents, classes)
            The probabilities; 0 for a class that had no document in `fit`. A document without a
            known word has those of `class_shares_`.

        {raises}
        """
        corpus = self.encode(raw_documents)
        found = self._in_columns(self.classifier_.probabilities(self._vectors_of(corpus)))
        empty = without_words(corpus, np.arange(corpus.n_documents))
        return with_prior(found, empty, self.class_shares_)

    def __sklearn_tags__(self) -> Any:
        """Say: a document may have several labels."""
        tags = super().__sklearn_tags__()
        tags.classifier_tags.multi_label = True
        return tags

    @property
    def several_labels_(self) -> bool:
        """Whether a document may have several classes."""
        return isinstance(self.classifier_, MultilabelClassifier)

    def _labels(self, y: Any, n_documents: int) -> GivenLabels | None:
        check_positive("C", self.C)
        labels = required_labels(y, n_documents, self.names)
        if labels and not self.names and labels.classes.size == 1 and not labels.several:
            hint = "; -1 is no label here" if labels.classes.dtype.kind in "iuf" else ""
            raise BadInput(
                f"y: the labelled documents are all of one class, {labels.classes[0]}{hint}"
            )
        return labels

    def _learn_classes(self, corpus: EncodedCorpus, labels: GivenLabels | None) -> None:
        super()._learn_classes(corpus, labels)
        assert labels is not None  # `_labels` raises
        self._present, known = labels.present, labels.known
        features = document_means(corpus, self.word_vectors_.vectors)[known]
        targets = corpus.targets(known)
        shares = class_shares(targets, corpus.n_classes)
        self.class_shares_ = np.asarray(self._in_columns(shares[None])[0])
        self.classifier_ = fit_targets(features, targets, float(self.C), solver=NEWTON)

    def _fit(self) -> Fit:
        fit, classifier = super()._fit(), self.classifier_
        fit.arrays.update(weights=classifier.weights, present=self._present)
        fit.arrays["class_shares"] = self.class_shares_
        if isinstance(classifier, MultilabelClassifier):
            fit.arrays["always"] = classifier.always
        else:
            fit.arrays["order"] = classifier.classes
        return fit

    def _restore(self, fit: ArrayFile) -> None:
        super()._restore(fit)
        self._present = fit.numbers("present", self.classes_.size, "present")
        n = fit.lengths["present"]
        if not n:
            raise fit.fault("it has no class")
        self.class_shares_ = class_shares_of(fit)
        self.classifier_ = classifier_of(fit, "dim", n, "order")


def _without(corpus: EncodedCorpus, words: NDArray[np.int32]) -> EncodedCorpus:
    """Return one document as many times as there are `words`, each time without one; -1 is none."""
    rows, tokens, n = corpus.vectors, np.asarray(corpus.tokens), len(words)
    variants = [tokens[tokens != word] for word in words]
    return replace(
        corpus,
        tokens=np.concatenate(variants),
        offsets=np.concatenate([[0], np.cumsum([each.size for each in variants])]),
        labels=np.repeat(corpus.labels, n),
        split=np.repeat(corpus.split, n),
        groups=None,
        memberships=None,
        vectors=None if rows is None else np.repeat(rows, n, axis=0),
    )


def _weights(given: Any, n_documents: int) -> NDArray[np.float64]:
    weights = np.asarray(given)
    if weights.shape != (n_documents,):
        raise BadInput(f"sample_weight: shape {weights.shape} for {n_documents} documents")
    if weights.dtype.kind not in "iufb" or not (np.isfinite(weights) & (weights >= 0)).all():
        raise BadInput("sample_weight: give finite numbers, 0 or more")
    return weights.astype(np.float64)
