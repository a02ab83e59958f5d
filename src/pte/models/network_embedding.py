"""LINE and PTE (paper, section 4): word vectors from the text networks that an entry names."""

import time
from collections.abc import Mapping
from dataclasses import replace
from typing import Any, NamedTuple

from pte.corpora.encoded import TRAIN
from pte.corpora.subsets import find_labelled
from pte.errors import PteError
from pte.networks import named
from pte.networks.bipartite import Network
from pte.networks.named import auto_weights
from pte.training.contract import Chosen, Cost, Fitted, Options, Spec, Task
from pte.training.edges import Networks, Phases, Samples, auto_samples, of_phases, train_edges
from pte.training.samples import ChosenSamples, can_choose, choose_samples, choose_weights
from pte.training.setup import Setup, Size, WordVectors

_OF_PHASE = {"type": "integer", "minimum": 1}
SAMPLES: Mapping[str, Any] = {"anyOf": [_OF_PHASE, {"type": "array", "items": _OF_PHASE}]}
"""JSON schema of T: one number for all phases, or a number for each phase in turn."""

NETWORKS = {"type": "array", "minItems": 1, "uniqueItems": True, "items": {"type": "string"}}
"""JSON schema of names of networks."""

EDGES_SECONDS = 0.3  # processor seconds of 10⁶ edges by groups: 0.29 on R8, with search


CHOSEN = "chosen"  # weights that held-out documents choose, for their T


class Plan(NamedTuple):
    """The networks of each phase, T, the weights, and the `search` for T, if any."""

    networks: Networks
    phases: Phases
    samples: Samples
    weights: Mapping[str, float]
    search: ChosenSamples | None

    def train(self, setup: Setup) -> WordVectors:
        """Train as `train_edges` does."""
        return train_edges(self.networks, self.phases, self.samples, setup, self.weights)


def fit(task: Task) -> Fitted:
    """Train on the networks of the entry's phases, with the task's T and weights."""
    plan = plan_of(task)
    trained, search = plan.train(task.setup), plan.search
    notes = {
        "edges": "streamed" if task.streamed else "stored",
        "weights": plan.weights,
        "search": search and {"seconds": search.seconds, "curve": search.curve},
    }
    return Fitted(trained.vectors, trained.samples, trained.seconds, notes)


def choose(task: Task) -> Chosen:
    """Choose T on held-out documents; with too few labels, it is ten times the number of edges."""
    began = time.perf_counter()
    plan = plan_of(replace(task, samples="chosen", choice=None, progress=None))
    curve = plan.search.curve if plan.search else ()
    points = tuple({"samples": samples, "micro_f1": score} for samples, score in curve)
    choice: dict[str, Any] = {"samples": plan.samples}
    if task.weights == CHOSEN:
        choice["weights"] = plan.weights
    return Chosen(choice, points, time.perf_counter() - began)


def plan_of(task: Task) -> Plan:
    """Load or make the networks, and choose T and the weights, as the task asks for."""
    networks, phases, search = _networks(task), task.options["phases"], None
    searches = task.samples == "chosen" and task.choice is None
    if searches and can_choose(task.corpus, task.seed):
        search = _search(task, networks, task.samples_limit)
        if search.rises and len(phases) == 1 and task.samples_further > task.samples_limit:
            search = _search(task, networks, task.samples_further)
    samples = search.samples if search else samples_of(task, networks)
    weights = weights_of(task, networks, samples)
    if task.weights == CHOSEN and search:
        weights = _chosen_weights(task, samples)
    return Plan(networks, phases, samples, weights, search)


def _search(task: Task, networks: Networks, limit: int) -> ChosenSamples:
    weights = {} if task.weights == CHOSEN else weights_of(task, networks, limit)
    return choose_samples(task.corpus, task.options["phases"], limit, task.setup, weights)


def _chosen_weights(task: Task, samples: Samples) -> Mapping[str, float]:
    corpus, phases = task.corpus, task.options["phases"]
    automatic = auto_weights(corpus, phases, of_phases(samples, phases))
    if all(weight == 1 for weight in automatic.values()):
        return {}
    return choose_weights(corpus, phases, samples, task.setup, ({}, automatic))


def _networks(task: Task) -> Networks:
    """Load the networks that have a file; stream the others from the corpus, or build them."""
    corpus, window, names = task.corpus, task.hyperparameters.window, _names(task.options)
    loaded = {name: Network.load(task.inputs[name]) for name in names if name in task.inputs}
    made = [name for name in names if name not in loaded]
    if task.streamed:
        return loaded | named.streams(corpus, made, window)
    return loaded | {n: named.build(n, corpus, window, threads=task.threads) for n in made}


def weights_of(task: Task, networks: Mapping[str, object], samples: Samples) -> Mapping[str, float]:
    """Return the weights, none if all are 1; unchosen, automatic if less than half have labels."""
    if task.choice is not None and "weights" in task.choice:
        chosen: Mapping[str, float] = task.choice["weights"]
        return chosen
    known, all_documents = find_labelled(task.corpus).size, task.corpus.documents(TRAIN).size
    if task.weights == "auto" or (task.weights == CHOSEN and 2 * known < all_documents):
        phases = task.options["phases"]
        return auto_weights(task.corpus, phases, of_phases(samples, phases))
    if isinstance(task.weights, str):
        return {}
    return {name: weight for name, weight in task.weights.items() if name in networks}


def samples_of(task: Task, networks: Networks) -> Samples:
    """Return T as chosen or configured, in proportion to a part's text, or else to the edges."""
    if task.choice is not None:
        chosen: Samples = task.choice["samples"]
        return chosen
    if isinstance(task.samples, str):
        samples = auto_samples(networks, task.options["phases"])
        return samples if task.samples == "auto" else min(samples, task.samples_limit)
    return round(task.samples * task.corpus.text_share)


def _names(options: Options) -> tuple[str, ...]:
    return tuple(sorted({name for phase in options["phases"] for name in phase}))


def _memory(size: Size) -> float:
    """Return the bytes of tables (3 rows a word), edges (20 bytes, 3 to 4 a token) and judging."""
    tables = 4 * size.dim * (3 * size.words + size.documents)
    edges = (8 if size.streamed else 4 * 40) * size.tokens
    return tables + edges + 50 * size.dim * 10_000


SPEC = Spec(
    yields="words",
    options={"phases": {"type": "array", "minItems": 1, "items": NETWORKS}},
    required=("phases",),
    uses=frozenset(
        {
            *("hyperparameters", "samples", "samples_limit", "samples_further"),
            *("weights", "streamed"),
        }
    ),
    choice={"samples": SAMPLES, "weights": {"type": "object"}},
    # of a search for T and of two trainings, one of them on a part of the text
    cost=lambda options: Cost(0.2, 2, EDGES_SECONDS * len(options["phases"])),
    networks=_names,
    sees_labels=lambda options: any(named.spec(name).labels for name in _names(options)),
    ordered=lambda options: any(named.spec(name).ordered for name in _names(options)),
    threads=16,
    memory=_memory,
)


def _phases(options: Options) -> Options:
    return {"phases": [options["networks"]]}


class EqualDraws:
    """PTE with some networks, each with as many edges as a joint training draws, not more."""

    SPEC = replace(
        SPEC,
        options={"networks": NETWORKS, "among": NETWORKS},
        required=("networks", "among"),
        uses=SPEC.uses - {"samples_limit", "samples_further"},
        choice={},
        cost=lambda options: SPEC.cost(_phases(options)),
        networks=lambda options: tuple(sorted(options["networks"])),
        sees_labels=lambda options: SPEC.sees_labels(_phases(options)),
        ordered=lambda options: SPEC.ordered(_phases(options)),
    )

    @staticmethod
    def fit(task: Task) -> Fitted:
        """Train on `networks` with their share of a number T, as if all of `among` were trained."""
        if isinstance(task.samples, str):
            raise PteError(f"equal_draws: samples is {task.samples}; give a number")
        share = len(task.options["networks"]) / len(task.options["among"])
        samples = round(task.samples * share)
        return fit(replace(task, options=_phases(task.options), samples=samples))
