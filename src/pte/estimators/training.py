"""One training of LINE or PTE on a corpus: T, the weights, the vectors.

It asks the functions that `pte.models.network_embedding` asks, in the same order, so that one seed
and one thread give the workflow's vectors, bit for bit.
"""

import warnings
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Literal

from sklearn.exceptions import ConvergenceWarning

from pte.corpora.encoded import EncodedCorpus
from pte.estimators.errors import BadInput, check_whole
from pte.estimators.progress import stop_at_interrupt
from pte.networks import named
from pte.networks.weights import auto_weights
from pte.selection.samples import can_choose, choose_samples
from pte.training.edges import Networks, Phases, Watch, auto_samples, train_edges
from pte.training.result import WordVectors
from pte.training.setup import Setup

LOOK_EVERY = 500_000
"""Edges between two looks at whether Ctrl-C was pressed."""


@dataclass(frozen=True)
class EdgePlan:
    """What is drawn: `phases` of networks, T or how to find it, weights or a rule for them.

    See `pte.PTE` for the values.
    """

    phases: Phases
    samples: int | str
    samples_limit: int
    weights: str | Mapping[str, float]
    edges: Literal["streamed", "stored"]
    keep_interrupted: bool

    def __post_init__(self) -> None:
        """Refuse what no training could use; raises `BadInput`."""
        if self.samples not in ("chosen", "auto"):
            check_whole("samples", self.samples, 1)
        check_whole("samples_limit", self.samples_limit, 1)
        if self.edges not in ("streamed", "stored"):
            raise BadInput(f'edges is {self.edges!r}; it must be "streamed" or "stored"')
        if isinstance(self.weights, str) and self.weights not in ("paper", "auto"):
            raise BadInput(
                f'network_weights is {self.weights!r}; it must be "paper", "auto", or a weight for '
                "each network"
            )

    @property
    def names(self) -> tuple[str, ...]:
        """The networks of all phases, each once."""
        return tuple(dict.fromkeys(name for phase in self.phases for name in phase))


@dataclass(frozen=True)
class EdgeTraining:
    """What came out: the vectors, T, the curve it was chosen from, and the weights.

    The curve holds pairs of a T and a micro-F1 in percent; it is empty where T was not chosen.
    """

    trained: WordVectors
    samples: int
    curve: tuple[tuple[int, float], ...]
    weights: Mapping[str, float]


def train_on_networks(corpus: EncodedCorpus, plan: EdgePlan, setup: Setup) -> EdgeTraining:
    """Choose T, make the networks, and train.

    Raises `PteError` when there is no such network, or the corpus has no edge of it, and as
    `pte.training.edges.train_edges` does.
    """
    networks = _networks(corpus, plan, setup)
    given = {}
    if not isinstance(plan.weights, str):
        given = {name: weight for name, weight in plan.weights.items() if name in networks}
    samples, curve = _samples(corpus, plan, setup, given, networks)
    if plan.weights == "auto":
        given = auto_weights(corpus, plan.phases, samples)
    trained = _train(networks, plan, samples, setup, given)
    return EdgeTraining(trained, samples, curve, given)


def _networks(corpus: EncodedCorpus, plan: EdgePlan, setup: Setup) -> Networks:
    window = setup.hyperparameters.window
    if plan.edges == "streamed":
        return named.streams(corpus, plan.names, window)
    return {name: named.build(name, corpus, window, threads=setup.threads) for name in plan.names}


def _samples(
    corpus: EncodedCorpus,
    plan: EdgePlan,
    setup: Setup,
    weights: Mapping[str, float],
    networks: Networks,
) -> tuple[int, tuple[tuple[int, float], ...]]:
    """T, and the curve that it was chosen from."""
    if not isinstance(plan.samples, str):
        return int(plan.samples), ()
    if plan.samples == "chosen" and corpus.n_classes > 1 and can_choose(corpus):
        found = choose_samples(corpus, plan.phases, plan.samples_limit, setup, weights)
        return found.samples, found.curve
    samples = auto_samples(networks, plan.phases)
    return (samples if plan.samples == "auto" else min(samples, plan.samples_limit)), ()


def _train(
    networks: Networks, plan: EdgePlan, samples: int, setup: Setup, weights: Mapping[str, float]
) -> WordVectors:
    def train(watch: Watch | None) -> WordVectors:
        return train_edges(networks, plan.phases, samples, setup, weights, watch)

    return _until_interrupt(train, samples) if plan.keep_interrupted else train(None)


def _until_interrupt(train: Callable[[Watch | None], WordVectors], samples: int) -> WordVectors:
    """Train until Ctrl-C, and keep the vectors as they are then."""
    with stop_at_interrupt() as stopped:
        trained = train(Watch(lambda drawn, vectors: stopped(), every=LOOK_EVERY))
    if stopped():
        warnings.warn(
            f"training was interrupted after {trained.samples:,} edges of {samples:,} in each "
            "phase; the vectors are as they were then",
            ConvergenceWarning,
            stacklevel=6,
        )
    return trained
