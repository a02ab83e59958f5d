"""What a method is: a module with a `SPEC` and a `fit`.

    SPEC = Spec(yields="words", ...)
    def fit(task: Task) -> Fitted: ...

The module is one of `pte.models`, or of a plugin. An entry of the registry names it as `model`, and
gives its options. A method whose hyperparameters are chosen once for a corpus has a third name,
`choose(task: Task) -> Chosen`.
"""

from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field, fields
from pathlib import Path
from types import ModuleType
from typing import Any, Literal, NamedTuple, get_args

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from pte.corpora.encoded import EncodedCorpus
from pte.errors import NotInstalled, PteError
from pte.files import read_json
from pte.training.plan import Configured, FitPlan, Size
from pte.training.plan import Options as Options
from pte.training.setup import Progress, Setup

ORDER_LOST = "order lost"
"""Why a method that needs the order of words has no score, as the paper's Table 3 says it."""

ONE_LABEL = "one label only"
"""Why a method has no score where documents have several labels."""

Yields = Literal["words", "documents", "predictions", "features"]


KernelSet = Literal[
    "encoding",
    "counting",
    "stored",
    "streamed",
    "synchronous",
    "sensitivity",
    "text",
    "convolution",
]
"""The sets of kernels that `pte.warm_up` compiles ahead."""


class Rounds(NamedTuple):
    """How many `nodes` train a method, and in how many `rounds` they join what they learn."""

    nodes: int
    rounds: int


@dataclass(frozen=True)
class Spec:
    """What a method needs and gives. The workflow follows from it.

    `yields` says what `fit` returns: vectors of all words or of all documents, the predicted
    classes of the test documents, or features of all documents for the classifier.

    `options` has a JSON schema for each option that an entry of the registry may have, and
    `required` names those it must have.

    `networks` names the networks that an entry with some options is trained on, and `needs` the
    methods whose word vectors it is given, by their roles. `fit` finds both in `Task.inputs`, as
    files: a network by its name, word vectors by their role.

    `uses` names the fields of `Configured` that the method takes from the configuration. `choice`
    has a JSON schema for each hyperparameter that validation chooses; the configuration may fix
    them.
    """

    yields: Yields
    options: Mapping[str, Any] = field(default_factory=dict)
    required: tuple[str, ...] = ()
    networks: Callable[[Options], tuple[str, ...]] = lambda options: ()
    needs: Callable[[Options], Mapping[str, str]] = lambda options: {}
    uses: frozenset[str] = frozenset()
    choice: Mapping[str, Any] = field(default_factory=dict)
    rounds: Callable[[Options], Rounds | None] = lambda options: None
    """The nodes and rounds of a method that jobs train together: its module has a `train_node` like
    that of `pte.models.in_rounds`, and `Task.inputs` has what the last round joined, as `rows`."""
    neighbours: bool = False
    """Whether `Task.inputs` has the graph of nearest documents."""
    package: str | None = None
    """An optional package, which is also the name of the project's extra that installs it."""
    seeded: bool = True
    """Whether the seed matters. One run stands for all seeds where it does not."""
    sees_labels: Callable[[Options], bool] = lambda options: True
    """Whether labels matter. If not, subsets that differ in labels alone share one fit."""
    ordered: Callable[[Options], bool] = lambda options: False
    """Whether the order of words matters. If so, a corpus that has lost it is not for this."""
    automatic: bool = False
    """Whether it sets all itself: every protocol shows one fit, with the steps of `chosen`."""
    multilabel: bool | None = None
    """Whether it can learn several labels of a document; None: only if it predicts none itself."""
    kernels: Callable[[Options], tuple[KernelSet, ...]] = lambda options: ()
    """Sets of kernels to compile ahead, beside those of its networks."""
    threads: int = 1
    """The most threads that a fit uses, however many it is given."""
    memory: Callable[[Size], float] = lambda size: 7.5e8 + 40 * size.tokens
    """The bytes that `fit` and `choose` take at most, beside the corpus and imported packages."""

    def __post_init__(self) -> None:
        """Refuse what is not one of `Yields`, and fields that there are not; raises `PteError`."""
        if self.yields not in get_args(Yields):
            known = ", ".join(get_args(Yields))
            raise PteError(f"SPEC: yields is {self.yields!r}; it must be one of {known}")
        if unknown := self.uses - {field.name for field in fields(Configured)}:
            raise PteError(f"SPEC: uses has {min(unknown)!r}, which is no field of Configured")

    @property
    def learns_several(self) -> bool:
        """`multilabel`, or what None stands for."""
        return self.yields != "predictions" if self.multilabel is None else self.multilabel


@dataclass(frozen=True)
class Task(Configured):
    """What `fit` is given.

    `inputs` are files by role: the name of a network, a role of `Spec.needs`, or `neighbours`.
    """

    corpus: EncodedCorpus
    seed: int
    threads: int = 1
    inputs: Mapping[str, Path] = field(default_factory=dict)
    progress: Progress | None = None

    @classmethod
    def of(
        cls, plan: FitPlan, files: Mapping[str, Any], seed: int, threads: int = 1, **others: Any
    ) -> "Task":
        """Read what a job is given: `files` by their roles, of which `corpus` is one.

        Labels are shuffled where the plan says so. The file `choice` is what `choose` wrote, which
        is a reason if its package is missing. Roles of several files are left out. `others` are
        further fields.
        """
        inputs = {role: Path(file) for role, file in files.items() if isinstance(file, str)}
        corpus = EncodedCorpus.load(inputs["corpus"])
        if plan.shuffled:
            corpus = corpus.with_shuffled_labels(seed)
        if "choice" in inputs:
            others["choice"] = read_json(inputs["choice"]).get("choice")
        return cls(corpus, seed, threads, inputs, **vars(plan.configured) | others)

    @property
    def setup(self) -> Setup:
        """How a training of this task runs."""
        return Setup(
            self.seed, self.hyperparameters, self.threads, self.deterministic, self.progress
        )


@dataclass(frozen=True)
class Fitted:
    """What `fit` returns.

    `array` is float32, shape (words, dim) or (documents, dim); int32, the class of each test
    document in corpus order; or features, dense or sparse, with a row for each document.

    `samples` counts what was drawn, if anything was; `seconds` is what training took. `notes` is
    what else is worth knowing, as JSON: epochs, the curve of a choice.
    """

    array: NDArray[np.float32] | NDArray[np.int32] | sparse.csr_array
    samples: int | None = None
    seconds: float | None = None
    notes: Mapping[str, Any] = field(default_factory=dict)

    @property
    def record(self) -> dict[str, Any]:
        """What is written beside the array."""
        return {"samples": self.samples, "seconds": self.seconds, **self.notes}


def fit_or_say_why(model: ModuleType, task: Task) -> Fitted:
    """What the method's `fit` returns; an empty array and the reason if it cannot run.

    That is so if its package is missing, or if documents have several labels, of which it can learn
    one only. Where the task is forgiving, it is so with any `PteError`.
    """
    if task.corpus.is_multilabel and not model.SPEC.learns_several:
        return Fitted(np.empty(0, np.int32), notes={"unavailable": ONE_LABEL})
    try:
        fitted: Fitted = model.fit(task)
    except PteError as error:
        if not (task.forgiving or isinstance(error, NotInstalled)):
            raise
        return Fitted(np.empty(0, np.int32), notes={"unavailable": str(error)})
    return fitted


def choose_or_say_why(model: ModuleType, task: Task) -> dict[str, Any]:
    """What the method's `choose` returns, as JSON. If its package is missing, the reason."""
    try:
        chosen: Chosen = model.choose(task)
    except NotInstalled as error:
        return {"unavailable": str(error)}
    return asdict(chosen)


@dataclass(frozen=True)
class Chosen:
    """What `choose` returns: the values, the score of each that was tried, and the seconds."""

    choice: Mapping[str, Any]
    curve: tuple[Mapping[str, float], ...]
    seconds: float
