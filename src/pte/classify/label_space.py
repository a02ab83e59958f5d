"""Vectors of labels in the space of the word vectors."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from sklearn.utils.validation import check_is_fitted

from pte.array_file import ArrayFile
from pte.classify.base import TextEmbedding
from pte.classify.errors import BadInput, as_bad_input
from pte.classify.model_file import Fit
from pte.corpora.encoded import EncodedCorpus
from pte.corpora.texts import GivenLabels
from pte.evaluation.evaluate import Shares, mean_vectors
from pte.keyed_vectors import KeyedVectors
from pte.networks import named


@dataclass(kw_only=True, eq=False, repr=False)
class LabelSpace(TextEmbedding):
    """Base class of estimators that have vectors of labels in the space of the word vectors.

    They have `classes_` and `label_vectors_`.
    """

    def nearest_words(self, label: Any, topn: int = 10) -> list[tuple[str, float]]:
        """Return the words with the largest cosines to the vector of a label, and the cosines.

        Parameters
        ----------
        label : object
            One of `classes_`, or its name as text.
        topn : int, default=10
            How many words to return at most.

        Returns
        -------
        list of (str, float)
            Words and their cosines, the largest cosine first.

        Raises
        ------
        BadInput
            When `label_vectors_` has no such label, when its documents have no word, and when
            `topn` is no whole number from 0 on.
        NotFittedError
            When the model was not fitted.
        """
        check_is_fitted(self)
        words, known = self.word_vectors_, self.label_vectors_
        if known is None or str(label) not in known:
            names = ", ".join(known) if known else "none"
            raise BadInput(f"no label {label!r}; there are {names}")
        if not known[str(label)].any():
            raise BadInput(f"label {label!r}: its documents have no word, so no word is near it")
        with as_bad_input():
            return words.nearest(known[str(label)], topn)

    def _learn_classes(self, corpus: EncodedCorpus, labels: GivenLabels | None) -> None:
        self.classes_ = labels.classes if labels else np.empty(0, np.int64)
        self.label_vectors_ = label_vectors(corpus, self.word_vectors_) if labels else None

    def _fit(self) -> Fit:
        fit, labels = super()._fit(), self.label_vectors_
        arrays = {"classes": self.classes_}
        if labels is not None:
            arrays["label_vectors"] = labels.vectors
        return Fit({**fit.arrays, **arrays}, {**fit.facts, "labels": list(labels or ())})

    def _restore(self, fit: ArrayFile) -> None:
        super()._restore(fit)
        self.classes_ = classes_of(fit)
        labels = tuple(fit.fact("labels", [str]))
        self.label_vectors_ = label_vectors_of(fit, labels)


def classes_of(fit: ArrayFile) -> NDArray[Any]:
    """Return the classes of a model; their number is known as "classes" from then on."""
    return fit.array("classes", "U S i u b f", "classes")


def class_shares_of(fit: ArrayFile) -> Shares:
    """Return the shares of the classes, of which there must be one."""
    if not fit.lengths["classes"]:
        raise fit.fault("it has no class")
    return fit.array("class_shares", "float64", "classes")


def label_vectors_of(fit: ArrayFile, labels: tuple[str, ...]) -> KeyedVectors | None:
    """Return the vectors of labels of a model; None if it has none."""
    if "label_vectors" not in fit:
        return None
    return KeyedVectors(labels, fit.array("label_vectors", "float32", len(labels), "dim"))


def label_vectors(corpus: EncodedCorpus, words: KeyedVectors) -> KeyedVectors | None:
    """Return the vector of each class; None if no labelled document has a word.

    It is the mean of its words, less the mean of such means where several classes have words. It is
    zero for a class without words.
    """
    if not named.tokens("wl", corpus):
        return None
    edges = named.build("wl", corpus, None)
    shape = (edges.n_sources, edges.n_targets)
    counts = sparse.csr_array((edges.weight, (edges.source, edges.target)), shape=shape)
    means = mean_vectors(counts, words.vectors)
    with_words = counts.sum(axis=1) > 0
    if with_words.sum() > 1:
        means[with_words] -= means[with_words].mean(axis=0)
    return KeyedVectors(corpus.classes, means)
