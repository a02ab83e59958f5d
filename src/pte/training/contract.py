"""The contract of a method: a module with a `SPEC` and a `fit`, or with functions that keep more.

    SPEC = Spec(yields="words", ...)
    def fit(task: Task) -> Fitted: ...

The module, or a class with static methods in its place, is of `pte.models` or of a plugin; an entry
of the registry names it as `model`, and gives its options. A method whose hyperparameters are
chosen once for a corpus has a third name, `choose(task: Task) -> Chosen`. A method can keep what it
has learnt, and read further documents:

    def learn(task: Task) -> Learnt: ...
    def apply(learnt: Learnt, options: Options, corpus: EncodedCorpus) -> Applied: ...
    def check(kept: ArrayFile, options: Options) -> int: ...

`learn` sees the training documents of `task.corpus` alone; if `task.choice` is None, it chooses the
values that `fit` would choose. `apply` needs nothing but its arguments, and gives the same bits for
the same ones. It returns a row for every document of `corpus`, whose words are numbered as in
training and whose labels do not matter (`pte.corpora.texts.further_corpus`); for what has learnt
an array `letters`, `corpus.unknown` has the words that are new. `Spec.yields` says of which kind:

- "documents": vectors, float32, shape (documents, dim).
- "features": features, float32, dense or sparse.
- "predictions": the probability of each class, float64, in the order of `task.corpus.classes`.

`check` looks at a model file: it asks `kept` for each array that `learn` gives, by dtype and shape,
and returns the number of columns of `apply`. A method with these functions needs no `fit`. One that
yields "words" needs none of them: `fit(task).array` is what it has learnt, and a document is the
mean of its words' vectors. A document without a known word gets its class elsewhere
(`pte.evaluation.evaluate`).
"""

import time
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field, fields, replace
from pathlib import Path
from typing import Any, Literal, NamedTuple, get_args

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from pte import encoders
from pte.corpora.encoded import TEST, EncodedCorpus
from pte.corpora.subsets import Subset
from pte.errors import NotInstalled, PteError
from pte.evaluation.calibration import HeldOut
from pte.files import load_array, read_json
from pte.training.setup import Configured, FitPlan, Progress, Setup, Size
from pte.training.setup import Options as Options

ORDER_LOST = "order lost"
"""The reason why a method that needs the order of words has no score, as in the paper's Table 3."""

NO_ENCODER = "no encoder"
"""The reason why a method that needs the vectors of an encoder has no score without them."""

ONE_LABEL = "one label only"
"""The reason why a method has no score where documents have several labels."""

Yields = Literal["words", "documents", "predictions", "features"]


class Learnt(NamedTuple):
    """Arrays and facts that a model file keeps: `choice`, `notes`, and what `apply` needs.

    `trained`, which no file keeps, has vectors of the training documents for a classifier.
    `held_out` is what a method that is sure has predicted for documents that it held out.
    """

    arrays: Mapping[str, NDArray[Any]]
    facts: Mapping[str, Any]
    trained: NDArray[np.float32] | None = None
    held_out: HeldOut | None = None


Applied = NDArray[np.float32] | NDArray[np.float64] | sparse.csr_array


class Amount(NamedTuple):
    """What a fit of a contest learns from; `labelled` are documents, `edges` the most drawn."""

    tokens: float
    labelled_tokens: float
    labelled: float
    classes: int
    edges: float


@dataclass(frozen=True)
class Cost:
    """Processor seconds of a fit with its search, on an AMD EPYC, fixed and for each of an amount.

    Tokens and edges are counted in millions, and labelled documents in thousands. The last three
    are for each class, where two classes count as one.
    """

    fixed: float = 5
    of_tokens: float = 40
    of_edges: float = 0
    of_class_tokens: float = 0
    of_labelled_tokens: float = 0
    of_labelled: float = 0

    def seconds(self, of: Amount) -> float:
        classes = of.classes if of.classes > 2 else 1
        each_class = self.of_class_tokens * of.tokens / 1e6
        each_class += self.of_labelled_tokens * of.labelled_tokens / 1e6
        each_class += self.of_labelled * of.labelled / 1e3
        rest = self.of_tokens * of.tokens / 1e6 + self.of_edges * of.edges / 1e6
        return self.fixed + rest + classes * each_class


@dataclass(frozen=True)
class Spec:
    """What a method needs and returns; the workflow follows from it.

    `options` and `choice` have JSON schemas. `needs` names methods, by roles, whose word vectors
    `fit` finds as files in `Task.inputs`. `uses` names fields of `Configured`.
    """

    yields: Yields
    options: Mapping[str, Any] = field(default_factory=dict)
    required: tuple[str, ...] = ()
    networks: Callable[[Options], tuple[str, ...]] = lambda options: ()
    needs: Callable[[Options], Mapping[str, str]] = lambda options: {}
    uses: frozenset[str] = frozenset()
    choice: Mapping[str, Any] = field(default_factory=dict)
    usual: Callable[[Options], Mapping[str, Any] | None] = lambda options: None
    """Values of `choice` that serve most texts, which a contest takes in place of a search."""
    cost: Callable[[Options], Cost] = lambda options: Cost()
    """The processor seconds by which a contest plans which methods fit into its minutes."""
    encoded: Callable[[Options], bool] = lambda options: False
    """Whether the corpus must have the `vectors` of an encoder."""
    neighbours: bool = False
    """Whether `Task.inputs` has the graph of nearest documents."""
    package: str | None = None
    """An optional package, which is also the name of the project's extra that installs it."""
    seeded: bool = True
    """Whether the seed matters. If not, one run stands for all seeds."""
    sees_labels: Callable[[Options], bool] = lambda options: True
    """Whether labels matter. If not, subsets that differ only in labels share one fit."""
    ordered: Callable[[Options], bool] = lambda options: False
    """Whether the order of words matters. If so, the method needs a corpus that has kept it."""
    automatic: bool = False
    """Whether the method sets all hyperparameters itself, so that every protocol shows one fit."""
    multilabel: bool | None = None
    """Whether the method can learn several labels; None: unless it predicts classes itself."""
    sure: bool = False
    """Whether probabilities are as sure as right; if not, held-out documents make them so."""
    draws: Callable[[Options], tuple[str, ...]] = lambda options: ()
    """Names of networks whose edges the method draws from the text, beside `networks`."""
    threads: int = 1
    """The most threads that a fit uses, however many it is given."""
    applies: Callable[[Options], bool] = lambda options: True
    """Whether `learn` and `apply` of the module, if it has them, serve an entry with options."""
    memory: Callable[[Size], float] = lambda size: 7.5e8 + 40 * size.tokens
    """The bytes that `fit` and `choose` take at most, besides the corpus and imported packages."""

    def __post_init__(self) -> None:
        """Refuse unknown `yields`, and unknown fields of `Configured`."""
        if self.yields not in get_args(Yields):
            known = ", ".join(get_args(Yields))
            raise PteError(f"SPEC: yields is {self.yields!r}; it must be one of {known}")
        if unknown := self.uses - {field.name for field in fields(Configured)}:
            raise PteError(f"SPEC: uses has {min(unknown)!r}, which is no field of Configured")

    @property
    def learns_several(self) -> bool:
        """Whether the method learns several labels: `multilabel`, or what None stands for."""
        return self.yields != "predictions" if self.multilabel is None else self.multilabel


@dataclass(frozen=True)
class Task(Configured):
    """What `fit` is given; `inputs` has files by network, role of `Spec.needs`, or `neighbours`."""

    corpus: EncodedCorpus
    seed: int
    threads: int = 1
    inputs: Mapping[str, Path] = field(default_factory=dict)
    progress: Progress | None = None

    @classmethod
    def of(
        cls, plan: FitPlan, files: Mapping[str, Any], seed: int, threads: int = 1, **others: Any
    ) -> "Task":
        """Make a task of a job's `files`; `choice` is what `choose` wrote, or a reason."""
        inputs = {role: Path(file) for role, file in files.items() if isinstance(file, str)}
        corpus = EncodedCorpus.load(inputs["corpus"])
        if "encoded" in inputs:
            corpus = replace(corpus, vectors=_rows_of(inputs))
        if plan.shuffled:
            corpus = corpus.with_shuffled_labels(seed)
        if "choice" in inputs:
            others["choice"] = read_json(inputs["choice"]).get("choice")
        return cls(corpus, seed, threads, inputs, **vars(plan.configured) | others)

    @property
    def asked(self) -> EncodedCorpus:
        """The test documents as a corpus of their own, which `apply` reads."""
        return self.corpus.of_documents(self.corpus.split == TEST)

    @property
    def setup(self) -> Setup:
        return Setup(self.seed, self.hyperparameters, self.threads, self.progress)


def _rows_of(inputs: Mapping[str, Path]) -> NDArray[np.float32]:
    whole, file = EncodedCorpus.load(inputs["whole"]), inputs["encoded"]
    rows = encoders.checked(load_array(Path(file)), whole.n_documents, str(file))
    return Subset.parse(inputs["corpus"].name).of(replace(whole, vectors=rows)).encoded_rows()


@dataclass(frozen=True)
class Fitted:
    """What `fit` returns: vectors, float32; the class of each test document, int32; or features.

    `samples` is T, if any were drawn; `notes` has further facts as JSON.
    """

    array: NDArray[np.float32] | NDArray[np.int32] | sparse.csr_array
    samples: int | None = None
    seconds: float | None = None
    notes: Mapping[str, Any] = field(default_factory=dict)

    @property
    def record(self) -> dict[str, Any]:
        """The facts that are written beside the array."""
        return {"samples": self.samples, "seconds": self.seconds, **self.notes}


def most_likely(probabilities: NDArray[np.float64]) -> NDArray[np.int32]:
    """Return the most probable class of each document; of equally probable classes, the first."""
    return np.asarray(probabilities.argmax(axis=1), np.int32)


def fit_by(model: Any, task: Task) -> Fitted:
    """Return what the method's `fit` returns; without a `fit`, what it learns, and says then."""
    if hasattr(model, "fit"):
        fitted: Fitted = model.fit(task)
        return fitted
    began = time.perf_counter()
    learnt = model.learn(task)
    if model.SPEC.yields != "predictions":
        return Fitted(model.apply(learnt, task.options, task.corpus))
    predicted = most_likely(model.apply(learnt, task.options, task.asked))
    return Fitted(predicted, None, time.perf_counter() - began, learnt.facts["notes"])


def fit_or_say_why(model: Any, task: Task) -> Fitted:
    """Return what `fit_by` returns, or an empty array and the reason why the method cannot run."""
    if task.corpus.is_multilabel and not model.SPEC.learns_several:
        return Fitted(np.empty(0, np.int32), notes={"unavailable": ONE_LABEL})
    try:
        return fit_by(model, task)
    except NotInstalled as error:
        return Fitted(np.empty(0, np.int32), notes={"unavailable": str(error)})


def choose_or_say_why(model: Any, task: Task) -> dict[str, Any]:
    """Return what the method's `choose` returns, as JSON, or the reason if a package is missing."""
    try:
        chosen: Chosen = model.choose(task)
    except NotInstalled as error:
        return {"unavailable": str(error)}
    return asdict(chosen)


@dataclass(frozen=True)
class Chosen:
    """What `choose` returns: the chosen values, the scores of all tried values, and the seconds."""

    choice: Mapping[str, Any]
    curve: tuple[Mapping[str, float], ...]
    seconds: float
