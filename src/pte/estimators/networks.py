"""PTE and LINE as estimators (paper, section 4)."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal, Self, cast

import numpy as np

from pte.corpora.encoded import EncodedCorpus
from pte.corpora.tokenise import Tokeniser
from pte.errors import PteError
from pte.estimators.base import TextEmbedding
from pte.estimators.errors import BadInput, check_whole
from pte.estimators.label_space import LabelSpace
from pte.estimators.labels import GivenLabels, read_labels
from pte.estimators.model_file import Fit
from pte.estimators.progress import shown
from pte.estimators.texts import training_corpus
from pte.estimators.training import EdgePlan, check_samples, train_on_networks
from pte.keyed_vectors import KeyedVectors
from pte.networks import named
from pte.training.edges import Phases
from pte.training.setup import KINDS, KnownWords, Setup, Step

OF_TEXT = ("ww", "wd", "wl", "ws")
"""The networks that come from texts and labels alone."""


@dataclass(kw_only=True, eq=False, repr=False)
class NetworkEmbedding(TextEmbedding):
    """Base class of `PTE` and `LINE`; see `PTE` for the parameters."""

    networks: tuple[str, ...] | tuple[tuple[str, ...], ...] = ("ww", "wd")
    samples: int | str = "auto"
    samples_limit: int = 150_000_000
    network_weights: str | Mapping[str, float] = "paper"
    edges: Literal["streamed", "stored"] = "streamed"
    step: Literal["edge", "shared", "grouped"] = "grouped"
    deterministic: bool = False
    keep_interrupted: bool = False
    warm_start: bool = False

    def _learn(self, texts: list[bytes], y: Any, tokeniser: Tokeniser, setup: Setup) -> None:
        labels = self._labels(y, len(texts))
        plan = EdgePlan(
            self._phases(labels is not None),
            check_samples(self.samples),
            check_whole("samples_limit", self.samples_limit, 1),
            self.network_weights,
            self.edges,
            self.keep_interrupted,
        )
        corpus = training_corpus(texts, labels, tokeniser, self.min_count, setup.threads)
        known = None
        if self.warm_start and hasattr(self, "word_vectors_"):
            _check_dim(setup.hyperparameters.dim, self.word_vectors_.dim)
            corpus, known = _with_known(corpus, self.word_vectors_)
        with shown("edge", self.verbose) as progress:
            shape = replace(setup.hyperparameters, step=self._step())
            how = replace(
                setup,
                hyperparameters=shape,
                deterministic=self.deterministic,
                progress=progress,
                known=known,
            )
            training = train_on_networks(corpus, plan, how)
        self.word_vectors_ = KeyedVectors.of_bytes(corpus.words, training.trained.vectors)
        self.samples_, self.samples_curve_ = training.samples, training.curve
        self.n_edges_, self.network_weights_ = training.trained.samples, dict(training.weights)
        self._learn_classes(corpus, labels)

    def _step(self) -> Step:
        if self.step not in KINDS:
            raise BadInput(f"step is {self.step!r}; it must be one of {', '.join(KINDS)}")
        return Step.of(self.step)

    def _labels(self, y: Any, n_documents: int) -> GivenLabels | None:
        """Return the labels to learn from; None for an estimator that learns from text alone."""
        return None

    def _learn_classes(self, corpus: EncodedCorpus, labels: GivenLabels | None) -> None:
        """Set the fitted attributes of classes; an estimator without classes sets none."""

    def _phases(self, labelled: bool) -> Phases:
        """Return the networks of each phase; without labels, leave out networks that need them."""
        given = self.networks
        if isinstance(given, str) or not given:
            raise BadInput(f'networks is {given!r}; give a tuple of names, such as ("ww", "wd")')
        is_one = all(isinstance(name, str) for name in given)
        phases = cast("tuple[tuple[str, ...], ...]", (given,) if is_one else given)
        _check_networks("networks", (name for phase in phases for name in phase))
        if not isinstance(self.network_weights, str):
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
        facts = {
            "samples": self.samples_,
            "curve": self.samples_curve_,
            "edges": self.n_edges_,
            "weights": self.network_weights_,
        }
        return Fit(fit.arrays, {**fit.facts, **facts})

    def _restore(self, fit: Fit) -> None:
        super()._restore(fit)
        self.samples_, self.n_edges_ = fit.facts["samples"], fit.facts["edges"]
        self.samples_curve_ = tuple(map(tuple, fit.facts["curve"]))
        self.network_weights_ = fit.facts["weights"]


def _with_known(corpus: EncodedCorpus, known: KeyedVectors) -> tuple[EncodedCorpus, KnownWords]:
    """Add the known words that a corpus lacks; return it, and the vectors of all known words."""
    found = set(corpus.words)
    words = (*corpus.words, *(word for word in known.raw_keys if word not in found))
    rows = {word: row for row, word in enumerate(words)}
    places = np.array([rows[word] for word in known.raw_keys], np.int64)
    return replace(corpus, words=words), KnownWords(places, known.vectors)


def _check_dim(dim: int, known: int) -> None:
    """Raise `BadInput` when a warm start asks for vectors of another length than the known ones."""
    if dim != known:
        raise BadInput(
            f"dim is {dim}, but the vectors to go on from have {known} numbers; set dim={known}, "
            "or begin anew: warm_start=False"
        )


def _check_networks(parameter: str, names: Iterable[str]) -> None:
    """Raise `BadInput` for a name that no network has."""
    for name in names:
        try:
            named.module_name(name)
        except PteError:
            known = ", ".join(OF_TEXT)
            raise BadInput(f"{parameter} names {name!r}; there are {known}") from None


@dataclass(kw_only=True, eq=False, repr=False)
class LINE(NetworkEmbedding):
    """LINE (Tang et al., WWW 2015): word vectors from networks without labels.

    The parameters are those of `PTE`, with other defaults: the networks are ww and wd, edges are
    drawn from them equally often, as in the paper, and T is ten times the number of edges. A stream
    counts its tokens as edges. `y` is ignored.
    """

    def fit(self, raw_documents: Iterable[str | bytes], y: Any = None) -> Self:
        """Learn from the text of all documents; `y` is ignored.

        Raises as `TextEmbedding.fit` does.
        """
        return super().fit(raw_documents)


@dataclass(kw_only=True, eq=False, repr=False)
class PTE(LabelSpace, NetworkEmbedding):
    """Predictive text embedding (Tang, Qu and Mei, KDD 2015).

    Word vectors are learned from networks of words beside words (ww), of words in documents (wd),
    and of words in documents of a class (wl). Documents without a label train as well. Without any
    label, PTE is LINE.

    Time is in proportion to T · (negative + 1) · dim, divided among `threads`. Memory is the text
    itself, about 8 bytes for each token, and rows of 4 · dim bytes: three for each word, one for
    each training document. `edges="stored"` takes about 160 bytes for each token instead of 8.

    Parameters
    ----------
    networks : names of networks that are trained together, such as `("ww", "wd", "wl")`, which is
        PTE(joint); or a tuple of names for each phase, such as `(("ww", "wd"), ("wl",))`, which is
        PTE(pretrain): the phases follow one another.
    samples : T, the number of edges that each phase draws; or "auto", ten times the number of
        edges; or "chosen", which finds T on labelled documents that are held out, and is "auto"
        where too few documents have labels.
    samples_limit : the largest T that "chosen" may choose. The search draws at most this many edges
        in each phase.
    network_weights : how often edges are drawn from each network. "paper" draws equally often from
        all; "auto" draws less often from labels if few documents have a label; or weights by name,
        such as `{"wl": 0.1}`, relative to 1 for the other networks.
    edges : "streamed" draws edges from the text, "stored" counts them first. The distribution is
        the same, the random numbers are not.
    step : which edges are trained together. "edge" trains each edge alone, as in the paper.
        "grouped" trains eight edges of one source together, and is three to four times as fast at
        the same scores. "shared" is between the two. Above a `learning_rate` of 0.05, "grouped" may
        diverge.
    deterministic : whether any number of threads gives the same bits, at about two thirds of the
        speed.
    keep_interrupted : whether Ctrl-C ends training early and keeps the vectors; pressed twice, it
        interrupts as ever. Ctrl-C in the search for T keeps nothing.
    warm_start : whether another `fit` goes on from `word_vectors_`. Words that the model knows
        begin with their vectors; known words that the new documents lack keep their vectors. The
        classes are those of the new labels. Give `samples` as a number then, because the search for
        T begins without the known vectors.

    The other parameters are those of `pte.estimators.base.TextEmbedding`: `dim`, `negative`,
    `window`, `learning_rate`, `tokenizer`, `min_count`, `threads`, `random_state` and `verbose`.

    Attributes
    ----------
    word_vectors_ : `pte.keyed_vectors.KeyedVectors` of the words, the most frequent first; after a
        warm start, words that only earlier documents have come last.
    label_vectors_ : `KeyedVectors` of the classes that have a document, by their names as text, in
        the space of the word vectors; None if `fit` saw no label. The vector of a label is the mean
        over all tokens of its documents, minus the mean over all labels.
    classes_ : the labels in ascending order, or in the order of the columns of a matrix; empty if
        `fit` saw no label.
    samples_ : T. `n_edges_` is the number of edges drawn in all phases.
    samples_curve_ : pairs of a T and a micro-F1 in percent; empty if T was not chosen.
    network_weights_ : the weights by network; a network that is not there has the weight 1.
    """

    networks: tuple[str, ...] | tuple[tuple[str, ...], ...] = ("ww", "wd", "wl")
    samples: int | str = "chosen"
    network_weights: str | Mapping[str, float] = "auto"

    def fit(self, raw_documents: Iterable[str | bytes], y: Any = None) -> Self:
        """Learn from all documents, and from the labels that there are.

        `y` has an item for each document: a label; a list of labels; or a row of an indicator
        matrix. −1, None, NaN, or a row of these values, means that the document has no label. An
        empty list or a row of zeros means that it has none of the classes. It then has no edge to a
        class, like a document without a label, but a classifier learns from it. Raises as
        `TextEmbedding.fit` does, and when there are more or fewer labels than documents.
        """
        return super().fit(raw_documents, y)

    def _labels(self, y: Any, n_documents: int) -> GivenLabels | None:
        return read_labels(y, n_documents)
