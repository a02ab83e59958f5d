"""PTE and LINE as estimators (paper, section 4)."""

import numbers
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any, Literal, Self, cast

import numpy as np
from scipy import sparse

from pte.array_file import ArrayFile
from pte.classify.base import Given, TextEmbedding, estimator, shown
from pte.classify.errors import BadInput, check_choice, check_samples, check_whole
from pte.classify.given import read_labels
from pte.classify.model_file import Fit, classes_of, label_vectors_of
from pte.corpora.encoded import EncodedCorpus
from pte.corpora.texts import GivenLabels
from pte.errors import PteError
from pte.evaluation.evaluate import mean_vectors
from pte.keyed_vectors import KeyedVectors, of_bytes
from pte.limits import MOST_SAMPLES
from pte.models import network_embedding
from pte.networks import named
from pte.training.contract import Task
from pte.training.edges import Phases
from pte.training.setup import KINDS, Setup, Step

OF_TEXT = ("ww", "wd", "wl", "ws")  # the networks that come from texts and labels alone


@estimator
class LINE(TextEmbedding):
    """LINE (Tang et al., WWW 2015): word vectors from networks without labels.

    Take it when no document has a label, or to see what labels add to `PTE`. It learns from words
    beside words (ww) and words in documents (wd), and `transform` gives vectors of documents for
    any classifier.

    Parameters
    ----------
    networks : tuple of str, or tuple of tuple of str, default=("ww", "wd")
        Networks that are trained together. "ww" has words beside words, "wd" words in documents,
        and "ws" words in spans of 20 tokens, in place of sentences. "wl", which needs labels, is
        left out. A tuple of names for each phase makes the phases follow one another.
    samples : int, "auto" or "chosen", default="auto"
        T, the number of edges that each phase draws. It matters most. "auto" is ten times the
        number of edges of the largest phase, where a stream counts its tokens as edges. "chosen",
        which looks at labels in `PTE`, is "auto" here, but at most `samples_limit`.
    samples_limit : int, default=150_000_000
        The largest T if `samples` is "chosen".
    network_weights : "chosen", "paper", "auto" or dict of str to float, default="paper"
        How often edges are drawn from each network. "paper" draws equally often from all. "auto"
        draws less often from "wd" and "ws" where their tokens would each be drawn more than ten
        times. "chosen" is "auto" here. A dict, such as `{"wd": 0.1}`, gives weights relative to 1
        for the other networks.
    {edges}
    {window}
    {common}

    Attributes
    ----------
    {word_vectors}
    {drawn}

    See Also
    --------
    pte.PTE : Learns from labels as well.

    References
    ----------
    Tang, Qu, Wang, Zhang, Yan and Mei: LINE: Large-scale Information Network Embedding, WWW 2015,
    https://arxiv.org/abs/1503.03578.

    Examples
    --------
    {example}
    >>> model = pte.LINE(dim=8, samples=20_000, threads=1, random_state=0).fit(texts)
    >>> model.transform(["a goal in the match"]).shape
    (1, 8)
    >>> model.word_vectors_
    KeyedVectors of 16 keys ('the', 'a', 'bank', …), dim 8
    """

    networks: tuple[str, ...] | tuple[tuple[str, ...], ...] = ("ww", "wd")
    samples: int | str = "auto"
    samples_limit: int = 150_000_000
    network_weights: str | Mapping[str, float] = "paper"
    edges: Literal["streamed", "stored"] = "streamed"
    step: Literal["edge", "shared", "grouped"] = "grouped"

    def _learn(self, given: Given, setup: Setup) -> None:
        given, labels = self._with_names(given, self._labels(given.y, len(given.texts)))
        settings = self._settings(self._phases(labels is not None))
        corpus = self._corpus(given, labels, setup)
        shape = replace(setup.hyperparameters, step=Step.of(self.step))
        with shown("edge", self.verbose, type(self).__name__) as progress:
            task = Task(
                corpus,
                setup.seed,
                setup.threads,
                hyperparameters=shape,
                progress=progress,
                **settings,
            )
            plan = network_embedding.plan_of(task)
            trained = plan.train(task.setup)
        self.word_vectors_ = of_bytes(corpus.words, trained.vectors)
        self.samples_, self.n_edges_ = plan.samples, trained.samples
        self.samples_curve_ = plan.search.curve if plan.search else ()
        self.network_weights_ = dict(plan.weights)
        self._learn_classes(corpus, labels)

    @property
    def chosen_(self) -> dict[str, Any]:
        """T and the weights of the networks, as a classifier has what was chosen."""
        return {"samples": self.samples_, "network_weights": self.network_weights_}

    def _settings(self, phases: Phases) -> dict[str, Any]:
        weights = self.network_weights
        if not isinstance(weights, Mapping) and weights not in ("chosen", "paper", "auto"):
            raise BadInput(
                f'network_weights is {weights!r}; it must be "chosen", "paper", "auto", or a '
                "weight for each network"
            )
        if isinstance(weights, Mapping):
            weights = {n: _check_weight(n, weight) for n, weight in weights.items()}
        check_choice("edges", self.edges, ("streamed", "stored"))
        check_choice("step", self.step, KINDS)
        return {
            "options": {"phases": phases},
            "samples": check_samples(self.samples, MOST_SAMPLES),
            "samples_limit": check_whole("samples_limit", self.samples_limit, 1, most=MOST_SAMPLES),
            "weights": weights,
            "streamed": self.edges == "streamed",
        }

    def _labels(self, y: Any, n_documents: int) -> GivenLabels | None:
        """Return the labels to learn from; None for an estimator that learns from text alone."""
        return None

    def _learn_classes(self, corpus: EncodedCorpus, labels: GivenLabels | None) -> None:
        """Set the fitted attributes of classes; an estimator without classes sets none."""

    def _phases(self, labelled: bool) -> Phases:
        """Return the networks of each phase; without labels, leave out networks that need them."""
        given = self.networks
        phases = cast("tuple[tuple[str, ...], ...]", (given,) if _are_names(given) else given)
        if not isinstance(given, tuple | list) or not given or not all(map(_are_names, phases)):
            raise BadInput(
                f'networks is {given!r}; give a tuple of different names, such as ("ww", "wd")'
            )
        _check_networks("networks", (name for phase in phases for name in phase))
        if isinstance(self.network_weights, Mapping):
            _check_networks("network_weights", self.network_weights)
        possible = [
            tuple(name for name in phase if labelled or not named.spec(name).labels)
            for phase in phases
        ]
        if not any(possible):
            raise BadInput(f"networks is {given!r}, which needs labels; give y or other networks")
        return [phase for phase in possible if phase]

    def _fit(self) -> Fit:
        fit = super()._fit()
        fit.facts.update(samples=self.samples_, edges=self.n_edges_)
        fit.facts.update(curve=self.samples_curve_, weights=self.network_weights_)
        return fit

    def _restore(self, fit: ArrayFile) -> None:
        super()._restore(fit)
        self.samples_ = fit.fact("samples", (int, [int]))
        self.n_edges_ = fit.fact("edges", int)
        self.samples_curve_ = tuple(map(tuple, fit.fact("curve", [[float]])))
        self.network_weights_ = fit.fact("weights", dict)


@estimator
class PTE(LINE):
    """Predictive text embedding (Tang, Qu and Mei, KDD 2015): vectors of words and labels.

    Take it when a part of your documents has labels and you want vectors of words, documents and
    labels in one space. To predict labels, take `PTEClassifier` or `PTEAuto`.

    Word vectors are learned from networks of words beside words (ww), of words in documents (wd),
    and of words in documents of a class (wl). Documents without a label train as well. Without any
    label, PTE is LINE.

    Parameters
    ----------
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
    {drawn}

    See Also
    --------
    pte.PTEClassifier : Predicts labels as well.
    pte.PTEAuto : Predicts labels, and sets its own hyperparameters.
    pte.LINE : Learns without labels.
    pte.KeyedVectors : Holds vectors, and finds similar words.

    Notes
    -----
    Time is in proportion to T · (negatives + 1) · dim, divided among `threads`. Memory is the text
    itself, about 8 bytes for each token, and rows of 4 · dim bytes: three for each word, one for
    each training document.

    References
    ----------
    {paper}
    Section 3 has the networks, section 4 the objective (equations 4 to 7) and the training
    (algorithms 1 and 2), and equation 8 the vector of a document.

    Examples
    --------
    The last document has no label, and trains all the same:

    {example}
    >>> model = pte.PTE(dim=8, samples=20_000, threads=1, random_state=0)
    >>> model.fit_transform(texts, labels).shape
    (4, 8)
    >>> model.classes_.tolist()
    ['money', 'sport']
    >>> len(model.word_vectors_.nearest(model.label_vectors_["sport"], topn=3))
    3
    >>> model.count_known(["a goal of the oarsman"]).tolist()
    [4]
    """

    networks: tuple[str, ...] | tuple[tuple[str, ...], ...] = ("ww", "wd", "wl")
    samples: int | str = "chosen"
    network_weights: str | Mapping[str, float] = "chosen"
    names: Any = None

    def fit(self, raw_documents: Iterable[str | bytes], y: Any = None, groups: Any = None) -> Self:
        """Learn from all documents, and from the labels that there are.

        Parameters
        ----------
        {raw_documents}
        {labels}
        {groups}

        {fitted}
        """
        return self._fitted(raw_documents, y, groups)

    def _labels(self, y: Any, n_documents: int) -> GivenLabels | None:
        return read_labels(y, n_documents)

    def _learn_classes(self, corpus: EncodedCorpus, labels: GivenLabels | None) -> None:
        self.classes_ = labels.classes if labels else np.empty(0, np.int64)
        self.label_vectors_ = label_vectors(corpus, self.word_vectors_) if labels else None

    def _fit(self) -> Fit:
        fit, labels = super()._fit(), self.label_vectors_
        fit.arrays["classes"] = self.classes_
        if labels is not None:
            fit.arrays["label_vectors"] = labels.vectors
        fit.facts["labels"] = list(labels or ())
        return fit

    def _restore(self, fit: ArrayFile) -> None:
        super()._restore(fit)
        self.classes_ = classes_of(fit)
        self.label_vectors_ = label_vectors_of(fit, tuple(fit.fact("labels", [str])))


def label_vectors(corpus: EncodedCorpus, words: KeyedVectors) -> KeyedVectors | None:
    """Return the mean of each class's words, less the mean of these means; None without words."""
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


def _are_names(value: object) -> bool:
    return (
        isinstance(value, tuple | list)
        and all(isinstance(name, str) for name in value)
        and len(set(value)) == len(value)
    )


def _check_weight(network: str, weight: object) -> float:
    if not isinstance(weight, numbers.Real) or not 0 <= float(weight) < np.inf:
        raise BadInput(f"network_weights: {network!r} has {weight!r}; give a number, 0 or more")
    return float(weight)


def _check_networks(parameter: str, names: Iterable[str]) -> None:
    for name in names:
        try:
            named.module_name(name)
        except PteError:
            known = ", ".join(OF_TEXT)
            raise BadInput(f"{parameter} names {name!r}; there are {known}") from None
