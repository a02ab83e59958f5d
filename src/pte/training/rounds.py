"""Training on parts of a text in rounds, as on the nodes of a cluster.

Each node holds a part of the documents, and rows for all words and labels. In a round every node
trains alone, on its own part. Then the nodes join what they have learnt, and the next round begins
with the joined rows. Ji et al. (arXiv 1611.06172) train word2vec in this way. Between two rounds a
node sends and gets the rows of words and labels once; rows of documents stay where their text is.
"""

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import compress, pairwise
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from pte.core import tables
from pte.core.step import learning_rate
from pte.core.types import Table
from pte.errors import PteError
from pte.files import atomic_directory, load_arrays, save_array
from pte.networks import named
from pte.training.draws import Draws, EdgeBlock
from pte.training.edges import Networks, sampler, stretches
from pte.training.hogwild import Hogwild
from pte.training.hot_rows import HotRows
from pte.training.result import WordVectors, refuse_divergence
from pte.training.setup import Setup
from pte.training.turns import Turns

_ARRAYS = {"rows": np.float32, "own": np.float32, "pulls": np.float64}


@dataclass(frozen=True)
class RoundPlan:
    """The plan of a training on parts of a text: one part for each of the `nodes`, in `rounds`.

    `samples` is T, of all nodes together. A round has at least one block of edges
    (`pte.training.draws.BLOCK`), so there may be fewer rounds. `weights` are as in
    `pte.training.edges.train_edges`. Raises `PteError` for a number that is not positive.
    """

    samples: int
    nodes: int
    rounds: int
    setup: Setup
    weights: Mapping[str, float] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Refuse numbers that are not positive; raises `PteError`."""
        for name in ("samples", "nodes", "rounds"):
            if getattr(self, name) < 1:
                raise PteError(f"{name} is {getattr(self, name)}; it must be positive")

    @property
    def draws(self) -> int:
        """The number of draws of each node in all rounds together."""
        return -(-self.samples // (self.setup.hyperparameters.step.size * self.nodes))

    @property
    def drawn(self) -> int:
        """The number of edges of all draws of all nodes: T, rounded up."""
        return self.setup.hyperparameters.step.size * self.draws * self.nodes

    def blocks(self, turns: Turns) -> list[list[EdgeBlock]]:
        """Return the blocks of draws of a node in each round."""
        members = self.setup.hyperparameters.step.size
        every = -(-members * self.draws // self.rounds)
        return list(stretches([turns], [self.draws], members, every, self.setup.racing))


@dataclass(frozen=True)
class NodeState:
    """What a node has learnt in a round, as a folder that the next job reads.

    These are the `rows` that all nodes have, the rows that only this node has, and the pulls of
    `rows`.
    """

    rows: Table
    own: Table
    pulls: NDArray[np.float64]

    def save(self, path: Path) -> None:
        """Write the folder `path`: three sealed arrays."""
        with atomic_directory(path) as folder:
            for name in _ARRAYS:
                save_array(folder / f"{name}.npy", getattr(self, name))

    @classmethod
    def load(cls, path: Path) -> "NodeState":
        """Open a folder that `save` wrote, memory-mapped.

        Raises `PteError` if the folder is broken.
        """
        return cls(**load_arrays(path, _ARRAYS))


class Node:
    """A part of the text, and the tables that are trained on this part."""

    def __init__(self, networks: Networks, plan: RoundPlan, number: int) -> None:
        """Prepare to draw edges of `networks`, the networks of the part.

        Each `number` has random numbers of its own.
        """
        setup, shape = plan.setup, plan.setup.hyperparameters
        turns = Turns([plan.weights.get(name, 1.0) for name in networks])
        samplers = [sampler(network) for network in networks.values()]
        seed = int(np.random.SeedSequence([setup.seed, number]).generate_state(1)[0])
        draws = Draws(samplers, seed, shape.step.size)
        sources, words = draws.touches([turns], shape.step.drawn_negatives(shape.negatives))
        hot = HotRows.of(sources, words, setup.threads)
        self._trainer = Hogwild(draws, setup, hot)
        self._plan, self._blocks = plan, plan.blocks(turns)
        ends = np.cumsum([0, *draws.sizes]).tolist()
        own = [named.spec(name).of_documents for name in networks]
        shared = [not each for each in own]
        self._shared = list(compress(pairwise(ends), shared))
        self._own = list(compress(pairwise(ends), own))
        self._n_words = draws.n_words
        self._touches = np.concatenate([words, *compress(sources, shared)])

    @property
    def rounds(self) -> int:
        """The number of rounds that have draws."""
        return len(self._blocks)

    @property
    def rows(self) -> Table:
        """A copy of the rows that all nodes have: words, then sources that are not documents."""
        source, target = self._trainer.tables
        return np.concatenate([target[: self._n_words], *(source[a:b] for a, b in self._shared)])

    @rows.setter
    def rows(self, rows: Table) -> None:
        target = self._trainer.tables.target
        target[: self._n_words] = rows[: self._n_words]
        self._fill(self._shared, rows[self._n_words :])

    @property
    def own(self) -> Table:
        """A copy of the rows that only this node has: the rows of its documents."""
        source = self._trainer.tables.source
        return np.concatenate([source[:0], *(source[a:b] for a, b in self._own)])

    @own.setter
    def own(self, rows: Table) -> None:
        self._fill(self._own, rows)

    def train(self, number: int) -> NDArray[np.float64]:
        """Train for round `number`, from 0 on; return how much each of the `rows` was pulled."""
        blocks = self._blocks[number] if number < self.rounds else []
        if not blocks:
            return np.zeros_like(self._touches)
        self._trainer.train(blocks)
        first, draws = blocks[0].first, sum(block.count for block in blocks)
        shape = self._plan.setup.hyperparameters
        rate = float(learning_rate(first + draws // 2, self._plan.draws, shape.rate))
        return draws * rate * self._touches

    def _fill(self, places: Sequence[tuple[int, int]], rows: Table) -> None:
        source = self._trainer.tables.source
        for a, b in places:
            source[a:b], rows = rows[: b - a], rows[b - a :]


def first_rows(count: int, setup: Setup) -> Table:
    """Return the `count` rows that all nodes begin with."""
    rows = tables.uniform(count, setup.hyperparameters.dim, np.random.default_rng(setup.seed))
    if setup.known:
        setup.known.fill(rows)
    return rows


def joined(before: Table, after: Sequence[Table], pulls: Sequence[NDArray[np.float64]]) -> Table:
    """Join what the nodes have learnt in a round, and return the joined rows.

    `before` has the rows at the beginning of the round, and `after` has the rows of each node at
    the end of the round. `pulls` has for each node and row the expected number of updates times
    their rate. An update moves a row a part of its way to where the edges draw the row, in
    proportion to the rate. So a pull of p moves the row 1 − exp(−p) of that way. A row with the
    updates of all nodes, P = Σp, would go 1 − exp(−P) of the way that the nodes find on average,
    where each node counts by its pull. Thus moves of rare rows add up. Frequent rows have nearly
    reached their place in each node, and their moves are averaged.
    """
    together = _way_of_a_pull(np.sum(pulls, axis=0))
    moves = (
        (together / _way_of_a_pull(pull))[:, None].astype(np.float32) * (rows - before)
        for rows, pull in zip(after, pulls, strict=True)
    )
    return np.asarray(sum(moves, start=before))


def _way_of_a_pull(pull: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the part of its way that a row goes, divided by its pull: 1 for a row without pull."""
    pull = np.maximum(pull, np.finfo(np.float64).tiny)
    return np.asarray(-np.expm1(-pull) / pull)


def train_rounds(
    parts: Sequence[Networks],
    samples: int,
    rounds: int,
    setup: Setup,
    weights: Mapping[str, float] | None = None,
) -> WordVectors:
    """Train word vectors on `parts` of a text, each part on a node of its own, in `rounds`.

    The networks of a part have the words and classes of the whole text. All networks of a part are
    trained together. The other arguments are the fields of `RoundPlan`. Here the nodes train one
    after the other. `seconds` is the time of the slowest node of each round plus the time of
    joining. One seed gives bit-identical vectors, if each node has one thread.

    Raises `PteError` when `samples` or `rounds` is not positive, and when the vectors diverge.
    """
    plan = RoundPlan(samples, len(parts), rounds, setup, weights or {})
    nodes = [Node(networks, plan, number) for number, networks in enumerate(parts)]
    rows, seconds = first_rows(len(nodes[0].rows), setup), 0.0
    for number in range(nodes[0].rounds):
        began = time.perf_counter()
        pulls, alone = zip(*(_train(node, rows, number) for node in nodes), strict=True)
        rows = joined(rows, [node.rows for node in nodes], pulls)
        refuse_divergence(setup.hyperparameters.rate, rows)
        seconds += time.perf_counter() - began - sum(alone) + max(alone)
    n_words = next(iter(parts[0].values())).n_targets
    vectors = rows[:n_words, : setup.hyperparameters.dim].copy()
    return WordVectors(vectors, plan.drawn, seconds)


def _train(node: Node, rows: Table, number: int) -> tuple[NDArray[np.float64], float]:
    """Train a node for one round from these rows; return its pulls and the seconds it took."""
    began = time.perf_counter()
    node.rows = rows
    pulls = node.train(number)
    return pulls, time.perf_counter() - began
