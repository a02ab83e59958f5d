"""The base of classifiers: scores on labelled documents, and logarithms of probabilities."""

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import ClassifierMixin
from sklearn.utils.validation import check_is_fitted

from pte.classify.errors import BadInput, check_whole
from pte.classify.given import items_of
from pte.classify.labels import read_labels
from pte.classify.texts import Texts
from pte.corpora.encoded import EncodedCorpus
from pte.evaluation.calibration import LEAST
from pte.evaluation.evaluate import with_prior, without_words
from pte.limits import MOST


class ScoredOnLabels(ClassifierMixin):  # type: ignore[misc]
    """A classifier with `predict_proba`, scored on the documents that have a label.

    Its fitted attribute `class_shares_` is what it predicts for a document without a known word.
    """

    _present: NDArray[np.int64]
    """The numbers of the classes that had a document in `fit`."""

    def _in_columns(self, values: NDArray[Any]) -> NDArray[Any]:
        """Put columns of classes that have a document among columns of zeros for other classes."""
        found = np.zeros((len(values), self.classes_.size), values.dtype)
        found[:, self._present] = values
        return found

    def _with_prior(self, found: NDArray[Any], corpus: EncodedCorpus) -> NDArray[Any]:
        """Give the documents of `corpus` without a known word the prior, as `with_prior` does."""
        every = np.arange(corpus.n_documents)
        return np.asarray(with_prior(found, without_words(corpus, every), self.class_shares_))

    def predict_log_proba(self, raw_documents: Texts) -> NDArray[np.float64]:
        """Return the logarithms of `predict_proba`; log 0 is -inf.

        Parameters
        ----------
        raw_documents : iterable of str or bytes, or EncodedCorpus
            The documents, or what `encode` has made of them.

        Returns
        -------
        ndarray of float64, shape (documents, classes)
            A logarithm for each document and each of `classes_`.

        Raises
        ------
        BadInput
            When the documents are not text, and when another model has encoded them.
        NotFittedError
            When the model was not fitted.
        """
        with np.errstate(divide="ignore"):
            return np.asarray(np.log(self.predict_proba(raw_documents)))

    def decision_function(self, raw_documents: Texts) -> NDArray[np.float64]:
        """Return how much speaks for each class, from the probabilities of `predict_proba`.

        Parameters
        ----------
        raw_documents : iterable of str or bytes, or EncodedCorpus
            The documents, or what `encode` has made of them.

        Returns
        -------
        ndarray of float64, shape (documents, classes) or (documents,)
            The logarithm of the probability of each class. For two classes of which a document has
            one, the log-odds of the second. Where a document may have several classes, the log-odds
            of each. Probabilities of 0 count as 1e-300.

        Raises
        ------
        BadInput
            When the documents are not text, and when another model has encoded them.
        NotFittedError
            When the model was not fitted.
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
        found = (
            [self.classes_[row == 1] for row in predicted]
            if predicted.ndim == 2
            else predicted.reshape(-1, 1)
        )
        true = [labels.classes[list(labels.of_documents[i] or ())] for i in known]
        right = [set(a.tolist()) == set(b.tolist()) for a, b in zip(found, true, strict=True)]
        return float(np.average(right, weights=None if weights is None else weights[known]))

    def _adds(self, corpus: EncodedCorpus, number: int | None) -> list[tuple[str, float]]:
        """Return what each word of one document adds to a class, or to the most probable class.

        This is the log-odds with the word, minus the log-odds when all its occurrences are left
        out; the largest comes first. An encoder still reads the whole text.
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
    """Return a weight for each document. Raises `BadInput` for others than numbers from 0 on."""
    weights = np.asarray(given)
    if weights.shape != (n_documents,):
        raise BadInput(f"sample_weight: shape {weights.shape} for {n_documents} documents")
    if weights.dtype.kind not in "iufb" or not (np.isfinite(weights) & (weights >= 0)).all():
        raise BadInput("sample_weight: give finite numbers, 0 or more")
    return weights.astype(np.float64)
