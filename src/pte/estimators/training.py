"""A training of LINE or PTE on a corpus: T, the weights, and the vectors.

T and the weights are those of `pte.models.network_embedding`, so that one seed and one thread give
the workflow's vectors, bit for bit.
"""

import warnings
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Literal

from sklearn.exceptions import ConvergenceWarning

from pte.corpora.encoded import EncodedCorpus
from pte.estimators.errors import BadInput, check_whole
from pte.estimators.progress import stop_at_interrupt
from pte.models.network_embedding import Plan, plan_of
from pte.networks import named
from pte.training.contract import Task
from pte.training.edges import Networks, Phases, Samples, Watch, of_phases, train_edges
from pte.training.result import WordVectors
from pte.training.setup import Setup


def check_samples(samples: object) -> int | str:
    """Return T, or the name of the way to find T. Raises `BadInput` for any other value."""
    if isinstance(samples, str) and samples in ("chosen", "auto"):
        return samples
    return check_whole("samples", samples, 1, ', or "chosen" or "auto"')


LOOK_EVERY = 500_000
"""The number of edges after which a training looks whether Ctrl-C was pressed."""


@dataclass(frozen=True)
class EdgePlan:
    """The plan of a training: `phases` of networks, T or how to find it, weights or their rule.

    See `pte.PTE` for the values.
    """

    phases: Phases
    samples: int | str
    samples_limit: int
    weights: str | Mapping[str, float]
    edges: Literal["streamed", "stored"]
    keep_interrupted: bool

    def __post_init__(self) -> None:
        """Refuse values that no training could use; raises `BadInput`."""
        if self.edges not in ("streamed", "stored"):
            raise BadInput(f'edges is {self.edges!r}; it must be "streamed" or "stored"')
        if isinstance(self.weights, str) and self.weights not in ("paper", "auto"):
            raise BadInput(
                f'network_weights is {self.weights!r}; it must be "paper", "auto", or a weight for '
                "each network"
            )

    @property
    def names(self) -> tuple[str, ...]:
        """The networks of all phases, each network once."""
        return tuple(dict.fromkeys(name for phase in self.phases for name in phase))


@dataclass(frozen=True)
class EdgeTraining:
    """The results of a training: the vectors, T, the curve that T was chosen from, and the weights.

    The curve holds pairs of a T and a micro-F1 in percent; it is empty where T was not chosen.
    """

    trained: WordVectors
    samples: Samples
    curve: tuple[tuple[int, float], ...]
    weights: Mapping[str, float]


def train_on_networks(corpus: EncodedCorpus, plan: EdgePlan, setup: Setup) -> EdgeTraining:
    """Make the networks, choose T and the weights, and train.

    Raises `PteError` when there is no such network, when the corpus has no edge of a network, and
    as `pte.training.edges.train_edges` does.
    """
    networks = _networks(corpus, plan, setup)
    chosen = plan_of(_task(corpus, plan, setup), networks)
    trained = _train(networks, plan, chosen, setup)
    curve = chosen.search.curve if chosen.search else ()
    return EdgeTraining(trained, chosen.samples, curve, chosen.weights)


def _task(corpus: EncodedCorpus, plan: EdgePlan, setup: Setup) -> Task:
    """Return the task that the workflow would run for this training."""
    return Task(
        corpus,
        setup.seed,
        setup.threads,
        options={"phases": plan.phases},
        hyperparameters=setup.hyperparameters,
        samples=plan.samples,
        samples_limit=plan.samples_limit,
        weights=plan.weights,
    )


def _networks(corpus: EncodedCorpus, plan: EdgePlan, setup: Setup) -> Networks:
    window = setup.hyperparameters.window
    if plan.edges == "streamed":
        return named.streams(corpus, plan.names, window)
    return {name: named.build(name, corpus, window, threads=setup.threads) for name in plan.names}


def _train(networks: Networks, plan: EdgePlan, chosen: Plan, setup: Setup) -> WordVectors:
    def train(watch: Watch | None) -> WordVectors:
        samples, weights = chosen.samples, chosen.weights
        return train_edges(networks, plan.phases, samples, setup, weights, watch)

    if not plan.keep_interrupted:
        return train(None)
    return _until_interrupt(train, sum(of_phases(chosen.samples, plan.phases)))


def _until_interrupt(train: Callable[[Watch | None], WordVectors], edges: int) -> WordVectors:
    """Train until the end or until Ctrl-C, and keep the vectors as they are then."""
    with stop_at_interrupt() as stopped:
        trained = train(Watch(lambda drawn, vectors: stopped(), every=LOOK_EVERY))
    if stopped():
        warnings.warn(
            f"training was interrupted after {trained.samples:,} of {edges:,} edges; "
            "the vectors are as they were then",
            ConvergenceWarning,
            stacklevel=6,
        )
    return trained
