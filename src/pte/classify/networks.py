"""PTE and LINE as estimators (paper, section 4)."""

import numbers
import warnings
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal, Self, cast

import numpy as np
from sklearn.exceptions import ConvergenceWarning

from pte.array_file import ArrayFile
from pte.classify.base import Given, TextEmbedding
from pte.classify.errors import BadInput, check_choice, check_whole
from pte.classify.label_space import LabelSpace
from pte.classify.labels import read_labels
from pte.classify.model_file import Fit
from pte.classify.progress import shown, stop_at_interrupt
from pte.corpora.encoded import EncodedCorpus
from pte.corpora.texts import GivenLabels
from pte.errors import PteError
from pte.keyed_vectors import KeyedVectors, of_bytes
from pte.limits import MOST_SAMPLES
from pte.models import network_embedding
from pte.models.network_embedding import Plan
from pte.networks import named
from pte.training.contract import Task
from pte.training.edges import Phases, Watch, of_phases
from pte.training.result import WordVectors
from pte.training.setup import KINDS, KnownWords, Setup, Step

OF_TEXT = ("ww", "wd", "wl", "ws")
"""The networks that come from texts and labels alone."""

LOOK_EVERY = 500_000
"""The number of edges after which a training looks whether Ctrl-C was pressed."""


@dataclass(kw_only=True, eq=False, repr=False)
class NetworkEmbedding(TextEmbedding):
    """Base class of `PTE` and `LINE`, which tell about the parameters."""

    networks: tuple[str, ...] | tuple[tuple[str, ...], ...] = ("ww", "wd")
    samples: int | str = "auto"
    samples_limit: int = 150_000_000
    network_weights: str | Mapping[str, float] = "paper"
    edges: Literal["streamed", "stored"] = "streamed"
    step: Literal["edge", "shared", "grouped"] = "grouped"
    keep_interrupted: bool = False
    warm_start: bool = False

    def _learn(self, given: Given, setup: Setup) -> None:
        labels = self._labels(given.y, len(given.texts))
        settings = self._settings(self._phases(labels is not None))
        begun = getattr(self, "word_vectors_", None) if self.warm_start else None
        corpus = self._corpus(given, labels, setup, () if begun is None else begun.raw_index)
        known = None
        if begun is not None:
            corpus, known = _with_known(corpus, begun, setup.hyperparameters.dim)
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
            train = train_until_interrupt if self.keep_interrupted else Plan.train
            trained = train(plan, replace(task.setup, known=known))
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
        """Return fields of the task of a training. Raises `BadInput` for values of no use."""
        samples, weights = self.samples, self.network_weights
        if not (isinstance(samples, str) and samples in ("chosen", "auto")):
            samples = check_whole("samples", samples, 1, ', or "chosen" or "auto"', MOST_SAMPLES)
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
            "samples": samples,
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
        facts = {
            "samples": self.samples_,
            "curve": self.samples_curve_,
            "edges": self.n_edges_,
            "weights": self.network_weights_,
        }
        return Fit(fit.arrays, {**fit.facts, **facts})

    def _restore(self, fit: ArrayFile) -> None:
        super()._restore(fit)
        self.samples_ = fit.fact("samples", (int, [int]))
        self.n_edges_ = fit.fact("edges", int)
        self.samples_curve_ = tuple(map(tuple, fit.fact("curve", [[float]])))
        self.network_weights_ = fit.fact("weights", dict)


def train_until_interrupt(plan: Plan, setup: Setup) -> WordVectors:
    """Train until the end or until Ctrl-C, and keep the vectors as they are then."""
    with stop_at_interrupt() as stopped:
        trained = plan.train(setup, Watch(lambda drawn, vectors: stopped(), every=LOOK_EVERY))
    if stopped():
        edges = sum(of_phases(plan.samples, plan.phases))
        warnings.warn(
            f"training was interrupted after {trained.samples:,} of {edges:,} edges; "
            "the vectors are as they were then",
            ConvergenceWarning,
            stacklevel=4,
        )
    return trained


def _with_known(
    corpus: EncodedCorpus, known: KeyedVectors, dim: int
) -> tuple[EncodedCorpus, KnownWords]:
    """Add the known words that a corpus lacks; return it, and the vectors of all known words.

    Raises `BadInput` when these are not of length `dim`.
    """
    if dim != known.dim:
        raise BadInput(
            f"dim is {dim}, but the vectors to go on from have {known.dim} numbers; set "
            f"dim={known.dim}, or begin anew: warm_start=False"
        )
    found = set(corpus.words)
    words = (*corpus.words, *(word for word in known.raw_keys if word not in found))
    rows = {word: row for row, word in enumerate(words)}
    places = np.array([rows[word] for word in known.raw_keys], np.int64)
    return replace(corpus, words=words), KnownWords(places, known.vectors)


def _are_names(value: object) -> bool:
    return (
        isinstance(value, tuple | list)
        and all(isinstance(name, str) for name in value)
        and len(set(value)) == len(value)
    )


def _check_weight(network: str, weight: object) -> float:
    """Return the weight of a network. Raises `BadInput` if it is no number from 0 on."""
    if not isinstance(weight, numbers.Real) or not 0 <= float(weight) < np.inf:
        raise BadInput(f"network_weights: {network!r} has {weight!r}; give a number, 0 or more")
    return float(weight)


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
        Give `samples` as a number then: few edges are enough.
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
    samples_ : int
        T.
    n_edges_ : int
        The number of edges drawn in all phases. It may be a little more than T in each phase,
        because "grouped" draws eight at a time; it is less after Ctrl-C.
    samples_curve_ : tuple
        Empty, because LINE searches for no T.
    network_weights_ : dict of str to float
        The weights by network; a network that is not there has the weight 1.

    See Also
    --------
    pte.PTE : Learns from labels as well.
    pte.SkipGram : Learns from words beside words alone, as word2vec does.

    References
    ----------
    Tang, Qu, Wang, Zhang, Yan and Mei: LINE: Large-scale Information Network Embedding, WWW 2015,
    https://arxiv.org/abs/1503.03578.

    Examples
    --------
    >>> import pte
    >>> texts = [
    ...     "the team won the match",
    ...     "the striker scored a goal",
    ...     "the bank cut its rate",
    ...     "the price of shares fell",
    ... ]
    >>> model = pte.LINE(dim=8, samples=20_000, threads=1, random_state=0).fit(texts)
    >>> model.transform(["a goal in the match"]).shape
    (1, 8)
    >>> model.word_vectors_
    KeyedVectors of 16 keys ('the', 'a', 'bank', …), dim 8
    """


@dataclass(kw_only=True, eq=False, repr=False)
class PTE(LabelSpace, NetworkEmbedding):
    """Predictive text embedding (Tang, Qu and Mei, KDD 2015): vectors of words and labels.

    Take it when a part of your documents has labels and you want vectors of words, documents and
    labels in one space. To predict labels, take `PTEClassifier` or `PTEAuto`.

    Word vectors are learned from networks of words beside words (ww), of words in documents (wd),
    and of words in documents of a class (wl). Documents without a label train as well. Without any
    label, PTE is LINE.

    Parameters
    ----------
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
        The labels in ascending order, or in the order of the columns of a matrix; empty if `fit`
        saw no label.
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
    pte.PTEClassifier : Predicts labels as well.
    pte.PTEAuto : Predicts labels, and sets its own hyperparameters.
    pte.LINE : Learns without labels.
    pte.KeyedVectors : Holds vectors, and finds similar words.

    Notes
    -----
    Time is in proportion to T · (negative + 1) · dim, divided among `threads`. Memory is the text
    itself, about 8 bytes for each token, and rows of 4 · dim bytes: three for each word, one for
    each training document.

    References
    ----------
    Tang, Qu and Mei: PTE: Predictive Text Embedding through Large-scale Heterogeneous Text
    Networks, KDD 2015, https://arxiv.org/abs/1508.00200. Section 3 has the networks, section 4 the
    objective (equations 4 to 7) and the training (algorithms 1 and 2), and equation 8 the vector of
    a document.

    Examples
    --------
    The last document has no label, and trains all the same:

    >>> import pte
    >>> texts = [
    ...     "the team won the match",
    ...     "the striker scored a goal",
    ...     "the bank cut its rate",
    ...     "the price of shares fell",
    ... ]
    >>> labels = ["sport", "sport", "money", None]
    >>> model = pte.PTE(dim=8, samples=20_000, threads=1, random_state=0)
    >>> model.fit_transform(texts, labels).shape
    (4, 8)
    >>> model.classes_.tolist()
    ['money', 'sport']
    >>> len(model.nearest_words("sport", topn=3))
    3
    >>> model.count_known(["a goal of the oarsman"]).tolist()
    [4]
    """

    networks: tuple[str, ...] | tuple[tuple[str, ...], ...] = ("ww", "wd", "wl")
    samples: int | str = "chosen"
    network_weights: str | Mapping[str, float] = "chosen"

    def fit(self, raw_documents: Iterable[str | bytes], y: Any = None, groups: Any = None) -> Self:
        """Learn from all documents, and from the labels that there are.

        Parameters
        ----------
        raw_documents : iterable of str or bytes
            The documents; bytes count as UTF-8.
        y : sequence or matrix with an item for each document, default=None
            The labels: a label; a list of labels; or a row of an indicator matrix, dense or sparse,
            or of a data frame whose columns are the classes. None, -1, NaN, pandas' NA, empty text,
            or a row of -1 or NaN means that the document has no label. An empty list or a row of
            zeros means that it has none of the classes. It then has no edge to a class, like a
            document without a label, but a classifier learns from it.
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
            are more or fewer labels than documents, or labels of different types; and when
            `networks` needs labels and there is none. It is a `ValueError`.
        """
        return self._fitted(raw_documents, y, groups)

    def _labels(self, y: Any, n_documents: int) -> GivenLabels | None:
        return read_labels(y, n_documents)
