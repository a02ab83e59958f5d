"""LINE and PTE on several nodes, which each train on a part of a text and join what they learn.

In the workflow each node trains each round in a job, and `fit` takes the vectors that the last
round joined. Without such jobs, `fit` trains all nodes one after the other. The vectors are the
same to the bit.
"""

from dataclasses import replace

from pte.corpora.dealing import dealt, dealt_to
from pte.errors import PteError
from pte.files import load_array
from pte.models import network_embedding
from pte.models.network_embedding import NETWORKS, samples_of, weights_of
from pte.networks import named
from pte.training.contract import Fitted, Rounds, Spec, Task
from pte.training.edges import of_phases
from pte.training.plan import Size
from pte.training.rounds import Node, NodeState, RoundPlan, first_rows, train_rounds

_POSITIVE = {"type": "integer", "minimum": 1}


def fit(task: Task) -> Fitted:
    """Take the word vectors of the last round from the file `rows`, or train all rounds here."""
    plan = plan_of(task)
    notes = {"nodes": plan.nodes, "rounds": plan.rounds, "weights": dict(plan.weights)}
    if "rows" in task.inputs:
        rows = load_array(task.inputs["rows"], mapped=True)
        words = rows[: task.corpus.n_words, : plan.setup.hyperparameters.dim]
        return Fitted(words.copy(), plan.drawn, None, notes)
    names, window = task.options["networks"], task.hyperparameters.window
    parts = dealt(task.corpus, plan.nodes, task.seed)
    networks = [named.streams(part, names, window) for part in parts]
    trained = train_rounds(networks, plan.samples, plan.rounds, plan.setup, plan.weights)
    return Fitted(trained.vectors, trained.samples, trained.seconds, notes)


def plan_of(task: Task) -> RoundPlan:
    """Return the plan of the nodes, from the options of an entry and the configuration.

    T and the weights are the same as for LINE and PTE, but no search chooses T: if the
    configuration asks for a search, T is in proportion to the number of edges.
    """
    phases, window = [task.options["networks"]], task.hyperparameters.window
    for name in phases[0]:
        if not named.spec(name).in_rounds:
            raise PteError(f"network {name}: nodes cannot train it in rounds; leave it out")
    one_phase = replace(task, options={"phases": phases})
    networks = named.streams(task.corpus, phases[0], window)
    (samples,) = of_phases(samples_of(one_phase, networks), phases)
    weights = weights_of(one_phase, networks, samples)
    return RoundPlan(samples, task.options["nodes"], task.options["rounds"], task.setup, weights)


def train_node(task: Task, number: int, round_number: int) -> NodeState:
    """Train node `number` in round `round_number`; both numbers begin at 0.

    From the second round on, the inputs of the task have two more paths: `rows`, the rows that the
    nodes joined, and `node`, the folder of this node from the round before.
    """
    plan = plan_of(task)
    mine = dealt_to(task.corpus, plan.nodes, task.seed) == number
    part = task.corpus.of_documents(mine)
    networks = named.streams(part, task.options["networks"], task.hyperparameters.window)
    node = Node(networks, plan, number)
    if round_number == 0:
        node.rows = first_rows(len(node.rows), plan.setup)
    else:
        node.rows = load_array(task.inputs["rows"], mapped=True)
        node.own = NodeState.load(task.inputs["node"]).own
    pulls = node.train(round_number)
    return NodeState(node.rows, node.own, pulls)


def _memory(size: Size) -> float:
    """Return the bytes of five rows for each word, one for each document, and 12 for each token."""
    return 4 * size.dim * (5 * size.words + size.documents) + 12 * size.tokens


SPEC = Spec(
    yields="words",
    options={"networks": NETWORKS, "nodes": _POSITIVE, "rounds": _POSITIVE},
    required=("networks", "nodes", "rounds"),
    uses=frozenset({"hyperparameters", "samples", "samples_limit", "weights"}),
    networks=lambda options: tuple(options["networks"]),
    cost=lambda options: network_embedding.SPEC.cost({"phases": [options["networks"]]}),
    rounds=lambda options: Rounds(options["nodes"], options["rounds"]),
    sees_labels=lambda options: any(named.spec(name).labels for name in options["networks"]),
    ordered=lambda options: any(named.spec(name).ordered for name in options["networks"]),
    threads=16,
    memory=_memory,
)
